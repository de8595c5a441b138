//! A net in words: transitions, markings, and what goes wrong.

use super::system::NetSystem;
use mazurka_model::source::SourceMap;
use mazurka_model::{Describe, ObjectId, Place, ProcessId, Step, StepText, Violation, ViolationKind};

impl NetSystem {
    fn transition_text(&self, transition: usize) -> StepText {
        let Some(transition) = self.net.transitions.get(transition) else { return StepText::default() };
        let side = |arcs: &[(u32, u32)]| {
            let one = |&(place, weight): &(u32, u32)| {
                let name = &self.net.places[place as usize].name;
                if weight == 1 { name.clone() } else { format!("{weight} {name}") }
            };
            if arcs.is_empty() {
                "nothing".to_owned()
            } else {
                arcs.iter().map(one).collect::<Vec<_>>().join(" + ")
            }
        };
        StepText {
            process: transition.name.clone(),
            text: format!("{} -> {}", side(&transition.inputs), side(&transition.outputs)),
            span: Some(transition.span),
        }
    }

    /// The name of a place, of a complement that of the place which it completes.
    fn place_name(&self, place: usize) -> String {
        if let Some(place) = self.net.places.get(place) {
            return place.name.clone();
        }
        let limited = self.net.places.iter().filter(|one| one.capacity.is_some());
        let completed = limited.clone().nth(place - self.net.places.len());
        completed.map_or_else(|| format!("place {place}"), |one| format!("room in {}", one.name))
    }
}

impl Describe for NetSystem {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn fingerprint(&self) -> u64 {
        // FNV-1a over what decides the runs: the marking and the arcs.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut add = |bytes: &[u8]| {
            for byte in bytes {
                hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
            }
        };
        for (place, tokens) in self.net.places.iter().zip(&self.initial) {
            add(place.id.as_bytes());
            add(&tokens.to_le_bytes());
            add(&place.capacity.unwrap_or(u32::MAX).to_le_bytes());
        }
        for transition in &self.net.transitions {
            add(transition.id.as_bytes());
            for (mark, arcs) in [(b"<", &transition.inputs), (b">", &transition.outputs)] {
                add(mark);
                arcs.iter().for_each(|(place, weight)| {
                    add(&place.to_le_bytes());
                    add(&weight.to_le_bytes());
                });
            }
        }
        hash
    }

    fn representation(&self) -> u64 {
        // States that were looked at were found to satisfy this invariant, and no other.
        let invariant = self.invariant.as_ref().map_or("", |invariant| invariant.text.as_str());
        let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        invariant.bytes().fold(self.width as u64, hash)
    }

    fn step(&self, _state: &[u8], step: Step) -> StepText {
        self.transition_text(step.code as usize)
    }

    fn values(&self, state: &[u8]) -> Vec<(String, String)> {
        let tokens = |(index, place): (usize, &super::net::Place)| {
            (place.name.clone(), self.tokens(state, index as u32).to_string())
        };
        self.net.places.iter().enumerate().map(tokens).collect()
    }

    fn processes(&self, _state: &[u8]) -> Vec<String> {
        self.net.transitions.iter().map(|transition| transition.name.clone()).collect()
    }

    fn alternative(&self, _state: &[u8], process: ProcessId, _alternative: usize) -> StepText {
        self.transition_text(process.index())
    }

    fn object(&self, object: ObjectId) -> String {
        let places = self.initial.len();
        match object.index().checked_sub(places) {
            None => self.place_name(object.index()),
            Some(level) => format!("sum {level}"),
        }
    }

    fn violation(&self, violation: &Violation) -> StepText {
        let place = violation.place as usize;
        match violation.kind {
            ViolationKind::Overflow => StepText {
                process: self.transition_text(violation.step.code as usize).process,
                text: format!(
                    "`{}` would hold more than {} tokens",
                    self.place_name(place),
                    self.width.most()
                ),
                span: self.net.places.get(place).map(|place| place.span),
            },
            _ => {
                let text = self.invariant.as_ref().map_or("", |invariant| &invariant.text);
                StepText {
                    process: String::new(),
                    text: format!("the invariant `{text}` is false"),
                    span: None,
                }
            }
        }
    }

    fn property(&self, property: u32) -> StepText {
        let name = self.properties.get(property as usize).cloned().unwrap_or_default();
        StepText { text: format!("a run breaks the formula {name}"), process: name, span: None }
    }

    fn places(&self) -> Vec<Place> {
        let place = |(index, transition): (usize, &super::net::Transition)| Place {
            number: index as u32,
            text: format!("the transition {}", transition.name),
            span: Some(transition.span),
        };
        self.net.transitions.iter().enumerate().map(place).collect()
    }

    fn sources(&self) -> Option<&SourceMap> {
        Some(&self.net.sources)
    }
}
