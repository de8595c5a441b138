//! Footprints: which operations on which shared objects a transition performs, and which objects a
//! process may still touch.
//!
//! Collected once per transition (`collect`) as *uses* (`uses`), whose operands (an array's index, a channel
//! behind a variable) are either known, or computed in the state at hand if they keep their value
//! until they are used (`level`), or unknown. Summaries per (process type, location) hold what an
//! atomic region may do (`regions`), what the next moves touch and what the rest of the code may touch
//! (`summary`), alternative by alternative (`futures`), and where a process may come to stand (`standpoints`). What is in doubt counts as touched.
//! A channel behind a variable is one of those that can have got there (`points_to`).
//!
//! Whose next moves commute is told by bits made of the same uses (`commuting`).
//!
//! Apart from all that, and only where it is asked for: which values variables can have (`ranges`).
//!
//! Not objects: globals that nothing writes, and locals, except those that other processes look at
//! (`remote`). Channels of processes are, with their coming and going (`owned_channel`). What others ask of a process as such, like whether it can move, is one (`asked`).

mod asked;
mod bounds;
mod collect;
pub(crate) mod commuting;
mod creations;
mod emit;
mod flow;
mod futures;
pub(crate) mod interval;
mod level;
mod looks;
pub(crate) mod numbers;
mod objects;
mod owned_channel;
mod points_to;
pub(crate) mod ranges;
mod receivers;
mod regions;
mod relations;
mod remote;
mod rest;
mod standpoints;
mod summary;
mod uses;

use crate::interpreter::code::Code;
use crate::interpreter::layout::Layout;
use crate::ir::{Expression, Program};
use futures::TypeFutures;
use level::{Assigned, Before, Level};
use mazurka_model::ObjectId;
use objects::ObjectTable;
use standpoints::TypeStandpoints;
use summary::TypeSummary;
use uses::{TransitionUses, Use};

/// Everything the analysis knows of a program.
#[derive(Debug)]
pub(crate) struct Analysis {
    objects: ObjectTable,
    /// By transition number.
    transitions: Vec<TransitionUses>,
    types: Vec<TypeSummary>,
    futures: Vec<TypeFutures>,
    standpoints: Vec<TypeStandpoints>,
    /// Whether some transition can be executed only if nothing else can.
    last_resorts: bool,
    /// By transition number: what it does is the same until its process moves.
    lasting: Vec<bool>,
    /// The same of what it waits for, up to which of its conditions are false.
    lasting_obstacles: Vec<bool>,
}

impl Analysis {
    /// Analyses a valid program; expressions to compute at run time are added to `code`. Unless `numbered`, nothing is said of the
    /// order in which processes are created and removed, which is right only if nobody can tell (`numbers`).
    pub(crate) fn new(program: &Program, layout: &Layout, code: &mut Code, numbered: bool) -> Analysis {
        let mut objects = ObjectTable::new(program, numbered);
        let (mut transitions, channels) = collect::collect(program, layout, code, &objects);
        objects.resolve_asked(program, &mut transitions);
        let types = summary::summarise(program, &objects, &transitions, channels);
        let futures = futures::summarise(program, &objects, &transitions, &types);
        let standpoints = standpoints::summarise(program, &transitions, &futures);
        let last_resorts = transitions.iter().any(|used| used.last_resort);
        let lasting = lasting(program, &transitions, &types);
        // Who has a higher priority, and can move, is for others to change.
        let ranked = program.uses_priorities();
        let lasting_obstacles = transitions.iter().map(|used| !ranked && used.obstacles_last()).collect();
        Analysis {
            objects,
            transitions,
            types,
            futures,
            standpoints,
            last_resorts,
            lasting,
            lasting_obstacles,
        }
    }

    /// The name of an object.
    pub(crate) fn object_name(&self, program: &Program, object: ObjectId) -> String {
        self.objects.name(program, object)
    }
}

/// Tells which expressions keep their values as long as a process of a type lives.
pub(crate) fn keeps_value(program: &Program, kind: usize) -> impl Fn(&Expression) -> bool {
    let assigned = Assigned::new(program);
    move |expression| Before::default().level(&assigned, kind, expression) == Level::Stable
}

/// Which transitions do the same to the same objects until their process moves.
fn lasting(program: &Program, transitions: &[TransitionUses], types: &[TypeSummary]) -> Vec<bool> {
    let all = program.types.iter().zip(types).flat_map(|(process, summary)| {
        process.transitions.iter().map(move |transition| {
            let region = summary.regions[transition.to.index()].as_ref().filter(|_| transition.atomic);
            region.is_none_or(|region| !region.hands_over && region.uses.iter().all(Use::is_of_own_channels))
        })
    });
    all.zip(transitions).map(|(lasts, used)| lasts && used.uses.iter().all(Use::lasts)).collect()
}
