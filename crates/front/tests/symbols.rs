//! The symbol table says what the names of a model mean.

use mazurka_front::promela::ast::{Item, Sequence, Statement, StatementKind};
use mazurka_front::promela::check::{Predefined, SymbolKind, Type};
use mazurka_front::promela::{Options, Parsed, parse};

fn read(text: &str) -> Parsed {
    let parsed = parse("model", text, &Options::default());
    assert!(parsed.unit.is_some(), "{:?}", parsed.diagnostics);
    parsed
}

/// All statements, outer before inner.
fn all<'a>(sequence: &'a Sequence, found: &mut Vec<&'a Statement>) {
    for statement in &sequence.statements {
        found.push(statement);
        if let StatementKind::Block(inner) = &statement.kind {
            all(inner, found);
        }
    }
}

fn init(parsed: &Parsed) -> (usize, Vec<&Statement>) {
    let items = &parsed.unit.as_ref().expect("it is correct").items;
    let mut found = Vec::new();
    let position = items.iter().position(|item| matches!(item, Item::Init(_))).expect("there is an init");
    if let Item::Init(init) = &items[position] {
        all(&init.body, &mut found);
    }
    (position, found)
}

#[test]
fn mtypes_are_numbered_as_in_spin() {
    let parsed = read("mtype = { a, b, c }; mtype = { d, e }; mtype:t = { x, y }; init { skip }");
    let value = |name: &str| parsed.symbols.mtypes[name].value;
    assert_eq!(["a", "b", "c", "d", "e", "x", "y"].map(value), [3, 2, 1, 5, 4, 2, 1]);
    assert_eq!(parsed.symbols.mtypes["x"].subtype.as_deref(), Some("t"));
}

#[test]
fn names_mean_the_innermost_declaration_before_them() {
    let parsed = read("byte x; init { x = 1; { int x; x = 2 }; x = _pid }");
    let (position, statements) = init(&parsed);
    let kinds: Vec<Type> = statements
        .iter()
        .filter_map(|statement| match &statement.kind {
            StatementKind::Assign { target, .. } => parsed.symbols.type_of(target),
            _ => None,
        })
        .map(|(kind, _)| kind)
        .collect();
    assert_eq!(kinds, [Type::Byte, Type::Int, Type::Byte]);
    let owners: Vec<Option<usize>> = parsed
        .symbols
        .symbols
        .iter()
        .filter(|symbol| &*symbol.name == "x")
        .map(|symbol| symbol.owner)
        .collect();
    assert_eq!(owners, [None, Some(position)]);
    let pid = parsed.symbols.symbols.iter().find(|symbol| &*symbol.name == "_pid").expect("predefined");
    assert!(matches!(pid.kind, SymbolKind::Predefined(Predefined::Pid)));
}

#[test]
fn structures_know_their_fields_and_width() {
    let parsed = read(
        "typedef In { byte a; bool b[3] }; typedef Out { In one; In two[2]; unsigned n : 4 };
         Out o; init { o.two[1].b[2] = 1; o.n = 3 }",
    );
    let width = |name: &str| parsed.symbols.structure(parsed.symbols.structure_names[name]).width;
    assert_eq!((width("In"), width("Out")), (4, 13));
    let (_, statements) = init(&parsed);
    let StatementKind::Assign { target, .. } = &statements[0].kind else { panic!("an assignment") };
    assert_eq!(parsed.symbols.type_of(target), Some((Type::Bool, None)));
    let StatementKind::Assign { target, .. } = &statements[1].kind else { panic!("an assignment") };
    assert_eq!(parsed.symbols.type_of(target), Some((Type::Unsigned(4), None)));
}

#[test]
fn each_use_of_an_inline_has_its_own_labels() {
    let parsed = read("inline f() { goto out; out: skip }\ninit { f(); f(); goto out; out: skip }");
    let (position, statements) = init(&parsed);
    let expansions = &parsed.unit.as_ref().expect("it is correct").expansions;
    let key = |name| parsed.symbols.label(position, name, expansions).expect("the label is known");
    let jumps: Vec<_> = statements
        .iter()
        .filter_map(|statement| match &statement.kind {
            StatementKind::Goto(label) => Some(key(label)),
            _ => None,
        })
        .collect();
    let labels: Vec<_> = statements.iter().flat_map(|statement| &statement.labels).map(key).collect();
    assert_eq!(jumps, labels);
    assert_eq!(labels.len(), 3);
    assert!(labels[0] != labels[1] && labels[1] != labels[2] && labels[0] != labels[2]);
}

#[test]
fn declarations_inside_a_body_set_their_variables_again() {
    let parsed = read("byte g; init { byte a = 1; a = 2; byte b; { byte c } }");
    let (_, statements) = init(&parsed);
    let again: Vec<bool> = statements
        .iter()
        .filter_map(|statement| match &statement.kind {
            StatementKind::Declaration(declaration) => Some(declaration.reinitialises),
            _ => None,
        })
        .collect();
    assert_eq!(again, [false, true, true]);
}
