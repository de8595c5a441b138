//! Every object type of the library, with the parameters for which its relations are checked.

use super::ObjectType;
use super::array::Array;
use super::barrier::Barrier;
use super::bounded::Bounded;
use super::condvar::Condvar;
use super::fifo::Fifo;
use super::flag::Flag;
use super::level::Level;
use super::lossy::Lossy;
use super::mutex::Mutex;
use super::overflowing::Overflowing;
use super::place::Place;
use super::processes::Processes;
use super::random_access::RandomAccess;
use super::rendezvous::Rendezvous;
use super::rwlock::RwLock;
use super::semaphore::Semaphore;
use super::sorted::Sorted;
use super::timer::Timer;
use super::variable::Variable;
use super::whereabouts::Whereabouts;

/// All object types; those with a parameter occur once for each value that is checked, one after
/// the other.
pub fn library() -> Vec<Box<dyn ObjectType>> {
    let mut all: Vec<Box<dyn ObjectType>> = vec![Box::new(Variable), Box::new(Flag)];
    for len in 1..=2 {
        all.push(Box::new(Array { len }));
    }
    for capacity in 1..=3 {
        all.push(Box::new(Fifo { capacity }));
    }
    for capacity in 1..=3 {
        all.push(Box::new(Lossy { capacity }));
    }
    for capacity in 1..=3 {
        all.push(Box::new(Overflowing { capacity }));
    }
    for capacity in 1..=3 {
        all.push(Box::new(Bounded { capacity }));
    }
    for capacity in 1..=3 {
        all.push(Box::new(Sorted { capacity }));
    }
    for capacity in 1..=3 {
        all.push(Box::new(RandomAccess { capacity }));
    }
    all.push(Box::new(Rendezvous));
    all.push(Box::new(Semaphore { initial: 0 }));
    all.push(Box::new(Mutex));
    all.push(Box::new(RwLock));
    all.push(Box::new(Condvar));
    for parties in 1..=3 {
        all.push(Box::new(Barrier { parties }));
    }
    all.push(Box::new(Timer));
    all.push(Box::new(Place { initial: 0 }));
    all.push(Box::new(Level));
    all.push(Box::new(Processes));
    all.push(Box::new(Whereabouts { slots: 3 }));
    all
}

/// The object types of the library that have this name: one for each value of its parameter.
pub fn named(name: &str) -> Vec<Box<dyn ObjectType>> {
    library().into_iter().filter(|object| object.name() == name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::ProcessId;
    use crate::operation::Operation;

    #[test]
    fn what_is_apart_is_independent_in_every_value() {
        for object in library() {
            let operations = object.domain().operations;
            for a in &operations {
                for b in &operations {
                    let (a, b) = (
                        Operation { process: ProcessId(0), ..*a },
                        Operation { process: ProcessId(1), ..*b },
                    );
                    assert_eq!(object.apart(&a, &b), object.apart(&b, &a), "{}: {a:?} {b:?}", object.name());
                    let apart = object.apart(&a, &b);
                    assert!(!(apart && object.constant(&a, &b)), "{}: {a:?} {b:?}", object.name());
                }
            }
        }
    }
}
