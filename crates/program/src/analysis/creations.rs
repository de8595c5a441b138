//! How many processes of each type there can be in one run, removed ones included.
//!
//! Three things bound how often a transition is executed in a run, and each holds of all runs:
//!
//! - a transition to which no way leads back is executed at most once by each process of its type;
//! - one that can be reached, from the start and from itself, only through another is executed at most as often as that one;
//! - one that takes a message from a channel is executed at most as often as messages are sent to it.
//!
//! And there are as many processes of a type as at the beginning, and one more for each time that one is created. What follows from all that is found by
//! starting with no bounds and drawing conclusions until there is nothing new: whatever is found on the way is a bound. So a
//! process that creates others of its own type is bounded if each of them must first take a message, and there are only so many.

use super::objects::ObjectTable;
use crate::ir::{ChannelRef, Effect, Expression, ProcessType, Program, Transition};

/// No bound is known.
const UNBOUNDED: u64 = u64::MAX;
/// Transitions of a process type beyond which it is not looked for what bounds them, so that large programs don't wait.
const MOST: usize = 1_000;

/// A transition that creates processes, or sends or receives.
struct Site<'p> {
    kind: usize,
    transition: &'p Transition,
    /// No way leads back to it.
    once: bool,
    /// Sites through which alone it can be reached.
    through: Vec<usize>,
    /// The site takes a message that one of these sites sends, and how many each sends; `None`: it takes none, or one of which nothing is known.
    senders: Option<Vec<(usize, u64)>>,
    /// How often it can be executed.
    often: u64,
}

/// By type, how many processes there can be in a run; `None` if that can't be told of some type.
pub fn most_processes(program: &Program, objects: &ObjectTable) -> Option<Vec<u64>> {
    let mut sites = sites(program, objects)?;
    let mut instances = vec![UNBOUNDED; program.types.len()];
    // As many rounds as there are conclusions to pass on; fewer are right, too.
    for _ in 0..sites.len() + program.types.len() + 1 {
        let before: Vec<u64> = sites.iter().map(|site| site.often).collect();
        for index in 0..sites.len() {
            let often = |other: usize| sites[other].often;
            let site = &sites[index];
            let by_instances = if site.once { instances[site.kind] } else { UNBOUNDED };
            let by_way = site.through.iter().map(|&other| often(other)).min().unwrap_or(UNBOUNDED);
            let sent = |senders: &Vec<(usize, u64)>| {
                senders.iter().fold(0_u64, |sum, &(sender, many)| {
                    sum.saturating_add(often(sender).saturating_mul(many))
                })
            };
            let by_messages = site.senders.as_ref().map_or(UNBOUNDED, sent);
            sites[index].often = site.often.min(by_instances).min(by_way).min(by_messages);
        }
        let counted = count(program, &sites);
        if counted == instances && sites.iter().zip(&before).all(|(site, before)| site.often == *before) {
            break;
        }
        instances = counted;
    }
    instances.iter().all(|&many| many != UNBOUNDED).then_some(instances)
}

/// How many processes of each type there can be, if transitions are executed as often as that.
fn count(program: &Program, sites: &[Site<'_>]) -> Vec<u64> {
    let mut instances = vec![0_u64; program.types.len()];
    program.initial.iter().for_each(|start| instances[start.process.index()] += 1);
    for site in sites {
        for effect in &site.transition.effects {
            if let Effect::Run { process, .. } = effect {
                let many = &mut instances[process.index()];
                *many = many.saturating_add(site.often);
            }
        }
    }
    instances
}

/// The transitions that create, send or receive; `None` if there are too many to look at.
fn sites<'p>(program: &'p Program, objects: &ObjectTable) -> Option<Vec<Site<'p>>> {
    let mut sites = Vec::new();
    for (kind, process) in program.types.iter().enumerate() {
        let counts = |effect: &Effect| {
            matches!(effect, Effect::Run { .. } | Effect::Send { .. } | Effect::Receive { .. })
        };
        let first = sites.len();
        for transition in process.transitions.iter().filter(|t| t.effects.iter().any(counts)) {
            let once = !reaches(process, transition.to.index(), transition.from.index(), None);
            sites.push(Site { kind, transition, once, through: Vec::new(), senders: None, often: UNBOUNDED });
        }
        if process.transitions.len() > MOST {
            return None;
        }
        for index in first..sites.len() {
            let at = sites[index].transition;
            let only_through = |other: &usize| {
                let removed = Some(sites[*other].transition);
                *other != index
                    && !reaches(process, process.start.index(), at.from.index(), removed)
                    && !reaches(process, at.to.index(), at.from.index(), removed)
            };
            sites[index].through = (first..sites.len()).filter(only_through).collect();
        }
    }
    for index in 0..sites.len() {
        let received = sites[index].transition.effects.iter().find_map(|effect| match effect {
            Effect::Receive { channel: Expression::Channel(ChannelRef::Global(id)), keep: false, .. } => {
                Some(id.index())
            }
            _ => None,
        });
        let senders = |channel: usize| {
            let many = sites.iter().enumerate().map(|(at, site)| (at, sends(site, channel, objects)));
            many.filter(|(_, many)| *many > 0).collect()
        };
        sites[index].senders = received.map(senders);
    }
    Some(sites)
}

/// How many messages a transition may send to a global channel.
fn sends(site: &Site<'_>, channel: usize, objects: &ObjectTable) -> u64 {
    let may_be = |e: &Expression| match e {
        Expression::Channel(ChannelRef::Global(id)) => id.index() == channel,
        Expression::Channel(ChannelRef::Own(_)) => false,
        computed => {
            let among = objects.points_to.among(site.kind, computed);
            objects.points_to.objects(among).contains(&objects.channel(channel))
        }
    };
    let sent = |effect: &&Effect| matches!(effect, Effect::Send { channel, .. } if may_be(channel));
    site.transition.effects.iter().filter(sent).count() as u64
}

/// Whether a way leads from one location to another, without one of the transitions.
fn reaches(process: &ProcessType, from: usize, to: usize, without: Option<&Transition>) -> bool {
    let mut seen = vec![false; process.locations.len()];
    seen[from] = true;
    let mut changed = true;
    while changed && !seen[to] {
        changed = false;
        for transition in &process.transitions {
            let removed = without.is_some_and(|without| std::ptr::eq(without, transition));
            if !removed && seen[transition.from.index()] && !seen[transition.to.index()] {
                seen[transition.to.index()] = true;
                changed = true;
            }
        }
    }
    seen[to]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse;

    fn most(text: &str) -> Option<Vec<u64>> {
        let program =
            parse("creations.mzk", &format!("program creations {text}")).program.expect("a program");
        let objects = ObjectTable::new(&program, false);
        most_processes(&program, &objects)
    }

    #[test]
    fn who_goes_on_creates_so_many() {
        let child = "process child() { location a  end location b  start a  a -> b }";
        let once = "process main() { location a  location b  location c  start a  a -> b do run child()  b -> c do run child() }";
        assert_eq!(most(&format!("{child} {once} start main()")), Some(vec![2, 1]));
        assert_eq!(most(&format!("{child} {once} start main(), main()")), Some(vec![4, 2]));
        let endless = "process main() { location a  start a  a -> a do run child() }";
        assert_eq!(most(&format!("{child} {endless} start main()")), None);
    }

    #[test]
    fn messages_bound_who_creates_his_like() {
        let source =
            "process source() { location a  location b  location c  start a  a -> b do q!1  b -> c do q!1 }";
        let taking = "process tree() { location a  location b  end location c  start a  a -> b do q?1  b -> c do run tree(); run tree() }";
        assert_eq!(
            most(&format!("chan q[2]: byte {source} {taking} start source(), tree()")),
            Some(vec![1, 5])
        );
        // The message is only looked at, so that one is enough for all.
        let looking = taking.replace("q?1", "peek q?1");
        assert_eq!(most(&format!("chan q[2]: byte {source} {looking} start source(), tree()")), None);
        // A way leads round the receive.
        let round = taking.replace("a -> b do q?1", "a -> b do q?1  a -> b");
        assert_eq!(most(&format!("chan q[2]: byte {source} {round} start source(), tree()")), None);
    }

    #[test]
    fn a_loop_through_a_receive_goes_on_as_long_as_there_are_messages() {
        let child = "process child() { location a  end location b  start a  a -> b }";
        let source = "process source() { location a  location b  start a  a -> b do q!1; q!2 }";
        let server =
            "process server() { location a  location b  start a  a -> b do q?1  b -> a do run child() }";
        let all = format!("chan q[2]: byte {child} {source} {server} start source(), server()");
        assert_eq!(most(&all), Some(vec![2, 1, 1]));
    }
}
