//! The notation `.mzk`: guarded commands, one transition a line.
//!
//! ```text
//! program example
//! var fork: bit[3]                  // bit, byte, short, int, unsigned(5), chan
//! var where: chan[2] = [q, 0]       // channels are values; 0 is none
//! chan q[2]: byte, byte             // holds two messages; [0] is a rendezvous
//! semaphore s = 1
//! process P(me: byte) {
//!   local k: byte = 2
//!   chan own[1]: byte               // one for each instance
//!   start think
//!   end location done
//!   atomic location grab            // every transition into it holds: the process goes on alone
//!   think -> grab when fork[me] == 0, k < 3 do fork[me] = 1; s.wait()
//!   grab -> eat do q!3,k; k = k + 1; assert k < 9
//!   eat -> eat do q?k,3             // stores the first field, asks the second to be 3
//!   eat -> eat do q?(k),_           // parentheses: asks the field to equal k
//!   eat -> done otherwise
//!   done -> done do run P(me + 1); exit
//! }
//! start P(0), P(1)
//! ```
//!
//! Besides: `q!!…` sends sorted, `q??…` receives the first message that matches, `peek q?…` leaves
//! it there; `q?[1,_]` in an expression asks whether it is possible; `len(q)`, `empty(q)`,
//! `full(q)`; `_pid`, `_processes`; `s.value()` asks an object; `::x` is the global `x` where a
//! local hides it; a name in backquotes may contain anything. A location must be declared or have a
//! transition that leaves it. A transition may be marked `holding` by itself; of those of one `in_group 1`
//! only the first that is executable is taken, and an executable `escaping 1` keeps the later ones of
//! another number from being executed; at an `urgent location` a process must be able to move.
//! `initially x = e` stores in a local of a new process; `_timeout` is true if nothing else can move.
//! `limit 1000` at the top allows 1000 processes; after `overflow` there, a message sent to a full channel is
//! lost and its sender goes on.

mod lexer;
mod names;
mod parser;
mod printer;

pub use parser::{Parsed, parse};
pub use printer::{print, print_expression, print_transition};
