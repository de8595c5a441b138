//! XML as a stream of tags and text with their places in the file.
//!
//! The reader is `quick-xml`; this file turns its events into three kinds of token and its errors into
//! diagnostics. Nothing is kept of the document but the names of the elements that are open.

use mazurka_model::source::{Diagnostic, Span};
use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};

/// An opening tag.
#[derive(Clone, Debug)]
pub struct Open {
    /// Its name, without a namespace prefix.
    pub name: String,
    /// Its attributes, the prefixes of their names left out.
    attributes: Vec<(String, String)>,
    /// Where it stands.
    pub span: Span,
}

impl Open {
    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// A piece of a document.
#[derive(Clone, Debug)]
pub enum Token {
    /// An element begins. One without content ends right behind.
    Open(Open),
    /// An element ends.
    Close,
    /// Characters, entities resolved.
    Text(String, Span),
    /// The document ends.
    End,
}

/// A document that is read.
pub struct Xml<'t> {
    reader: Reader<&'t [u8]>,
    file: u16,
    /// The elements that are open, with their places.
    open: Vec<(String, Span)>,
}

impl<'t> Xml<'t> {
    /// Starts to read a file.
    pub fn new(file: u16, text: &'t str) -> Xml<'t> {
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        Xml { reader, file, open: Vec::new() }
    }

    fn span(&self, start: u64, end: u64) -> Span {
        Span { file: self.file, start: start as u32, end: end.max(start) as u32 }
    }

    /// The number of the file.
    pub fn file(&self) -> u16 {
        self.file
    }

    /// How many elements are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// The next token.
    pub fn next(&mut self) -> Result<Token, Diagnostic> {
        loop {
            let start = self.reader.buffer_position();
            let event = self.reader.read_event();
            let end = self.reader.buffer_position();
            let span = self.span(start, end);
            let event = match event {
                Ok(event) => event,
                Err(error) => {
                    let at = self.reader.error_position();
                    return Err(wrong(self.span(at, end.max(at + 1)), &error));
                }
            };
            match event {
                Event::Start(tag) | Event::Empty(tag) => {
                    let open = open(&tag, span)?;
                    self.open.push((open.name.clone(), span));
                    return Ok(Token::Open(open));
                }
                Event::End(_) => {
                    self.open.pop();
                    return Ok(Token::Close);
                }
                Event::Text(text) => return Ok(Token::Text(text.xml10_content().into_owned(), span)),
                Event::CData(text) => return Ok(Token::Text(text.xml10_content().into_owned(), span)),
                Event::GeneralRef(reference) => {
                    let resolved = match reference.resolve_char_ref() {
                        Ok(Some(character)) => Some(character.to_string()),
                        Ok(None) => resolve_predefined_entity(&reference).map(str::to_owned),
                        Err(error) => return Err(wrong(span, &error)),
                    };
                    let unknown =
                        || Diagnostic::error(span, format!("the entity `{}` is unknown", &*reference));
                    return Ok(Token::Text(resolved.ok_or_else(unknown)?, span));
                }
                Event::Eof => {
                    if let Some((name, span)) = self.open.last() {
                        return Err(Diagnostic::error(*span, format!("the element `{name}` is not closed"))
                            .help("the file may have been cut off"));
                    }
                    return Ok(Token::End);
                }
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
        }
    }

    /// Reads to the end of the element that was opened last.
    pub fn skip(&mut self) -> Result<(), Diagnostic> {
        let depth = self.depth();
        while self.depth() >= depth && depth > 0 {
            self.next()?;
        }
        Ok(())
    }

    /// Reads to the end of the element that was opened last and returns its text, elements within
    /// included, without space around it, and where it stands.
    pub fn text(&mut self) -> Result<(String, Span), Diagnostic> {
        let depth = self.depth();
        let (mut text, mut place) = (String::new(), None::<Span>);
        while self.depth() >= depth && depth > 0 {
            if let Token::Text(piece, span) = self.next()?
                && !piece.trim().is_empty()
            {
                text.push_str(&piece);
                place = Some(place.map_or(span, |first| Span { end: span.end, ..first }));
            }
        }
        let here = self.reader.buffer_position();
        Ok((text.trim().to_owned(), place.unwrap_or(self.span(here, here))))
    }

    /// Reads a label of PNML to its end: the text of its element `text` (or `value`), and nothing of what
    /// else is in it, such as graphics.
    pub fn label(&mut self) -> Result<(String, Span), Diagnostic> {
        let depth = self.depth();
        let mut found = None;
        while self.depth() >= depth && depth > 0 {
            if let Token::Open(open) = self.next()? {
                match open.name.as_str() {
                    "text" | "value" => found = Some(self.text()?),
                    _ => self.skip()?,
                }
            }
        }
        let here = self.reader.buffer_position();
        Ok(found.unwrap_or((String::new(), self.span(here, here))))
    }
}

fn wrong(span: Span, error: &dyn std::fmt::Display) -> Diagnostic {
    Diagnostic::error(span, format!("this is not well-formed XML: {error}"))
}

fn open(tag: &BytesStart<'_>, span: Span) -> Result<Open, Diagnostic> {
    let mut attributes = Vec::new();
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|error| wrong(span, &error))?;
        let value = attribute.normalized_value(XmlVersion::default()).map_err(|error| wrong(span, &error))?;
        attributes.push((attribute.key.local_name().into_inner().to_owned(), value.into_owned()));
    }
    Ok(Open { name: tag.local_name().into_inner().to_owned(), attributes, span })
}
