//! `mazurka simulate` from outside: random, guided and interactive runs.

use crate::support::{FINE, FORKS, LOST_UPDATE, Place, Said};
use std::io::Write;
use std::process::Stdio;

/// A model that prints, with a name for each value, and never ends.
const TALK: &str = "\
mtype = { ping, pong };
chan there = [1] of { mtype, byte };
byte last;
active proctype A() {
  byte n;
  do
  :: there!ping(n) -> printf(\"%e %d 0x%x %o %c%u\\n\", ping, n, 255, 8, 65, 3); n = (n + 1) % 3
  od
}
active proctype B() {
  do
  :: there?ping(last)
  od
}
";

fn typed(place: &Place, arguments: &[&str], input: &str) -> Said {
    let mut child = place
        .command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("mazurka runs");
    child.stdin.take().expect("its input").write_all(input.as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends").into()
}

#[test]
fn a_seed_gives_the_same_run_again() {
    let place = Place::new().with("talk.pml", TALK);
    let run = |seed: &str| place.run(&["simulate", "talk.pml", "--seed", seed, "--steps", "40"]);
    let first = run("5");
    assert_eq!(first.code, Some(3), "{first:?}");
    assert!(first.out.starts_with("seed 5\n"), "{first:?}");
    assert!(first.out.ends_with("stopped: the limit of 40 steps was reached (--steps)\n"), "{first:?}");
    assert_eq!(first.out, run("5").out);
    assert!((6..20).any(|seed| run(&seed.to_string()).out.lines().nth(3) != first.out.lines().nth(3)));
    let unseeded = place.run(&["simulate", "talk.pml", "--steps", "1"]);
    assert!(unseeded.out.starts_with("seed "), "{unseeded:?}");
}

#[test]
fn what_the_model_prints_is_shown() {
    let place = Place::new().with("talk.pml", TALK);
    let said = place.run(&["simulate", "talk.pml", "--seed", "1", "--steps", "30", "--quiet"]);
    assert!(said.out.starts_with("ping 0 0xff 10 A3\nping 1 0xff 10 A3\nping 2 0xff 10 A3\n"), "{said:?}");
    assert!(said.err.starts_with("seed 1\n"), "{said:?}");
    let said = place.run(&["simulate", "talk.pml", "--seed", "1", "--steps", "30"]);
    assert!(said.out.contains("prints: ping 0 0xff 10 A3\n"), "{said:?}");
}

#[test]
fn values_and_messages_are_shown_when_asked_for() {
    let place = Place::new().with("talk.pml", TALK);
    let base = ["simulate", "talk.pml", "--seed", "1", "--steps", "30"];
    for (option, wanted) in [
        ("--globals", " there = [ping,0]\n"),
        ("--locals", " A(0).n = 1\n"),
        ("--sends", " sends ping,1 to there\n"),
        ("--receives", " receives ping,1 from there\n"),
        ("--changes", " there: [] → [ping,0]\n"),
    ] {
        let said = place.run(&[&base[..], &[option]].concat());
        assert!(said.out.contains(wanted), "{option}: {said:?}");
        assert!(!place.run(&base).out.contains(wanted), "{option}");
    }
}

#[test]
fn the_end_decides_the_exit_code() {
    let place = Place::new().with("fine.mzk", FINE).with("lost.mzk", LOST_UPDATE).with("forks.mzk", FORKS);
    let fine = place.run(&["simulate", "fine.mzk"]);
    assert_eq!(fine.code, Some(0), "{fine:?}");
    assert!(fine.out.ends_with("valid end: every process may stop where it is (after 1 step)\n"), "{fine:?}");
    let mut ends = [false; 2];
    for seed in 0..40 {
        let said = place.run(&["simulate", "forks.mzk", "--seed", &seed.to_string()]);
        match said.code {
            Some(0) => ends[0] = true,
            Some(1) => {
                assert!(
                    said.out.ends_with("error: deadlock: no process can move (after 2 steps)\n"),
                    "{said:?}"
                );
                ends[1] = true;
            }
            _ => panic!("{said:?}"),
        }
    }
    assert_eq!(ends, [true, true]);
}

#[test]
fn a_run_that_goes_on_for_ever_is_told_from_one_that_ends() {
    let text = "byte x; active proctype P() { do :: x = 1 - x od }  ltl zero { [] (x == 0) }";
    let place = Place::new().with("turn.pml", text);
    let said = place.run(&["check", "turn.pml", "--property", "claim", "--quiet"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    let said = place.run(&["simulate", "turn.pml", "--trail", "turn.pml.trail"]);
    // Nothing of the loop is unrolled, whatever the automaton needs.
    let text = "after 2 steps, of which the last 2 are repeated for ever (claim:zero)";
    assert!(said.out.contains(text), "{said:?}");
}

#[test]
fn a_saved_run_is_replayed_and_guides_another() {
    let place = Place::new().with("talk.pml", TALK).with("lost.mzk", LOST_UPDATE);
    let said = place.run(&["simulate", "talk.pml", "--seed", "1", "--steps", "9", "--save", "talk.trail"]);
    assert!(
        said.out.ends_with("Saved as talk.trail; to see it again: mazurka replay talk.trail\n"),
        "{said:?}"
    );
    let replayed = place.run(&["replay", "talk.trail"]);
    assert_eq!(replayed.code, Some(0), "{replayed:?}");
    assert!(replayed.out.ends_with("stopped: nothing is wrong so far (after 9 steps)\n"), "{replayed:?}");
    let guided = place.run(&["simulate", "talk.pml", "--trail", "talk.trail"]);
    assert_eq!(guided.code, Some(0), "{guided:?}");
    let steps =
        |text: &str| text.lines().filter(|l| l.contains("talk.pml:")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(steps(&guided.out), steps(&said.out));
    assert_eq!(place.run(&["check", "lost.mzk"]).code, Some(1));
    let wrong = place.run(&["simulate", "lost.mzk", "--trail", "lost.mzk.trail"]);
    assert_eq!(wrong.code, Some(1), "{wrong:?}");
    assert!(wrong.out.contains("error: Judge(2): assertion x == 2 is false"), "{wrong:?}");
    let other = place.run(&["simulate", "talk.pml", "--trail", "lost.mzk.trail"]);
    assert_eq!(other.code, Some(2), "{other:?}");
    assert!(other.err.contains("is not the model"), "{other:?}");
}

#[test]
fn steps_are_chosen_and_taken_back() {
    let place = Place::new().with("forks.mzk", FORKS);
    let said = typed(&place, &["simulate", "forks.mzk", "-i"], "1\n2\ns\nb\n1\n1\nq\n");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.starts_with("   1)  P(0)          when fork[mine] == 0 do"), "{said:?}");
    assert!(said.out.contains("error: deadlock: no process can move (after 2 steps)\n"), "{said:?}");
    assert!(said.out.contains("    fork = [1, 1]\n"), "{said:?}");
    assert!(said.out.contains("back after step 1\n"), "{said:?}");
    assert!(said.out.ends_with("stopped: after 3 steps, as you wished\n"), "{said:?}");
}

#[test]
fn nonsense_and_the_end_of_input_are_no_harm() {
    let place = Place::new().with("forks.mzk", FORKS);
    let said = typed(&place, &["simulate", "forks.mzk", "-i"], "7\nfoo bar\n0\n\u{0}\nb\n?\nr 2\n");
    assert_eq!(said.err, "", "{said:?}");
    for wanted in ["there is no step 7 here", "`foo bar` means nothing", "initial state", "step back once"] {
        assert!(said.out.contains(wanted), "{wanted}: {said:?}");
    }
    let deadlocked = typed(&place, &["simulate", "forks.mzk", "-i"], "1\n2\n");
    assert_eq!(deadlocked.code, Some(1), "{deadlocked:?}");
    assert_eq!(typed(&place, &["simulate", "forks.mzk", "-i"], "").code, Some(0));
}

#[test]
fn wrong_command_lines_are_refused() {
    let place = Place::new().with("fine.mzk", FINE).with("notes", "mine");
    for arguments in [
        &["simulate"][..],
        &["simulate", "nowhere.mzk"],
        &["simulate", "fine.mzk", "--seed", "x"],
        &["simulate", "fine.mzk", "--steps", "-1"],
        &["simulate", "fine.mzk", "--trail", "nowhere"],
        &["simulate", "fine.mzk", "--trail", "notes"],
        &["simulate", "fine.mzk", "--save", "notes"],
        &["simulate", "fine.mzk", "--save", "no/where"],
        &["simulate", "fine.mzk", "-D", "X"],
        &["simulate", "notes"],
    ] {
        let said = place.run(arguments);
        assert_eq!(said.code, Some(2), "{arguments:?}: {said:?}");
        assert!(said.err.starts_with("error: "), "{arguments:?}: {said:?}");
    }
    assert_eq!(place.read("notes"), "mine");
}
