//! The processes of a random program.

use super::Generator;
use super::scope::{Channel, Kind};
use super::statement::Context;

impl Generator {
    /// The whole text.
    pub fn model(&mut self) -> String {
        let mut text = self.declarations();
        let types = self.random.usize(1..4);
        let globals = (self.variables.len(), self.channels.len());
        let mut processes = Vec::new();
        // From the last to the first, so that each may start those after it.
        for number in (0..types).rev() {
            let name = format!("P{number}");
            let active =
                number == 0 && !self.shape.creation || self.chance(if self.shape.creation { 30 } else { 75 });
            let parameters = if self.shape.creation && !active { self.parameters() } else { Vec::new() };
            let process = self.process(&name, active, &parameters, types);
            self.variables.truncate(globals.0);
            self.channels.truncate(globals.1);
            processes.push(process);
            let kinds = parameters.iter().map(|(_, kind)| *kind).collect();
            if !active {
                self.startable.push((name, kinds));
            }
        }
        let early = self.chance(20);
        if !early {
            processes.reverse();
        }
        text.push_str(&processes.concat());
        if !self.startable.is_empty() {
            text.push_str(&self.init());
        }
        text
    }

    fn parameters(&mut self) -> Vec<(String, Kind)> {
        let mut parameters = Vec::new();
        for _ in 0..self.random.usize(0..3) {
            let channel = self.shape.channel_values && !self.signatures.is_empty() && self.chance(50);
            let kind =
                if channel { Kind::Chan(self.random.usize(0..self.signatures.len())) } else { self.kind() };
            let kind = if matches!(kind, Kind::Unsigned(_)) { Kind::Byte } else { kind };
            parameters.push((self.name("p"), kind));
        }
        parameters
    }

    fn process(&mut self, name: &str, active: bool, parameters: &[(String, Kind)], types: usize) -> String {
        let mut text = String::new();
        if active {
            let two = if types < 3 { self.chance(45) } else { self.chance(12) };
            text.push_str(if two { "active [2] " } else { "active " });
        }
        let listed: Vec<String> =
            parameters.iter().map(|(name, kind)| format!("{} {name}", kind.word())).collect();
        text.push_str(&format!("proctype {name}({})", listed.join("; ")));
        if self.shape.provided && self.chance(50) {
            let condition = self.condition(0);
            text.push_str(&format!(" provided ({condition})"));
        }
        text.push_str(" {\n");
        for (name, kind) in parameters {
            match kind {
                Kind::Chan(signature) => {
                    self.channels.push(Channel { name: name.clone(), length: 0, signature: *signature });
                }
                _ => self.declared(name, *kind),
            }
        }
        for _ in 0..self.random.u32(0..3) {
            text.push_str(&format!("  {};\n", self.variable(false)));
        }
        if self.shape.channel_values && !self.signatures.is_empty() && self.chance(60) {
            let signature = self.random.usize(0..self.signatures.len());
            let name = self.name("c");
            // A channel variable holds a channel before anything else happens.
            let first = self.value(Kind::Chan(signature));
            text.push_str(&format!("  chan {name};\n  {name} = {first};\n"));
            self.channels.push(Channel { name: name.clone(), length: 0, signature });
            self.declared(&name, Kind::Chan(signature));
        }
        text.push_str(&self.body(types));
        text.push_str("}\n");
        text
    }

    /// The statements of a process, one a line.
    fn body(&mut self, types: usize) -> String {
        self.labels.clear();
        let count = if types > 2 { self.random.usize(3..6) } else { self.random.usize(3..8) };
        // Jumps backwards would start processes without end.
        let jumps = self.shape.jumps && self.startable.is_empty();
        let mut lines = Vec::new();
        for _ in 0..count {
            let mut line = String::new();
            if jumps && self.chance(35) {
                let start = self.word(&["L", "L", "end", "progress", "accept"]);
                let label = self.name(start);
                line.push_str(&format!("{label}: "));
                self.labels.push(label);
            }
            let statement = self.statement(Context::body(3));
            // A label stands before a statement, not before a declaration.
            let declares = statement.starts_with("byte ");
            line.push_str(if declares && !line.is_empty() { "skip; " } else { "" });
            line.push_str(&statement);
            lines.push(format!("  {line}"));
        }
        self.labels.clear();
        lines.join(";\n") + "\n"
    }

    fn init(&mut self) -> String {
        let count = self.random.usize(1..4);
        let starts: Vec<String> = (0..count).map(|_| self.start()).collect();
        let starts = starts.join("; ");
        let starts = if self.chance(50) { format!("atomic {{ {starts} }}") } else { starts };
        let rest =
            if self.chance(40) { format!("; {}", self.sequence(Context::body(1), 2)) } else { String::new() };
        format!("init {{ {starts}{rest} }}\n")
    }
}
