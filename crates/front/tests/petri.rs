//! Petri nets: what is read, what is refused and where, formulas, and property files.

use mazurka_front::petri::contest::{self, Query};
use mazurka_front::petri::formula::Formula;
use mazurka_front::petri::{Net, NetSystem, Width, expression, parse};
use mazurka_model::{Batch, Chosen, System, ViolationKind};

const NET: &str = r#"<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
  <net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">
    <name><text>two &amp; one</text></name>
    <page id="outer">
      <place id="p"><name><text>start</text><graphics><offset x="1" y="2"/></graphics></name>
        <initialMarking><text> 2 </text></initialMarking></place>
      <page id="inner">
        <place id="q"><name><text>end</text></name></place>
        <referencePlace id="r" ref="p"/>
        <transition id="t"><name><text>move</text></name><toolspecific tool="x" version="1"><place/></toolspecific></transition>
        <arc id="a" source="r" target="t"><inscription><text>2</text></inscription></arc>
        <arc id="b" source="t" target="q"/>
        <arc id="c" source="t" target="q"/>
      </page>
    </page>
  </net>
</pnml>"#;

fn net() -> Net {
    let parsed = parse("n.pnml", NET);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    parsed.net.expect("the net is right")
}

#[test]
fn pages_references_and_repeated_arcs_come_together() {
    let net = net();
    assert_eq!(net.name, "two & one");
    assert_eq!(net.places.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(), ["start", "end"]);
    assert_eq!(net.transitions[0].inputs, [(0, 2)]);
    assert_eq!(net.transitions[0].outputs, [(1, 2)]);
    assert_eq!((net.place("p"), net.place("start"), net.place("x")), (Some(0), Some(0), None));
    let system = NetSystem::new(net);
    let mut batch = Batch::default();
    system.expand(&[2, 0], Chosen::All, &mut batch);
    assert_eq!(batch.state(0), [0, 2]);
    batch.clear();
    system.expand(&[1, 0], Chosen::All, &mut batch);
    assert!(batch.is_empty() && batch.violations().is_empty());
}

/// Tokens beyond a word are reported, never cut off.
#[test]
fn an_overflow_is_reported() {
    let system = NetSystem::new(net());
    assert_eq!(system.width(), Width::One);
    let mut batch = Batch::default();
    system.expand(&[2, 254], Chosen::All, &mut batch);
    assert!(batch.is_empty());
    assert_eq!((batch.violations()[0].kind, batch.violations()[0].place), (ViolationKind::Overflow, 1));
    let system = system.with_width(Width::Two);
    batch.clear();
    system.expand(&[2, 0, 254, 0], Chosen::All, &mut batch);
    assert_eq!(batch.state(0), [0, 0, 0, 1]);
}

/// Each wrong file: what is said, and on which line and column.
#[test]
fn errors_name_the_place() {
    let wrong = [
        (
            "<pnml>\n <net id='n' type='x/ptnet'>\n  <place id='p'/><place id='p'/>\n </net></pnml>",
            "used twice",
            3,
            18,
        ),
        ("<pnml><net id='n'>\n<arc source='x' target='y'/></net></pnml>", "no place or transition `x`", 2, 1),
        (
            "<pnml><net id='n'><place id='p'/><place id='q'/>\n<arc source='p' target='q'/></net></pnml>",
            "from a place to a transition",
            2,
            1,
        ),
        (
            "<pnml><net id='n'><place id='p'>\n<initialMarking><text>many</text></initialMarking></place></net></pnml>",
            "must be a number",
            2,
            23,
        ),
        (
            "<pnml><net id='n'><transition id='t'/><place id='p'/><arc source='p' target='t'>\n <type value='inhibitor'/></arc></net></pnml>",
            "not supported",
            2,
            2,
        ),
        (
            "<pnml><net id='n' type='http://www.pnml.org/version-2009/grammar/symmetricnet'></net></pnml>",
            "coloured",
            1,
            7,
        ),
        ("<pnml><net id='n'>\n  <place>\n</net></pnml>", "not well-formed", 3, 1),
        ("<pnml>\n<net id='n'>", "not closed", 2, 1),
        ("<html></html>", "not a net", 1, 1),
        ("<pnml><net id='n'><place/></net></pnml>", "no attribute `id`", 1, 19),
        ("<pnml><net id='n'><place id='&nope;'/></net></pnml>", "not well-formed", 1, 19),
        (
            "<pnml><net id='n'><referencePlace id='r' ref='r'/><transition id='t'/>\n<arc source='r' target='t'/></net></pnml>",
            "leads back",
            2,
            1,
        ),
        ("<pnml></pnml>", "no net", 1, 1),
    ];
    for (text, message, line, column) in wrong {
        let parsed = parse("x.pnml", text);
        assert!(parsed.net.is_none(), "{text}");
        let found = parsed.diagnostics.iter().find(|d| d.message.contains(message));
        let Some(found) = found else { panic!("{text}: {:?}", parsed.diagnostics) };
        let at = found.span.and_then(|span| parsed.sources.locate(span)).expect("it has a place");
        assert_eq!((at.line, at.column), (line, column), "{text}: {}", found.message);
    }
}

/// No beginning of a file, and no file with a byte missing, makes the reader panic.
#[test]
fn damaged_files_are_no_reason_to_panic() {
    for end in 0..NET.len() {
        if NET.is_char_boundary(end) {
            parse("x.pnml", &NET[..end]);
            let without = format!("{}{}", &NET[..end], NET.get(end + 1..).unwrap_or(""));
            parse("x.pnml", &without);
        }
    }
    let deep = format!("<pnml><net id='n'>{}", "<page id='p'>".repeat(50_000));
    assert!(parse("x.pnml", &deep).net.is_none());
}

#[test]
fn formulas_have_precedence() {
    let net = net();
    let read = |text: &str| expression::parse(&net, text).map_err(|(errors, _)| errors[0].message.clone());
    assert_eq!(read("start <= 1"), Ok(Formula::AtMost(vec![(0, 1)], 1)));
    assert_eq!(read("2*start - end > 3"), Ok(Formula::AtMost(vec![(0, -2), (1, 1)], -4)));
    assert_eq!(read("(start + 1) <= (2)"), Ok(Formula::AtMost(vec![(0, 1)], 1)));
    // There are no fewer tokens than none.
    assert_eq!(read("0 <= start"), Ok(Formula::Constant(true)));
    assert_eq!(read("start + end + 1 > 0"), Ok(Formula::Constant(true)));
    assert_eq!(read("start + end + 2 <= 1"), Ok(Formula::Constant(false)));
    assert_eq!(read("1 <= start"), Ok(Formula::AtMost(vec![(0, -1)], -1)));
    assert_eq!(read("start + 1 <= end"), Ok(Formula::AtMost(vec![(0, 1), (1, -1)], -1)));
    assert_eq!(read("fireable(move)"), Ok(Formula::Fireable(vec![0])));
    assert_eq!(read("!deadlock && true || false"), read("((!deadlock) && true) || false"));
    assert_eq!(read("true -> \"start\" == 0"), read("!true || start = 0"));
    for (wrong, message) in [
        ("", "a name is expected"),
        ("start", "a comparison is expected"),
        ("nobody <= 1", "no place `nobody`"),
        ("fireable(start)", "no transition `start`"),
        ("(start <= 1", "`)` is missing"),
        ("start <= 1 end", "not expected"),
        ("start <= 99999999999", "too large"),
        ("\"start <= 1", "has no end"),
    ] {
        assert!(read(wrong).is_err_and(|error| error.contains(message)), "{wrong}: {:?}", read(wrong));
    }
    assert!(read(&"(".repeat(10_000)).is_err_and(|error| error.contains("nested")));
    assert!(read(&"!".repeat(10_000)).is_err_and(|error| error.contains("nested")));
}

#[test]
fn property_files_are_read_and_the_rest_is_kept() {
    let net = net();
    let text = r#"<property-set xmlns="http://mcc.lip6.fr/">
      <property><id>a</id><description>x</description><formula><exists-path><finally><conjunction>
        <negation><integer-le><tokens-count><place>p</place><place>q</place></tokens-count><integer-constant>3</integer-constant></integer-le></negation>
        <is-fireable><transition>t</transition></is-fireable></conjunction></finally></exists-path></formula></property>
      <property><id>b</id><formula><all-paths><finally><deadlock/></finally></all-paths></formula></property>
      <property><id>c</id><formula><all-paths><globally><integer-le><integer-difference><tokens-count><place>p</place></tokens-count><integer-constant>1</integer-constant></integer-difference><integer-constant>1</integer-constant></integer-le></globally></all-paths></formula></property>
      <property><id>d</id><formula><exists-path><globally><deadlock/></globally></exists-path></formula></property>
    </property-set>"#;
    let properties = contest::parse(&net, "x.xml", text).unwrap_or_else(|(error, _)| panic!("{error:?}"));
    let sum = Formula::AtMost(vec![(0, 1), (1, 1)], 3);
    let both = Formula::And(vec![Formula::Not(Box::new(sum)), Formula::Fireable(vec![0])]);
    assert_eq!(properties[0].query, Ok(Query::Reachable(both)));
    assert!(matches!(properties[1].query, Ok(Query::Linear(_))));
    assert!(properties[3].query.is_err());
    assert_eq!(properties[2].query, Ok(Query::Invariant(Formula::AtMost(vec![(0, 1)], 2))));
    let unknown = text.replace("<place>q</place>", "<place>z</place>");
    let (errors, sources) = contest::parse(&net, "x.xml", &unknown).expect_err("there is no place z");
    let error = &errors[0];
    let at = error.span.and_then(|span| sources.locate(span)).expect("it has a place");
    assert!(error.message.contains("no place `z`") && at.line == 3, "{error:?} {at}");
}
