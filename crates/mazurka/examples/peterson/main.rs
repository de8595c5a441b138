//! x
mod native;
fn main() {}
