//! Random sends, receives, and questions about channels.

use super::Generator;
use super::scope::{Kind, Signature};

/// Whether one of these names occurs in a text.
fn mentions(text: &str, names: &[String]) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| names.iter().any(|name| name == word))
}

/// Whether one of these names occurs in an index of a variable.
fn index_mentions(text: &str, names: &[String]) -> bool {
    text.split_once('[').is_some_and(|(_, index)| mentions(index, names))
}

impl Generator {
    /// A send or a receive on a channel that is accepted.
    pub fn communication(&mut self, accepted: impl Fn(&Signature) -> bool) -> Option<String> {
        let (channel, signature) = self.channel(|signature, _| accepted(signature))?;
        Some(if self.chance(50) { self.send(&channel, signature) } else { self.receive(&channel, signature) })
    }

    /// A send.
    pub fn send(&mut self, channel: &str, signature: usize) -> String {
        let Signature { fields, rendezvous, loose } = self.signatures[signature].clone();
        let sorted = self.shape.probes && !rendezvous && self.chance(20);
        let mut values: Vec<String> = fields.iter().map(|&kind| self.message_value(kind, loose)).collect();
        if sorted {
            // SPIN sorts by the values before they are cut to fit, so that all have to fit.
            for (value, kind) in values.iter_mut().zip(&fields) {
                match kind {
                    Kind::Mtype | Kind::Chan(_) => {}
                    Kind::Bit | Kind::Bool => *value = format!("({value} & 1)"),
                    _ => *value = format!("({value} & 3)"),
                }
            }
        }
        let operator = if sorted { "!!" } else { "!" };
        if values.len() > 1 && self.chance(20) {
            return format!("{channel}{operator}{}({})", values[0], values[1..].join(", "));
        }
        format!("{channel}{operator}{}", values.join(", "))
    }

    /// A value in a message; messages, too, are to be few.
    fn message_value(&mut self, kind: Kind, loose: bool) -> String {
        match kind {
            Kind::Bit | Kind::Bool if loose => self.expression(1),
            Kind::Bit | Kind::Bool => self.condition(1),
            _ => self.value(kind),
        }
    }

    /// A receive.
    pub fn receive(&mut self, channel: &str, signature: usize) -> String {
        let rendezvous = self.signatures[signature].rendezvous;
        let special = self.shape.probes && !rendezvous;
        let operator = if special && self.chance(30) { "??" } else { "?" };
        let arguments = self.patterns(signature, true);
        if special && self.chance(15) {
            return format!("{channel}{operator}<{}>", arguments.join(", "));
        }
        if arguments.len() > 1 && self.chance(20) {
            return format!("{channel}{operator}{}({})", arguments[0], arguments[1..].join(", "));
        }
        format!("{channel}{operator}{}", arguments.join(", "))
    }

    /// What each field must be, or where it goes.
    ///
    /// SPIN goes back over a receive by putting the present values of its variables and conditions into the
    /// channel again. So that it puts back what was there, a field goes into a variable that has room for
    /// it, and no condition or index looks at a variable that the receive changes.
    fn patterns(&mut self, signature: usize, storing: bool) -> Vec<String> {
        let fields = self.signatures[signature].fields.clone();
        let loose = self.signatures[signature].loose;
        let mut patterns: Vec<Option<String>> = vec![None; fields.len()];
        let mut stored: Vec<String> = Vec::new();
        for (pattern, &kind) in patterns.iter_mut().zip(&fields) {
            if !self.chance(45) {
                continue;
            }
            let place = self.place(|v| !v.frozen && v.has_room_for(kind, loose));
            if let Some((text, _)) = place.filter(|(text, _)| !mentions(text, &stored)) {
                if storing {
                    stored.push(text.split(['[', '.']).next().unwrap_or_default().to_owned());
                }
                *pattern = Some(text);
            }
        }
        for (pattern, &kind) in patterns.iter_mut().zip(&fields) {
            let is_channel = matches!(kind, Kind::Chan(_));
            if pattern.as_ref().is_some_and(|text| !index_mentions(text, &stored)) {
                continue;
            }
            *pattern = Some(match self.pick(&[30, 30, 40]) {
                0 if kind == Kind::Mtype => self.word(&["red", "green", "blue"]).to_owned(),
                0 if !is_channel => self.random.u32(0..2).to_string(),
                1 if !is_channel => {
                    let value = self.expression(1);
                    if mentions(&value, &stored) { "_".to_owned() } else { format!("eval({value})") }
                }
                _ => "_".to_owned(),
            });
        }
        patterns.into_iter().flatten().collect()
    }

    /// A question about a channel.
    pub fn probe(&mut self) -> Option<String> {
        if self.chance(35) {
            let (channel, signature) = self.channel(|signature, _| !signature.rendezvous)?;
            let operator = self.word(&["?", "??"]);
            let patterns = self.patterns(signature, false);
            return Some(format!("({channel}{operator}[{}])", patterns.join(", ")));
        }
        let (channel, _) = self.channel(|signature, _| !signature.rendezvous)?;
        Some(match self.pick(&[1, 1, 1, 1, 2]) {
            0 => format!("empty({channel})"),
            1 => format!("nempty({channel})"),
            2 => format!("full({channel})"),
            3 => format!("nfull({channel})"),
            _ => format!("(len({channel}) {} {})", self.word(&["==", "<", ">"]), self.random.u32(0..3)),
        })
    }
}
