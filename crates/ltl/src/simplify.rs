//! stub
use crate::formula::{Formula, Formulas};
/// x
pub fn simplify(formulas: &mut Formulas, formula: Formula) -> Formula { crate::normal::negation_normal_form(formulas, formula) }
