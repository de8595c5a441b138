//! The table of Peled 1993 ("All from one, one for all"): a pipeline of processes, as a Petri net; and
//! the graphs of the program P1 of its section 3.
//!
//! The first process generates values, the others receive one from the left, compute, and send it to the
//! right, all but the last; a value passes by rendezvous. The reduced graphs come out with conditional stubborn
//! sets if the process nearest the end is tried first and nothing is put off for ever, which is
//! judged by strong components. They keep safety; by Theorem 4.6 the assumption (*) may be used for that. With the
//! test that the paper prints, that no step of an ample set leads to an open node, more is kept.

use super::grid::{Cell, Grid, Row};
use super::{Bench, Counts, Ours};
use crate::failure::Failure;
use mazurka_engine::{Config, Order};
use mazurka_front::petri::net::{Net, Place, Transition};
use mazurka_front::petri::{NetSystem, net};
use mazurka_model::source::Span;

/// By number of processes: nodes and edges of the full and of the reduced graph.
const THEIRS: [(usize, [(u64, u64); 2]); 5] = [
    (3, [(12, 20), (5, 5)]),
    (4, [(36, 76), (7, 7)]),
    (5, [(108, 276), (9, 9)]),
    (6, [(324, 972), (11, 11)]),
    (7, [(972, 3_348), (13, 13)]),
];

/// How a graph is made.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Made {
    /// By a search.
    Searched,
    /// By Figure 1 of the paper.
    Printed,
}

/// A column: its heading, how its graphs are made, and by which reduction.
type Column = (&'static str, Made, &'static str);

/// The columns of the table of the pipeline.
const COLUMNS: [Column; 3] = [
    ("full", Made::Searched, "none"),
    ("reduced", Made::Searched, "conditional"),
    ("no open node", Made::Printed, "conditional"),
];

/// The columns of the table of P1.
const OF_P1: [Column; 3] = [
    ("full", Made::Searched, "none"),
    ("sleep sets", Made::Printed, "none+sleep"),
    ("under (*)", Made::Printed, "conditional"),
];

/// Makes the table of the pipeline.
pub fn make(bench: &Bench<'_>) -> Result<Grid, Failure> {
    let mut rows = Vec::new();
    for (processes, theirs) in THEIRS {
        let system = NetSystem::new(pipeline(processes));
        let theirs = [Some(theirs[0]), Some(theirs[1]), None];
        let cells = cells(bench, &system, &COLUMNS, &theirs, Order::Reverse)?;
        rows.push(Row { name: format!("{processes} processes"), cells });
    }
    let note = "The last column is the reduced graph by the test that the paper prints, in the better of two orders.";
    Ok(grid("Table of Peled 1993, the pipeline: nodes / edges", &COLUMNS, rows, bench, note))
}

/// Makes the table of the program P1.
pub fn make_p1(bench: &Bench<'_>) -> Result<Grid, Failure> {
    let mut program = Building::default();
    program.transition("alpha", &["once"], &["done"]);
    for (name, from, to) in [("beta", "0", "1"), ("gamma", "1", "2"), ("delta", "2", "0")] {
        program.transition(name, &[from], &[to]);
    }
    let system = NetSystem::new(program.net(&["once", "0"]));
    let theirs = [Some((6, 9)), Some((6, 7)), Some((4, 4))];
    let cells = cells(bench, &system, &OF_P1, &theirs, Order::Forward)?;
    let row = Row { name: "P1".to_owned(), cells };
    Ok(grid("The program P1 of Peled 1993, section 3: nodes / edges", &OF_P1, vec![row], bench, ""))
}

fn grid(title: &str, columns: &[Column], rows: Vec<Row>, bench: &Bench<'_>, note: &'static str) -> Grid {
    let columns = columns.iter().filter(|(_, _, reduction)| bench.wants(reduction));
    let columns = columns.map(|(heading, ..)| *heading).collect();
    Grid { title: title.to_owned(), source: "paper", columns, rows, note }
}

fn cells(
    bench: &Bench<'_>,
    system: &NetSystem,
    columns: &[Column],
    theirs: &[Option<(u64, u64)>],
    order: Order,
) -> Result<Vec<Cell>, Failure> {
    let mut cells = Vec::new();
    for ((_, made, reduction), theirs) in columns.iter().zip(theirs) {
        if !bench.wants(reduction) {
            continue;
        }
        let reduction = reduction.parse().map_err(|error| Failure::Internal(format!("{error}")))?;
        let config = Config { reduction, order, ..Config::default() };
        let ours = match made {
            // The visit of the root is no edge.
            Made::Searched => match bench.count_as(system, config)? {
                Ours::Counts(counts) => {
                    Ours::Counts(Counts { transitions: counts.transitions - 1, ..counts })
                }
                other => other,
            },
            Made::Printed if theirs.is_some() => bench.count_printed(system, config),
            // Where there is nothing to agree with, the order that keeps less.
            Made::Printed => {
                let orders = [Order::Forward, Order::Reverse];
                let counts =
                    orders.map(|order| bench.count_printed(system, Config { order, ..config.clone() }));
                let size = |ours: &Ours| match ours {
                    Ours::Counts(counts) => (counts.states, counts.transitions),
                    Ours::TooMany | Ours::TooLong => (u64::MAX, 0),
                };
                counts.into_iter().min_by_key(size).unwrap_or(Ours::TooLong)
            }
        };
        let theirs = theirs.map(|(states, transitions)| Counts { states, transitions });
        cells.push(Cell { theirs, ours, binding: true });
    }
    Ok(cells)
}

/// The pipeline of `n` processes.
fn pipeline(n: usize) -> Net {
    let mut building = Building::default();
    let place = |process: usize, name: &str| format!("{name}{process}");
    let mut initial = Vec::new();
    building.transition("generate", &["idle0"], &["ready0"]);
    for process in 1..n {
        let (left, idle, busy) = (process - 1, place(process, "idle"), place(process, "busy"));
        let (full, empty) = (place(left, "ready"), place(left, "idle"));
        building.transition(&place(process, "receive"), &[&full, &idle], &[&empty, &busy]);
        // The last process has nobody to send to.
        let after = if process + 1 < n { place(process, "ready") } else { idle };
        building.transition(&place(process, "compute"), &[&busy], &[&after]);
    }
    initial.extend((0..n).map(|process| place(process, "idle")));
    let initial: Vec<&str> = initial.iter().map(String::as_str).collect();
    building.net(&initial)
}

/// A net under construction, with places by name.
#[derive(Default)]
struct Building {
    net: Net,
}

impl Building {
    fn place(&mut self, name: &str) -> u32 {
        if let Some(place) = self.net.place(name) {
            return place;
        }
        let (id, name) = (name.to_owned(), name.to_owned());
        self.net.places.push(Place { id, name, initial: 0, capacity: None, span: Span::default() });
        self.net.places.len() as u32 - 1
    }

    fn arcs(&mut self, places: &[&str]) -> Vec<(u32, u32)> {
        let mut arcs: Vec<(u32, u32)> = places.iter().map(|name| (self.place(name), 1)).collect();
        net::gather(&mut arcs, u32::saturating_add);
        arcs
    }

    fn transition(&mut self, name: &str, inputs: &[&str], outputs: &[&str]) {
        let (inputs, outputs) = (self.arcs(inputs), self.arcs(outputs));
        let (id, name, span) = (name.to_owned(), name.to_owned(), Span::default());
        self.net.transitions.push(Transition { id, name, inputs, outputs, span });
    }

    fn net(mut self, marked: &[&str]) -> Net {
        for name in marked {
            let place = self.place(name) as usize;
            self.net.places[place].initial = 1;
        }
        self.net
    }
}
