//! What a store of several parts may still allocate.

/// Bytes in use and their limit, shared by the parts of a store.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    used: u64,
    limit: u64,
}

impl Budget {
    /// Nothing used of `limit` bytes.
    pub fn new(limit: Option<u64>) -> Budget {
        Budget { used: 0, limit: limit.unwrap_or(u64::MAX) }
    }

    /// Bytes in use.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// The limit.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// The limit from now on.
    pub fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
    }

    /// Takes so many bytes, if there is room for them.
    #[must_use]
    pub fn take(&mut self, bytes: usize) -> bool {
        let fits = self.used.saturating_add(bytes as u64) <= self.limit;
        if fits {
            self.used += bytes as u64;
        }
        fits
    }

    /// Replaces `old` bytes by `new` ones, if there is room for them.
    #[must_use]
    pub fn exchange(&mut self, old: usize, new: usize) -> bool {
        self.used -= old as u64;
        let fits = self.take(new);
        if !fits {
            self.used += old as u64;
        }
        fits
    }

    /// Gives so many bytes back.
    pub fn give(&mut self, bytes: usize) {
        self.used -= bytes as u64;
    }

    /// What is left of it, for something that will take the place of what is in use.
    pub fn rest(&self) -> Budget {
        Budget { used: 0, limit: self.limit.saturating_sub(self.used) }
    }

    /// Something else has taken the place of what was in use.
    pub fn become_used(&mut self, bytes: u64) {
        self.used = bytes;
    }
}
