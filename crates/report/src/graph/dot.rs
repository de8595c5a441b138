//! Graphs in the language of Graphviz.

use super::{Graph, Node};
use std::io::{self, Write};

/// Writes graphs as one DOT file, each in a frame of its own if there are several.
pub fn write_dot(out: &mut dyn Write, graphs: &[Graph]) -> io::Result<()> {
    let title = graphs.first().map_or("", |graph| graph.title.as_str());
    for note in graphs.iter().flat_map(|graph| &graph.notes) {
        writeln!(out, "// {}", note.replace(['\n', '\r'], " "))?;
    }
    writeln!(out, "digraph {} {{", quoted(title))?;
    writeln!(out, "  node [shape=box, style=rounded, fontname=\"monospace\", fontsize=11];")?;
    writeln!(out, "  edge [fontname=\"monospace\", fontsize=10];")?;
    for (number, graph) in graphs.iter().enumerate() {
        let framed = graphs.len() > 1;
        if framed {
            writeln!(out, "  subgraph cluster_{number} {{\n  label={};", quoted(&graph.title))?;
        }
        for (index, node) in graph.nodes.iter().enumerate() {
            writeln!(out, "  n{number}_{index} [{}];", attributes(node))?;
        }
        for edge in &graph.edges {
            let mut attributes = vec![format!("label={}", quoted(&edge.label))];
            let colour = match (edge.bad, edge.faint) {
                (true, _) => Some("red"),
                (_, true) => Some("gray"),
                _ => None,
            };
            attributes.extend(colour.map(|colour| format!("color={colour}, fontcolor={colour}")));
            match (edge.faint, edge.atomic) {
                (true, _) => attributes.push("style=dashed".into()),
                (_, true) => attributes.push("style=bold".into()),
                _ => {}
            }
            writeln!(out, "  n{number}_{} -> n{number}_{} [{}];", edge.from, edge.to, attributes.join(", "))?;
        }
        if framed {
            writeln!(out, "  }}")?;
        }
    }
    writeln!(out, "}}")
}

fn attributes(node: &Node) -> String {
    let mut label = node.label.join("\n");
    for mark in &node.marks {
        label.push_str(&format!("\n({mark})"));
    }
    let mut attributes = vec![format!("label={}", quoted(&label))];
    if !node.more.is_empty() {
        attributes.push(format!("tooltip={}", quoted(&node.more)));
    }
    if node.round {
        attributes.push("shape=ellipse".into());
    }
    if node.end {
        attributes.push("peripheries=2".into());
    }
    if node.initial {
        attributes.push("penwidth=3".into());
    }
    match (node.bad, node.faint) {
        (true, _) => attributes.push("color=red, fontcolor=red".into()),
        (_, true) => attributes.push("color=gray, fontcolor=gray, style=\"rounded,dashed\"".into()),
        _ => {}
    }
    attributes.join(", ")
}

/// A text as DOT has it in quotes.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn texts_are_quoted() {
        assert_eq!(quoted("a \"b\" \\n\nc"), "\"a \\\"b\\\" \\\\n\\nc\"");
    }
}
