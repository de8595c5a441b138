//! Colours, or none: every styled word of the reports passes through here.

use anstyle::{AnsiColor, Style};

/// Whether output is styled for a terminal.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub enum Colour {
    /// Plain text: files, pipes, `NO_COLOR`.
    #[default]
    Never,
    /// Escape sequences for a terminal.
    Always,
}

impl Colour {
    /// Something is wrong.
    pub fn bad(self, text: &str) -> String {
        self.paint(AnsiColor::BrightRed.on_default().bold(), text)
    }

    /// Something is right.
    pub fn good(self, text: &str) -> String {
        self.paint(AnsiColor::Green.on_default().bold(), text)
    }

    /// Something is undecided, or deserves a look.
    pub fn warn(self, text: &str) -> String {
        self.paint(AnsiColor::Yellow.on_default().bold(), text)
    }

    /// The heart of the matter.
    pub fn strong(self, text: &str) -> String {
        self.paint(Style::new().bold(), text)
    }

    /// Of secondary interest: places, numbers of steps.
    pub fn dim(self, text: &str) -> String {
        self.paint(Style::new().dimmed(), text)
    }

    /// A process.
    pub fn process(self, text: &str) -> String {
        self.paint(AnsiColor::Cyan.on_default(), text)
    }

    fn paint(self, style: Style, text: &str) -> String {
        match self {
            Colour::Always if !text.is_empty() => {
                format!("{}{text}{}", style.render(), style.render_reset())
            }
            Colour::Always | Colour::Never => text.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_has_no_escapes() {
        assert_eq!(Colour::Never.bad("x"), "x");
        assert_eq!(Colour::Always.bad(""), "");
        assert!(Colour::Always.bad("x").starts_with('\u{1b}'));
    }
}
