//! Which runs a comparison makes.

use super::CompareArguments;
use mazurka_engine::{Codec, Config, Dependency, Method, Order, Reduction, StoreKind};

/// The methods of the usual list, weakest first.
const USUAL: [Method; 9] = [
    Method::None,
    Method::Local,
    Method::Overman,
    Method::Ample,
    Method::Persistent,
    Method::Stubborn,
    Method::Conditional,
    Method::Deletion,
    Method::Auto,
];

/// All methods, weakest first.
const ALL: [Method; 10] = [
    Method::None,
    Method::Local,
    Method::Overman,
    Method::OvermanLocated,
    Method::Ample,
    Method::Persistent,
    Method::Stubborn,
    Method::Conditional,
    Method::Deletion,
    Method::Auto,
];

/// The configuration of each run, in order.
pub fn configs(arguments: &CompareArguments) -> Vec<Config> {
    let all = |default: &[Method]| -> Vec<Reduction> {
        let both = |&method| [false, true].map(|sleep| Reduction { method, sleep });
        default.iter().flat_map(both).collect()
    };
    let reductions = match (arguments.all, arguments.reduce.is_empty()) {
        (true, _) => all(&ALL),
        (false, true) if arguments.stores => vec![Reduction { method: Method::None, sleep: false }],
        (false, true) => all(&USUAL),
        (false, false) => arguments.reduce.clone(),
    };
    let grades = match (arguments.all, arguments.dependency.is_empty()) {
        (true, _) => Dependency::NAMES.iter().rev().map(|(_, grade)| *grade).collect(),
        (false, true) => vec![Dependency::Refined],
        (false, false) => arguments.dependency.clone(),
    };
    let orders = match (arguments.all, arguments.order.is_empty()) {
        (true, _) => vec![Order::Forward, Order::Reverse],
        (false, true) => vec![Order::Forward],
        (false, false) => arguments.order.clone(),
    };
    let kept = if arguments.stores { stores(arguments) } else { vec![(StoreKind::Exact, Codec::Auto)] };
    let common = arguments.config();
    let mut configs: Vec<Config> = Vec::new();
    for &order in &orders {
        for &reduction in &reductions {
            for &dependency in if looks_at_dependency(reduction) { &grades[..] } else { &grades[..1] } {
                for &(store, codec) in &kept {
                    let config = Config { reduction, dependency, order, store, codec, ..common.clone() };
                    // Breadth first, states are the queue, so that stores that forget can't be had.
                    if config.contradiction().is_none() && !configs.contains(&config) {
                        configs.push(config);
                    }
                }
            }
        }
    }
    configs
}

/// What is kept of states, plain records first, since the others are related to them. How much a cache and bits take is what they are
/// given, so they say something only where that is asked for.
fn stores(arguments: &CompareArguments) -> Vec<(StoreKind, Codec)> {
    let codecs = Codec::NAMES.iter().map(|(_, codec)| *codec).filter(|codec| *codec != Codec::Auto);
    let mut all: Vec<_> = codecs.map(|codec| (StoreKind::Exact, codec)).collect();
    all.extend([StoreKind::Disk, StoreKind::Compact].map(|store| (store, Codec::Plain)));
    if arguments.memory.is_some() {
        all.extend([StoreKind::Cache, StoreKind::Bitstate].map(|store| (store, Codec::Plain)));
    }
    all
}

/// Whether the grade of dependency makes a difference. Methods that only ask which process can access
/// which object don't look at operations; sleep sets always do.
fn looks_at_dependency(reduction: Reduction) -> bool {
    let by_objects =
        matches!(reduction.method, Method::None | Method::Local | Method::Overman | Method::OvermanLocated);
    reduction.sleep || !by_objects
}
