//! Prints a tree as Promela: reading the text again gives the same tree.
//!
//! Operands are put in parentheses wherever they are not simple, so the text doesn't depend on
//! precedence, and every statement ends with `;`. Macros and inlines stay expanded.

use super::ast::{
    BaseType, BinaryOperator, Declaration, Expression, ExpressionKind, Formula, FormulaKind, FormulaOperator,
    Initialiser, Item, Name, Probe, Receive, ReceiveArgument, Reference, Sequence, Statement, StatementKind,
    UnaryOperator, Unit, Visibility,
};

/// The text of a model.
pub fn print(unit: &Unit) -> String {
    let mut printer = Printer { text: String::new(), depth: 0 };
    unit.items.iter().for_each(|item| printer.item(item));
    printer.text
}

/// The text of an expression.
pub fn expression(tree: &Expression) -> String {
    match &tree.kind {
        ExpressionKind::Number(value) => value.to_string(),
        ExpressionKind::Boolean(value) => value.to_string(),
        ExpressionKind::Skip => "skip".to_string(),
        ExpressionKind::Mtype(name) => name.to_string(),
        ExpressionKind::Reference(target) => reference(target),
        ExpressionKind::Unary(operator, operand) => format!("{}{}", unary_text(*operator), inner(operand)),
        ExpressionKind::Binary(operator, left, right) => {
            format!("{} {} {}", inner(left), binary_text(*operator), inner(right))
        }
        ExpressionKind::Conditional(condition, yes, no) => {
            format!("({} -> {} : {})", inner(condition), inner(yes), inner(no))
        }
        ExpressionKind::Run { proctype, arguments, priority } => {
            let priority = priority.as_ref().map(|value| format!(" priority {}", inner(value)));
            format!("run {}({}){}", proctype.text, list(arguments), priority.unwrap_or_default())
        }
        ExpressionKind::Length(channel) => format!("len({})", reference(channel)),
        ExpressionKind::Probe(probe, channel) => {
            let word = match probe {
                Probe::Empty => "empty",
                Probe::NotEmpty => "nempty",
                Probe::Full => "full",
                Probe::NotFull => "nfull",
            };
            format!("{word}({})", reference(channel))
        }
        ExpressionKind::Poll(receive) => receive_text(receive, "[", "]"),
        ExpressionKind::Timeout => "timeout".to_string(),
        ExpressionKind::NonProgress => "np_".to_string(),
        ExpressionKind::Enabled(process) => format!("enabled({})", expression(process)),
        ExpressionKind::PcValue(process) => format!("pc_value({})", expression(process)),
        ExpressionKind::GetPriority(process) => format!("get_priority({})", expression(process)),
        ExpressionKind::RemoteLabel { proctype, instance, label } => {
            format!("{}{}@{}", proctype.text, index(instance.as_deref()), label.text)
        }
        ExpressionKind::RemoteVariable { proctype, instance, variable } => {
            format!("{}{}:{}", proctype.text, index(instance.as_deref()), reference(variable))
        }
    }
}

/// The text of a formula.
pub fn formula(tree: &Formula) -> String {
    match &tree.kind {
        FormulaKind::Atom(atom) => format!("({})", expression(atom)),
        FormulaKind::Not(operand) => format!("(! {})", formula(operand)),
        FormulaKind::Always(operand) => format!("([] {})", formula(operand)),
        FormulaKind::Eventually(operand) => format!("(<> {})", formula(operand)),
        FormulaKind::Next(operand) => format!("(X {})", formula(operand)),
        FormulaKind::Binary(operator, left, right) => {
            let operator = match operator {
                FormulaOperator::And => "&&",
                FormulaOperator::Or => "||",
                FormulaOperator::Implies => "->",
                FormulaOperator::Equivalent => "<->",
                FormulaOperator::Until => "U",
                FormulaOperator::WeakUntil => "W",
                FormulaOperator::Release => "V",
            };
            format!("({} {operator} {})", formula(left), formula(right))
        }
    }
}

/// The text of a statement, without its labels, on one line if it is a simple one.
pub fn statement(tree: &Statement) -> String {
    let mut printer = Printer { text: String::new(), depth: 0 };
    printer.kind(&tree.kind);
    printer.text
}

/// The text of a reference.
pub fn reference(tree: &Reference) -> String {
    let parts = tree.parts.iter().map(|part| format!("{}{}", part.name.text, index(part.index.as_deref())));
    parts.collect::<Vec<_>>().join(".")
}

fn index(tree: Option<&Expression>) -> String {
    tree.map(|tree| format!("[{}]", expression(tree))).unwrap_or_default()
}

/// An operand: in parentheses unless it is one word.
fn inner(tree: &Expression) -> String {
    match tree.kind {
        ExpressionKind::Number(_)
        | ExpressionKind::Boolean(_)
        | ExpressionKind::Skip
        | ExpressionKind::Mtype(_)
        | ExpressionKind::Reference(_)
        | ExpressionKind::Conditional(..) => expression(tree),
        _ => format!("({})", expression(tree)),
    }
}

fn list(trees: &[Expression]) -> String {
    trees.iter().map(expression).collect::<Vec<_>>().join(", ")
}

/// An expression that begins a statement; a statement may not begin with what looks like an operator.
fn top(tree: &Expression) -> String {
    match tree.kind {
        ExpressionKind::Binary(..) | ExpressionKind::Unary(..) => format!("({})", expression(tree)),
        _ => expression(tree),
    }
}

fn receive_text(receive: &Receive, open: &str, close: &str) -> String {
    let arguments = receive.arguments.iter().map(|argument| match argument {
        ReceiveArgument::Store(target) => reference(target),
        ReceiveArgument::Match(value) => match value.kind {
            ExpressionKind::Number(_) | ExpressionKind::Mtype(_) | ExpressionKind::Boolean(_) => {
                expression(value)
            }
            _ => format!("eval({})", expression(value)),
        },
    });
    let arguments = arguments.collect::<Vec<_>>().join(", ");
    let operator = if receive.random { "??" } else { "?" };
    format!("{}{operator}{open}{arguments}{close}", reference(&receive.channel))
}

fn base(tree: &BaseType) -> String {
    match tree {
        BaseType::Bit => "bit".to_string(),
        BaseType::Bool => "bool".to_string(),
        BaseType::Byte => "byte".to_string(),
        BaseType::Pid => "pid".to_string(),
        BaseType::Short => "short".to_string(),
        BaseType::Int => "int".to_string(),
        BaseType::Unsigned => "unsigned".to_string(),
        BaseType::Mtype(None) => "mtype".to_string(),
        BaseType::Mtype(Some(name)) => format!("mtype:{}", name.text),
        BaseType::Chan => "chan".to_string(),
        BaseType::Named(name) => name.text.to_string(),
    }
}

fn declaration(tree: &Declaration) -> String {
    let visibility = match tree.visibility {
        None => "",
        Some(Visibility::Hidden) => "hidden ",
        Some(Visibility::Show) => "show ",
        Some(Visibility::Local) => "local ",
    };
    let variables = tree.variables.iter().map(|variable| {
        let width = variable.width.as_ref().map(|width| format!(" : {}", inner(width)));
        let initial = variable.initialiser.as_ref().map(|initial| match initial {
            Initialiser::Value(value) => format!(" = {}", inner(value)),
            Initialiser::List(values) => format!(" = {{{}}}", list(values)),
            Initialiser::Channel(channel) => {
                let fields: Vec<String> = channel.fields.iter().map(base).collect();
                format!(" = [{}] of {{{}}}", expression(&channel.capacity), fields.join(", "))
            }
        });
        let (width, initial) = (width.unwrap_or_default(), initial.unwrap_or_default());
        format!("{}{width}{}{initial}", variable.name.text, index(variable.length.as_ref()))
    });
    format!("{visibility}{} {}", base(&tree.base), variables.collect::<Vec<_>>().join(", "))
}

fn unary_text(operator: UnaryOperator) -> &'static str {
    match operator {
        UnaryOperator::Not => "!",
        UnaryOperator::Minus => "-",
        UnaryOperator::Complement => "~",
    }
}

fn binary_text(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Or => "||",
        BinaryOperator::And => "&&",
        BinaryOperator::BitOr => "|",
        BinaryOperator::BitXor => "^",
        BinaryOperator::BitAnd => "&",
        BinaryOperator::Equal => "==",
        BinaryOperator::NotEqual => "!=",
        BinaryOperator::Less => "<",
        BinaryOperator::LessEqual => "<=",
        BinaryOperator::Greater => ">",
        BinaryOperator::GreaterEqual => ">=",
        BinaryOperator::ShiftLeft => "<<",
        BinaryOperator::ShiftRight => ">>",
        BinaryOperator::Add => "+",
        BinaryOperator::Subtract => "-",
        BinaryOperator::Multiply => "*",
        BinaryOperator::Divide => "/",
        BinaryOperator::Remainder => "%",
    }
}

struct Printer {
    text: String,
    depth: usize,
}

impl Printer {
    fn line(&mut self, text: &str) {
        self.indent();
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn indent(&mut self) {
        self.text.extend(std::iter::repeat_n("  ", self.depth));
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Declaration(tree) => self.line(&format!("{};", declaration(tree))),
            Item::Mtype(tree) => {
                let subtype = tree.subtype.as_ref().map(|name| format!(":{}", name.text));
                let names: Vec<&str> = tree.names.iter().map(|name| name.text.as_ref()).collect();
                self.line(&format!("mtype{} = {{ {} }};", subtype.unwrap_or_default(), names.join(", ")));
            }
            Item::Typedef(tree) => {
                self.line(&format!("typedef {} {{", tree.name.text));
                self.depth += 1;
                tree.fields.iter().for_each(|field| self.line(&format!("{};", declaration(field))));
                self.depth -= 1;
                self.line("}");
            }
            Item::Proctype(tree) => {
                let mut head = match tree.active.as_ref().map(|active| &active.count) {
                    None => String::new(),
                    Some(count) => format!("active {} ", index(count.as_ref())),
                };
                head.push_str(if tree.deterministic { "D_proctype " } else { "proctype " });
                let parameters: Vec<String> = tree.parameters.iter().map(declaration).collect();
                head.push_str(&format!("{}({})", tree.name.text, parameters.join("; ")));
                head.push_str(&priority(tree.priority.as_ref()));
                if let Some(condition) = &tree.provided {
                    head.push_str(&format!(" provided ({})", expression(condition)));
                }
                self.body(&head, &tree.body);
            }
            Item::Init(tree) => {
                self.body(&format!("init{}", priority(tree.priority.as_ref())), &tree.body);
            }
            Item::Never(tree) => self.body(&format!("never{}", name(tree.name.as_ref())), &tree.body),
            Item::Trace(tree) => self.body(if tree.negated { "notrace" } else { "trace" }, &tree.body),
            Item::Ltl(tree) => {
                let text = format!("ltl{} {{ {} }}", name(tree.name.as_ref()), formula(&tree.formula));
                self.line(&text);
            }
        }
    }

    fn body(&mut self, head: &str, body: &Sequence) {
        self.text.push_str(head);
        self.text.push(' ');
        self.block(body);
        self.text.push('\n');
    }

    /// From `{` to `}`, the first on the current line.
    fn block(&mut self, body: &Sequence) {
        self.text.push_str("{\n");
        self.statements(body);
        self.indent();
        self.text.push('}');
    }

    fn statements(&mut self, sequence: &Sequence) {
        self.depth += 1;
        for tree in &sequence.statements {
            self.indent();
            self.labelled(tree);
            self.text.push_str(";\n");
        }
        self.depth -= 1;
    }

    fn labelled(&mut self, tree: &Statement) {
        tree.labels.iter().for_each(|label| {
            self.text.push_str(&label.text);
            self.text.push_str(": ");
        });
        self.kind(&tree.kind);
    }

    fn options(&mut self, open: &str, close: &str, options: &[Sequence]) {
        self.text.push_str(open);
        self.text.push('\n');
        for option in options {
            self.line("::");
            self.statements(option);
        }
        self.indent();
        self.text.push_str(close);
    }

    fn headed(&mut self, head: &str, body: &Sequence) {
        self.text.push_str(head);
        self.block(body);
    }

    fn kind(&mut self, kind: &StatementKind) {
        let simple = match kind {
            StatementKind::Declaration(tree) => declaration(tree),
            StatementKind::Exclusive { receive, channels } => {
                let channels: Vec<String> = channels.iter().map(reference).collect();
                format!("{} {}", if *receive { "xr" } else { "xs" }, channels.join(", "))
            }
            StatementKind::Expression(tree) => top(tree),
            StatementKind::Assign { target, value } => {
                format!("{} = {}", reference(target), inner(value))
            }
            StatementKind::Increment(target) => format!("{}++", reference(target)),
            StatementKind::Decrement(target) => format!("{}--", reference(target)),
            StatementKind::Send(send) => {
                let arguments: Vec<String> = send.arguments.iter().map(inner).collect();
                let operator = if send.sorted { "!!" } else { "!" };
                format!("{}{operator}{}", reference(&send.channel), arguments.join(", "))
            }
            StatementKind::Receive(receive) if receive.keep => receive_text(receive, "<", ">"),
            StatementKind::Receive(receive) => receive_text(receive, "", ""),
            StatementKind::If(options) => return self.options("if", "fi", options),
            StatementKind::Do(options) => return self.options("do", "od", options),
            StatementKind::ForRange { variable, from, to, body } => {
                let head = format!("for ({} : {} .. {}) ", reference(variable), inner(from), inner(to));
                return self.headed(&head, body);
            }
            StatementKind::ForIn { variable, over, body } => {
                return self.headed(&format!("for ({} in {}) ", reference(variable), reference(over)), body);
            }
            StatementKind::Select { variable, from, to } => {
                format!("select ({} : {} .. {})", reference(variable), inner(from), inner(to))
            }
            StatementKind::Atomic(body) => return self.headed("atomic ", body),
            StatementKind::DStep(body) => return self.headed("d_step ", body),
            StatementKind::Block(body) => return self.block(body),
            StatementKind::Unless { main, escape } => {
                self.labelled(main);
                self.text.push_str(" unless ");
                return self.labelled(escape);
            }
            StatementKind::Else => "else".to_string(),
            StatementKind::Break => "break".to_string(),
            StatementKind::Goto(label) => format!("goto {}", label.text),
            StatementKind::Printf { format, arguments } if arguments.is_empty() => {
                format!("printf(\"{format}\")")
            }
            StatementKind::Printf { format, arguments } => {
                format!("printf(\"{format}\", {})", list(arguments))
            }
            StatementKind::Printm(value) => format!("printm({})", expression(value)),
            StatementKind::Assert(value) => format!("assert({})", expression(value)),
            StatementKind::SetPriority(process, priority) => {
                format!("set_priority({}, {})", expression(process), expression(priority))
            }
        };
        self.text.push_str(&simple);
    }
}

fn priority(tree: Option<&Expression>) -> String {
    tree.map(|tree| format!(" priority {}", inner(tree))).unwrap_or_default()
}

fn name(tree: Option<&Name>) -> String {
    tree.map(|tree| format!(" {}", tree.text)).unwrap_or_default()
}
