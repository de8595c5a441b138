//! How much work reductions may do: results must not depend on the clock, so it is counted.

/// Steps that are left. A step is about one operation on labels.
#[derive(Debug)]
pub(crate) struct Budget(usize);

impl Budget {
    /// So many steps.
    pub(crate) fn new(steps: usize) -> Budget {
        Budget(steps)
    }

    /// Takes steps away; none if there are too few, and then for ever.
    pub(crate) fn spend(&mut self, steps: usize) -> Option<()> {
        let left = self.0.checked_sub(steps);
        self.0 = left.unwrap_or(0);
        left.map(|_| ())
    }

    /// Whether nothing is left.
    pub(crate) fn is_spent(&self) -> bool {
        self.0 == 0
    }
}
