//! What a random program has declared, and the ways to name it.

use super::Generator;

/// The type of a variable.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Bit,
    Bool,
    Byte,
    Pid,
    Short,
    Int,
    /// With so many bits.
    Unsigned(u32),
    Mtype,
    /// A channel of this signature.
    Chan(usize),
}

impl Kind {
    /// The word of the language; the width of an `unsigned` follows the name.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Bit => "bit",
            Kind::Bool => "bool",
            Kind::Byte => "byte",
            Kind::Pid => "pid",
            Kind::Short => "short",
            Kind::Int => "int",
            Kind::Unsigned(_) => "unsigned",
            Kind::Mtype => "mtype",
            Kind::Chan(_) => "chan",
        }
    }

    /// Whether it has so few values that any may be assigned.
    pub fn is_narrow(self) -> bool {
        matches!(self, Kind::Bit | Kind::Bool | Kind::Unsigned(_))
    }
}

/// A variable, or a field of one.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The names on the way to it, each with the length of its array; zero if it is none.
    pub parts: Vec<(String, usize)>,
    pub kind: Kind,
    /// It counts a loop, so that nothing else may change it.
    pub frozen: bool,
}

impl Variable {
    /// Whether every value of a field can be stored in it. `loose` fields of one bit have any byte.
    pub fn has_room_for(&self, field: Kind, loose: bool) -> bool {
        let bits = |kind: Kind| match kind {
            Kind::Bit | Kind::Bool => 1,
            Kind::Unsigned(width) => width,
            Kind::Byte | Kind::Pid | Kind::Mtype | Kind::Chan(_) => 8,
            Kind::Short => 16,
            Kind::Int => 32,
        };
        match (self.kind, field) {
            (Kind::Chan(mine), Kind::Chan(theirs)) => mine == theirs,
            (Kind::Chan(_), _) | (_, Kind::Chan(_)) => false,
            (Kind::Mtype, Kind::Mtype) => true,
            (Kind::Mtype, _) => false,
            (mine, Kind::Bit | Kind::Bool) if loose => bits(mine) >= 8,
            (mine, theirs) => bits(mine) >= bits(theirs),
        }
    }
}

/// A channel, or a variable that holds one.
#[derive(Clone, Debug)]
pub struct Channel {
    pub name: String,
    /// Zero if it is no array.
    pub length: usize,
    pub signature: usize,
}

/// What channels that can stand for each other have in common.
#[derive(Clone, Debug)]
pub struct Signature {
    pub fields: Vec<Kind>,
    /// Some channel of it is a rendezvous channel.
    pub rendezvous: bool,
    /// Values other than 0 and 1 are sent in the fields of one bit. SPIN keeps them if the messages
    /// have no other field.
    pub loose: bool,
}

impl Generator {
    /// Declares a variable that is no array.
    pub fn declared(&mut self, name: &str, kind: Kind) {
        self.variables.push(Variable { parts: vec![(name.to_owned(), 0)], kind, frozen: false });
    }

    /// A variable that is accepted, written with indices; `None` if there is none.
    pub fn place(&mut self, accepted: impl Fn(&Variable) -> bool) -> Option<(String, Kind)> {
        let fit: Vec<usize> =
            (0..self.variables.len()).filter(|&index| accepted(&self.variables[index])).collect();
        if fit.is_empty() {
            return None;
        }
        let variable = self.variables[fit[self.random.usize(0..fit.len())]].clone();
        let mut text = Vec::new();
        for (name, length) in &variable.parts {
            let index = if *length == 0 { String::new() } else { format!("[{}]", self.index(*length)) };
            text.push(format!("{name}{index}"));
        }
        Some((text.join("."), variable.kind))
    }

    /// An index that is always inside an array of this length.
    fn index(&mut self, length: usize) -> String {
        let bits: Vec<String> = self
            .variables
            .iter()
            .filter(|v| v.kind == Kind::Bit && v.parts.len() == 1 && v.parts[0].1 == 0)
            .map(|v| v.parts[0].0.clone())
            .collect();
        match self.pick(&[50, 20, 30]) {
            1 => format!("_pid % {length}"),
            2 if length > 1 && !bits.is_empty() => bits[self.random.usize(0..bits.len())].clone(),
            _ => self.random.usize(0..length).to_string(),
        }
    }

    /// A channel that is accepted, written with an index.
    pub fn channel(&mut self, accepted: impl Fn(&Signature, usize) -> bool) -> Option<(String, usize)> {
        let fit: Vec<usize> = (0..self.channels.len())
            .filter(|&index| {
                let signature = self.channels[index].signature;
                accepted(&self.signatures[signature], signature)
            })
            .collect();
        if fit.is_empty() {
            return None;
        }
        let Channel { name, length, signature } = self.channels[fit[self.random.usize(0..fit.len())]].clone();
        let text = if length == 0 { name } else { format!("{name}[{}]", self.index(length)) };
        Some((text, signature))
    }
}
