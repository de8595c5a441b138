//! The explanation of a state as text for people.

use super::Explained;
use crate::colour::Colour;
use crate::number;
use crate::steps::one_line;
use mazurka_model::StepText;
use std::io::{self, Write};

impl Explained<'_> {
    /// Writes the explanation; with `values` also the values of the state.
    pub fn write(&self, out: &mut dyn Write, values: bool, colour: Colour) -> io::Result<()> {
        let explanation = self.explanation;
        writeln!(
            out,
            "{} reduction {}, dependency {}",
            colour.strong(&format!("{}:", self.title)),
            explanation.reduction,
            explanation.dependency
        )?;
        if values {
            for (name, value) in self.describe().values(self.state) {
                writeln!(out, "    {name} = {value}")?;
            }
        }
        let (enabled, chosen) = (explanation.enabled.len(), explanation.chosen.len());
        writeln!(
            out,
            "  {} enabled, {} chosen:",
            number::counted(enabled as u64, "step"),
            number::count(chosen as u64)
        )?;
        for index in 0..enabled {
            let taken = explanation.chosen.contains(&index);
            let mark = if taken { colour.good("*") } else { " ".to_owned() };
            writeln!(out, "  {mark} {}", self.line(&self.step(index), colour))?;
        }
        if let Some(whole) = self.whole() {
            writeln!(out, "  {whole}")?;
        }
        if explanation.moves.is_empty() {
            return Ok(());
        }
        writeln!(out, "  Why:")?;
        let width = explanation.moves.len().to_string().len();
        for (index, member) in explanation.moves.iter().enumerate() {
            writeln!(out, "  {:>width$}  {}", index + 1, self.line(&self.member(member), colour))?;
            writeln!(out, "  {:width$}    {}", "", self.reason(member))?;
            if let Some(waiting) = self.waiting(member) {
                writeln!(out, "  {:width$}    {}", "", colour.dim(&waiting))?;
            }
        }
        Ok(())
    }

    fn line(&self, text: &StepText, colour: Colour) -> String {
        let place = self.place(text).map(|at| format!("  {}", colour.dim(&at))).unwrap_or_default();
        format!("{}: {}{place}", colour.process(&text.process), one_line(&text.text))
    }
}
