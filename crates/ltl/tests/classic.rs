//! The three classic sets of formulas: the sums of Büchi states stay within bounds.
//!
//! Etessami and Holzmann, *Optimizing Büchi automata* (CONCUR 2000); Somenzi and Bloem, *Efficient Büchi automata
//! from LTL formulae* (CAV 2000); Dwyer, Avrunin and Corbett, *Property specification patterns for finite-state
//! verification* (FMSP 1998). Spot's sums are 43, 81 and 214.

use mazurka_ltl::formula::Formulas;
use mazurka_ltl::parse::parse;
use mazurka_ltl::translate::translate;
use std::time::{Duration, Instant};

const ETESSAMI_HOLZMANN: [&str; 12] = [
    "p0 U (p1 & G p2)",
    "p0 U (p1 & X(p2 U p3))",
    "p0 U (p1 & X(p2 & F(p3 & X F(p4 & X F(p5 & X F p6)))))",
    "F(p0 & X G p1)",
    "F(p0 & X(p1 & X F p2))",
    "F(p0 & X(p1 U p2))",
    "F G p0 | G F p1",
    "G(p0 -> p1 U p2)",
    "G(p0 & X F(p1 & X F(p2 & X F p3)))",
    "G F p0 & G F p1 & G F p2 & G F p3 & G F p4",
    "p0 U (p1 U p2) | p1 U (p2 U p0) | p2 U (p0 U p1)",
    "G(p0 -> p1 U (G p2 | G p3))",
];

const SOMENZI_BLOEM: [&str; 27] = [
    "p0 U p1",
    "p0 U (p1 U p2)",
    "!(p0 U (p1 U p2))",
    "G F p0 -> G F p1",
    "(F p0) U (G p1)",
    "(G p0) U p1",
    "!(F F p0 <-> F p1)",
    "!(G F p0 -> G F p1)",
    "!(G F p0 <-> G F p1)",
    "p0 R (p0 | p1)",
    "(X p0 U X p1) | !X(p0 U p1)",
    "(X p0 U p1) | !X(p0 U (p0 & p1))",
    "G(p0 -> F p1) & ((X p0 U p1) | !X(p0 U (p0 & p1)))",
    "G(p0 -> F p1) & ((X p0 U X p1) | !X(p0 U p1))",
    "G(p0 -> F p1)",
    "!G(p0 -> X(p1 R p2))",
    "!(F G p0 | F G p1)",
    "G(F p0 & F p1)",
    "F p0 & F !p0",
    "(X p1 & p2) R X(((p3 U p0) R p2) U (p3 R p2))",
    "(G(p1 | G F p0) & G(p2 | G F !p0)) | G p1 | G p2",
    "(G(p1 | F G p0) & G(p2 | F G !p0)) | G p1 | G p2",
    "!((G(p1 | G F p0) & G(p2 | G F !p0)) | G p1 | G p2)",
    "!((G(p1 | F G p0) & G(p2 | F G !p0)) | G p1 | G p2)",
    "G(p1 | X G p0) & G(p2 | X G !p0)",
    "G(p1 | (X p0 & X !p0))",
    "(p0 U p0) | (p1 U p0)",
];

const DWYER: [&str; 55] = [
    // Absence.
    "[] !p",
    "<> r -> (!p U r)",
    "[](q -> [] !p)",
    "[]((q && !r && <> r) -> (!p U r))",
    "[](q && !r -> (!p W r))",
    // Existence.
    "<> p",
    "!r W (p && !r)",
    "[] !q || <>(q && <> p)",
    "[](q && !r -> (!r W (p && !r)))",
    "[](q && !r -> (!r U (p && !r)))",
    // Bounded existence.
    "!p W (p W (!p W (p W [] !p)))",
    "<> r -> ((!p && !r) U (r || ((p && !r) U (r || ((!p && !r) U (r || ((p && !r) U (r || (!p U r)))))))))",
    "<> q -> (!q U (q && (!p W (p W (!p W (p W [] !p))))))",
    "[]((q && <> r) -> ((!p && !r) U (r || ((p && !r) U (r || ((!p && !r) U (r || ((p && !r) U (r || (!p U r))))))))))",
    "[](q -> ((!p && !r) U (r || ((p && !r) U (r || ((!p && !r) U (r || ((p && !r) U (r || (!p W r) || [] p)))))))))",
    // Universality.
    "[] p",
    "<> r -> (p U r)",
    "[](q -> [] p)",
    "[]((q && !r && <> r) -> (p U r))",
    "[](q && !r -> (p W r))",
    // Precedence.
    "!p W s",
    "<> r -> (!p U (s || r))",
    "[] !q || <>(q && (!p W s))",
    "[]((q && !r && <> r) -> (!p U (s || r)))",
    "[](q && !r -> (!p W (s || r)))",
    // Response.
    "[](p -> <> s)",
    "<> r -> (p -> (!r U (s && !r))) U r",
    "[](q -> [](p -> <> s))",
    "[]((q && !r && <> r) -> ((p -> (!r U (s && !r))) U r))",
    "[](q && !r -> ((p -> (!r U (s && !r))) W r))",
    // Precedence chain, two causes of one effect.
    "<> p -> (!p U (s && !p && X(!p U t)))",
    "<> r -> (!p U (r || (s && !p && X(!p U t))))",
    "[] !q || (!q U (q && <> p -> (!p U (s && !p && X(!p U t)))))",
    "[]((q && <> r) -> (!p U (r || (s && !p && X(!p U t)))))",
    "[](q -> (<> p -> (!p U (r || (s && !p && X(!p U t))))))",
    // Precedence chain, one cause of two effects.
    "<>(s && X <> t) -> (!s U p)",
    "<> r -> (!(s && !r && X(!r U (t && !r))) U (r || p))",
    "[] !q || (!q U (q && (<>(s && X <> t) -> (!s U p))))",
    "[]((q && <> r) -> (!(s && !r && X(!r U (t && !r))) U (r || p)))",
    "[](q -> ((!(s && !r && X(!r U (t && !r))) U (r || p)) || [] !(s && X <> t)))",
    // Response chain, one response to two stimuli.
    "[](s && X <> t -> X <>(t && <> p))",
    "<> r -> (s && X(!r U t) -> X(!r U (t && <> p))) U r",
    "[](q -> [](s && X <> t -> X(!t U (t && <> p))))",
    "[]((q && <> r) -> (s && X(!r U t) -> X(!r U (t && <> p))) U r)",
    "[](q -> (s && X(!r U t) -> X(!r U (t && <> p))) U (r || [](s && X(!r U t) -> X(!r U (t && <> p)))))",
    // Response chain, two responses to one stimulus.
    "[](p -> <>(s && X <> t))",
    "<> r -> (p -> (!r U (s && !r && X(!r U t)))) U r",
    "[](q -> [](p -> (s && X <> t)))",
    "[]((q && <> r) -> (p -> (!r U (s && !r && X(!r U t)))) U r)",
    "[](q -> (p -> (!r U (s && !r && X(!r U t)))) U (r || [](p -> (s && X <> t))))",
    // Constrained chain.
    "[](p -> <>(s && !z && X(!z U t)))",
    "<> r -> (p -> (!r U (s && !r && !z && X((!r && !z) U t)))) U r",
    "[](q -> [](p -> (s && !z && X(!z U t))))",
    "[]((q && <> r) -> (p -> (!r U (s && !r && !z && X((!r && !z) U t)))) U r)",
    "[](q -> (p -> (!r U (s && !r && !z && X((!r && !z) U t)))) U (r || [](p -> (s && !z && X(!z U t)))))",
];

/// The sum of the Büchi states, and the longest time of one translation.
fn sum(name: &str, texts: &[&str]) -> (usize, Duration) {
    let (mut states, mut longest) = (0, Duration::ZERO);
    for (number, text) in texts.iter().enumerate() {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let begin = Instant::now();
        let translation = translate(&mut formulas, formula).unwrap_or_else(|error| panic!("{text}: {error}"));
        let taken = begin.elapsed();
        longest = longest.max(taken);
        states += translation.buchi.size();
        println!(
            "{name} {:2}: {:2} Büchi, {:2} generalised, {taken:?}  {text}",
            number + 1,
            translation.buchi.size(),
            translation.generalised.size()
        );
    }
    println!("{name}: {states} states in all, the longest translation {longest:?}");
    (states, longest)
}

fn check(name: &str, texts: &[&str], most: usize) {
    let (states, longest) = sum(name, texts);
    assert!(states <= most, "{states} states instead of at most {most}");
    assert!(longest < Duration::from_secs(1), "a translation took {longest:?}");
}

#[test]
fn etessami_and_holzmann() {
    check("Etessami-Holzmann", &ETESSAMI_HOLZMANN, 46);
}

#[test]
fn somenzi_and_bloem() {
    check("Somenzi-Bloem", &SOMENZI_BLOEM, 85);
}

#[test]
fn dwyer_avrunin_and_corbett() {
    check("Dwyer", &DWYER, 225);
}
