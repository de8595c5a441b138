//! The ratios as a bar chart: how many times faster each search is, on a logarithmic scale.

use crate::table::Row;
use std::fmt::Write;

const LEFT: f64 = 220.0;
const WIDTH: f64 = 520.0;
const BAR: f64 = 18.0;
const TOP: f64 = 40.0;
/// The scale goes from a tenth to a hundred times.
const DECADES: f64 = 3.0;

fn position(ratio: f64) -> f64 {
    LEFT + WIDTH * ((ratio.max(0.1).log10() + 1.0) / DECADES).clamp(0.0, 1.0)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// The chart.
pub fn svg(rows: &[Row]) -> String {
    let height = TOP + rows.len() as f64 * (BAR + 6.0) + 20.0;
    let width = LEFT + WIDTH + 60.0;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <text x=\"10\" y=\"18\">Search: how many times faster than SPIN (processor time; logarithmic)</text>\n"
    );
    for tick in [0.1, 1.0, 2.5, 4.0, 10.0, 100.0] {
        let x = position(tick);
        let _ = writeln!(
            text,
            "<line x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{:.1}\" stroke=\"#bbb\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#555\">{tick}</text>",
            height - 20.0,
            TOP - 6.0
        );
    }
    for (index, row) in rows.iter().enumerate() {
        let y = TOP + index as f64 * (BAR + 6.0) + 3.0;
        let (one, end) = (position(1.0), position(row.faster()));
        let colour = if row.faster() >= 1.0 { "#2a7" } else { "#c43" };
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{} ({})</text><rect x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{BAR}\" fill=\"{colour}\"/><text x=\"{:.1}\" y=\"{:.1}\">{:.2}</text>",
            LEFT - 8.0,
            y + 13.0,
            escape(row.model),
            row.search.name(),
            one.min(end),
            (end - one).abs(),
            one.max(end) + 4.0,
            y + 13.0,
            row.faster()
        );
    }
    text + "</svg>\n"
}
