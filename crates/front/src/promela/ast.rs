//! The syntax tree of Promela.
//!
//! Macros and inlines are already expanded: a call of an inline is a [`StatementKind::Block`], and
//! the places in it carry the call in their expansion chain. What is only spelling has one form here
//! (`;` and `->`, `q!a(b)` and `q!a,b`, labels on separate lines). Names are as written; the
//! [symbol table](super::check::Symbols) says what each of them means.

use super::token::{Expansions, Place, Text};

/// A model.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// Its items in the order of the text.
    pub items: Vec<Item>,
    /// The inlines it defines; their uses are already expanded.
    pub inlines: Vec<InlineDefinition>,
    /// The expansions that the places of this tree refer to.
    pub expansions: Expansions,
    /// How many references there are; their ids are smaller.
    pub references: u32,
    /// How many variables are declared; their ids are smaller.
    pub variables: u32,
}

/// A name at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The name.
    pub text: Text,
    /// Where.
    pub place: Place,
}

/// Something at the outermost level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// Global variables.
    Declaration(Declaration),
    /// `mtype = { … }`.
    Mtype(MtypeDeclaration),
    /// `typedef`.
    Typedef(Typedef),
    /// `proctype`.
    Proctype(Box<Proctype>),
    /// `init`.
    Init(Init),
    /// `never`.
    Never(Never),
    /// `trace` or `notrace`.
    Trace(Trace),
    /// `ltl`.
    Ltl(Ltl),
}

/// `mtype:subtype = { names }`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MtypeDeclaration {
    /// The subtype, if it has one.
    pub subtype: Option<Name>,
    /// In the order of the text; the values count from 1 at the *last* name, as in SPIN.
    pub names: Vec<Name>,
    /// Where.
    pub place: Place,
}

/// `typedef name { fields }`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Typedef {
    /// Its name.
    pub name: Name,
    /// Its fields.
    pub fields: Vec<Declaration>,
    /// Where.
    pub place: Place,
}

/// `proctype`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proctype {
    /// Its name.
    pub name: Name,
    /// `D_proctype`.
    pub deterministic: bool,
    /// `active`.
    pub active: Option<Active>,
    /// Its parameters.
    pub parameters: Vec<Declaration>,
    /// `priority`.
    pub priority: Option<Expression>,
    /// `provided (…)`.
    pub provided: Option<Expression>,
    /// What it does.
    pub body: Sequence,
    /// Where.
    pub place: Place,
}

/// `active` or `active [count]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Active {
    /// How many; one if not said.
    pub count: Option<Expression>,
}

/// `init`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Init {
    /// `priority`.
    pub priority: Option<Expression>,
    /// What it does.
    pub body: Sequence,
    /// Where.
    pub place: Place,
}

/// A never claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Never {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// The automaton.
    pub body: Sequence,
    /// Where.
    pub place: Place,
}

/// `trace` or `notrace`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// `notrace`.
    pub negated: bool,
    /// The automaton over channel operations.
    pub body: Sequence,
    /// Where.
    pub place: Place,
}

/// An `ltl` block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ltl {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// The formula.
    pub formula: Formula,
    /// Where.
    pub place: Place,
}

/// An inline as defined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InlineDefinition {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Name>,
    /// How often it is used.
    pub uses: u32,
}

/// One declaration, of one type and some variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declaration {
    /// `hidden`, `show` or `local`.
    pub visibility: Option<Visibility>,
    /// The type.
    pub base: BaseType,
    /// The variables.
    pub variables: Vec<Variable>,
    /// It is an assignment too: as in SPIN, a declaration that is not at the start of a process sets
    /// its variables to their initial values each time control passes it.
    pub reinitialises: bool,
    /// Where.
    pub place: Place,
}

/// What traces show of a variable.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// Not part of the state.
    Hidden,
    /// Shown in message sequence charts.
    Show,
    /// Used by one process only.
    Local,
}

/// A type as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BaseType {
    /// `bit`
    Bit,
    /// `bool`
    Bool,
    /// `byte`
    Byte,
    /// `pid`
    Pid,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `unsigned`; each variable has a width.
    Unsigned,
    /// `mtype` or `mtype:subtype`
    Mtype(Option<Name>),
    /// `chan`
    Chan,
    /// A typedef.
    Named(Name),
}

/// The number of a declared variable, in the order of the text.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct VariableId(pub u32);

/// One variable of a declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its number.
    pub id: VariableId,
    /// Its name.
    pub name: Name,
    /// The width of an `unsigned`.
    pub width: Option<Expression>,
    /// The length of an array.
    pub length: Option<Expression>,
    /// How it begins.
    pub initialiser: Option<Initialiser>,
}

/// How a variable begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Initialiser {
    /// All elements with one value.
    Value(Expression),
    /// Each element with its own: `{a, b, c}`.
    List(Vec<Expression>),
    /// With a new channel.
    Channel(ChannelInitialiser),
}

/// `[capacity] of { types }`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChannelInitialiser {
    /// Zero for rendezvous.
    pub capacity: Expression,
    /// The types of the fields of a message.
    pub fields: Vec<BaseType>,
    /// Where.
    pub place: Place,
}

/// Statements in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sequence {
    /// The statements.
    pub statements: Vec<Statement>,
    /// Where.
    pub place: Place,
}

/// A statement with its labels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// The labels before it.
    pub labels: Vec<Name>,
    /// What it does.
    pub kind: StatementKind,
    /// Where, without the labels.
    pub place: Place,
}

/// What a statement does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StatementKind {
    /// Local variables.
    Declaration(Declaration),
    /// `xr` (receive) or `xs` (send): this process alone uses these channels in this way.
    Exclusive {
        /// `xr`.
        receive: bool,
        /// The channels.
        channels: Vec<Reference>,
    },
    /// Executable when it isn't zero.
    Expression(Expression),
    /// `target = value`
    Assign {
        /// What changes.
        target: Reference,
        /// To what.
        value: Expression,
    },
    /// `target++`
    Increment(Reference),
    /// `target--`
    Decrement(Reference),
    /// `channel ! arguments`
    Send(Send),
    /// `channel ? arguments`
    Receive(Receive),
    /// `if … fi`
    If(Vec<Sequence>),
    /// `do … od`
    Do(Vec<Sequence>),
    /// `for (variable : from .. to) { body }`
    ForRange {
        /// The index.
        variable: Reference,
        /// First value.
        from: Expression,
        /// Last value.
        to: Expression,
        /// What is repeated.
        body: Sequence,
    },
    /// `for (variable in over) { body }`; `over` is an array or a channel.
    ForIn {
        /// The index of an array, or a variable for the messages of a channel.
        variable: Reference,
        /// The array or channel.
        over: Reference,
        /// What is repeated.
        body: Sequence,
    },
    /// `select (variable : from .. to)`
    Select {
        /// What changes.
        variable: Reference,
        /// Smallest value.
        from: Expression,
        /// Largest value.
        to: Expression,
    },
    /// `atomic { … }`
    Atomic(Sequence),
    /// `d_step { … }`
    DStep(Sequence),
    /// `{ … }`
    Block(Sequence),
    /// `main unless escape`
    Unless {
        /// What runs.
        main: Box<Statement>,
        /// What takes over when it can.
        escape: Box<Statement>,
    },
    /// `else`
    Else,
    /// `break`
    Break,
    /// `goto label`
    Goto(Name),
    /// `printf(format, arguments)`
    Printf {
        /// With its escapes as written.
        format: Text,
        /// What is printed.
        arguments: Vec<Expression>,
    },
    /// `printm(value)`
    Printm(Expression),
    /// `assert(condition)`
    Assert(Expression),
    /// `set_priority(process, priority)`
    SetPriority(Expression, Expression),
}

/// A send.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Send {
    /// Where to.
    pub channel: Reference,
    /// `!!`: in the order of the values.
    pub sorted: bool,
    /// The message.
    pub arguments: Vec<Expression>,
}

/// A receive, as a statement or (as a poll) in an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receive {
    /// Where from.
    pub channel: Reference,
    /// `??`: any message that matches, not only the first.
    pub random: bool,
    /// `?<…>`: the message stays in the channel.
    pub keep: bool,
    /// What the message must be and where it goes.
    pub arguments: Vec<ReceiveArgument>,
}

/// One field of a receive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReceiveArgument {
    /// The field is stored here; `_` drops it.
    Store(Reference),
    /// The field must equal this: a constant, a name of an mtype, or `eval(…)`.
    Match(Expression),
}

/// The number of a reference, in the order of the text.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct ReferenceId(pub u32);

/// A variable, an element of it, or a field of it. Predefined variables (`_`, `_pid`, `_nr_pr`,
/// `_last`, `_priority`) are references too.
#[derive(Clone, Eq, Debug)]
pub struct Reference {
    /// Its number, under which the symbol table knows what it refers to.
    pub id: ReferenceId,
    /// The variable, then the fields. Never empty.
    pub parts: Vec<Part>,
    /// Where.
    pub place: Place,
}

/// The number says which reference it is, not what it says.
impl PartialEq for Reference {
    fn eq(&self, other: &Reference) -> bool {
        self.parts == other.parts
    }
}

/// A name and perhaps an index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The variable or field.
    pub name: Name,
    /// `[index]`.
    pub index: Option<Box<Expression>>,
}

/// An expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expression {
    /// What it says.
    pub kind: ExpressionKind,
    /// Where.
    pub place: Place,
}

/// What an expression says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExpressionKind {
    /// A number as written; SPIN keeps its lowest 32 bits.
    Number(i64),
    /// `true` or `false`
    Boolean(bool),
    /// `skip`, which is 1.
    Skip,
    /// The name of an mtype value.
    Mtype(Text),
    /// A variable.
    Reference(Reference),
    /// `! e`, `- e`, `~ e`
    Unary(UnaryOperator, Box<Expression>),
    /// `a op b`
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    /// `(condition -> yes : no)`
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `run proctype(arguments) priority p`
    Run {
        /// What is started.
        proctype: Name,
        /// With what.
        arguments: Vec<Expression>,
        /// `priority`.
        priority: Option<Box<Expression>>,
    },
    /// `len(channel)`
    Length(Reference),
    /// `empty`, `nempty`, `full`, `nfull`
    Probe(Probe, Reference),
    /// `channel ? [ arguments ]`, which has no effect.
    Poll(Box<Receive>),
    /// `timeout`
    Timeout,
    /// `np_`
    NonProgress,
    /// `enabled(process)`
    Enabled(Box<Expression>),
    /// `pc_value(process)`
    PcValue(Box<Expression>),
    /// `get_priority(process)`
    GetPriority(Box<Expression>),
    /// `proctype[instance]@label`
    RemoteLabel {
        /// Which type of process.
        proctype: Name,
        /// Which process; the only one if not said.
        instance: Option<Box<Expression>>,
        /// Where it should stand.
        label: Name,
    },
    /// `proctype[instance]:variable`
    RemoteVariable {
        /// Which type of process.
        proctype: Name,
        /// Which process; the only one if not said.
        instance: Option<Box<Expression>>,
        /// Its variable: one part, resolved in the scope of the process.
        variable: Reference,
    },
}

/// Questions about how full a channel is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Probe {
    /// `empty`
    Empty,
    /// `nempty`
    NotEmpty,
    /// `full`
    Full,
    /// `nfull`
    NotFull,
}

/// Operators with one operand.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum UnaryOperator {
    /// `!`
    Not,
    /// `-`
    Minus,
    /// `~`
    Complement,
}

/// Operators with two operands.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum BinaryOperator {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// A formula of linear temporal logic over expressions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Formula {
    /// What it says.
    pub kind: FormulaKind,
    /// Where.
    pub place: Place,
}

/// What a formula says. `W` and `V` are kept; they are not rewritten here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormulaKind {
    /// An expression without temporal operators; its boolean operators are formulas.
    Atom(Expression),
    /// `! f`
    Not(Box<Formula>),
    /// `[] f`, `always f`
    Always(Box<Formula>),
    /// `<> f`, `eventually f`
    Eventually(Box<Formula>),
    /// `X f`, `next f`
    Next(Box<Formula>),
    /// Two formulas.
    Binary(FormulaOperator, Box<Formula>, Box<Formula>),
}

/// Operators that join two formulas.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum FormulaOperator {
    /// `&&`
    And,
    /// `||`
    Or,
    /// `->`, `implies`
    Implies,
    /// `<->`, `equivalent`
    Equivalent,
    /// `U`, `until`, `stronguntil`
    Until,
    /// `W`, `weakuntil`
    WeakUntil,
    /// `V`, `R`, `release`
    Release,
}
