//! Charts and graphs: what they show, and that every drawing is well-formed XML.

use mazurka_model::FindingKind;
use mazurka_program::Interpreter;
use mazurka_replay::{Run, Simulation};
use mazurka_report::Colour;
use mazurka_report::chart::{Chart, Mark};
use mazurka_report::graph::{Edge, Graph, Node, write_dot, write_svg};

/// A sorted channel, a random receive, a handshake, a look, a message to oneself, a process that comes and
/// goes with its own channel, text with characters that XML must not see, and a false assertion.
const POST: &str = "\
program post
chan sorted[3]: byte
chan plain[3]: byte
chan meet[0]: byte
process Sender() {
  local got: byte
  start s0
  end location s8
  s0 -> s1 do sorted!!5
  s1 -> s2 do sorted!!3
  s2 -> s3 do plain!1
  s3 -> s4 do plain!2
  s4 -> s5 do peek plain?got
  s5 -> s6 do run Child()
  s6 -> s7 do meet!9; print \"<&\\\"%d\\\">\\n\", got
  s7 -> s8 do assert got == 0
}
process Child() {
  local got: byte
  chan mine[1]: byte
  start c0
  c0 -> c1 do sorted?got
  c1 -> c2 do plain??2
  c2 -> c3 do meet?got
  c3 -> c4 do mine!7
  c4 -> c4 do exit
}
start Sender()
";

fn interpreter(text: &str) -> Interpreter {
    let parsed = mazurka_program::text::parse("post.mzk", text);
    let program = parsed.program.unwrap_or_else(|| panic!("{:?}", parsed.diagnostics));
    Interpreter::new(program).expect("a valid program")
}

/// The run in which the youngest process always moves first, up to the sender's last step.
fn run(system: &Interpreter) -> Run {
    let mut simulation = Simulation::new(system, 0).expect("an initial state");
    while simulation.end().is_none() {
        let choice = simulation.choices().pop().expect("a way on");
        simulation.take(choice);
    }
    simulation.run()
}

fn svg(chart: &Chart) -> String {
    let mut out = Vec::new();
    chart.write_svg(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn drawn(graphs: &[Graph]) -> String {
    let mut out = Vec::new();
    write_svg(&mut out, graphs).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn receives_are_matched_with_their_sends() {
    let system = interpreter(POST);
    let run = run(&system);
    assert!(matches!(run.kind, FindingKind::Step { .. }), "{:?}", run.kind);
    let chart = Chart::new(&run, &system, false);
    let names: Vec<&str> = chart.lifelines.iter().map(|lifeline| lifeline.name.as_str()).collect();
    assert_eq!(names, ["Sender(0)", "Child(1)"]);
    let received = |label: &str| {
        let message = chart.messages.iter().find(|message| message.label == label).expect(label);
        message.received.map(|(lifeline, _)| names[lifeline])
    };
    // The sorted channel gives the lesser message first although it came later.
    assert_eq!(received("sorted!3"), Some("Child(1)"));
    assert_eq!(received("sorted!5"), None);
    // The random receive passes over the first message.
    assert_eq!(received("plain!1"), None);
    assert_eq!(received("plain!2"), Some("Child(1)"));
    // What was in a channel of a process that has ended is lost with it.
    assert_eq!(received("Child(1).mine!7"), None);
    let marks = |wanted: fn(&Mark) -> bool| chart.rows.iter().filter(|row| wanted(&row.mark)).count();
    assert_eq!(marks(|mark| matches!(mark, Mark::Handshake { from: 0, to: 1, .. })), 1);
    assert_eq!(marks(|mark| matches!(mark, Mark::Look { by: 0, .. })), 1);
    assert_eq!(marks(|mark| matches!(mark, Mark::Create { from: 0, to: 1 })), 1);
    assert_eq!(marks(|mark| matches!(mark, Mark::End(1))), 1);
    assert_eq!(marks(|mark| matches!(mark, Mark::Wrong(0))), 1);
}

#[test]
fn the_text_has_a_column_for_each_process() {
    let system = interpreter(POST);
    let mut out = Vec::new();
    Chart::new(&run(&system), &system, false).write_text(&mut out, Colour::Never).unwrap();
    let text = String::from_utf8(out).unwrap();
    let expected = "       Sender(0)
   1       ● sorted!5 #1
   2       ● sorted!3 #2
   3       ● plain!1 #3
   4       ● plain!2 #4
   5       │ ◀ plain!1 #3
   6       ●┄┄┄┄┄┄┄┄┄┄┄┄┄[Child(1)]
   7       │───sorted!3 #2───▶│
   8       │───plain!2 #4────▶│
   9       ●═════meet!9══════▶│
           │ “<&\"1\">”         │
  10       │                  ● Child(1).mine!7 #5
  11       │                  ╳
  12       ✗ here
error: Sender(0): assertion got == 0 is false (after 12 steps)
never received: sorted!5 #1 from Sender(0)
never received: plain!1 #3 from Sender(0)
never received: Child(1).mine!7 #5 from Child(1)
";
    assert!(text == expected, "--- expected\n{expected}\n--- actual\n{text}");
}

#[test]
fn the_chart_is_well_formed_and_complete() {
    let system = interpreter(POST);
    let chart = Chart::new(&run(&system), &system, true);
    let text = svg(&chart);
    let document = roxmltree::Document::parse(&text).expect("well-formed XML");
    let texts: Vec<&str> = document.descendants().filter_map(|node| node.text()).collect();
    for wanted in ["Sender(0)", "Child(1)", "sorted!3", "plain!2", "meet!9", "“<&\"1\">”"] {
        assert!(texts.contains(&wanted), "{wanted}: {texts:?}");
    }
    assert!(texts.iter().any(|text| text.starts_with("error: Sender(0): assertion")), "{texts:?}");
    // Arrows end where their messages are received; the two that are received through channels lead down.
    let number =
        |node: roxmltree::Node<'_, '_>, name: &str| node.attribute(name).unwrap().parse::<f64>().unwrap();
    let slanted = document.descendants().filter(|node| {
        node.has_tag_name("line")
            && node.attribute("marker-end").is_some()
            && number(*node, "y2") > number(*node, "y1")
            && number(*node, "x2") > number(*node, "x1")
    });
    assert_eq!(slanted.count(), 2);
    // Nothing lies outside the drawing.
    let (width, height) =
        (number(document.root_element(), "width"), number(document.root_element(), "height"));
    for line in document.descendants().filter(|node| node.has_tag_name("line")) {
        for (name, most) in [("x1", width), ("x2", width), ("y1", height), ("y2", height)] {
            assert!((0.0..=most).contains(&number(line, name)), "{name} of {line:?}");
        }
    }
}

#[test]
fn a_run_of_no_steps_has_a_chart() {
    let system = interpreter(POST);
    let chart = Chart::new(&Simulation::new(&system, 0).unwrap().run(), &system, true);
    assert!(chart.rows.is_empty() && !chart.wrong);
    roxmltree::Document::parse(&svg(&chart)).expect("well-formed XML");
}

fn graph() -> Graph {
    let node = |label: &str| Node { label: vec![label.to_owned()], ..Node::default() };
    let edge = |from, to, label: &str| Edge { from, to, label: label.to_owned(), ..Edge::default() };
    let mut graph = Graph {
        title: "a \"graph\" & more".to_owned(),
        nodes: vec![node("start"), node("a<b"), node("end"), node("lost")],
        edges: vec![
            edge(0, 1, "x = \"1\""),
            edge(0, 1, "x < 2"),
            edge(1, 2, "go"),
            edge(2, 0, "back"),
            edge(1, 1, "wait"),
            edge(2, 3, "fail"),
        ],
        notes: vec!["cut\nshort".to_owned()],
    };
    graph.nodes[0].initial = true;
    graph.nodes[1].marks.push("progress".to_owned());
    graph.nodes[2].end = true;
    graph.nodes[2].more = "x = 1\ny = 2".to_owned();
    graph.nodes[3].bad = true;
    graph.edges[4].faint = true;
    graph.edges[5].bad = true;
    graph
}

#[test]
fn a_graph_is_written_as_dot() {
    let mut out = Vec::new();
    write_dot(&mut out, &[graph()]).unwrap();
    let expected = r#"// cut short
digraph "a \"graph\" & more" {
  node [shape=box, style=rounded, fontname="monospace", fontsize=11];
  edge [fontname="monospace", fontsize=10];
  n0_0 [label="start", penwidth=3];
  n0_1 [label="a<b\n(progress)"];
  n0_2 [label="end", tooltip="x = 1\ny = 2", peripheries=2];
  n0_3 [label="lost", color=red, fontcolor=red];
  n0_0 -> n0_1 [label="x = \"1\""];
  n0_0 -> n0_1 [label="x < 2"];
  n0_1 -> n0_2 [label="go"];
  n0_2 -> n0_0 [label="back"];
  n0_1 -> n0_1 [label="wait", color=gray, fontcolor=gray, style=dashed];
  n0_2 -> n0_3 [label="fail", color=red, fontcolor=red];
}
"#;
    let text = String::from_utf8(out).unwrap();
    assert!(text == expected, "--- expected\n{expected}\n--- actual\n{text}");
    let mut several = Vec::new();
    write_dot(&mut several, &[graph(), graph()]).unwrap();
    assert!(String::from_utf8(several).unwrap().contains("subgraph cluster_1 {"));
}

#[test]
fn a_graph_is_drawn_as_well_formed_xml() {
    let text = drawn(&[graph(), Graph::default(), graph()]);
    let document = roxmltree::Document::parse(&text).expect("well-formed XML");
    let texts: Vec<&str> = document.descendants().filter_map(|node| node.text()).collect();
    for wanted in ["start", "a<b", "(progress)", "x = \"1\"", "x < 2", "back", "wait", "fail", "x = 1\ny = 2"]
    {
        assert_eq!(texts.iter().filter(|text| **text == wanted).count() % 2, 0, "{wanted}: {texts:?}");
        assert!(texts.contains(&wanted), "{wanted}: {texts:?}");
    }
    // Parallel edges share a line: five in each of the two graphs.
    assert_eq!(document.descendants().filter(|node| node.has_attribute("marker-end")).count(), 10);
}
