//! Graphs as SVG.

use super::labels::{self, Wish};
use super::layout::{Bundle, Layout, layout};
use super::{Graph, Node};
use crate::svg::{CHARACTER, begin, cut, end, escape};
use std::io::{self, Write};

const LINE: f64 = 15.0;
const MARGIN: f64 = 24.0;
const TITLE: f64 = 34.0;

/// The most characters of a label on an edge; the whole is shown when the mouse is over it.
const LABEL: usize = 34;

/// The most labels shown on parallel edges.
const LABELS: usize = 3;

/// Writes graphs as one SVG file, one below the other.
pub fn write_svg(out: &mut dyn Write, graphs: &[Graph]) -> io::Result<()> {
    let drawings: Vec<Drawing<'_>> = graphs.iter().map(Drawing::new).collect();
    let width = drawings.iter().map(|drawing| drawing.width).fold(120.0, f64::max);
    let height: f64 = drawings.iter().map(|drawing| drawing.height).sum();
    let title = graphs.first().map_or("", |graph| graph.title.as_str());
    begin(out, title, width, height)?;
    let mut top = 0.0;
    for drawing in &drawings {
        writeln!(out, "<g transform=\"translate(0 {top:.1})\">")?;
        drawing.write(out)?;
        writeln!(out, "</g>")?;
        top += drawing.height;
    }
    end(out)
}

struct Drawing<'a> {
    graph: &'a Graph,
    layout: Layout,
    /// Where each layer begins, and how high its nodes are.
    layers: Vec<(f64, f64)>,
    /// For each bundle the lines of its label.
    texts: Vec<Vec<String>>,
    /// For each bundle the middle of its label, in columns and pixels, if it stands between layers.
    spots: Vec<Option<(f64, f64)>>,
    /// The leftmost column.
    left: f64,
    width: f64,
    height: f64,
}

fn lines(node: &Node) -> usize {
    (node.label.len() + node.marks.len()).max(1)
}

fn characters(node: &Node) -> usize {
    let label = node.label.iter().map(|line| line.chars().count());
    let marks = node.marks.iter().map(|mark| mark.chars().count() + 2);
    label.chain(marks).max().unwrap_or(1)
}

/// The lines of the label of a bundle.
fn texts(graph: &Graph, bundle: &Bundle) -> Vec<String> {
    let all = || bundle.edges.iter().map(|edge| graph.edges[*edge].label.as_str()).filter(|l| !l.is_empty());
    let mut lines: Vec<String> = all().take(LABELS).map(|label| cut(label, LABEL)).collect();
    if all().count() > LABELS {
        lines.push(format!("… {} more", all().count() - LABELS));
    }
    lines
}

fn node_height(node: &Node) -> f64 {
    lines(node) as f64 * LINE + 8.0
}

impl<'a> Drawing<'a> {
    fn new(graph: &'a Graph) -> Drawing<'a> {
        let mut widths: Vec<f64> = graph.nodes.iter().map(|node| characters(node) as f64 + 3.0).collect();
        for edge in &graph.edges {
            // Room for most of a label, so that few rows are needed and lines stay apart.
            let label = edge.label.chars().count().min(LABEL) as f64 * 0.8;
            widths[edge.to] = widths[edge.to].max(label);
        }
        for edge in graph.edges.iter().filter(|edge| edge.from == edge.to) {
            // The label of a loop stands beside its node.
            let label = edge.label.chars().count().min(LABEL) + 6;
            widths[edge.from] =
                widths[edge.from].max((characters(&graph.nodes[edge.from]) + 2 * label) as f64);
        }
        let layout = layout(graph, &widths);
        let mut heights = vec![0.0f64; layout.layers];
        for (node, (_, layer)) in graph.nodes.iter().zip(&layout.nodes) {
            heights[*layer] = heights[*layer].max(node_height(node));
        }
        let texts: Vec<Vec<String>> = layout.bundles.iter().map(|bundle| texts(graph, bundle)).collect();
        let wish = |(number, bundle): (usize, &Bundle)| {
            let (gap, upper, lower) = labels::span(&layout, bundle)?;
            let columns = texts[number].iter().map(|line| line.chars().count()).max()? as f64;
            Some(Wish { bundle: number, gap, upper, lower, rows: texts[number].len(), columns })
        };
        let wishes: Vec<Wish> = layout.bundles.iter().enumerate().filter_map(wish).collect();
        let (gaps, places) = labels::place(layout.layers, &wishes);
        let mut at = TITLE + 20.0;
        let mut layers = Vec::new();
        for (height, gap) in heights.iter().zip(&gaps) {
            layers.push((at, *height));
            at += height + gap;
        }
        let (mut left, mut right) = (0.0f64, layout.width);
        let mut spots = vec![None; layout.bundles.len()];
        for (wish, (column, down)) in wishes.iter().zip(places) {
            let (top, height) = layers[wish.gap];
            spots[wish.bundle] = Some((column, top + height + down));
            left = left.min(column - wish.columns / 2.0);
            right = right.max(column + wish.columns / 2.0);
        }
        let written = graph.notes.iter().chain([&graph.title]).map(|text| text.chars().count());
        let written = written.max().unwrap_or(0) as f64;
        let width = (right - left).max(written) * CHARACTER + 2.0 * MARGIN + 10.0;
        let last = gaps.last().copied().unwrap_or(0.0);
        let height = at - last + 24.0 + graph.notes.len() as f64 * LINE + 10.0;
        Drawing { graph, layout, layers, texts, spots, left, width, height }
    }

    fn x(&self, column: f64) -> f64 {
        MARGIN + (column - self.left) * CHARACTER
    }

    /// The middle of a node.
    fn middle(&self, node: usize) -> (f64, f64) {
        let (column, layer) = self.layout.nodes[node];
        (self.x(column), self.layers[layer].0 + self.layers[layer].1 / 2.0)
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let title = escape(&self.graph.title);
        writeln!(out, "<text class=\"title\" x=\"{MARGIN}\" y=\"22\">{title}</text>")?;
        let mut labels = Vec::new();
        for number in 0..self.layout.bundles.len() {
            self.bundle(out, &mut labels, number)?;
        }
        for (index, node) in self.graph.nodes.iter().enumerate() {
            self.node(out, index, node)?;
        }
        out.write_all(&labels)?;
        let mut y = self.height - self.graph.notes.len() as f64 * LINE;
        for note in &self.graph.notes {
            writeln!(out, "<text class=\"dim\" x=\"{MARGIN}\" y=\"{y:.1}\">{}</text>", escape(note))?;
            y += LINE;
        }
        Ok(())
    }

    fn node(&self, out: &mut dyn Write, index: usize, node: &Node) -> io::Result<()> {
        let (x, y) = self.middle(index);
        let (width, height) = (characters(node) as f64 * CHARACTER + 14.0, node_height(node));
        let class = match (node.bad, node.faint) {
            (true, _) => "alert",
            (_, true) => "faint dashed",
            _ => "box",
        };
        writeln!(out, "<g>")?;
        if !node.more.is_empty() {
            writeln!(out, "<title>{}</title>", escape(&node.more))?;
        }
        let rectangle = |out: &mut dyn Write, grow: f64, style: &str| {
            let (left, top) = (x - width / 2.0 - grow, y - height / 2.0 - grow);
            let (width, height) = (width + 2.0 * grow, height + 2.0 * grow);
            let rounding = if node.round { height / 2.0 } else { 6.0 };
            writeln!(
                out,
                "<rect class=\"{class}\"{style} x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" \
                 height=\"{height:.1}\" rx=\"{rounding:.1}\"/>"
            )
        };
        if node.end {
            rectangle(out, 3.0, "")?;
        }
        rectangle(out, 0.0, if node.initial { " stroke-width=\"3\"" } else { "" })?;
        let marks = node.marks.iter().map(|mark| format!("({mark})"));
        let mut baseline = y - lines(node) as f64 * LINE / 2.0 + 11.0;
        for line in node.label.iter().cloned().chain(marks) {
            let class = match (node.bad, node.faint) {
                (true, _) => "bad",
                (_, true) => "dim",
                _ => "state",
            };
            writeln!(
                out,
                "<text class=\"{class}\" text-anchor=\"middle\" x=\"{x:.1}\" y=\"{baseline:.1}\">{}</text>",
                escape(&line)
            )?;
            baseline += LINE;
        }
        writeln!(out, "</g>")
    }

    /// Draws parallel edges as one line, with the labels of all.
    fn bundle(&self, out: &mut dyn Write, labels: &mut Vec<u8>, number: usize) -> io::Result<()> {
        let bundle = &self.layout.bundles[number];
        let edges = || bundle.edges.iter().map(|edge| &self.graph.edges[*edge]);
        let bad = edges().any(|edge| edge.bad);
        let faint = edges().all(|edge| edge.faint);
        let class = match (bad, faint) {
            (true, _) => "alert",
            (_, true) => "faint dashed",
            _ => "line",
        };
        let style = if edges().any(|edge| edge.atomic) && !bad { " stroke-width=\"2.5\"" } else { "" };
        let marker = match (bad, faint) {
            (true, _) => "alert",
            (_, true) => "faint",
            _ => "arrow",
        };
        let (path, at, anchor) = self.path(number);
        writeln!(out, "<path class=\"{class}\"{style} d=\"{path}\" marker-end=\"url(#{marker})\"/>")?;
        let all: Vec<&str> =
            edges().map(|edge| edge.label.as_str()).filter(|label| !label.is_empty()).collect();
        if all.is_empty() {
            return Ok(());
        }
        writeln!(
            labels,
            "<g><title>{}</title>",
            all.iter().map(|label| escape(label)).collect::<Vec<_>>().join("\n")
        )?;
        let shown = &self.texts[number];
        let mut y = at.1 - (shown.len() as f64 - 1.0) * labels::ROW / 2.0 + 4.0;
        let text = match (bad, faint) {
            (true, _) => "halo bad",
            (_, true) => "halo dim",
            _ => "halo",
        };
        for line in shown {
            writeln!(
                labels,
                "<text class=\"{text}\" text-anchor=\"{anchor}\" x=\"{:.1}\" y=\"{y:.1}\">{}</text>",
                at.0,
                escape(line)
            )?;
            y += labels::ROW;
        }
        writeln!(labels, "</g>")
    }

    /// The line of a bundle, where its label stands, and which part of the label that is.
    fn path(&self, number: usize) -> (String, (f64, f64), &'static str) {
        let bundle = &self.layout.bundles[number];
        let (from, to) = (self.middle(bundle.from), self.middle(bundle.to));
        let half = |node: usize| node_height(&self.graph.nodes[node]) / 2.0 + 3.0;
        let (source, target) = (half(bundle.from), half(bundle.to));
        if bundle.from == bundle.to {
            let side = from.0 + characters(&self.graph.nodes[bundle.from]) as f64 * CHARACTER / 2.0 + 7.0;
            let (x, y) = (side + 34.0, from.1);
            let (above, below) = (y - 22.0, y + 22.0);
            let (start, end) = (y - 5.0, y + 5.0);
            let path =
                format!("M{side:.1},{start:.1} C{x:.1},{above:.1} {x:.1},{below:.1} {side:.1},{end:.1}");
            return (path, (side + 30.0, y), "start");
        }
        let depth = |node: usize| self.layout.nodes[node].1;
        let (path, elsewhere) = match depth(bundle.to).cmp(&depth(bundle.from)) {
            std::cmp::Ordering::Greater => {
                let (start, end) = ((from.0, from.1 + source), (to.0, to.1 - target));
                (format!("M{:.1},{:.1} L{:.1},{:.1}", start.0, start.1, end.0, end.1), start)
            }
            std::cmp::Ordering::Equal => {
                let (start, end) = ((from.0, from.1 - source), (to.0, to.1 - target));
                let (middle, bend) = ((start.0 + end.0) / 2.0, start.1.min(end.1) - 34.0);
                let path = format!(
                    "M{:.1},{:.1} Q{middle:.1},{bend:.1} {:.1},{:.1}",
                    start.0, start.1, end.0, end.1
                );
                (path, (middle, bend + 18.0))
            }
            std::cmp::Ordering::Less => {
                // A little beside the middle, so that the way back does not cover the way there.
                let (start, end) = ((from.0 + 14.0, from.1 - source), (to.0 + 14.0, to.1 + target));
                (self.way_back(bundle, start, end), start)
            }
        };
        let spot = self.spots[number].map(|(column, y)| (self.x(column), y));
        (path, spot.unwrap_or(elsewhere), "middle")
    }

    fn way_back(&self, bundle: &Bundle, start: (f64, f64), end: (f64, f64)) -> String {
        let mut points = vec![start];
        for (column, layer) in &bundle.points {
            let (top, height) = self.layers[*layer];
            points.push((self.x(*column), top + height + 8.0));
            points.push((self.x(*column), top - 8.0));
        }
        points.push(end);
        let aside = if bundle.points.is_empty() { 22.0 } else { 0.0 };
        let mut path = format!("M{:.1},{:.1}", start.0, start.1);
        for pair in points.windows(2) {
            let ((x1, y1), (x2, y2)) = (pair[0], pair[1]);
            let bend = (y1 + y2) / 2.0;
            let (x1, x3) = (x1 + aside, x2 + aside);
            path.push_str(&format!(" C{x1:.1},{bend:.1} {x3:.1},{bend:.1} {x2:.1},{y2:.1}"));
        }
        path
    }
}
