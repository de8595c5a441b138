//! Random Petri nets, small and full of conflicts, and invariants for them.
//!
//! A net is a function of its seed: a few places, a few transitions with arcs of weight one or two, tests
//! (a place given back as much as was taken) and capacities now and then. About half are bounded; the
//! others exceed whatever number of states is allowed, and are left out by whoever explores them.

use fastrand::Rng;
use mazurka_front::petri::formula::{Comparison, Formula, Sum, compare};
use mazurka_front::petri::net::{Net, Place, Transition, gather};
use mazurka_model::source::Span;

/// The net of a seed.
pub fn net(seed: u64) -> Net {
    let mut random = Rng::with_seed(seed);
    let places = random.u32(3..=7);
    let mut net = Net { name: format!("random_{seed}"), ..Net::default() };
    for place in 0..places {
        let initial = if random.bool() { random.u32(1..=2) } else { 0 };
        let capacity = (random.u32(0..6) == 0).then(|| initial + random.u32(0..=2)).filter(|&most| most > 0);
        let (id, name) = (format!("p{place}"), format!("p{place}"));
        net.places.push(Place { id, name, initial, capacity, span: Span::default() });
    }
    for transition in 0..random.u32(2..=7) {
        let mut inputs = arcs(&mut random, places, 2);
        // Most transitions keep the number of tokens, so that nets live on and stay bounded.
        let mut outputs = match random.u32(0..10) {
            0..=7 => inputs.iter().map(|&(_, weight)| (random.u32(0..places), weight)).collect(),
            _ => arcs(&mut random, places, 2),
        };
        if random.u32(0..4) == 0 {
            let tested = (random.u32(0..places), random.u32(1..=2));
            inputs.push(tested);
            outputs.push(tested);
        }
        // A transition without inputs fires for ever, so that hardly any net with one is small.
        if inputs.is_empty() {
            inputs.push((random.u32(0..places), 1));
            outputs.push((random.u32(0..places), 1));
        }
        gather(&mut inputs, |a, b| a + b);
        gather(&mut outputs, |a, b| a + b);
        let (id, name) = (format!("t{transition}"), format!("t{transition}"));
        net.transitions.push(Transition { id, name, inputs, outputs, span: Span::default() });
    }
    net
}

fn arcs(random: &mut Rng, places: u32, most: u32) -> Vec<(u32, u32)> {
    let weight = |random: &mut Rng| if random.u32(0..4) == 0 { 2 } else { 1 };
    (0..random.u32(0..=most)).map(|_| (random.u32(0..places), weight(random))).collect()
}

/// A formula over a net, by seed.
pub fn formula(net: &Net, seed: u64) -> Formula {
    let mut random = Rng::with_seed(seed ^ 0x5eed);
    part(net, &mut random, 3)
}

fn part(net: &Net, random: &mut Rng, depth: u32) -> Formula {
    let places = net.places.len() as u32;
    match random.u32(0..if depth == 0 { 4 } else { 8 }) {
        0 => {
            let transition = random.usize(0..net.transitions.len().max(1)) as u32;
            Formula::Fireable(vec![transition])
        }
        1..=3 => {
            let sum = |random: &mut Rng| {
                let mut sum = Sum { terms: Vec::new(), constant: random.i64(0..=2) };
                for _ in 0..random.u32(0..=2) {
                    let term = Sum { terms: vec![(random.u32(0..places), 1)], constant: 0 };
                    // Numbers this small always fit.
                    let _ = sum.add(&term, if random.u32(0..4) == 0 { 2 } else { 1 });
                }
                sum
            };
            let (left, right) = (sum(random), sum(random));
            let all = [
                Comparison::AtMost,
                Comparison::Less,
                Comparison::AtLeast,
                Comparison::Greater,
                Comparison::Equal,
                Comparison::Different,
            ];
            compare(&left, all[random.usize(0..all.len())], &right).unwrap_or(Formula::Constant(true))
        }
        4 => Formula::Not(Box::new(part(net, random, depth - 1))),
        5 => Formula::And(vec![part(net, random, depth - 1), part(net, random, depth - 1)]),
        6 => Formula::Or(vec![part(net, random, depth - 1), part(net, random, depth - 1)]),
        _ => Formula::Deadlock,
    }
}
