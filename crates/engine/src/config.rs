//! The one place where the choices of a run are written down.

use crate::checkpoint::Checkpoints;
use std::path::PathBuf;
use std::time::Duration;

/// Everything that decides how a system is explored.
///
/// ```
/// use mazurka_engine::{Config, Method};
/// let config = Config { reduction: "local+sleep".parse().unwrap(), ..Config::default() };
/// assert_eq!(config.reduction.method, Method::Local);
/// assert!(config.reduction.sleep);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Which steps of a state are explored.
    pub reduction: Reduction,
    /// When two operations on one object are taken to depend on each other.
    pub dependency: Dependency,
    /// The order of visiting states.
    pub search: SearchKind,
    /// The order in which the processes of a state are tried.
    pub order: Order,
    /// What is kept of visited states.
    pub store: StoreKind,
    /// How states become bits in a bit-state store.
    pub bits: Bits,
    /// What happens when an exact store has used the memory it may use.
    pub on_full: OnFull,
    /// What is checked.
    pub properties: Properties,
    /// How a stored state becomes bytes.
    pub codec: Codec,
    /// When to give up.
    pub limits: Limits,
    /// Stop after this many errors; 0: find all.
    pub max_errors: usize,
    /// The folder for the file of a store on disk.
    pub folder: PathBuf,
    /// Where and how often the search is saved, if it is.
    pub checkpoints: Option<Checkpoints>,
    /// How many threads search together.
    pub threads: usize,
    /// So many states are visited in true depth-first order, even if nothing rests on it. Beyond that several are opened together where
    /// that is quicker, and what is met elsewhere is not executed; several threads begin with the latter earlier, or after so many states each.
    pub in_order: u64,
    /// Choosing steps is given up then, whatever it has saved, where it can be given up at all. Without this it is where it has saved next
    /// to nothing.
    pub gives_up: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            reduction: Reduction { method: Method::Auto, sleep: false },
            dependency: Dependency::Refined,
            search: SearchKind::Dfs,
            order: Order::Forward,
            store: StoreKind::Exact,
            bits: Bits::default(),
            on_full: OnFull::Stop,
            properties: Properties::default(),
            codec: Codec::Auto,
            limits: Limits::default(),
            max_errors: 1,
            folder: PathBuf::from("."),
            checkpoints: None,
            threads: 1,
            in_order: 1 << 17,
            gives_up: false,
        }
    }
}

/// A method of choosing steps, with or without sleep sets on top.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reduction {
    /// The method.
    pub method: Method,
    /// Whether sleep sets are used as well (the conflict sets of Algorithm 3).
    pub sleep: bool,
}

/// How a subset of the enabled steps is chosen.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// The strongest that the properties allow.
    Auto,
    /// All enabled steps (Algorithm 1).
    None,
    /// A process that can only move locally goes first (Algorithm 2).
    Local,
    /// Overman's method with the support of whole processes (1992, section 5).
    Overman,
    /// Overman's method with what a process can still access from its location.
    OvermanLocated,
    /// Closed sets of processes by what each may still do from where it stands.
    Persistent,
    /// Ample sets: enabled steps that are closed under dependency (Peled 1993).
    Ample,
    /// Stubborn sets of moves by the constant dependency (1993, Definition 8).
    Stubborn,
    /// Conditional stubborn sets of moves by ▷ in the present state (1993, Definition 12).
    Conditional,
    /// The same, with the deletion algorithm.
    Deletion,
}

impl Method {
    /// All methods by the names of the command line.
    pub const NAMES: [(&'static str, Method); 10] = [
        ("auto", Method::Auto),
        ("none", Method::None),
        ("local", Method::Local),
        ("overman", Method::Overman),
        ("overman-located", Method::OvermanLocated),
        ("persistent", Method::Persistent),
        ("ample", Method::Ample),
        ("stubborn", Method::Stubborn),
        ("conditional", Method::Conditional),
        ("deletion", Method::Deletion),
    ];
}

/// When two operations of different processes on one object are taken to depend on each other.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Dependency {
    /// Always.
    Object,
    /// By the constant tables (1993, Definition 2), operations unrefined.
    Constant,
    /// In the current value (1993, Definition 5), operations unrefined.
    Conditional,
    /// In the current value, operations refined: increments, tests for empty and full, elements.
    Refined,
}

impl Dependency {
    /// All grades by the names of the command line, coarsest first.
    pub const NAMES: [(&'static str, Dependency); 4] = [
        ("object", Dependency::Object),
        ("constant", Dependency::Constant),
        ("conditional", Dependency::Conditional),
        ("refined", Dependency::Refined),
    ];
}

/// The order of visiting states.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum SearchKind {
    /// Depth first: least memory for the frontier, and the stack proviso.
    Dfs,
    /// Breadth first: shortest counterexamples.
    Bfs,
    /// Runs at random, of which nothing is kept: they find errors, and never that there are none.
    Random,
}

impl SearchKind {
    /// All searches by the names of the command line.
    pub const NAMES: [(&'static str, SearchKind); 3] =
        [("dfs", SearchKind::Dfs), ("bfs", SearchKind::Bfs), ("random", SearchKind::Random)];

    /// Those that visit every state they have to.
    pub const WHOLE: [(&'static str, SearchKind); 2] = [("dfs", SearchKind::Dfs), ("bfs", SearchKind::Bfs)];
}

/// How a stored state becomes bytes. All of them lose nothing.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Codec {
    /// Plain while there is room, a tree when memory gets scarce.
    Auto,
    /// Without the bytes that are zero.
    Plain,
    /// As it is: what codes are compared with.
    None,
    /// Run-length encoded (Algorithm 4').
    RunLength,
    /// In static Huffman codes (Algorithm 4).
    Huffman,
    /// Each byte in as many bits as its values need.
    Packed,
    /// A list of numbered parts.
    Collapse,
    /// A tree of numbered pairs; states share what they have in common.
    Tree,
    /// A tree whose roots are kept in fewer bits than they have. Depth first, without sleep sets.
    CompactTree,
}

impl Codec {
    /// All codecs by the names of the command line.
    pub const NAMES: [(&'static str, Codec); 9] = [
        ("auto", Codec::Auto),
        ("plain", Codec::Plain),
        ("none", Codec::None),
        ("rle", Codec::RunLength),
        ("huffman", Codec::Huffman),
        ("packed", Codec::Packed),
        ("collapse", Codec::Collapse),
        ("tree", Codec::Tree),
        ("compact-tree", Codec::CompactTree),
    ];
}

/// The order in which the processes of a state are tried.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// Lowest process first.
    Forward,
    /// Highest process first.
    Reverse,
    /// Shuffled, differently at each state, by this seed.
    Random(u64),
}

/// What is kept of visited states.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum StoreKind {
    /// All of them.
    Exact,
    /// A few bits: some states may be taken for others.
    Bitstate,
    /// A hash: some states may be taken for others, which is very improbable.
    Compact,
    /// As many as there is room for; the others are explored again when they are met again.
    Cache,
    /// All of them, in a file.
    Disk,
}

impl StoreKind {
    /// All stores by the names of the command line.
    pub const NAMES: [(&'static str, StoreKind); 5] = [
        ("exact", StoreKind::Exact),
        ("bitstate", StoreKind::Bitstate),
        ("compact", StoreKind::Compact),
        ("cache", StoreKind::Cache),
        ("disk", StoreKind::Disk),
    ];

    /// Whether every state that was visited can be named as long as the search goes on.
    pub fn keeps_all(self) -> bool {
        matches!(self, StoreKind::Exact | StoreKind::Disk)
    }
}

/// How states become bits in a bit-state store.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bits {
    /// Bits of a state.
    pub hashes: u32,
    /// Varies which bits they are.
    pub seed: u64,
}

impl Default for Bits {
    fn default() -> Bits {
        Bits { hashes: crate::store::bitstate::HASHES, seed: 0 }
    }
}

/// What happens when an exact store has used the memory it may use.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum OnFull {
    /// The search ends.
    Stop,
    /// It goes on with a bit-state store.
    Bitstate,
    /// It goes on, and forgets old states.
    Cache,
}

impl OnFull {
    /// All choices by the names of the command line.
    pub const NAMES: [(&'static str, OnFull); 3] =
        [("stop", OnFull::Stop), ("bitstate", OnFull::Bitstate), ("cache", OnFull::Cache)];
}

impl Config {
    /// Whether visited states can be named as long as the search goes on, whatever happens. Only then
    /// provisos can be granted that ask more than whether a state is on the stack.
    pub fn keeps_all(&self) -> bool {
        self.store.keeps_all() && self.on_full == OnFull::Stop
    }

    /// The codec in force: `auto` resolved, and none where no visited state is kept. `tree` says whether plain records have become a tree.
    pub fn codec_in_force(&self, tree: bool) -> Codec {
        let keeps = !matches!(self.store, StoreKind::Bitstate | StoreKind::Compact);
        match self.codec {
            _ if !keeps || self.search == SearchKind::Random => Codec::None,
            Codec::Auto if tree => Codec::Tree,
            Codec::Auto => Codec::Plain,
            asked => asked,
        }
    }

    /// Whether a state that is met again has kept its sleep set. Bits have no room for one.
    pub fn keeps_sleep_sets(&self) -> bool {
        self.store != StoreKind::Bitstate && self.on_full != OnFull::Bitstate
    }

    /// Why these choices can't be had together, if they can't.
    pub fn contradiction(&self) -> Option<&'static str> {
        if self.search == SearchKind::Bfs && !self.keeps_all() {
            return Some(
                "a breadth-first search needs a store that keeps all states, because they are its queue: \
                 use the store exact or disk, or search depth first",
            );
        }
        let keeps =
            self.store != StoreKind::Exact || self.on_full != OnFull::Stop || self.checkpoints.is_some();
        if self.search == SearchKind::Random && (keeps || self.threads > 1) {
            return Some(
                "random runs keep no states: leave out the store and the checkpoint, and use one thread",
            );
        }
        if self.on_full != OnFull::Stop && self.store != StoreKind::Exact {
            return Some("only an exact store is full in a way that another store can take over from");
        }
        if let Some(contradiction) = self.contradiction_of_codec() {
            return Some(contradiction);
        }
        if self.codec == Codec::CompactTree && (self.checkpoints.is_some() || self.on_full != OnFull::Stop) {
            return Some(
                "the states of a compact tree can't be listed, so they can't be saved or taken over",
            );
        }
        if self.threads > 1 { self.contradiction_of_threads() } else { None }
    }

    /// Why the store can't have this codec, if it can't.
    fn contradiction_of_codec(&self) -> Option<&'static str> {
        let forgets = self.store == StoreKind::Cache || self.on_full == OnFull::Cache;
        match (self.store, self.codec) {
            (_, Codec::Auto | Codec::Plain) => None,
            (StoreKind::Bitstate | StoreKind::Compact, _) => Some(
                "the stores bitstate and compact keep bits or a hash of a visited state and not the state, so there is \
                 nothing for a codec: leave the codec out, or use the store exact, disk or cache",
            ),
            (_, Codec::Collapse | Codec::Tree | Codec::CompactTree) if forgets => Some(
                "collapse and trees keep what states have in common, so a cache could forget a state, but not its parts: \
                 use the codec plain, none, rle, huffman or packed, or the store exact",
            ),
            (StoreKind::Disk, Codec::Tree | Codec::CompactTree) => Some(
                "a tree is kept in memory, and a file would have little to hold: use the codec plain, none, rle, \
                 huffman, packed or collapse, or the store exact",
            ),
            _ => None,
        }
    }

    /// Why several threads can't search like this, if they can't.
    fn contradiction_of_threads(&self) -> Option<&'static str> {
        if self.store == StoreKind::Bitstate {
            return Some(
                "several threads have one exact store: use a swarm for bit-state searches at the same time, or one \
                 thread",
            );
        }
        if self.store != StoreKind::Exact || self.on_full != OnFull::Stop {
            return Some("several threads have one exact store, which ends when it is full: use one thread");
        }
        if !matches!(self.codec, Codec::Auto | Codec::Plain) {
            return Some("several threads store states as they are: use the codec plain, or one thread");
        }
        if self.checkpoints.is_some() {
            return Some(
                "a search by several threads can't be saved: leave the checkpoint out, or use one thread",
            );
        }
        if self.limits.depth.is_some() && self.search == SearchKind::Dfs {
            return Some(
                "how deep a state lies depends on which of several threads finds it: for a limit on the depth search \
                 breadth first, or use one thread",
            );
        }
        None
    }
}

/// What is checked.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Properties {
    /// States without enabled steps that are not valid ends.
    pub deadlock: bool,
    /// Assertions, and faults such as a division by zero.
    pub assertions: bool,
    /// Places of the model that are never executed. Informs; is no error.
    pub unreached: bool,
    /// Messages for which a waiting process has no receive, of systems that look for them.
    pub reception: bool,
}

impl Properties {
    /// Whether conditions on whole states are checked.
    pub fn on_states(&self) -> bool {
        self.assertions || self.reception
    }
}

impl Default for Properties {
    fn default() -> Properties {
        Properties { deadlock: true, assertions: true, unreached: true, reception: false }
    }
}

/// When to give up. Reaching a limit is reported, and nothing is called verified.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Limits {
    /// Bytes for the store and the stack together.
    pub memory: Option<u64>,
    /// Steps from the initial state.
    pub depth: Option<u64>,
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// States stored.
    pub states: Option<u64>,
}

/// A name that the command line does not know, and those that it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    /// What was asked for.
    pub given: String,
    /// What there is.
    pub known: Vec<&'static str>,
}

impl std::fmt::Display for UnknownName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` is unknown; choose one of {}", self.given, self.known.join(", "))
    }
}

impl std::error::Error for UnknownName {}

pub(crate) fn by_name<T: Copy>(names: &[(&'static str, T)], given: &str) -> Result<T, UnknownName> {
    names.iter().find(|(name, _)| *name == given).map(|(_, value)| *value).ok_or_else(|| UnknownName {
        given: given.to_owned(),
        known: names.iter().map(|(name, _)| *name).collect(),
    })
}

pub(crate) fn name_of<T: PartialEq>(names: &[(&'static str, T)], value: &T) -> &'static str {
    names.iter().find(|(_, v)| v == value).map_or("?", |(name, _)| name)
}

impl std::str::FromStr for Reduction {
    type Err = UnknownName;
    fn from_str(text: &str) -> Result<Reduction, UnknownName> {
        let (method, sleep) = match text.strip_suffix("+sleep") {
            Some(method) => (method, true),
            None => (text, false),
        };
        Ok(Reduction { method: by_name(&Method::NAMES, method)?, sleep })
    }
}

impl std::fmt::Display for Reduction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", name_of(&Method::NAMES, &self.method), if self.sleep { "+sleep" } else { "" })
    }
}

impl std::str::FromStr for Dependency {
    type Err = UnknownName;
    fn from_str(text: &str) -> Result<Dependency, UnknownName> {
        by_name(&Dependency::NAMES, text)
    }
}

impl std::fmt::Display for Dependency {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(name_of(&Dependency::NAMES, self))
    }
}

impl std::str::FromStr for SearchKind {
    type Err = UnknownName;
    fn from_str(text: &str) -> Result<SearchKind, UnknownName> {
        by_name(&SearchKind::NAMES, text)
    }
}

impl std::fmt::Display for SearchKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(name_of(&SearchKind::NAMES, self))
    }
}

impl std::str::FromStr for Codec {
    type Err = UnknownName;
    fn from_str(text: &str) -> Result<Codec, UnknownName> {
        by_name(&Codec::NAMES, text)
    }
}

impl std::fmt::Display for Codec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(name_of(&Codec::NAMES, self))
    }
}

impl std::str::FromStr for StoreKind {
    type Err = UnknownName;
    fn from_str(text: &str) -> Result<StoreKind, UnknownName> {
        by_name(&StoreKind::NAMES, text)
    }
}

impl std::fmt::Display for StoreKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(name_of(&StoreKind::NAMES, self))
    }
}

impl std::str::FromStr for OnFull {
    type Err = UnknownName;
    fn from_str(text: &str) -> Result<OnFull, UnknownName> {
        by_name(&OnFull::NAMES, text)
    }
}

impl std::fmt::Display for OnFull {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(name_of(&OnFull::NAMES, self))
    }
}

impl std::str::FromStr for Order {
    type Err = UnknownName;
    fn from_str(text: &str) -> Result<Order, UnknownName> {
        let unknown =
            || UnknownName { given: text.to_owned(), known: vec!["forward", "reverse", "random:SEED"] };
        match text.strip_prefix("random:") {
            Some(seed) => seed.parse().map(Order::Random).map_err(|_| unknown()),
            None if text == "forward" => Ok(Order::Forward),
            None if text == "reverse" => Ok(Order::Reverse),
            None => Err(unknown()),
        }
    }
}

impl std::fmt::Display for Order {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Order::Forward => f.write_str("forward"),
            Order::Reverse => f.write_str("reverse"),
            Order::Random(seed) => write!(f, "random:{seed}"),
        }
    }
}
