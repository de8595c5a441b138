//! Labels as text: sums of products in the signs of some notation.

use crate::automaton::Automaton;
use crate::diagram::Label;

/// The signs of a notation.
pub(crate) struct Signs {
    pub(crate) and: &'static str,
    pub(crate) or: &'static str,
    pub(crate) yes: &'static str,
    pub(crate) no: &'static str,
}

/// A label as text, its variables written by `name`.
pub(crate) fn text(
    automaton: &Automaton,
    label: Label,
    signs: &Signs,
    name: impl Fn(usize) -> String,
) -> String {
    let products = automaton.products(label);
    if products.is_empty() {
        return signs.no.to_owned();
    }
    let several = products.len() > 1;
    let texts: Vec<String> = products
        .iter()
        .map(|product| {
            if product.is_empty() {
                return signs.yes.to_owned();
            }
            let factors: Vec<String> = product
                .iter()
                .map(|(variable, plain)| format!("{}{}", if *plain { "" } else { "!" }, name(*variable)))
                .collect();
            let joined = factors.join(signs.and);
            if several && product.len() > 1 { format!("({joined})") } else { joined }
        })
        .collect();
    texts.join(signs.or)
}

/// The label as people read it.
pub(crate) fn readable(automaton: &Automaton, label: Label) -> String {
    let signs = Signs { and: " && ", or: " || ", yes: "true", no: "false" };
    text(automaton, label, &signs, |variable| crate::print::print_atom(&automaton.atoms()[variable]))
}
