//! The harness itself under test: systems that lie about their operations are found out, by the
//! comparison of searches and by the checking mode.

use mazurka_engine::{Config, Dependency, Method, Reduction};
use mazurka_model::object::ObjectType;
use mazurka_model::{Batch, Chosen, Describe, Footprint, ObjectId, ProcessId, Relations, Step, System};
use mazurka_testkit::campaign::{difference, interpreter, program_seed};
use mazurka_testkit::compare::keeps_contract;
use mazurka_testkit::shrink::shrink;
use mazurka_testkit::{compare, every_config, explore, generate};

/// What a system says that is not so.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Lie {
    /// Steps perform no operations at all.
    NoAccesses,
    /// Steps perform at most one operation.
    FirstAccessOnly,
    /// Every process can only move locally.
    AlwaysLocal,
    /// A process is local if the steps that it can take now are.
    EnabledOnly,
    /// No process will ever touch anything but what it touches next.
    NothingLater,
    /// The next moves touch nothing.
    NothingNext,
}

/// A system that tells one lie.
struct Liar {
    system: Box<dyn System>,
    lie: Lie,
}

impl Liar {
    fn honest(&self) -> &dyn Relations {
        self.system.relations().expect("programs have relations")
    }

    fn lies(&self, lie: Lie) -> bool {
        self.lie == lie
    }
}

impl System for Liar {
    fn initial(&self, out: &mut Batch) {
        self.system.initial(out);
    }
    fn expand(&self, state: &[u8], chosen: Chosen<'_>, out: &mut Batch) {
        self.system.expand(state, chosen, out);
    }
    fn enabled(&self, state: &[u8], out: &mut Vec<Step>) {
        self.system.enabled(state, out);
    }
    fn valid_end(&self, state: &[u8]) -> bool {
        self.system.valid_end(state)
    }
    fn state_size(&self) -> Option<usize> {
        self.system.state_size()
    }
    fn relations(&self) -> Option<&dyn Relations> {
        Some(self)
    }
    fn describe(&self) -> &dyn Describe {
        self.system.describe()
    }
}

impl Relations for Liar {
    fn processes(&self, state: &[u8]) -> usize {
        self.honest().processes(state)
    }
    fn objects(&self) -> &[Box<dyn ObjectType>] {
        self.honest().objects()
    }
    fn value(&self, state: &[u8], object: ObjectId, out: &mut Vec<i64>) {
        self.honest().value(state, object, out);
    }
    fn step(&self, state: &[u8], step: Step, out: &mut Footprint) {
        self.honest().step(state, step, out);
        if self.lies(Lie::NoAccesses) {
            out.accesses.clear();
            out.everything = false;
        } else if self.lies(Lie::FirstAccessOnly) {
            out.accesses.truncate(1);
        }
    }
    fn next(&self, state: &[u8], process: ProcessId, out: &mut Footprint) {
        self.honest().next(state, process, out);
    }
    fn next_is_local(&self, state: &[u8], process: ProcessId) -> bool {
        if self.lies(Lie::EnabledOnly) {
            let mut enabled = Vec::new();
            self.enabled(state, &mut enabled);
            return enabled.iter().filter(|s| s.process == process).all(|s| {
                let mut footprint = Footprint::default();
                self.honest().step(state, *s, &mut footprint);
                footprint.is_local()
            });
        }
        self.lies(Lie::AlwaysLocal) || self.honest().next_is_local(state, process)
    }
    fn support(&self, state: &[u8], process: ProcessId, located: bool, out: &mut Vec<u64>) {
        if self.lies(Lie::NothingLater) {
            self.honest().next_objects(state, process, out);
        } else {
            self.honest().support(state, process, located, out);
        }
    }
    fn next_objects(&self, state: &[u8], process: ProcessId, out: &mut Vec<u64>) -> bool {
        let few = self.honest().next_objects(state, process, out);
        if self.lies(Lie::NothingNext) {
            out.fill(0);
            return true;
        }
        few
    }
}

fn with_method(method: Method, sleep: bool) -> Vec<Config> {
    let wanted = Reduction { method, sleep };
    every_config(1)
        .into_iter()
        .filter(|c| c.reduction == wanted && c.dependency == Dependency::Refined)
        .collect()
}

/// The first random program on which a search that believes the lie disagrees with the oracle, made
/// small, and the number of its processes and transitions.
fn found_out(lie: Lie, method: Method, sleep: bool) -> Option<(usize, usize)> {
    let build = move |program: &mazurka_program::Program| {
        interpreter(program).map(|system| Box::new(Liar { system, lie }) as Box<dyn System>)
    };
    let configs = with_method(method, sleep);
    for index in 0..400 {
        let program = generate::program(program_seed(3, index));
        let Some(system) = build(&program) else { continue };
        let Ok(facts) = explore(&*system, 1_000, 100) else { continue };
        let Some(found) = configs.iter().find_map(|c| compare(&*system, &facts, c).err()) else { continue };
        let small = shrink(&program, 2_000, &mut |candidate| {
            difference(candidate, found.config.as_deref(), 1_000, false, &build).is_some()
        });
        return Some((small.initial.len(), small.types.iter().map(|t| t.transitions.len()).sum()));
    }
    None
}

#[test]
fn a_lie_about_operations_loses_errors_and_is_found_out() {
    for (lie, method, sleep) in [
        (Lie::NoAccesses, Method::None, true),
        (Lie::FirstAccessOnly, Method::None, true),
        (Lie::AlwaysLocal, Method::Local, false),
        (Lie::EnabledOnly, Method::Local, false),
        (Lie::NothingLater, Method::OvermanLocated, false),
        (Lie::NothingNext, Method::Overman, false),
    ] {
        let small = found_out(lie, method, sleep);
        let Some((processes, transitions)) = small else { panic!("{lie:?} is not found out") };
        assert!(
            processes <= 3 && transitions <= 10,
            "{lie:?}: {processes} processes, {transitions} transitions left"
        );
    }
}

#[test]
fn the_checking_mode_finds_lies_about_what_is_touched() {
    for lie in [Lie::NoAccesses, Lie::AlwaysLocal, Lie::NothingLater, Lie::NothingNext] {
        let caught = (0..200).any(|index| {
            let program = generate::program(program_seed(3, index));
            let Some(system) = interpreter(&program) else { return false };
            keeps_contract(&Liar { system, lie }, 200).is_err()
        });
        assert!(caught, "{lie:?} is not found");
    }
}
