//! Programs with fewer states and the same behaviour, step by step.
//!
//! An optimisation changes no step: every step of the program is a step of the changed one with the same
//! number, the same violations and the same successors up to what is never looked at again. So a run
//! found in one is a run of the other, and an error is confirmed on the program as it was written.

mod dead;
