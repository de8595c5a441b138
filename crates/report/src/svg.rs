//! What every drawing shares: text that is safe in XML, and the frame of an SVG file.

use std::io::{self, Write};

/// The width of a character of the font, in pixels; a little too much rather than too little.
pub const CHARACTER: f64 = 7.3;

/// The style of all drawings. Everything is named by class, so that a style sheet can change it.
const STYLE: &str = "\
text { font: 12px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #1b1b1b; }
.halo { paint-order: stroke; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round; }
.title { font-weight: bold; }
.dim { fill: #767676; }
.bad { fill: #b00020; font-weight: bold; }
.box { fill: #eef3fb; stroke: #33507a; }
.line { stroke: #1b1b1b; fill: none; }
.faint { stroke: #9a9a9a; fill: none; }
.dashed { stroke-dasharray: 5 4; }
.alert { stroke: #b00020; stroke-width: 2px; fill: none; }
";

/// A text as it may stand in XML; what no XML may contain becomes a replacement character.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\t' => out.push(' '),
            '\n' => out.push('\n'),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A text cut to so many characters.
pub fn cut(text: &str, length: usize) -> String {
    if text.chars().count() <= length {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(length.saturating_sub(1)).collect();
    short.push('…');
    short
}

/// Begins a drawing of this size.
pub fn begin(out: &mut dyn Write, title: &str, width: f64, height: f64) -> io::Result<()> {
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\">"
    )?;
    writeln!(out, "<title>{}</title>", escape(title))?;
    writeln!(out, "<style>\n{STYLE}</style>")?;
    writeln!(
        out,
        "<defs>\n\
         <marker id=\"arrow\" markerWidth=\"9\" markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" refX=\"8\" refY=\"4\" orient=\"auto\">\
         <path d=\"M0,0 L9,4 L0,8 z\" fill=\"#1b1b1b\"/></marker>\n\
         <marker id=\"faint\" markerWidth=\"9\" markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" refX=\"8\" refY=\"4\" orient=\"auto\">\
         <path d=\"M0,0 L9,4 L0,8 z\" fill=\"#9a9a9a\"/></marker>\n\
         <marker id=\"alert\" markerWidth=\"9\" markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" refX=\"8\" \
         refY=\"4\" orient=\"auto\"><path d=\"M0,0 L9,4 L0,8 z\" fill=\"#b00020\"/></marker>\n\
         </defs>"
    )?;
    writeln!(out, "<rect width=\"{width:.0}\" height=\"{height:.0}\" fill=\"#ffffff\"/>")
}

/// Ends a drawing.
pub fn end(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "</svg>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_safe() {
        assert_eq!(escape("a<b && \"c\"\u{1b}"), "a&lt;b &amp;&amp; &quot;c&quot;\u{fffd}");
        assert_eq!(cut("größer", 4), "grö…");
        assert_eq!(cut("größer", 6), "größer");
    }
}
