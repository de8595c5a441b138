//! A step that may do anything to every object: what it covers, and what it doesn't.
//!
//! P writes a byte that Q reads. Declared as an object, no reduction loses the order in which Q
//! comes first, even if Q only says that it may do anything. Not declared, P's step counts as local:
//! then the footprints lie, and `verify` says so.

use mazurka::{
    Assertions, Checker, Footprint, Footprints, Method, Model, ObjectId, ObjectSet, ObjectType, ProcessId,
    SearchKind, Verdict, verify,
};
use mazurka_model::Operation;
use mazurka_model::object::variable::{self, Variable};

struct WriterAndReader {
    /// Whether P says that it writes.
    honest: bool,
    /// Whether Q's support lists the byte.
    supported: bool,
}

const HONEST: WriterAndReader = WriterAndReader { honest: true, supported: true };

impl Model for WriterAndReader {
    type State = [u8; 2];
    type Action = u8;

    fn initial(&self) -> Vec<[u8; 2]> {
        vec![[0, 0]]
    }

    fn actions(&self, state: &[u8; 2], out: &mut Vec<u8>) {
        out.extend((0..2).filter(|process| state[usize::from(*process)] == 0));
    }

    fn next(&self, state: &[u8; 2], process: &u8) -> Option<[u8; 2]> {
        Some(if *process == 0 { [1, state[1]] } else { [state[0], 1 + state[0]] })
    }

    fn valid_end(&self, _state: &[u8; 2]) -> bool {
        true
    }

    fn process(&self, process: &u8) -> ProcessId {
        ProcessId((*process).into())
    }

    fn assertions(&self, out: &mut Assertions<Self>) {
        out.step("P comes first", |_, _, process, after| *process == 0 || after[1] != 1);
    }

    fn footprints(&self) -> Option<&dyn Footprints<State = [u8; 2], Action = u8>> {
        Some(self)
    }
}

impl Footprints for WriterAndReader {
    type State = [u8; 2];
    type Action = u8;

    fn processes(&self) -> usize {
        2
    }

    fn objects(&self) -> Vec<Box<dyn ObjectType>> {
        vec![Box::new(Variable)]
    }

    fn value(&self, state: &[u8; 2], _object: ObjectId, out: &mut Vec<i64>) {
        out.push(state[0].into());
    }

    fn code(&self, _process: &u8) -> u32 {
        0
    }

    fn footprint(&self, _state: &[u8; 2], process: &u8, out: &mut Footprint) {
        if *process == 1 {
            out.everything = true;
        } else if self.honest {
            out.access(ObjectId(0), Operation::with(ProcessId(0), variable::WRITE, 1));
        }
    }

    fn moves(&self, state: &[u8; 2], process: ProcessId, out: &mut Vec<u8>) {
        out.extend((state[process.index()] == 0).then_some(process.0 as u8));
    }

    fn touches(&self, process: ProcessId, objects: &mut ObjectSet) {
        if process.0 == 0 || self.supported {
            objects.insert_all();
        }
    }
}

#[test]
fn declared_objects_are_covered_under_every_reduction() {
    assert!(verify(&HONEST, 1000).complete);
    for method in [Method::None, Method::Local, Method::Overman, Method::OvermanLocated, Method::Auto] {
        for sleep in [false, true] {
            for search in [SearchKind::Dfs, SearchKind::Bfs] {
                let report = Checker::new(&HONEST).reduce(method).sleep_sets(sleep).search(search).run();
                assert_eq!(report.verdict(), Verdict::Violated, "{method:?} {sleep} {search:?}");
            }
        }
    }
}

#[test]
fn a_shared_byte_that_is_no_object_is_found_out() {
    let breaches = verify(&WriterAndReader { honest: false, supported: true }, 1000).breaches;
    assert!(breaches[0].message.contains("their footprints say that they are independent"), "{breaches:?}");
}

#[test]
fn a_support_that_leaves_objects_out_is_found_out() {
    let breaches = verify(&WriterAndReader { honest: true, supported: false }, 1000).breaches;
    assert!(breaches[0].message.contains("its support leaves some out"), "{breaches:?}");
}
