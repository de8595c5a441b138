//! Every object type of the library against the derivation from its semantics.

use mazurka_model::object::{derive, library};

/// Never independent where the semantics says dependent, for any known or unknown input.
#[test]
fn relations_are_sound() {
    let mut failures = Vec::new();
    for object in library() {
        let report = derive::check(object.as_ref());
        println!(
            "{} {:?}: {} compared, {} unsound, {} coarse",
            object.name(),
            object,
            report.compared,
            report.unsound.len(),
            report.coarse.len()
        );
        for difference in report.coarse.iter().take(25) {
            println!("   coarse {difference}");
        }
        for difference in report.unsound.iter().take(25) {
            println!("   unsound {difference}");
        }
        failures.extend(report.unsound);
    }
    assert!(failures.is_empty(), "{} unsound answers, the first: {}", failures.len(), failures[0]);
}
