//! Atomic regions: a step has the same successors whether it is executed alone or beside others, and
//! a region that never ends has none.

#[path = "support/nameless.rs"]
mod nameless;

use mazurka_engine::expand::Expander;
use mazurka_model::{Batch, Chosen, Describe, Step, System};
use nameless::Nameless;

/// Two steps, each into a region of 15,000 interior states: together more than one is walked through at once.
/// A third one into a region that never ends.
struct Regions;

const WIDTH: u8 = 122;

impl System for Regions {
    fn initial(&self, out: &mut Batch) {
        out.push(Step::default(), &[0; 4]);
    }

    fn expand(&self, state: &[u8], chosen: Chosen<'_>, out: &mut Batch) {
        let [region, level, a, b] = [state[0], state[1], state[2], state[3]];
        let mut steps = Vec::new();
        self.enabled(state, &mut steps);
        for step in steps {
            if matches!(chosen, Chosen::Steps(wanted) if !wanted.contains(&step)) {
                continue;
            }
            let code = step.code as u8;
            let next = match (region, level) {
                (0, _) => [code + 1, 0, 0, 0],
                (3, _) => [3, 0, 0, b.wrapping_add(1)],
                (_, 0) => [region, 1, code, 0],
                (_, 1) => [region, 2, a, code],
                _ => [region, 3, a, b],
            };
            out.push(step, &next);
            out.keep(next[1] < 3);
        }
    }

    fn enabled(&self, state: &[u8], out: &mut Vec<Step>) {
        let count = match (state[0], state[1]) {
            (0, _) => 3,
            (_, 3) => 0,
            (3, _) | (_, 2) => 1,
            _ => u32::from(WIDTH),
        };
        out.extend((0..count).map(|code| Step::new(0, code)));
    }

    fn valid_end(&self, _: &[u8]) -> bool {
        true
    }

    fn describe(&self) -> &dyn Describe {
        &Nameless
    }
}

fn edges(steps: &[u32]) -> Vec<(Step, Vec<u8>, bool)> {
    let steps: Vec<Step> = steps.iter().map(|code| Step::new(0, *code)).collect();
    let mut expander = Expander::new(&Regions);
    expander.add(&[0; 4], Chosen::Steps(&steps));
    let batch = expander.edges();
    (batch.successors().iter().enumerate())
        .map(|(i, s)| (s.step, batch.state(i).to_vec(), s.interior))
        .collect()
}

#[test]
fn a_step_has_the_same_successors_alone_and_beside_others() {
    let alone: Vec<_> = [0, 1].iter().flat_map(|step| edges(&[*step])).collect();
    assert_eq!(alone.len(), 2 * usize::from(WIDTH) * usize::from(WIDTH));
    assert!(alone.iter().all(|(_, _, interior)| !interior));
    assert_eq!(edges(&[0, 1]), alone);
}

#[test]
fn a_region_that_never_ends_has_no_edges_and_no_dead_end() {
    assert_eq!(edges(&[2]), []);
    let mut expander = Expander::new(&Regions);
    expander.add(&[0; 4], Chosen::Steps(&[Step::new(0, 2)]));
    assert!(expander.is_endless());
}

/// The same system, which goes some steps through regions by itself.
struct Brisk;

impl System for Brisk {
    fn initial(&self, out: &mut Batch) {
        Regions.initial(out);
    }

    fn expand(&self, state: &[u8], chosen: Chosen<'_>, out: &mut Batch) {
        Regions.expand(state, chosen, out);
    }

    fn expand_through(&self, state: &[u8], chosen: Chosen<'_>, out: &mut Batch) {
        let (mut first, mut next) = (Batch::default(), Batch::default());
        Regions.expand(state, chosen, &mut first);
        for (index, successor) in first.successors().iter().enumerate() {
            let (mut present, mut interior) = (first.state(index).to_vec(), successor.interior);
            for _ in 0..3 {
                next.clear();
                Regions.expand(&present, Chosen::All, &mut next);
                if !interior || next.len() != 1 {
                    break;
                }
                (present, interior) = (next.state(0).to_vec(), next.successors()[0].interior);
                out.walk(1);
            }
            out.push(successor.step, &present);
            out.keep(interior);
        }
    }

    fn enabled(&self, state: &[u8], out: &mut Vec<Step>) {
        Regions.enabled(state, out);
    }

    fn valid_end(&self, _: &[u8]) -> bool {
        true
    }

    fn describe(&self) -> &dyn Describe {
        &Nameless
    }
}

#[test]
fn a_system_that_goes_through_regions_by_itself_has_the_same_edges_and_steps() {
    for steps in [&[0][..], &[1], &[2], &[0, 2], &[0, 1, 2]] {
        let steps: Vec<Step> = steps.iter().map(|code| Step::new(0, *code)).collect();
        let found = [&Regions as &dyn System, &Brisk].map(|system| {
            let mut expander = Expander::new(system);
            expander.add(&[0; 4], Chosen::Steps(&steps));
            let edges = expander.edges();
            let edges: Vec<_> = (edges.successors().iter().enumerate())
                .map(|(i, s)| (s.step, edges.state(i).to_vec(), s.interior))
                .collect();
            (edges, expander.atomic_steps(), expander.is_endless())
        });
        assert_eq!(found[0], found[1]);
    }
}
