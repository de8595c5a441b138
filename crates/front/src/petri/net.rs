//! A place/transition net: what a file says, checked and with arcs gathered at their transitions.

use mazurka_model::source::{SourceMap, Span};

/// A place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// As the file identifies it.
    pub id: String,
    /// As it is shown.
    pub name: String,
    /// The tokens of the initial marking.
    pub initial: u32,
    /// The most tokens that it takes.
    pub capacity: Option<u32>,
    /// Where it stands in the file.
    pub span: Span,
}

/// A transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// As the file identifies it.
    pub id: String,
    /// As it is shown.
    pub name: String,
    /// From which places it takes how many tokens: each place once, ascending.
    pub inputs: Vec<(u32, u32)>,
    /// To which places it gives how many tokens: each place once, ascending.
    pub outputs: Vec<(u32, u32)>,
    /// Where it stands in the file.
    pub span: Span,
}

impl Transition {
    /// By how much the transition changes each place that it does not leave as it is.
    pub fn effects(&self) -> Vec<(u32, i64)> {
        let mut all: Vec<(u32, i64)> = self.inputs.iter().map(|&(p, w)| (p, -i64::from(w))).collect();
        all.extend(self.outputs.iter().map(|&(p, w)| (p, i64::from(w))));
        gather(&mut all, |a, b| a + b);
        all.retain(|(_, change)| *change != 0);
        all
    }
}

/// Sorts by place and joins what belongs to one.
pub fn gather<T: Copy>(all: &mut Vec<(u32, T)>, join: impl Fn(T, T) -> T) {
    all.sort_by_key(|(place, _)| *place);
    all.dedup_by(|later, first| {
        let same = later.0 == first.0;
        if same {
            first.1 = join(first.1, later.1);
        }
        same
    });
}

/// A net.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Net {
    /// Its name.
    pub name: String,
    /// Its places.
    pub places: Vec<Place>,
    /// Its transitions.
    pub transitions: Vec<Transition>,
    /// The file.
    pub sources: SourceMap,
}

impl Net {
    /// Numbers the transitions in the order in which tokens may reach them: first those that can fire at
    /// first, then those that can once others have fired, were there tokens enough. Searches try
    /// transitions in this order or in its reverse, down the net or up.
    pub fn sort_transitions(&mut self) {
        let mut marked: Vec<bool> = self.places.iter().map(|place| place.initial > 0).collect();
        let mut waiting: Vec<Transition> = std::mem::take(&mut self.transitions);
        while !waiting.is_empty() {
            let ready = |transition: &Transition| transition.inputs.iter().all(|&(p, _)| marked[p as usize]);
            let (next, rest): (Vec<Transition>, Vec<Transition>) = waiting.into_iter().partition(ready);
            waiting = rest;
            if next.is_empty() {
                self.transitions.append(&mut waiting);
                return;
            }
            for &(place, _) in next.iter().flat_map(|transition| &transition.outputs) {
                marked[place as usize] = true;
            }
            self.transitions.extend(next);
        }
    }

    /// The place with this identifier, else the only one with this name.
    pub fn place(&self, name: &str) -> Option<u32> {
        find(name, self.places.iter().map(|p| (p.id.as_str(), p.name.as_str())))
    }

    /// The transition with this identifier, else the only one with this name.
    pub fn transition(&self, name: &str) -> Option<u32> {
        find(name, self.transitions.iter().map(|t| (t.id.as_str(), t.name.as_str())))
    }
}

fn find<'a>(wanted: &str, all: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> Option<u32> {
    if let Some(index) = all.clone().position(|(id, _)| id == wanted) {
        return Some(index as u32);
    }
    let mut named = all.enumerate().filter(|(_, (_, name))| *name == wanted);
    match (named.next(), named.next()) {
        (Some((index, _)), None) => Some(index as u32),
        _ => None,
    }
}
