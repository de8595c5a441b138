//! How far apart lifelines stand, in characters: far enough for what is written between them.

use super::{Chart, Mark};

/// The most characters between two lifelines; longer texts are cut.
const WIDEST: usize = 46;

/// The least.
const NARROWEST: usize = 10;

/// The space to the right of each lifeline, the last one included.
pub fn gaps(chart: &Chart) -> Vec<usize> {
    let count = chart.lifelines.len();
    let mut gaps = vec![NARROWEST; count];
    for (index, lifeline) in chart.lifelines.iter().enumerate() {
        let mine = lifeline.name.chars().count();
        let next = chart.lifelines.get(index + 1).map_or(0, |next| next.name.chars().count());
        gaps[index] = gaps[index].max((mine + next).div_ceil(2) + 3);
    }
    let mut widen = |from: usize, to: usize, text: usize| {
        let (first, last) = (from.min(to), from.max(to));
        if first == last {
            gaps[first] = gaps[first].max(text + 8);
        } else {
            for gap in &mut gaps[first..last] {
                *gap = (*gap).max((text + 9).div_ceil(last - first));
            }
        }
    };
    for row in &chart.rows {
        match &row.mark {
            Mark::Send(number) => {
                let message = &chart.messages[*number];
                let length = message.label.chars().count();
                let to = message.received.map_or(message.sent.0, |received| received.0);
                widen(message.sent.0, to, length + 2);
                // The text form names the message beside its sender.
                widen(message.sent.0, message.sent.0, length);
            }
            Mark::Handshake { from, to, label } => widen(*from, *to, label.chars().count()),
            Mark::Create { from, to } => widen(*from, *to, chart.lifelines[*to].name.chars().count() / 2),
            Mark::Note { lifeline, text } => widen(*lifeline, *lifeline, text.chars().count()),
            Mark::Look { message, by } => {
                widen(chart.messages[*message].sent.0, *by, chart.messages[*message].label.chars().count());
            }
            Mark::Receive(_) | Mark::End(_) | Mark::Wrong(_) => {}
        }
    }
    gaps.into_iter().map(|gap| gap.min(WIDEST)).collect()
}
