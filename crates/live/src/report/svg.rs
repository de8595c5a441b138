//! A timeline as a drawing: a lane for each thread, a box for each step.

use super::timeline::Timeline;

const LANE: usize = 260;
const ROW: usize = 30;
const LEFT: usize = 60;
const TOP: usize = 50;

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Draws it.
pub(crate) fn draw(timeline: &Timeline) -> String {
    let rows = timeline.lines.len() + timeline.waits.len();
    let width = LEFT + LANE * timeline.threads.len();
    let height = TOP + ROW * (rows + 1);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (column, name) in timeline.threads.iter().enumerate() {
        let x = LEFT + LANE * column + LANE / 2;
        out.push_str(&format!(
            "<text x=\"{x}\" y=\"30\" text-anchor=\"middle\" font-weight=\"bold\">{}</text>\n\
             <line x1=\"{x}\" y1=\"40\" x2=\"{x}\" y2=\"{}\" stroke=\"#bbb\"/>\n",
            escaped(name),
            height - 10
        ));
    }
    let mut last = None;
    let steps = timeline.lines.iter().map(|line| (line, "#e8f0fe"));
    let ends = timeline.waits.iter().map(|line| (line, "#fde0dc"));
    for (row, (line, colour)) in steps.chain(ends).enumerate() {
        let (x, y) = (LEFT + LANE * line.column, TOP + ROW * row);
        let middle = x + LANE / 2;
        if let Some((before, above)) = last
            && before != middle
            && row < timeline.lines.len()
        {
            out.push_str(&format!(
                "<line x1=\"{before}\" y1=\"{above}\" x2=\"{middle}\" y2=\"{y}\" stroke=\"#999\" \
                 stroke-dasharray=\"4 3\"/>\n"
            ));
        }
        out.push_str(&format!(
            "<text x=\"10\" y=\"{}\" fill=\"#888\">{}</text>\n<rect x=\"{}\" y=\"{y}\" width=\"{}\" height=\"22\" rx=\"4\" \
             fill=\"{colour}\" stroke=\"#888\"><title>{}</title></rect>\n<text x=\"{middle}\" y=\"{}\" \
             text-anchor=\"middle\">{}</text>\n",
            y + 15,
            row + 1,
            x + 6,
            LANE - 12,
            escaped(&line.location),
            y + 15,
            escaped(&line.text),
        ));
        last = Some((middle, y + 22));
    }
    out.push_str("</svg>\n");
    out
}
