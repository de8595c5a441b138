//! Every object type of the library against the derivation from its semantics, and the derivation
//! against objects that are wrong on purpose.

use mazurka_model::object::derive::{self, Relation, Report};
use mazurka_model::object::fifo::{EMPTY, FULL, Fifo, HEAD_IS, RECEIVE, RECEIVE_IS, SEND};
use mazurka_model::object::{Condition, Domain, Glance, KindInfo, ObjectType, library};
use mazurka_model::{Operand, Operation, OperationKind};
use std::collections::HashMap;

/// No answer of any predicate is wrong, for known inputs, unknown ones, and unrefined operations, and
/// all are symmetric that must be.
#[test]
fn relations_are_sound() {
    for object in library() {
        let report = derive::check(object.as_ref());
        let unsound = report.unsound.len();
        assert_eq!(unsound, 0, "{object:?}: {unsound} wrong answers, the first: {}", report.unsound[0]);
        if object.name() != "rendezvous" {
            assert!(report.compared >= 200, "{object:?}: the domain is too small to show anything");
        }
    }
}

/// No predicate says `true` where the derivation says `false`. An object that can't be exact is listed
/// here with the number of its coarse answers, so that the list doesn't grow unnoticed.
#[test]
fn relations_are_exact() {
    // At what width an addition wraps around is not known to a variable, so it counts as one that may
    // turn every test.
    const COARSE: &[(&str, usize)] =
        &[("Variable", 240), ("Array { len: 1 }", 60), ("Array { len: 2 }", 240)];
    for object in library() {
        let coarse = derive::check(object.as_ref()).coarse;
        let name = format!("{object:?}");
        let known = COARSE.iter().find(|(coarse, _)| *coarse == name).map_or(0, |(_, count)| *count);
        assert_eq!(
            coarse.len(),
            known,
            "{name}: {:?}",
            coarse.iter().map(ToString::to_string).collect::<Vec<_>>()
        );
    }
}

/// Which operations are never enabled together is told exactly by the objects that tell it at all.
#[test]
fn exclusions_are_exact() {
    for object in library() {
        let derivation = derive::Derivation::new(object.as_ref());
        let operations = derivation.operations();
        let pairs = (0..operations.len()).flat_map(|a| (0..operations.len()).map(move |b| (a, b)));
        let declared = |&(a, b): &(usize, usize)| object.exclusive(&operations[a], &operations[b]);
        let tells =
            matches!(object.name(), "variable" | "array" | "fifo" | "overflowing" | "bounded" | "mutex");
        let known: Vec<_> = pairs.clone().filter(declared).collect();
        let all: Vec<_> = pairs.filter(|&(a, b)| derivation.exclusive(a, b)).collect();
        assert!(if tells { known == all && !all.is_empty() } else { known.is_empty() }, "{object:?}");
    }
}

/// What an object says ▷ looks at is all that it looks at, also for inputs that are not known.
#[test]
fn glances_are_honest() {
    for object in library() {
        let domain = object.domain();
        let mut operations = Vec::new();
        for operation in &domain.operations {
            let [first, second] = operation.operands;
            for operands in
                [[first, second], [Operand::Any, second], [first, Operand::Any], [Operand::Any; 2]]
            {
                let operation = Operation { operands, ..*operation };
                if !operations.contains(&operation) {
                    operations.push(operation);
                }
            }
        }
        let of = |process: u16| operations.iter().filter(move |o| o.process.0 == process);
        for (a, b) in of(0).flat_map(|a| of(1).map(move |b| (a, b))) {
            let glance = object.glance(a, b);
            for kinds in [u64::MAX, 0, 1 << b.kind.0, 0b10, 0b101] {
                let mut answers: HashMap<Vec<i64>, bool> = HashMap::new();
                for value in &domain.compared {
                    let mut seen = value.clone();
                    match glance {
                        Glance::Nothing => seen.clear(),
                        Glance::Word(word) => seen = vec![value[word]],
                        Glance::Outline => object.outline(&mut seen),
                    }
                    let answer = object.interacts_among(a, b, value, kinds);
                    let same = *answers.entry(seen).or_insert(answer) == answer;
                    assert!(same, "{object:?}: {a:?} and {b:?} in {value:?} with {glance:?}");
                    assert!(kinds != u64::MAX || answer == object.interacts(a, b, value), "{object:?}");
                }
            }
        }
    }
}

/// Domains are rich enough: three processes, every kind of operation, and the initial value.
#[test]
fn domains_are_rich() {
    for object in library().iter().filter(|object| object.name() != "rendezvous") {
        let domain = object.domain();
        for kind in 0..object.kinds().len() {
            let mut processes: Vec<u16> =
                domain.operations.iter().filter(|o| o.kind.index() == kind).map(|o| o.process.0).collect();
            processes.dedup();
            assert!(processes.len() >= 3, "{object:?} {kind}");
            let inputs = object.kinds()[kind].inputs.len();
            for at in 0..inputs {
                let of_kind = domain.operations.iter().filter(|o| o.kind.index() == kind);
                let mut seen: Vec<Operand> = of_kind.map(|o| o.operands[at]).collect();
                seen.sort();
                seen.dedup();
                let single_element = object.name() == "array" && object.initial().len() == 1 && at == 0;
                assert!(seen.len() >= 2 || single_element, "{object:?} {kind}: one input shows too little");
            }
        }
        assert!(domain.compared.contains(&object.initial()), "{object:?}");
        let mut values = domain.compared.clone();
        values.sort();
        values.dedup();
        assert_eq!(values.len(), domain.compared.len(), "{object:?} lists a value twice");
    }
}

/// All values of an object that is no channel have as many words as the initial one.
#[test]
fn values_have_a_fixed_size() {
    let channels = ["fifo", "lossy", "overflowing", "bounded", "sorted", "random-access"];
    for object in library().iter().filter(|object| !channels.contains(&object.name())) {
        let domain = object.domain();
        let mut next = Vec::new();
        for value in &domain.compared {
            assert_eq!(value.len(), object.initial().len());
            for operation in &domain.operations {
                if object.apply(value, operation, &mut next).is_some() {
                    assert_eq!(next.len(), value.len(), "{object:?}");
                }
            }
        }
    }
}

type Predicate = fn(&Operation, &Operation, &[i64]) -> Option<bool>;

/// A channel whose predicates answer wrongly where one of the functions here has an answer.
#[derive(Debug)]
struct Wrong {
    channel: Fifo,
    dependent: Predicate,
    interacts: Predicate,
    unrefined: fn(&Operation) -> Option<Operation>,
}

impl ObjectType for Wrong {
    fn name(&self) -> &'static str {
        "wrong"
    }
    fn summary(&self) -> &'static str {
        "A channel with a mistake."
    }
    fn kinds(&self) -> &'static [KindInfo] {
        self.channel.kinds()
    }
    fn initial(&self) -> Vec<i64> {
        self.channel.initial()
    }
    fn apply(&self, value: &[i64], operation: &Operation, next: &mut Vec<i64>) -> Option<i64> {
        self.channel.apply(value, operation, next)
    }
    fn dependent(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        (self.dependent)(a, b, value).unwrap_or_else(|| self.channel.dependent(a, b, value))
    }
    fn interacts(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        (self.interacts)(a, b, value).unwrap_or_else(|| self.channel.interacts(a, b, value))
    }
    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        self.channel.constant(a, b)
    }
    fn unrefined(&self, operation: &Operation) -> Operation {
        (self.unrefined)(operation).unwrap_or_else(|| self.channel.unrefined(operation))
    }
    fn identifies(&self, kind: OperationKind, input: usize) -> bool {
        self.channel.identifies(kind, input)
    }
    fn shape(&self, value: &[i64]) -> Vec<i64> {
        self.channel.shape(value)
    }
    fn domain(&self) -> Domain {
        self.channel.domain()
    }
    fn conditions(&self) -> &'static [Condition] {
        self.channel.conditions()
    }
}

fn right() -> Wrong {
    Wrong {
        channel: Fifo { capacity: 2 },
        dependent: |_, _, _| None,
        interacts: |_, _, _| None,
        unrefined: |_| None,
    }
}

fn complains(report: &Report, relation: Relation) -> bool {
    report.unsound.iter().any(|difference| difference.relation == relation)
}

#[test]
fn an_object_without_a_mistake_passes() {
    let report = derive::check(&right());
    assert!(report.unsound.is_empty() && report.coarse.is_empty());
}

/// A send fills the last place, so `Full` depends on it there.
#[test]
fn a_missing_dependency_is_caught() {
    let wrong = Wrong {
        dependent: |a, b, _| matches!((a.kind, b.kind), (SEND, FULL) | (FULL, SEND)).then_some(false),
        ..right()
    };
    let report = derive::check(&wrong);
    assert!(complains(&report, Relation::Dependent));
    assert!(!complains(&report, Relation::Interacts));
}

/// `Empty` depends on `Receive` only where one message is left, but it interacts before: other
/// receives lead there. Taking the dependency for the interaction is the classical mistake.
#[test]
fn a_missing_interaction_is_caught() {
    let wrong = Wrong {
        interacts: |a, b, value| (a.kind == EMPTY && b.kind == RECEIVE).then_some(value.len() == 1),
        ..right()
    };
    let report = derive::check(&wrong);
    assert!(complains(&report, Relation::Interacts));
    assert!(!complains(&report, Relation::Dependent));
}

/// Who waits behind the only message, which is another, waits for its removal and for the next send.
/// To keep the removals from happening would be enough for a stubborn set (Definition 9), but
/// a relation must say all that Definition 11 says.
#[test]
fn an_interaction_that_only_definition_11_asks_for_is_not_left_out() {
    let wrong = Wrong {
        interacts: |a, b, value| (a.kind == RECEIVE_IS && b.kind == SEND).then_some(value.is_empty()),
        ..right()
    };
    let report = derive::check(&wrong);
    assert!(complains(&report, Relation::Interacts));
    assert!(report.unsound.iter().all(|difference| !difference.to_string().contains("Definition 9")));
}

#[test]
fn an_asymmetric_dependency_is_caught() {
    let wrong =
        Wrong { dependent: |a, b, _| (a.kind == EMPTY && b.kind == HEAD_IS).then_some(true), ..right() };
    let report = derive::check(&wrong);
    assert!(complains(&report, Relation::Dependent));
    assert!(!report.coarse.is_empty());
}

/// An input that is not known stands for all, so two sends of unknown messages depend.
#[test]
fn a_careless_answer_for_unknown_inputs_is_caught() {
    let wrong = Wrong {
        dependent: |a, b, _| {
            let careless = |o: &Operation| o.kind == SEND && o.operands[0] == Operand::Any;
            (careless(a) && careless(b)).then_some(false)
        },
        ..right()
    };
    assert!(complains(&derive::check(&wrong), Relation::Dependent));
}

/// An unrefined operation must not depend on less than the refined one.
#[test]
fn a_wrong_unrefined_operation_is_caught() {
    let wrong = Wrong {
        unrefined: |operation| (operation.kind == FULL).then(|| Operation::new(operation.process, EMPTY)),
        ..right()
    };
    let report = derive::check(&wrong);
    assert!(complains(&report, Relation::UnrefinedDependent));
    assert!(complains(&report, Relation::UnrefinedInteracts));
}

/// Answers that are too careful are listed as coarse, not as wrong.
#[test]
fn a_coarse_predicate_is_listed() {
    let wrong = Wrong {
        dependent: |a, b, _| matches!((a.kind, b.kind), (EMPTY, FULL) | (FULL, EMPTY)).then_some(true),
        interacts: |a, b, _| (a.kind == EMPTY && b.kind == FULL).then_some(true),
        ..right()
    };
    let report = derive::check(&wrong);
    assert!(report.coarse.iter().any(|difference| difference.relation == Relation::Dependent));
    assert!(report.coarse.iter().any(|difference| difference.relation == Relation::Interacts));
}
