//! Diagnostics of any front end, with the source they speak of.

use crate::colour::Colour;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use mazurka_model::source::{Diagnostic, Severity, SourceFile, SourceMap, Span};
use std::ops::Range;

/// A diagnostic as text of several lines, without a newline at the end.
///
/// A span that does not fit its file, or a file that the map does not hold, costs the excerpt, never
/// the message.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap, colour: Colour) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = Group::with_title(level.primary_title(diagnostic.message.as_str()));
    if let Some((file, range)) = diagnostic.span.and_then(|span| excerpt(sources, span)) {
        let mut annotation = AnnotationKind::Primary.span(range);
        if !diagnostic.label.is_empty() {
            annotation = annotation.label(diagnostic.label.as_str());
        }
        let snippet = Snippet::source(file.text.as_str()).path(file.name.as_str()).annotation(annotation);
        group = group.element(snippet);
    }
    for (span, note) in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
        if let Some((file, range)) = excerpt(sources, *span) {
            let annotation = AnnotationKind::Context.span(range);
            group = group
                .element(Snippet::source(file.text.as_str()).path(file.name.as_str()).annotation(annotation));
        }
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let renderer = match colour {
        Colour::Always => Renderer::styled(),
        Colour::Never => Renderer::plain(),
    };
    renderer.render(&[group])
}

/// The file and the bytes of a span, cut to what the file really holds.
fn excerpt(sources: &SourceMap, span: Span) -> Option<(&SourceFile, Range<usize>)> {
    let file = sources.file(span.file)?;
    let boundary = |offset: u32| {
        let within = (offset as usize).min(file.text.len());
        (0..=within).rev().find(|index| file.text.is_char_boundary(*index)).unwrap_or(0)
    };
    let start = boundary(span.start);
    Some((file, start..boundary(span.end).max(start)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources() -> SourceMap {
        let mut sources = SourceMap::default();
        sources.add("model.mzk", "var x: byte\nprocess p {\n    y = 1 // größer\n}\n");
        sources
    }

    #[test]
    fn the_excerpt_marks_the_place() {
        let span = Span { file: 0, start: 28, end: 29 };
        let diagnostic =
            Diagnostic::error(span, "`y` is unknown").label("not declared").help("declare it: `var y: byte`");
        let expected = "\
error: `y` is unknown
 --> model.mzk:3:5
  |
3 |     y = 1 // größer
  |     ^ not declared
  |
  = help: declare it: `var y: byte`";
        assert_eq!(render(&diagnostic, &sources(), Colour::Never), expected);
    }

    #[test]
    fn a_span_that_fits_nothing_keeps_the_message() {
        let beyond = Diagnostic::warning(Span { file: 0, start: 4_000, end: 5_000 }, "odd");
        assert!(render(&beyond, &sources(), Colour::Never).starts_with("warning: odd"));
        let elsewhere = Diagnostic::error(Span { file: 7, start: 0, end: 1 }, "odd");
        assert_eq!(render(&elsewhere, &sources(), Colour::Never), "error: odd");
        // In the middle of a letter of two bytes.
        let inside = Diagnostic::error(Span { file: 0, start: 40, end: 40 }, "odd");
        assert!(render(&inside, &sources(), Colour::Never).contains("model.mzk:3:"));
    }

    #[test]
    fn colours_are_only_there_when_asked_for() {
        let diagnostic = Diagnostic::error(Span { file: 0, start: 28, end: 29 }, "`y` is unknown");
        assert!(render(&diagnostic, &sources(), Colour::Always).contains('\u{1b}'));
        assert!(!render(&diagnostic, &sources(), Colour::Never).contains('\u{1b}'));
    }
}
