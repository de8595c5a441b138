//! Failing executions for people: words, a timeline as text and as a drawing, and tokens that repeat them.

pub(crate) mod svg;
pub mod timeline;
pub(crate) mod token;
pub(crate) mod words;
