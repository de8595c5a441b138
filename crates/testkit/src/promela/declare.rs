//! The declarations of a random program: symbols, structures, variables, channels, inlines, macros.

use super::Generator;
use super::scope::{Channel, Kind, Signature, Variable};
use super::statement::Context;

impl Generator {
    /// The type of a variable.
    pub fn kind(&mut self) -> Kind {
        let wide = Self::weight(self.shape.wide, 8);
        let weights = [35, 10, 20, 2, wide, wide, 20, Self::weight(self.shape.symbols, 15)];
        match self.pick(&weights) {
            0 => Kind::Bit,
            1 => Kind::Bool,
            2 => Kind::Byte,
            3 => Kind::Pid,
            4 => Kind::Short,
            5 => Kind::Int,
            6 => Kind::Unsigned(self.random.u32(1..4)),
            _ => Kind::Mtype,
        }
    }

    /// Everything before the processes.
    pub fn declarations(&mut self) -> String {
        let mut text = String::new();
        if self.shape.macros {
            text.push_str(
                "#define LIMIT 2\n#define SMALL(v) ((v) & 3)\n#define NEXT(v) v = SMALL(v + 1) % 3\n",
            );
            text.push_str("#ifdef LIMIT\n#define CAPACITY (LIMIT - 1)\n#else\n#define CAPACITY 7\n#endif\n");
            self.macros.push("NEXT".to_owned());
        }
        if self.shape.symbols {
            text.push_str("mtype = { red, green, blue };\n");
        }
        if self.shape.structures {
            text.push_str(&self.structures());
        }
        for _ in 0..self.random.u32(2..5) {
            text.push_str(&self.variable(true));
            text.push_str(";\n");
        }
        text.push_str(&self.channel_declarations());
        if self.shape.inlines {
            text.push_str(&self.inline());
        }
        text
    }

    /// A declaration of one variable, which is in scope from then on.
    pub fn variable(&mut self, global: bool) -> String {
        let kind = self.kind();
        let name = self.name(if global { "g" } else { "v" });
        let length = if self.shape.arrays && self.chance(35) { self.random.usize(1..4) } else { 0 };
        let length = if matches!(kind, Kind::Unsigned(_)) { 0 } else { length };
        let mut text = format!("{} {name}", kind.word());
        if let Kind::Unsigned(width) = kind {
            text.push_str(&format!(" : {width}"));
        }
        if length > 0 {
            text.push_str(&format!("[{length}]"));
        }
        if self.chance(30) {
            let initial = match kind {
                Kind::Mtype => self.word(&["red", "green", "blue"]).to_owned(),
                _ => self.random.u32(0..3).to_string(),
            };
            text.push_str(&format!(" = {initial}"));
        }
        self.variables.push(Variable { parts: vec![(name, length)], kind, frozen: false });
        text
    }

    fn structures(&mut self) -> String {
        let field = |name: &str, length, kind| (name.to_owned(), length, kind);
        let last = self.kind();
        let inner = [field("a", 0, Kind::Bit), field("b", 2, Kind::Byte)];
        let outer = [field("d", 0, last), field("e", 0, Kind::Unsigned(2))];
        let width = if let Kind::Unsigned(width) = last { format!(" : {width}") } else { String::new() };
        let mut text = format!(
            "typedef Inner {{ bit a; byte b[2] }};\ntypedef Outer {{ Inner i[2]; {} d{width}; unsigned e : 2 }};\n",
            last.word()
        );
        let (one, many) = (self.name("s"), self.name("s"));
        let outer_length = if self.chance(40) { 2 } else { 0 };
        let index = if outer_length > 0 { "[2]" } else { "" };
        text.push_str(&format!("Inner {one};\nOuter {many}{index};\n"));
        for (name, length, kind) in inner {
            let parts = vec![(one.clone(), 0), (name.clone(), length)];
            self.variables.push(Variable { parts, kind, frozen: false });
            let parts = vec![(many.clone(), outer_length), ("i".to_owned(), 2), (name, length)];
            self.variables.push(Variable { parts, kind, frozen: false });
        }
        for (name, length, kind) in outer {
            let parts = vec![(many.clone(), outer_length), (name, length)];
            self.variables.push(Variable { parts, kind, frozen: false });
        }
        text
    }

    fn channel_declarations(&mut self) -> String {
        let mut text = String::new();
        let kinds: Vec<bool> = match (self.shape.buffered, self.shape.rendezvous) {
            (false, false) => return text,
            (true, false) => vec![false; self.random.usize(1..3)],
            (false, true) => vec![true; self.random.usize(1..3)],
            (true, true) => vec![false, true],
        };
        for rendezvous in kinds {
            let signature = self.signatures.len();
            let mut fields = Vec::new();
            for _ in 0..[1, 1, 2, 2, 3][self.random.usize(0..5)] {
                let carries = self.shape.channel_values && signature > 0 && self.chance(40);
                fields.push(if carries { Kind::Chan(0) } else { self.field() });
            }
            // Now and then a variable may hold a channel of either kind.
            let mixed = self.shape.channel_values && self.chance(25);
            let words: Vec<&str> = fields.iter().map(|kind| kind.word()).collect();
            let words = words.join(", ");
            let loose = self.chance(30);
            let (buffered, rendezvous) = (!rendezvous || mixed, rendezvous || mixed);
            self.signatures.push(Signature { fields, rendezvous, loose });
            for number in 0..self.random.usize(1..3).max(1 + usize::from(mixed)) {
                let name = self.name("q");
                let zero = if buffered && rendezvous { number == 0 } else { rendezvous };
                let capacity = match (zero, self.shape.macros && self.chance(40)) {
                    (true, _) => "0".to_owned(),
                    (false, true) => "CAPACITY".to_owned(),
                    (false, false) => self.random.u32(1..4).to_string(),
                };
                let length = if self.shape.arrays && self.chance(25) { 2 } else { 0 };
                let index = if length > 0 { "[2]" } else { "" };
                text.push_str(&format!("chan {name}{index} = [{capacity}] of {{ {words} }};\n"));
                self.channels.push(Channel { name, length, signature });
            }
        }
        text
    }

    /// The type of a field of a message.
    fn field(&mut self) -> Kind {
        match self.kind() {
            Kind::Unsigned(_) | Kind::Pid => Kind::Byte,
            kind => kind,
        }
    }

    /// An inline with a variable and a value as parameters.
    fn inline(&mut self) -> String {
        let name = self.name("change");
        let mark = self.variables.len();
        // Not a bit, which would be an index: what it stands for may be a byte.
        self.declared("what", Kind::Bool);
        self.variables.push(Variable { parts: vec![("with".to_owned(), 0)], kind: Kind::Byte, frozen: true });
        let own = if self.chance(40) { self.variable(false) + "; " } else { String::new() };
        let context = Context { depth: 1, ..Context::inside_inline() };
        let body = self.sequence(context, 2);
        self.variables.truncate(mark);
        self.inlines.push(name.clone());
        format!("inline {name}(what, with) {{ {own}{body} }}\n")
    }
}
