//! Where the labels of edges stand: between two layers, on their edges, in rows so that none covers
//! another.

use super::layout::{Bundle, Layout};
use crate::svg::CHARACTER;

/// The height of a row of text.
pub const ROW: f64 = 14.0;

/// Space above and below the rows.
const PAD: f64 = 24.0;

/// A label that wants to stand between layer `gap` and the one below.
pub struct Wish {
    /// The bundle it belongs to.
    pub bundle: usize,
    /// Above which layer's lower neighbour.
    pub gap: usize,
    /// Its edge's place at the upper layer, in columns.
    pub upper: f64,
    /// Its edge's place at the lower layer.
    pub lower: f64,
    /// How many rows it takes.
    pub rows: usize,
    /// How many columns it takes.
    pub columns: f64,
}

/// The columns at which a bundle leaves the upper and enters the lower of the layers that its label stands
/// between; `None` for a label that stands elsewhere.
pub fn span(layout: &Layout, bundle: &Bundle) -> Option<(usize, f64, f64)> {
    let ((from, upper), (to, lower)) = (layout.nodes[bundle.from], layout.nodes[bundle.to]);
    match lower.cmp(&upper) {
        std::cmp::Ordering::Greater => Some((upper, from, to)),
        std::cmp::Ordering::Less => {
            let aside = 14.0 / CHARACTER;
            let next = bundle.points.first().map_or(to + aside, |point| point.0);
            Some((upper - 1, next, from + aside))
        }
        std::cmp::Ordering::Equal if bundle.from != bundle.to && upper > 0 => {
            Some((upper - 1, (from + to) / 2.0, (from + to) / 2.0))
        }
        std::cmp::Ordering::Equal => None,
    }
}

/// Rows of a gap, each with what is taken.
#[derive(Default)]
struct Rows {
    taken: Vec<Vec<(f64, f64)>>,
}

impl Rows {
    /// Takes the first free place for a wish, whose middle in row `row` is `at(row)`.
    fn take(&mut self, wish: &Wish, most: usize, at: impl Fn(usize) -> f64) -> usize {
        let place = |row: usize| (at(row) - wish.columns / 2.0 - 1.0, at(row) + wish.columns / 2.0 + 1.0);
        let free = |row: &usize| {
            let (left, right) = place(*row);
            let mut rows = self.taken.iter().skip(*row).take(wish.rows).flatten();
            rows.all(|(from, to)| right <= *from || *to <= left)
        };
        let row = (0..=most.saturating_sub(wish.rows)).find(free).unwrap_or(0);
        self.taken.resize_with(self.taken.len().max(row + wish.rows), Vec::new);
        let taken = place(row);
        self.taken[row..row + wish.rows].iter_mut().for_each(|row| row.push(taken));
        row
    }
}

/// The height of each gap, and for each wish its middle: the column, and the distance from the upper end of
/// the gap.
pub fn place(layers: usize, wishes: &[Wish]) -> (Vec<f64>, Vec<(f64, f64)>) {
    let mut order: Vec<usize> = (0..wishes.len()).collect();
    let middle = |wish: &Wish| (wish.upper + wish.lower) / 2.0;
    order.sort_by(|a, b| middle(&wishes[*a]).total_cmp(&middle(&wishes[*b])));
    let mut rough: Vec<Rows> = (0..layers).map(|_| Rows::default()).collect();
    for index in &order {
        let wish = &wishes[*index];
        rough[wish.gap].take(wish, usize::MAX, |_| middle(wish));
    }
    // Where labels really stand depends on the row they get, so there is a row to spare.
    let counts: Vec<usize> = rough.iter().map(|rows| rows.taken.len() + 1).collect();
    let heights: Vec<f64> = counts.iter().map(|count| *count as f64 * ROW + 2.0 * PAD).collect();
    let mut exact: Vec<Rows> = (0..layers).map(|_| Rows::default()).collect();
    let mut places = vec![(0.0, 0.0); wishes.len()];
    for index in order {
        let wish = &wishes[index];
        let down = |row: usize| PAD + (row as f64 + wish.rows as f64 / 2.0) * ROW;
        let at = |row: usize| wish.upper + (wish.lower - wish.upper) * down(row) / heights[wish.gap];
        let row = exact[wish.gap].take(wish, counts[wish.gap], at);
        places[index] = (at(row), down(row));
    }
    (heights, places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_do_not_cover_each_other() {
        let wish = |upper: f64, lower: f64| Wish { bundle: 0, gap: 0, upper, lower, rows: 1, columns: 20.0 };
        let wishes: Vec<Wish> = (0..8).map(|n| wish(10.0 + n as f64, 40.0 - 3.0 * n as f64)).collect();
        let (heights, places) = place(2, &wishes);
        assert!(heights[0] > heights[1]);
        for (index, (x, y)) in places.iter().enumerate() {
            for (other_x, other_y) in &places[index + 1..] {
                assert!((x - other_x).abs() >= 20.0 || (y - other_y).abs() >= ROW, "{places:?}");
            }
        }
    }
}
