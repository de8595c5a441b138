//! Which runs a comparison makes.

use super::CompareArguments;
use mazurka_engine::{Codec, Config, Dependency, Method, Order, Reduction};

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
    let codecs: Vec<Codec> = match arguments.stores {
        true => Codec::NAMES.iter().map(|(_, codec)| *codec).filter(|codec| *codec != Codec::Auto).collect(),
        false => vec![Codec::Auto],
    };
    let common = arguments.config();
    let mut configs: Vec<Config> = Vec::new();
    for &order in &orders {
        for &reduction in &reductions {
            for &dependency in if looks_at_dependency(reduction) { &grades[..] } else { &grades[..1] } {
                for &codec in &codecs {
                    let config = Config { reduction, dependency, order, codec, ..common.clone() };
                    if !configs.contains(&config) {
                        configs.push(config);
                    }
                }
            }
        }
    }
    configs
}

/// Whether the grade of dependency makes a difference. Methods that only ask which process can access
/// which object don't look at operations; sleep sets always do.
fn looks_at_dependency(reduction: Reduction) -> bool {
    let by_objects =
        matches!(reduction.method, Method::None | Method::Local | Method::Overman | Method::OvermanLocated);
    reduction.sleep || !by_objects
}
