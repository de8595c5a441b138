//! Where the atoms of a property from the command line stand in what the user wrote.
//!
//! Only the model can read an atom, so its text is added to the model, or read by itself. What is wrong with it is shown where
//! the user wrote it: in the formula, or in the file of the automaton.

use super::Given;
use crate::failure::Failure;
use mazurka_model::source::{Diagnostic, SourceMap, Span};
use std::ops::Range;

/// What is added to the text of a model so that it reads atoms.
#[derive(Default)]
pub struct Added {
    /// The text.
    pub text: String,
    /// Where atoms are in it, and which.
    atoms: Vec<(Range<usize>, usize, String)>,
}

impl Added {
    /// Adds an atom of the property with this number.
    pub fn atom(&mut self, property: usize, atom: &str) {
        let start = self.text.len();
        self.text.push_str(atom);
        self.atoms.push((start..self.text.len(), property, atom.to_owned()));
    }

    /// Moves what is said of the added text, which begins behind `model` bytes of the first file, to where it was written. The
    /// texts of the properties become files of their own.
    pub fn relocate(
        &self,
        model: usize,
        given: &[Given],
        diagnostics: &mut [Diagnostic],
        sources: &mut SourceMap,
    ) {
        let mut files: Vec<Option<u16>> = vec![None; given.len()];
        let mut moved = |span: Span| -> Option<Span> {
            let inside = (span.start as usize).checked_sub(model).filter(|_| span.file == 0)?;
            let (range, property, atom) =
                self.atoms.iter().rev().find(|(range, ..)| range.start <= inside)?;
            let (name, text) = given.get(*property)?.source();
            let file = *files[*property].get_or_insert_with(|| sources.add(name, text));
            let shift = |byte: u32| (byte as usize).saturating_sub(model + range.start);
            Some(within(file, text, atom, shift(span.start)..shift(span.end)))
        };
        for diagnostic in diagnostics {
            diagnostic.span = diagnostic.span.map(|span| moved(span).unwrap_or(span));
            for (span, _) in &mut diagnostic.notes {
                *span = moved(*span).unwrap_or(*span);
            }
        }
    }
}

/// What is wrong with an atom that was read by itself, shown in the text that it stands in.
pub fn wrong_atom((name, text): (&str, &str), atom: &str, mut diagnostics: Vec<Diagnostic>) -> Failure {
    let mut sources = SourceMap::default();
    let file = sources.add(name, text);
    for diagnostic in &mut diagnostics {
        let inside = diagnostic.span.map_or(0..atom.len(), |span| span.start as usize..span.end as usize);
        diagnostic.span = Some(within(file, text, atom, inside));
    }
    Failure::Model(diagnostics, sources)
}

/// The place in a text of a part of an atom. Where the atom is written in another way, all of it.
fn within(file: u16, text: &str, atom: &str, part: Range<usize>) -> Span {
    let place = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
    let whole = find(text, atom).unwrap_or(0..text.len());
    let part = match text.get(whole.clone()) == Some(atom) {
        true => whole.start + part.start.min(atom.len())..whole.start + part.end.min(atom.len()),
        false => whole,
    };
    Span { file, start: place(part.start), end: place(part.end) }
}

/// Where an atom stands first, whatever the white space in it.
fn find(text: &str, atom: &str) -> Option<Range<usize>> {
    let in_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let ends_at = |start: usize| {
        let mut end = start;
        for word in atom.split_whitespace() {
            if end > start {
                end = text.len() - text[end..].trim_start().len();
            }
            end += text[end..].starts_with(word).then_some(word.len())?;
        }
        let cut = in_word(text[..start].chars().next_back()) && in_word(atom.chars().next())
            || in_word(text[end..].chars().next()) && in_word(atom.chars().next_back());
        (!cut && end > start).then_some(start..end)
    };
    text.char_indices().find_map(|(start, _)| ends_at(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_atom_is_found_as_a_whole_whatever_its_white_space() {
        assert_eq!(find("[](pp -> p  ==\n 1)", "p == 1"), Some(9..17));
        assert_eq!(find("<>pp", "p"), None);
        assert_eq!(find("X q", ""), None);
        let span = within(3, "[] (a ==  b)", "a == b", 5..6);
        assert_eq!(span, Span { file: 3, start: 4, end: 11 });
        assert_eq!(within(0, "[] (a == b)", "a == b", 5..6), Span { file: 0, start: 9, end: 10 });
    }
}
