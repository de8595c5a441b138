//! Tokens of Promela, and where each of them comes from.
//!
//! A token knows the span in which its characters were written. If a macro or an inline put it where
//! it stands, its [`Origin`] names the expansion, which names the one around it, and so on: the
//! expansion chain of a diagnostic.

use mazurka_model::source::Span;
use std::sync::Arc;

/// Shared text: names are interned, so that equal names of one model share their bytes.
pub type Text = Arc<str>;

/// An entry of [`Expansions`], or none.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Origin(pub(crate) u32);

impl Origin {
    /// Written where it stands.
    pub const SOURCE: Origin = Origin(0);
}

/// What put tokens where they were not written.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ExpansionKind {
    /// A preprocessor macro.
    Macro,
    /// An inline.
    Inline,
    /// A parameter of an inline: the argument stands where the parameter was written.
    Parameter,
}

/// One use of a macro or an inline.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// Which of the two.
    pub kind: ExpansionKind,
    /// Its name.
    pub name: Text,
    /// Where it was used.
    pub call: Span,
    /// The expansion in which it was used.
    pub parent: Origin,
    depth: u32,
}

/// All expansions of one model.
#[derive(Clone, Debug, Default)]
pub struct Expansions {
    entries: Vec<Expansion>,
}

impl Expansions {
    /// Records one.
    pub fn add(&mut self, kind: ExpansionKind, name: Text, call: Span, parent: Origin) -> Origin {
        let depth = self.get(parent).map_or(0, |outer| outer.depth) + 1;
        self.entries.push(Expansion { kind, name, call, parent, depth });
        Origin(self.entries.len() as u32)
    }

    /// The expansion behind an origin, if there is one.
    pub fn get(&self, origin: Origin) -> Option<&Expansion> {
        self.entries.get((origin.0 as usize).checked_sub(1)?)
    }

    /// The chain of expansions that ends at `origin`, the innermost first.
    pub fn chain(&self, origin: Origin) -> impl Iterator<Item = &Expansion> {
        std::iter::successors(self.get(origin), |inner| self.get(inner.parent))
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.entries.len()
    }

    /// The origin of an argument that was written at `base` and is moved to `onto`. Only the innermost
    /// expansions of a long chain are kept.
    pub fn rebase(&mut self, origin: Origin, base: Origin, onto: Origin) -> Origin {
        let mut chain = Vec::new();
        let mut at = origin;
        while at != base && chain.len() < 16 {
            let Some(expansion) = self.get(at) else { break };
            chain.push(expansion.clone());
            at = expansion.parent;
        }
        chain
            .into_iter()
            .rev()
            .fold(onto, |parent, expansion| self.add(expansion.kind, expansion.name, expansion.call, parent))
    }

    fn depth(&self, origin: Origin) -> u32 {
        self.get(origin).map_or(0, |expansion| expansion.depth)
    }

    /// One level out: the place of the call.
    fn lift(&self, place: Place) -> Place {
        match self.get(place.origin) {
            Some(expansion) => Place { span: expansion.call, origin: expansion.parent },
            None => place,
        }
    }

    /// The smallest place around both, at the innermost level of expansion that holds them.
    pub fn join(&self, first: Place, last: Place) -> Place {
        let (mut first, mut last) = (first, last);
        while first.origin != last.origin {
            if self.depth(first.origin) >= self.depth(last.origin) {
                first = self.lift(first);
            } else {
                last = self.lift(last);
            }
        }
        if first.span.file == last.span.file && first.span.start <= last.span.end {
            first.span.end = first.span.end.max(last.span.end);
        }
        first
    }
}

/// Where a piece of a model stands: its span and how it came there.
///
/// All places are equal: two trees are the same if they say the same, wherever they say it.
#[derive(Copy, Clone, Debug, Default)]
pub struct Place {
    /// Where it was written.
    pub span: Span,
    /// What put it where it is used.
    pub origin: Origin,
}

impl PartialEq for Place {
    fn eq(&self, _: &Place) -> bool {
        true
    }
}

impl Eq for Place {}

/// A token.
#[derive(Clone, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it comes from.
    pub place: Place,
    /// It is the first of its line.
    pub starts_line: bool,
    /// White space stands before it.
    pub spaced: bool,
    /// It is the name of a macro inside that macro's own expansion, and stays what it is.
    pub(crate) painted: bool,
}

/// What a token is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// A name or a keyword.
    Name(Text),
    /// A number, as written; values beyond the range of `i64` are `None`.
    Number(Option<i64>),
    /// A character constant.
    Character(i64),
    /// A string, without its quotes and with its escapes.
    String(Text),
    /// An operator or a bracket.
    Mark(Mark),
    /// A character no token begins with.
    Unknown(char),
    /// The end of the model.
    End,
}

impl TokenKind {
    /// The token as written, for messages and for `#`.
    pub fn written(&self) -> String {
        match self {
            TokenKind::Name(text) => text.to_string(),
            TokenKind::Number(Some(value)) => value.to_string(),
            TokenKind::Number(None) => "a number that is too large".to_string(),
            TokenKind::Character(value) => match u8::try_from(*value).map(char::from) {
                Ok('\n') => "'\\n'".to_string(),
                Ok('\t') => "'\\t'".to_string(),
                Ok('\r') => "'\\r'".to_string(),
                Ok('\x0c') => "'\\f'".to_string(),
                Ok(character) if character == '\'' || character == '\\' => format!("'\\{character}'"),
                Ok(character) => format!("'{character}'"),
                Err(_) => value.to_string(),
            },
            TokenKind::String(text) => format!("\"{text}\""),
            TokenKind::Mark(mark) => mark.text().to_string(),
            TokenKind::Unknown(character) => character.to_string(),
            TokenKind::End => "the end of the model".to_string(),
        }
    }
}

macro_rules! marks {
    ($($name:ident $text:literal,)*) => {
        /// Operators and brackets.
        #[derive(Copy, Clone, PartialEq, Eq, Debug)]
        #[allow(missing_docs)]
        pub enum Mark { $($name,)* }

        impl Mark {
            /// As written.
            pub fn text(self) -> &'static str {
                match self { $(Mark::$name => $text,)* }
            }
        }
    };
}

marks! {
    LeftParen "(", RightParen ")", LeftBracket "[", RightBracket "]", LeftBrace "{", RightBrace "}",
    Semicolon ";", Comma ",", Colon ":", DoubleColon "::", Dot ".", DotDot "..", Ellipsis "...",
    Arrow "->", Assign "=", Equal "==", NotEqual "!=", Less "<", LessEqual "<=", Greater ">", GreaterEqual ">=",
    ShiftLeft "<<", ShiftRight ">>", Plus "+", PlusPlus "++", Minus "-", MinusMinus "--", Star "*",
    Slash "/", Percent "%", And "&", AndAnd "&&", Or "|", OrOr "||", Caret "^", Tilde "~",
    Not "!", NotNot "!!", Question "?", QuestionQuestion "??", At "@", Hash "#", HashHash "##",
}
