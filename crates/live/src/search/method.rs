//! The methods of depth-first search.

/// Which steps of a state a depth-first search explores.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// All of them: every interleaving.
    Naive,
    /// All of them but those that sleep.
    Sleep,
    /// A persistent set, from a [description](crate::Description) of who does what, without those that sleep; without a
    /// description, all of them but those that sleep.
    Persistent,
    /// Source sets, found from races.
    Source,
    /// Wakeup trees, found from races: one execution for each trace.
    Optimal,
    /// All of them, with at most so many switches away from a thread that could go on.
    Preemptions(u32),
}

impl Method {
    /// Whether it uses sleep sets.
    pub(super) fn sleeps(self) -> bool {
        !matches!(self, Method::Naive | Method::Preemptions(_))
    }
}
