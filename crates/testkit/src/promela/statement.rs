//! Random statements.
//!
//! What an atomic sequence repeats is counted, so that it ends. A `d_step` blocks at its beginning only.

use super::Generator;
use super::scope::{Kind, Signature, Variable};

/// Where a statement stands.
#[derive(Copy, Clone, Debug)]
pub struct Context {
    /// How deeply choices and loops may still be nested.
    pub depth: u32,
    /// Nothing may run for ever here.
    pub atomic: bool,
    /// Nothing may block here.
    pub d_step: bool,
    /// A `break` has a loop to leave.
    pub in_loop: bool,
    /// Labels can't be set here, since the text may stand at several places.
    pub inline: bool,
    /// Processes may be started: it is no loop.
    pub once: bool,
}

impl Context {
    /// The outermost level of a process.
    pub fn body(depth: u32) -> Context {
        Context { depth, atomic: false, d_step: false, in_loop: false, inline: false, once: true }
    }

    /// The body of an inline, which may stand anywhere but in a `d_step`.
    pub fn inside_inline() -> Context {
        Context { atomic: true, inline: true, once: false, ..Context::body(1) }
    }

    fn deeper(self) -> Context {
        Context { depth: self.depth.saturating_sub(1), ..self }
    }
}

impl Generator {
    /// Statements in order, at least one.
    pub fn sequence(&mut self, context: Context, most: usize) -> String {
        let mut text = self.statement(context);
        for _ in 1..self.random.usize(1..=most) {
            text.push_str(self.separator());
            text.push_str(&self.statement(context));
        }
        text
    }

    /// A statement.
    pub fn statement(&mut self, context: Context) -> String {
        let Context { depth, atomic, d_step, .. } = context;
        let compound = |weight| if depth > 0 { weight } else { 0 };
        let blocking = |weight| if d_step { 0 } else { weight };
        let shape = self.shape;
        let weights = [
            30,
            12,
            blocking(6),
            blocking(Self::weight(!self.channels.is_empty(), 30)),
            compound(14),
            blocking(compound(if atomic { 0 } else { 12 })),
            blocking(compound(Self::weight(shape.atomic, if atomic { 3 } else { 14 }))),
            blocking(compound(Self::weight(shape.d_step, 12))),
            blocking(compound(Self::weight(shape.unless, 12))),
            compound(Self::weight(shape.loops, 8)),
            blocking(Self::weight(shape.loops, 5)),
            blocking(Self::weight(context.once && !self.startable.is_empty(), 5)),
            5,
            4,
            blocking(Self::weight(shape.timeout && !context.inline, 6)),
            blocking(Self::weight(!self.inlines.is_empty() && !context.inline, 10)),
            Self::weight(!self.macros.is_empty(), 8),
            compound(Self::weight(!context.inline, 3)),
            if context.in_loop && !d_step { 6 } else { 0 },
            blocking(Self::weight(shape.jumps && !context.inline && !atomic, 5)),
        ];
        match self.pick(&weights) {
            0 => self.assignment(),
            1 => self.increment(),
            2 => self.condition(1),
            3 => self.communication(|_| true).unwrap_or_else(|| self.assignment()),
            4 => self.selection(context),
            5 => self.repetition(context),
            6 => self.atomic(context),
            7 => self.d_step(context),
            8 => self.unless(context),
            9 => self.counted(context),
            10 => match self
                .place(|v| !v.frozen && v.kind.is_narrow() && v.parts.len() == 1 && v.parts[0].1 == 0)
            {
                Some((variable, _)) => format!("select ({variable} : 0 .. {})", self.random.u32(0..3)),
                None => self.assignment(),
            },
            11 => self.start(),
            12 => format!("assert({})", self.condition(1)),
            13 => self.word(&["skip", "printf(\"at\\n\")", "skip", "true"]).to_owned(),
            14 => {
                if self.chance(60) {
                    "timeout".to_owned()
                } else {
                    format!("(timeout || {})", self.condition(0))
                }
            }
            15 => self.inline_call(),
            16 => match self.place(|v| !v.frozen && v.kind == Kind::Byte) {
                Some((variable, _)) => format!("NEXT({variable})"),
                None => self.assignment(),
            },
            17 => self.block(context),
            18 => "break".to_owned(),
            _ => self.jump(),
        }
    }

    fn assignable(v: &Variable) -> bool {
        !v.frozen
    }

    fn assignment(&mut self) -> String {
        match self.place(Self::assignable) {
            Some((variable, kind)) => format!("{variable} = {}", self.value(kind)),
            None => "skip".to_owned(),
        }
    }

    fn increment(&mut self) -> String {
        let wide = self.shape.wide && self.chance(20);
        let place = self.place(|v| !v.frozen && (v.kind.is_narrow() || (wide && v.kind == Kind::Byte)));
        match place {
            Some((variable, _)) => format!("{variable}{}", self.word(&["++", "--"])),
            None => self.assignment(),
        }
    }

    /// What an option of a choice begins with.
    fn guard(&mut self, context: Context) -> String {
        let communicates = !context.d_step && !self.channels.is_empty();
        match self.pick(&[55, Self::weight(communicates, 35), 15]) {
            1 => self.communication(|_| true).unwrap_or_else(|| self.condition(1)),
            2 => self.statement(context.deeper()),
            _ => self.condition(1),
        }
    }

    /// The options of a choice or a loop. `ending` options leave the loop.
    fn options(&mut self, context: Context, otherwise: u32) -> String {
        let inner = context.deeper();
        let mut text = String::new();
        for _ in 0..[1, 2, 2, 2, 3][self.random.usize(0..5)] {
            let label = self.option_label(context);
            let guard = self.guard(inner);
            text.push_str(&format!(" :: {label}{guard}"));
            if self.chance(75) {
                let rest = self.sequence(inner, 2);
                text.push_str(&format!("{}{rest}", self.separator()));
            }
        }
        if self.chance(otherwise) {
            text.push_str(" :: else");
            if self.chance(60) {
                text.push_str(&format!(" -> {}", self.sequence(inner, 2)));
            }
        }
        text
    }

    fn option_label(&mut self, context: Context) -> String {
        let used = !context.inline && !context.d_step && self.chance(4);
        if !used {
            return String::new();
        }
        let start = self.word(&["end", "progress", "accept", "here"]);
        self.name(start) + ": "
    }

    fn selection(&mut self, context: Context) -> String {
        // In a d_step an else must be there, so that something can always be done.
        let otherwise = if context.d_step { 100 } else { 40 };
        format!("if{} fi", self.options(context, otherwise))
    }

    fn repetition(&mut self, context: Context) -> String {
        let inner = Context { in_loop: true, once: false, ..context };
        let options = self.options(inner, 25);
        let leave = if self.chance(70) {
            format!(" :: {} -> break", self.guard(inner.deeper()))
        } else {
            String::new()
        };
        let end = if !context.inline && self.chance(20) { self.name("end") + ": " } else { String::new() };
        // An else has to be the only one, and SPIN wants it nowhere in particular.
        format!("{end}do{leave}{options} od")
    }

    fn atomic(&mut self, context: Context) -> String {
        let inner = Context { atomic: true, in_loop: false, ..context.deeper() };
        format!("atomic {{ {} }}", self.sequence(inner, 4))
    }

    fn d_step(&mut self, context: Context) -> String {
        let inner = Context { d_step: true, atomic: true, in_loop: false, once: false, ..context.deeper() };
        let first = match self.pick(&[50, 25, 25]) {
            1 => self.condition(1) + self.separator(),
            2 => {
                let buffered = |signature: &Signature| !signature.rendezvous;
                self.communication(buffered).map_or(String::new(), |text| text + self.separator())
            }
            _ => String::new(),
        };
        let rest = self.sequence(inner, 3);
        // SPIN lets a d_step that begins with an assertion or a printf break into a handshake of others.
        let begin = if first.is_empty() && (rest.starts_with("assert") || rest.starts_with("printf")) {
            "true; "
        } else {
            ""
        };
        format!("d_step {{ {first}{begin}{rest} }}")
    }

    fn unless(&mut self, context: Context) -> String {
        let inner = Context { in_loop: false, ..context.deeper() };
        let main = self.sequence(inner, 4);
        let guard = match self.pick(&[70, Self::weight(!self.channels.is_empty(), 30)]) {
            1 => self.communication(|_| true).unwrap_or_else(|| self.condition(1)),
            _ => self.condition(1),
        };
        let rest = if self.chance(60) { format!(" -> {}", self.sequence(inner, 2)) } else { String::new() };
        format!("{{ {main} }} unless {{ {guard}{rest} }}")
    }

    /// A loop that counts with a variable of its own.
    fn counted(&mut self, context: Context) -> String {
        let index = self.name("i");
        let last = self.random.u32(0..3);
        self.variables.push(Variable { parts: vec![(index.clone(), 0)], kind: Kind::Byte, frozen: true });
        let inner = Context { in_loop: false, once: false, ..context.deeper() };
        let body = self.sequence(inner, 2);
        self.variables.pop();
        format!("byte {index}; for ({index} : 0 .. {last}) {{ {body} }}")
    }

    /// Braces with a variable of their own.
    fn block(&mut self, context: Context) -> String {
        let mark = self.variables.len();
        let own = if self.chance(70) { self.variable(false) + "; " } else { String::new() };
        let body = self.sequence(context.deeper(), 2);
        self.variables.truncate(mark);
        format!("{{ {own}{body} }}")
    }

    /// Starts a process.
    pub fn start(&mut self) -> String {
        if self.startable.is_empty() {
            return "skip".to_owned();
        }
        let (name, kinds) = self.startable[self.random.usize(0..self.startable.len())].clone();
        let arguments: Vec<String> = kinds.iter().map(|&kind| self.value(kind)).collect();
        format!("run {name}({})", arguments.join(", "))
    }

    fn inline_call(&mut self) -> String {
        let plain = |v: &Variable| !v.frozen && v.kind.is_narrow();
        let Some((variable, _)) = self.place(plain) else { return "skip".to_owned() };
        let value = self.leaf_value();
        let name = self.inlines[self.random.usize(0..self.inlines.len())].clone();
        format!("{name}({variable}, {value})")
    }

    fn leaf_value(&mut self) -> String {
        match self.place(|v| v.kind.is_narrow()) {
            Some((text, _)) if self.chance(50) => text,
            _ => self.random.u32(0..3).to_string(),
        }
    }

    fn jump(&mut self) -> String {
        if self.labels.is_empty() {
            return "skip".to_owned();
        }
        format!("goto {}", self.labels[self.random.usize(0..self.labels.len())])
    }
}
