//! States of more than 32 lengths: none is taken for one that was met lately.

#[path = "support/nameless.rs"]
mod nameless;

use mazurka_engine::{Codec, Config, Silent, check};
use mazurka_model::{Batch, Chosen, Describe, Step, System};
use nameless::Nameless;

/// Two wheels, and something that becomes longer.
struct Growing {
    most: usize,
    wheel: u8,
}

impl System for Growing {
    fn initial(&self, out: &mut Batch) {
        out.push(Step::default(), &[0; 2]);
    }
    fn expand(&self, state: &[u8], chosen: Chosen<'_>, out: &mut Batch) {
        let mut steps = Vec::new();
        self.enabled(state, &mut steps);
        for step in steps {
            let unwanted = match chosen {
                Chosen::All => false,
                Chosen::Process(process) => process != step.process,
                Chosen::Steps(wanted) => !wanted.contains(&step),
            };
            if unwanted {
                continue;
            }
            out.begin(step, state);
            let mut draft = out.draft();
            match step.code {
                0 => draft.extend(&[1]),
                wheel => draft[wheel as usize - 1] = (draft[wheel as usize - 1] + 1) % self.wheel,
            }
            out.keep(false);
        }
    }
    fn enabled(&self, state: &[u8], out: &mut Vec<Step>) {
        if state.len() < self.most {
            out.push(Step::new(0, 0));
        }
        out.push(Step::new(1, 1));
        out.push(Step::new(2, 2));
    }
    fn valid_end(&self, _: &[u8]) -> bool {
        true
    }
    fn state_size(&self) -> Option<usize> {
        None
    }
    fn describe(&self) -> &dyn Describe {
        &Nameless
    }
}

#[test]
fn no_state_of_many_lengths_is_taken_for_another() {
    for (most, wheel) in [(60, 40), (250, 16), (40, 50)] {
        let system = Growing { most, wheel };
        let expected = u64::from(wheel) * u64::from(wheel) * (most as u64 - 1);
        for in_order in [0, 1000, 1 << 17] {
            for codec in [Codec::Plain, Codec::Auto, Codec::Tree, Codec::CompactTree] {
                let config =
                    Config { reduction: "none".parse().unwrap(), in_order, codec, ..Config::default() };
                let states = check(&system, &config, &Silent).statistics.states;
                assert_eq!(states, expected, "{most} {wheel} {in_order} {codec:?}");
            }
        }
    }
}
