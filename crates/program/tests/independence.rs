//! What the analysis promises, checked by execution: in every reachable state, steps whose
//! footprints are independent by the object library commute and leave each other alone.

mod support;
use mazurka_model::{Batch, Chosen, Footprint, ProcessId, Relations, Step, System};
use mazurka_program::{Interpreter, Program, text};
use std::collections::{BTreeSet, HashSet};
use support::{explore, model};

/// Whether two footprints depend on each other in `state`: the rule of the reductions.
fn dependent(system: &Interpreter, state: &[u8], a: &Footprint, b: &Footprint, constant: bool) -> bool {
    if a.everything || b.everything || a.processes.iter().any(|p| b.processes.contains(p)) {
        return true;
    }
    let count = |f: &Footprint, object| f.accesses.iter().filter(|x| x.object == object).count();
    let mut value = Vec::new();
    a.accesses.iter().any(|x| {
        b.accesses.iter().filter(|y| x.object == y.object).any(|y| {
            let object = &system.objects()[x.object.index()];
            if constant || count(a, x.object) > 1 || count(b, x.object) > 1 {
                return object.constant(&x.operation, &y.operation);
            }
            system.value(state, x.object, &mut value);
            object.dependent(&x.operation, &y.operation, &value)
        })
    })
}

/// The end of an atomic region that was not followed to its end.
const ENDLESS: &[u8] = b"Endless";

/// Where a step ends, atomic regions executed to their ends; faults count as ends of their own.
fn ends(system: &Interpreter, state: &[u8], step: Step) -> BTreeSet<Vec<u8>> {
    let mut out = BTreeSet::new();
    let mut batch = Batch::default();
    system.expand(state, Chosen::Steps(&[step]), &mut batch);
    let mut seen = HashSet::new();
    let mut work: Vec<(Vec<u8>, bool)> = Vec::new();
    let mut regions = 0;
    let collect = |batch: &Batch,
                   out: &mut BTreeSet<Vec<u8>>,
                   seen: &mut HashSet<Vec<u8>>,
                   work: &mut Vec<(Vec<u8>, bool)>| {
        for violation in batch.violations() {
            out.insert(format!("{:?} {}", violation.kind, violation.place).into_bytes());
        }
        for (index, successor) in batch.successors().iter().enumerate() {
            let state = batch.state(index).to_vec();
            if successor.interior {
                if seen.insert(state.clone()) {
                    work.push((state, true));
                }
            } else {
                out.insert(state);
            }
        }
    };
    collect(&batch, &mut out, &mut seen, &mut work);
    while let Some((state, _)) = work.pop() {
        // Regions without an end are cut off; the caller sees where.
        regions += 1;
        if regions > 300 {
            out.insert(ENDLESS.to_vec());
            return out;
        }
        batch.clear();
        system.expand(&state, Chosen::All, &mut batch);
        collect(&batch, &mut out, &mut seen, &mut work);
    }
    out
}

fn enabled(system: &Interpreter, state: &[u8]) -> Vec<Step> {
    let mut out = Vec::new();
    system.enabled(state, &mut out);
    out
}

fn footprint(system: &Interpreter, state: &[u8], step: Step) -> Footprint {
    let mut out = Footprint::default();
    system.step(state, step, &mut out);
    out
}

fn is_state(system: &Interpreter, end: &[u8]) -> bool {
    // Faults are recorded as text, which is no state.
    end != ENDLESS
        && !end.starts_with(b"Fault")
        && !end.starts_with(b"Assertion")
        && system.state_size().is_none_or(|s| s == end.len())
}

/// Checks all pairs of steps in a state; returns how many pairs are independent.
fn check_state(system: &Interpreter, state: &[u8], source: &str) -> usize {
    let steps = enabled(system, state);
    let footprints: Vec<Footprint> = steps.iter().map(|s| footprint(system, state, *s)).collect();
    check_summaries(system, state, &steps, &footprints, source);
    let mut independent = 0;
    for (i, &a) in steps.iter().enumerate() {
        for (j, &b) in steps.iter().enumerate() {
            if i == j || dependent(system, state, &footprints[i], &footprints[j], false) {
                continue;
            }
            independent += 1;
            let orders = [(a, b), (b, a)].map(|(first, second)| {
                let mut reached = BTreeSet::new();
                let mut faults = BTreeSet::new();
                for middle in ends(system, state, first) {
                    if !is_state(system, &middle) {
                        faults.insert(middle);
                        continue;
                    }
                    assert!(
                        enabled(system, &middle).contains(&second),
                        "{first:?} disables {second:?} in {:?}\n{source}",
                        mazurka_model::Describe::values(system, state)
                    );
                    for end in ends(system, &middle, second) {
                        if is_state(system, &end) {
                            reached.insert(end);
                        } else {
                            faults.insert(end);
                        }
                    }
                }
                (reached, faults)
            });
            if orders.iter().any(|(_, faults)| faults.contains(ENDLESS)) {
                continue;
            }
            // A fault of one step cuts the other off in one order only; all else must agree.
            assert_eq!(orders[0].0, orders[1].0, "{a:?} {b:?} do not commute\n{source}");
        }
        // Nobody else is enabled by a step that is independent of all they may do next.
        for middle in ends(system, state, a).iter().filter(|e| is_state(system, e)) {
            for c in enabled(system, middle) {
                let later = footprint(system, middle, c);
                if steps.contains(&c) || later.processes.iter().any(|p| footprints[i].processes.contains(p)) {
                    continue;
                }
                if c.process.index() >= system.processes(state) {
                    continue;
                }
                // A process that has just been created is seen through what its partner waits for.
                let mut next = Footprint::default();
                let touches = later.processes.iter().any(|&p| {
                    system.next(state, p, &mut next);
                    dependent(system, state, &footprints[i], &next, true)
                });
                assert!(touches, "{a:?} enables {c:?} unseen\n{source}");
            }
        }
    }
    independent
}

fn contains(set: &[u64], object: usize) -> bool {
    set[object / 64] >> (object % 64) & 1 == 1
}

fn is_subset(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a & !b == 0)
}

/// step is within next, next within the located support, that within the support of all the code.
fn check_summaries(
    system: &Interpreter,
    state: &[u8],
    steps: &[Step],
    footprints: &[Footprint],
    source: &str,
) {
    let mut next = Footprint::default();
    let (mut objects, mut located, mut whole) = (Vec::new(), Vec::new(), Vec::new());
    for pid in 0..system.processes(state) {
        let process = ProcessId(pid as u16);
        system.next(state, process, &mut next);
        let sound = system.next_objects(state, process, &mut objects);
        system.support(state, process, true, &mut located);
        system.support(state, process, false, &mut whole);
        assert!(next.accesses.iter().all(|a| contains(&objects, a.object.index())), "{source}");
        assert!(!next.everything || !sound);
        assert!(is_subset(&objects, &located), "next is not in the support of {pid}\n{source}");
        assert!(is_subset(&located, &whole));
        assert_eq!(system.next_is_local(state, process), next.is_local(), "{source}");
        for (step, used) in steps.iter().zip(footprints).filter(|(s, _)| s.process == process) {
            let mine = used.accesses.iter().filter(|a| a.operation.process == process);
            for access in mine {
                assert!(contains(&objects, access.object.index()), "{step:?} {access:?}\n{source}");
            }
        }
        // What may be touched only becomes less.
        let mut later = Vec::new();
        for &step in steps {
            for end in ends(system, state, step).iter().filter(|e| is_state(system, e)) {
                let same = system.location(state, pid).map(|l| l.0) == system.location(end, pid).map(|l| l.0);
                if same && pid + 1 < system.processes(end).min(system.processes(state)) {
                    system.support(end, process, true, &mut later);
                    assert!(is_subset(&later, &located), "the support of {pid} grows\n{source}");
                }
            }
        }
    }
}

fn check(source: &str) -> usize {
    let system = model(source);
    explore(&system).states.iter().map(|state| check_state(&system, state, source)).sum()
}

#[test]
fn hand_written_models() {
    let models = [
        // Arrays with known indices.
        "program t var a: byte[3] process P(i: byte) { end location d start s
           s -> m when a[i] == 0 do a[i] = a[i] + 1 m -> d do a[_pid] = a[_pid] + 1 } start P(0), P(1), P(1)",
        // Increments commute.
        "program t var x: byte process P() { end location d start s s -> d do x = x + 1 s -> d do x = 2 }
           start P(), P(), P()",
        // Queues from both ends.
        "program t chan q[2]: byte var n: byte
           process S() { end location d start s s -> m do q!1 m -> s do q!2 s -> d when full(q) }
           process R() { end location d start s s -> s do q?1 s -> s do q?2 s -> d when empty(q) do n = len(q) }
           start S(), R()",
        // Handshakes, one of several partners.
        "program t chan c[0]: byte var x: byte var y: byte
           process S(v: byte) { end location d start s s -> d do c!v; y = y + 1 }
           process R() { end location d start s s -> d do c?x s -> d do c?2 }
           start S(1), S(2), R(), R()",
        // Atomic regions, with and without handshakes inside.
        "program t var x: byte var y: byte chan q[1]: byte
           process P() { local k: byte end location d atomic location b atomic location c start s
             s -> b do k = x b -> c do q!k c -> d do x = k + 1; y = y + 1 c -> d when y do q?_ }
           process Q() { end location d start s s -> d do q?_ s -> d do y = 1 }
           start P(), P(), Q()",
        "program t chan c[0]: byte var x: byte
           process S() { end location d atomic location b atomic location e start s s -> b do x = x + 1 b -> e do c!1 e -> d do x = 5 }
           process R() { end location d atomic location b start s s -> b do c?_ b -> d do x = x * 2 s -> d do x = 7 }
           start S(), R(), R()",
        // A cycle inside an atomic region sends more than once, so it depends on a receive although
        // the first send does not.
        "program t chan q[2]: byte
           process P() { local k: byte end location d atomic location b start s
             s -> t do q!9 t -> b b -> b when k < 2 do q!k; k = k + 1 b -> d when k == 2 }
           process Q() { end location d start s s -> d do q?_ }
           start P(), Q()",
        // `otherwise` beside channels and objects.
        "program t chan q[1]: byte semaphore s = 1 var x: byte
           process P() { end location d start a a -> d do q!1 a -> d otherwise do x = 1 }
           process Q() { end location d start a a -> b do q?_ a -> b otherwise b -> d do s.wait() b -> d otherwise do x = 2 }
           process R() { end location d start a a -> d do s.signal() a -> d do s.wait() }
           start P(), P(), Q(), R()",
        // Processes that come and go, with channels of their own.
        "program t chan post[2]: chan var x: byte
           process Main() { end location d start a a -> b do run W(1) b -> d do run W(2) }
           process W(v: byte) { chan mine[1]: byte local to: chan end location d start a
             a -> b do post!mine a -> b do mine!v b -> c do post?to b -> c do mine?x c -> d do to!v c -> d when _processes < 3 d -> d do exit }
           start Main()",
        // Channels behind parameters and constant arrays.
        "program t chan q[1]: byte chan r[1]: byte var way: chan[2] = [q, r] var x: byte
           process S(to: chan) { end location d start a a -> b do to!3 b -> d do way[_pid]!4 }
           process R(from: chan) { local c: chan end location d start a a -> b do from?x b -> c do c = from c -> d do c?_ }
           start S(q), S(r), R(r), R(q)",
        // Objects.
        "program t mutex m rwlock w barrier b = 2 condvar c timer t place p = 1 flag f var x: byte
           process P() { end location d start a a -> e do m.lock(); x = x + 1 e -> g do m.unlock(); f.set() g -> h do b.arrive() h -> d do b.pass(); t.start() }
           process Q() { end location d start a a -> e do w.acquire_read() e -> g do w.release_read() g -> d when f.test() do p.consume(1) g -> d do t.expire() }
           start P(), P(), Q()",
    ];
    let independent: Vec<usize> = models.iter().map(|source| check(source)).collect();
    // A test that finds no independent pair anywhere would pass without checking anything.
    assert!(independent.iter().sum::<usize>() > 100, "{independent:?}");
}

/// A small generator of numbers, so that failures repeat.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

fn random_program(seed: u64) -> String {
    let mut n = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let dynamic = n.below(4) == 0;
    let mut out = String::from(
        "program t limit 6 var x: bit var y: byte var a: bit[2] var g: bit\n\
         chan q[1]: byte chan r[2]: byte chan c[0]: byte semaphore s = 1 var way: chan[2] = [q, c] var hold: chan\n",
    );
    const GUARDS: &[&str] = &[
        "x",
        "!x",
        "y < 2",
        "a[i] == 0",
        "a[1 - i] < 2",
        "a[g] == 1",
        "len(r) < 2",
        "len(q) == 0",
        "0 < len(r)",
        "!len(q)",
        "1 <= len(q)",
        "len(r) == 2",
        "len(way[i]) > 0",
        "len(via) != 1",
        "empty(q)",
        "full(r)",
        "r?[1]",
        "k == 0",
        "s.value() > 0",
        "_pid == 0",
        "_processes < 5",
        "r??[2]",
    ];
    const FIRST: &[&str] = &[
        "q!1",
        "q!k",
        "q?k",
        "q?1",
        "q?(i)",
        "r!2",
        "r!y",
        "r?y",
        "r?_",
        "c!1",
        "c!k",
        "c?k",
        "c?1",
        "c?a[i]",
        "via!1",
        "via?k",
        "way[i]!1",
        "way[i]?k",
        "s.wait()",
        "s.signal()",
        "k = 1 - k",
        "r!!1",
        "r??2",
        "peek r?k",
        "hold!1",
        "way[g]?_",
    ];
    const LATER: &[&str] = &[
        "x = 1",
        "x = 0",
        "x = 1 - x",
        "y = (y + 1) % 3",
        "a[i] = 1",
        "a[i] = a[i] - 1",
        "a[g] = 0",
        "a[k] = k",
        "g = k",
        "k = 1 - k",
        "k = x",
        "hold = q",
        "hold = via",
        "r!1",
        "q?_",
        "assert x == 0",
        "a[1 - k] = i",
        "s.signal()",
        "x = x + 1",
        "x = x + k",
        "y = i + y",
        "a[i] = a[i] - k",
        "x = x + a[i]",
        "y = i",
    ];
    let types = 2 + n.below(2);
    for kind in 0..types {
        out += &format!("process P{kind}(i: bit, via: chan) {{ local k: bit start l0\n");
        let locations = 2 + n.below(2);
        for l in 0..locations {
            let flags = [n.pick(&["", "", "end "]), n.pick(&["", "", "atomic "])].concat();
            out += &format!("  {flags}location l{l}\n");
        }
        for l in 0..locations {
            for alternative in 0..1 + n.below(2) {
                let mut line = format!("  l{l} -> l{}", n.below(locations));
                if alternative == 1 && n.below(3) == 0 {
                    line += " otherwise";
                } else if n.below(2) == 0 {
                    line += &format!(" when {}", n.pick(GUARDS));
                }
                let mut effects = Vec::new();
                if n.below(3) > 0 {
                    effects.push(n.pick(FIRST));
                }
                for _ in 0..n.below(3) {
                    effects.push(n.pick(LATER));
                }
                if dynamic && n.below(4) == 0 {
                    effects.push(n.pick(&["run P0(1, r)", "exit", "exit"]));
                }
                if !effects.is_empty() {
                    line += &format!(" do {}", effects.join("; "));
                }
                out += &(line + "\n");
            }
        }
        out += "}\n";
    }
    let starts: Vec<String> = (0..2 + n.below(2))
        .map(|_| format!("P{}({}, {})", n.below(types), n.below(2), n.pick(&["q", "r", "c"])))
        .collect();
    out + "start " + &starts.join(", ") + "\n"
}

#[test]
fn random_models() {
    let (mut independent, mut valid) = (0, 0);
    for seed in 0..600 {
        let source = random_program(seed);
        let parsed = text::parse("random.mzk", &source);
        let Some(program) = parsed.program else {
            // The one error that the generator makes.
            assert!(parsed.diagnostics.iter().all(|d| d.message.contains("never executable")), "{source}");
            continue;
        };
        let program = Program { overflow: seed % 4 == 3, ..program };
        let system = Interpreter::new(program).expect("valid");
        let mut seen = HashSet::new();
        let mut batch = Batch::default();
        system.initial(&mut batch);
        let mut work = vec![batch.state(0).to_vec()];
        // Enough of each state space to meet most of what can happen there.
        while let Some(state) = work.pop()
            && seen.len() < 150
        {
            if !seen.insert(state.clone()) {
                continue;
            }
            independent += check_state(&system, &state, &source);
            for step in enabled(&system, &state) {
                work.extend(ends(&system, &state, step).into_iter().filter(|e| is_state(&system, e)));
            }
        }
        valid += 1;
    }

    assert!(valid > 500);
    assert!(independent > 10_000, "{independent}");
}
