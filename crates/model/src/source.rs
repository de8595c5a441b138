//! Source text, places in it, and the one diagnostic type of all front ends.

use std::fmt;

/// A half-open byte range in one file of a [`SourceMap`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Span {
    /// Which file.
    pub file: u16,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// A file: its name and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// As the user named it.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// The files of one model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// Adds a file and returns its number.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> u16 {
        self.files.push(SourceFile { name: name.into(), text: text.into() });
        (self.files.len() - 1) as u16
    }

    /// A file by number.
    pub fn file(&self, number: u16) -> Option<&SourceFile> {
        self.files.get(usize::from(number))
    }

    /// Name, line and column (from 1; columns count characters) of the start of a span.
    pub fn locate(&self, span: Span) -> Option<Location> {
        let file = self.file(span.file)?;
        let before = file.text.get(..(span.start as usize).min(file.text.len()))?;
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        Some(Location { file: file.name.clone(), line, column })
    }
}

/// A place as people write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file's name.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// How bad a diagnostic is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Severity {
    /// The model can't be used.
    Error,
    /// Usually a mistake.
    Warning,
}

/// A message about a model: what, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// Where, if anywhere in particular.
    pub span: Option<Span>,
    /// A word at the place itself.
    pub label: String,
    /// What to do.
    pub help: Option<String>,
    /// Other places that explain this one, the innermost first: the macro it came from, the first
    /// declaration of a name declared twice.
    pub notes: Vec<(Span, String)>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            message: message.into(),
            span: Some(span),
            label: String::new(),
            help: None,
            notes: Vec::new(),
        }
    }

    /// A warning at a place.
    pub fn warning(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(span, message) }
    }

    /// With a word at the place.
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    /// With advice.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// With another place that explains this one.
    pub fn note(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.notes.push((span, text.into()));
        self
    }
}
