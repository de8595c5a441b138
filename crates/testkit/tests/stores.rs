//! Every store against the plain one: what is encoded is decoded, for every state of every model, and
//! searches find the same with every codec.

use mazurka_engine::store::codec::Codec as _;
use mazurka_engine::store::{
    Auto, Coded, Collapse, CompactTree, Exact, Huffman, Insert, Ordered, Packed, RunLength, Side, StateRef,
    Store, Tree,
};
use mazurka_engine::{
    Codec, Config, Expansion, Limits, Method, Monitor, Reduction, SearchKind, Silent, StoreKind, Verdict,
    check,
};
use mazurka_model::System;
use mazurka_program::{Interpreter, Optimisations};
use mazurka_testkit::{corpus, generate, promela, spin};
use std::sync::Mutex;

/// States of each model that are tried.
const MOST_STATES: u64 = 20_000;

/// States of each model that every search visits with every codec.
const FEWER_STATES: u64 = 2_000;

const NO_REDUCTION: Reduction = Reduction { method: Method::None, sleep: false };

struct Collecting(Mutex<Vec<Vec<u8>>>);

impl Monitor for Collecting {
    fn expanded(&self, expansion: Expansion<'_>) {
        if let Ok(mut states) = self.0.lock() {
            states.push(expansion.state.to_vec());
        }
    }

    fn watches(&self) -> bool {
        true
    }
}

/// Every model of the corpus, by name.
fn systems() -> Vec<(String, Interpreter)> {
    let directory = corpus::directory();
    let models = corpus::models(&directory).unwrap_or_else(|message| panic!("{message}"));
    let programs = models.into_iter().map(|model| (model.path.display().to_string(), model.program));
    let mut paths = Vec::new();
    spin::models(&directory.join("promela"), &mut paths);
    spin::models(&directory.join("algorithms"), &mut paths);
    let promela = paths.iter().filter_map(|path| Some((path.display().to_string(), spin::read(path).ok()?)));
    let all = programs.chain(promela);
    all.filter_map(|(name, program)| Some((name, Interpreter::new(program).ok()?))).collect()
}

fn config(codec: Codec) -> Config {
    let limits = Limits { states: Some(MOST_STATES), ..Limits::default() };
    Config { reduction: NO_REDUCTION, codec, limits, max_errors: 0, ..Config::default() }
}

/// Puts all states into a store and asks for them again.
fn keeps<S: Ordered>(store: S, states: &[Vec<u8>]) -> Result<(), String> {
    keeps_through(store, states, |_| {})
}

/// Puts all states into a store to which something is done halfway, and asks for them again.
fn keeps_through<S: Ordered>(
    mut store: S,
    states: &[Vec<u8>],
    halfway: impl Fn(&mut S),
) -> Result<(), String> {
    let mut references = Vec::new();
    for (index, state) in states.iter().enumerate() {
        if index == states.len() / 2 {
            halfway(&mut store);
        }
        let Insert::New(reference) = store.insert(state) else {
            return Err(format!("state {index} is not new"));
        };
        store.set_colour(reference, (index % 4) as u8);
        store.set_parent(reference, StateRef(index as u32 / 2));
        store.set_sleep(reference, index as u32 * 3);
        references.push(reference);
    }
    let mut bytes = Vec::new();
    let mut in_order = store.first();
    for (index, (state, reference)) in states.iter().zip(&references).enumerate() {
        store.load(*reference, &mut bytes);
        let side = (store.colour(*reference), store.parent(*reference).0, store.sleep(*reference));
        let expected = ((index % 4) as u8, index as u32 / 2, index as u32 * 3);
        let seen = store.insert(state) == Insert::Seen(*reference);
        if bytes != *state || side != expected || !seen || in_order != Some(*reference) {
            return Err(format!(
                "state {index} comes back as {bytes:?}, {side:?}, seen: {seen}; it is {state:?}"
            ));
        }
        in_order = store.after(*reference);
    }
    if in_order.is_some() || store.len() != states.len() as u64 { Err("too many".to_owned()) } else { Ok(()) }
}

/// Puts all states into a store that names only what is held, asks for them, and lets them go.
fn keeps_while_held<S: Store>(
    mut store: S,
    states: &[Vec<u8>],
    halfway: impl Fn(&mut S),
) -> Result<(), String> {
    let mut held = Vec::new();
    for (index, state) in states.iter().enumerate() {
        if index == states.len() / 2 {
            halfway(&mut store);
        }
        let Insert::New(reference) = store.insert(state) else {
            return Err(format!("state {index} is not new"));
        };
        store.set_colour(reference, (index % 4) as u8);
        held.push(reference);
    }
    let mut bytes = Vec::new();
    for (index, (state, reference)) in states.iter().zip(held).enumerate() {
        store.load(reference, &mut bytes);
        let seen = store.insert(state) == Insert::Seen(reference);
        let colour = store.colour(reference);
        store.release(reference);
        let passed = matches!(store.insert(state), Insert::Passed(_));
        if bytes != *state || !seen || !passed || colour != (index % 4) as u8 {
            return Err(format!("state {index} comes back as {bytes:?}, {seen}, {passed}; it is {state:?}"));
        }
    }
    if store.len() == states.len() as u64 { Ok(()) } else { Err("too many".to_owned()) }
}

#[test]
fn every_store_gives_back_every_state_of_every_model() {
    let side = Side { colour: true, parent: true, sleep: true };
    let systems = systems();
    assert!(systems.len() > 100, "the corpus is missing: {} models", systems.len());
    for (name, system) in systems {
        let states = some_states(&system);
        let size = system.state_size();
        let results = [
            ("plain", keeps(Exact::new(size, side, None), &states)),
            ("none", keeps(Exact::unpacked(size, side, None), &states)),
            ("rle", keeps(Coded::new(RunLength, side, None), &states)),
            ("huffman", keeps(Coded::new(Huffman::default(), side, None), &states)),
            ("packed", keeps(Coded::new(Packed::new(&system), side, None), &states)),
            ("collapse", keeps(Coded::new(Collapse::new(&system), side, None), &states)),
            ("tree", keeps(Tree::new(&system, side, None), &states)),
            ("rearranged tree", keeps_through(Tree::new(&system, side, None), &states, Tree::rearrange)),
            ("compact-tree", keeps_while_held(CompactTree::new(&system, side, None), &states, |_| {})),
            (
                "rearranged compact-tree",
                keeps_while_held(CompactTree::new(&system, side, None), &states, CompactTree::rearrange),
            ),
            ("auto", keeps(Auto::new(&system, side, None), &states)),
        ];
        for (codec, result) in results {
            assert_eq!(result, Ok(()), "{name}, {codec}");
        }
    }
}

/// States of a system, the first so many that a search comes to.
fn some_states(system: &Interpreter) -> Vec<Vec<u8>> {
    let collecting = Collecting(Mutex::new(Vec::new()));
    check(system, &config(Codec::Plain), &collecting);
    collecting.0.into_inner().unwrap_or_default()
}

/// The bytes of all states packed, and as they are; none of them may have a bit that it is said not to have.
fn packs(name: &str, system: &Interpreter) -> (usize, usize) {
    let mut codec = Packed::new(system);
    let (mut packed, mut plain) = (0, 0);
    let mut code = Vec::new();
    for state in some_states(system) {
        assert!(!codec.is_whole(&state), "{name}: {state:?} has a bit beyond the widths");
        code.clear();
        codec.encode(&state, u64::MAX, &mut code);
        packed += code.len();
        plain += state.len();
    }
    (packed, plain)
}

#[test]
fn no_state_of_any_model_has_a_bit_beyond_its_widths() {
    let (mut packed, mut plain) = (0, 0);
    for (name, system) in systems() {
        let (few, all) = packs(&name, &system);
        (packed, plain) = (packed + few, plain + all);
        let mut optimised = system.program().clone();
        optimised.optimise(Optimisations::ALL);
        packs(&name, &Interpreter::new(optimised).unwrap_or_else(|errors| panic!("{name}: {errors:?}")));
    }
    assert!(packed * 2 < plain, "{packed} bytes of {plain}");
}

#[test]
fn random_programs_have_no_bit_beyond_their_widths_and_the_same_states() {
    for seed in 0..400 {
        let program = match seed % 2 {
            0 => generate::program(seed),
            // Some ask for what there is not.
            _ => match spin::program("random", &promela::text(seed)) {
                Ok(program) => program,
                Err(_) => continue,
            },
        };
        let mut optimised = program.clone();
        optimised.optimise(Optimisations::ALL);
        for program in [program, optimised] {
            let Ok(system) = Interpreter::new(program) else { continue };
            packs(&format!("seed {seed}"), &system);
            let run = |codec| {
                let limits = Limits { states: Some(FEWER_STATES), ..Limits::default() };
                let found = check(&system, &Config { limits, ..config(codec) }, &Silent);
                (found.verdict, found.findings, found.statistics.states, found.statistics.transitions())
            };
            assert_eq!(run(Codec::Packed), run(Codec::Plain), "seed {seed}");
        }
    }
}

#[test]
fn every_codec_finds_what_the_plain_one_finds() {
    for (name, system) in systems() {
        for search in [SearchKind::Dfs, SearchKind::Bfs] {
            for reduction in [NO_REDUCTION, Reduction { method: Method::Auto, sleep: true }] {
                let run = |codec| {
                    let limits = Limits { states: Some(FEWER_STATES), ..Limits::default() };
                    let found =
                        check(&system, &Config { search, reduction, limits, ..config(codec) }, &Silent);
                    let counts = found.statistics;
                    (found.verdict, found.findings, counts.states, counts.matched, counts.depth)
                };
                let plain = run(Codec::Plain);
                for (_, codec) in Codec::NAMES {
                    assert_eq!(run(codec), plain, "{name}, {search}, {reduction}, {codec}");
                }
            }
        }
    }
}

/// What a codec can be had with beside the exact set in memory: a set in a file keeps all but trees, a cache what can be forgotten.
const PAIRS: [(StoreKind, Codec); 10] = [
    (StoreKind::Disk, Codec::Plain),
    (StoreKind::Disk, Codec::None),
    (StoreKind::Disk, Codec::RunLength),
    (StoreKind::Disk, Codec::Huffman),
    (StoreKind::Disk, Codec::Packed),
    (StoreKind::Disk, Codec::Collapse),
    (StoreKind::Cache, Codec::None),
    (StoreKind::Cache, Codec::RunLength),
    (StoreKind::Cache, Codec::Huffman),
    (StoreKind::Cache, Codec::Packed),
];

#[test]
fn every_codec_finds_the_same_on_disk_and_in_a_cache() {
    let folder = std::env::temp_dir();
    for (name, system) in systems() {
        for search in [SearchKind::Dfs, SearchKind::Bfs] {
            for reduction in [NO_REDUCTION, Reduction { method: Method::Auto, sleep: true }] {
                let run = |store, codec| {
                    let limits = Limits { states: Some(FEWER_STATES), ..Limits::default() };
                    let folder = folder.clone();
                    let base = Config { search, reduction, limits, store, folder, ..config(codec) };
                    let found = check(&system, &base, &Silent);
                    assert!(store != StoreKind::Disk || found.statistics.disk_bytes > 0, "{name}, {codec}");
                    let counts = found.statistics;
                    (found.verdict, found.findings, counts.states, counts.matched, counts.depth)
                };
                let exact = run(StoreKind::Exact, Codec::Plain);
                let cached = (search == SearchKind::Dfs).then(|| run(StoreKind::Cache, Codec::Plain));
                for (store, codec) in PAIRS {
                    let plain = match store {
                        StoreKind::Cache => cached.as_ref(),
                        _ => Some(&exact),
                    };
                    if let Some(plain) = plain {
                        assert_eq!(
                            &run(store, codec),
                            plain,
                            "{name}, {search}, {reduction}, {store}, {codec}"
                        );
                    }
                }
                // Where nothing is reduced, it makes no difference that a cache knows nothing of components.
                if let Some(cached) = cached.filter(|_| reduction == NO_REDUCTION) {
                    assert_eq!(cached, exact, "{name}");
                }
            }
        }
    }
}

#[test]
fn a_cache_that_forgets_finds_all_states_with_every_codec() {
    let mut forgot = 0;
    for name in ["brp.pml", "telephony.pml"] {
        let system = large(name);
        let reduction = Reduction { method: Method::None, sleep: true };
        let run = |codec, memory| {
            let limits = Limits { memory, ..Limits::default() };
            let base = Config { reduction, store: StoreKind::Cache, limits, ..config(codec) };
            check(&system, &base, &Silent)
        };
        let whole = run(Codec::Plain, None);
        if whole.stopped.is_some() {
            continue;
        }
        for (_, codec) in PAIRS.into_iter().filter(|(store, _)| *store == StoreKind::Cache) {
            let all = run(codec, None);
            assert_eq!(
                (all.statistics.states, all.statistics.replaced),
                (whole.statistics.states, 0),
                "{name}, {codec}"
            );
            let memory = all.statistics.stack_bytes + all.statistics.store_bytes * 3 / 4;
            let some = run(codec, Some(memory));
            assert_eq!((some.verdict, some.stopped), (whole.verdict, None), "{name}, {codec}");
            assert_eq!(some.findings.is_empty(), whole.findings.is_empty(), "{name}, {codec}");
            let distinct = some.statistics.distinct.unwrap_or(some.statistics.states) as f64;
            let close = (distinct / whole.statistics.states as f64 - 1.0).abs() < 0.05;
            assert!(close, "{name}, {codec}: {distinct} of {}", whole.statistics.states);
            forgot += some.statistics.replaced;
        }
    }
    assert!(forgot > 0, "no cache was full");
}

/// A model with enough states that its memory counts, and of states of several sizes.
fn large(name: &str) -> Interpreter {
    let path = corpus::directory().join("algorithms").join(name);
    let program = spin::read(&path).unwrap_or_else(|message| panic!("{message}"));
    Interpreter::new(program).unwrap_or_else(|errors| panic!("{errors:?}"))
}

#[test]
fn auto_turns_to_a_tree_and_goes_on() {
    for name in ["leader_filters.pml", "telephony.pml", "brp.pml", "iprotocol.pml"] {
        let system = large(name);
        for search in [SearchKind::Dfs, SearchKind::Bfs] {
            let base = Config {
                reduction: NO_REDUCTION,
                search,
                limits: Limits { states: Some(300_000), ..Limits::default() },
                max_errors: 0,
                ..Config::default()
            };
            let plain = check(&system, &Config { codec: Codec::Plain, ..base.clone() }, &Silent);
            let memory = plain.statistics.stack_bytes + plain.statistics.store_bytes * 2 / 3;
            let limits = Limits { memory: Some(memory), ..base.limits };
            let auto = check(&system, &Config { codec: Codec::Auto, limits, ..base }, &Silent);
            if plain.statistics.store_bytes < 16 << 20 {
                continue;
            }
            assert_eq!(auto.statistics.states, plain.statistics.states, "{name}, {search}");
            assert_eq!((auto.verdict, auto.findings), (plain.verdict, plain.findings), "{name}, {search}");
            assert!(auto.statistics.store_bytes <= memory, "{name}, {search}");
        }
    }
}

#[test]
fn what_was_met_lately_changes_nothing() {
    let mut compared = 0;
    for name in ["leader_filters.pml", "telephony.pml", "brp.pml", "iprotocol.pml"] {
        let system = large(name);
        let run = |codec, store, limits| {
            let base = Config { reduction: NO_REDUCTION, codec, store, limits, ..Config::default() };
            let found = check(&system, &Config { max_errors: 0, ..base }, &Silent);
            let counts = (found.statistics.states, found.statistics.matched, found.statistics.depth);
            (counts, found.verdict, found.findings, found.stopped.is_none())
        };
        let few = Limits { states: Some(200_000), ..Limits::default() };
        let plain = run(Codec::Plain, StoreKind::Exact, few);
        // Where a search is cut off, what waits may have been looked up or not.
        if !plain.3 || plain.0.0 < 20_000 {
            continue;
        }
        compared += 1;
        for codec in [Codec::Tree, Codec::CompactTree] {
            assert_eq!(run(codec, StoreKind::Exact, few), plain, "{name}, {codec:?}");
        }
        // So many bits that none is lost.
        let bits = run(Codec::Plain, StoreKind::Bitstate, Limits { memory: Some(64 << 20), ..few });
        assert_eq!(bits.0, plain.0, "{name}, bitstate");
    }
    assert!(compared > 0, "no model has as many states as are needed");
}

#[test]
fn the_memory_limit_holds_with_every_codec() {
    let system = large("leader_filters.pml");
    for (codec_name, codec) in Codec::NAMES {
        for search in [SearchKind::Dfs, SearchKind::Bfs] {
            let memory = 4 << 20;
            let limits = Limits { memory: Some(memory), ..Limits::default() };
            let config = Config { search, limits, ..config(codec) };
            let outcome = check(&system, &config, &Silent);
            let used = outcome.statistics.store_bytes + outcome.statistics.stack_bytes;
            assert!(used <= memory / 100 * 105, "{codec_name}, {search}: {used} bytes of {memory}");
            if outcome.stopped.is_some() {
                assert_eq!(outcome.verdict, Verdict::Unknown, "{codec_name}, {search}");
            }
        }
    }
}
