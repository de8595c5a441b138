// The alternating bit protocol with losses.
// states: 25
// transitions: 29
// verdict: holds
chan s = [1] of { bit }; chan r = [1] of { bit };
active proctype Sender() { bit b, k; end: do :: s!b; if :: r?k -> if :: k == b -> b = 1 - b :: else fi :: timeout fi od }
active proctype Receiver() { bit e, k; end: do :: s?k -> if :: k == e -> e = 1 - e :: else fi; r!k :: s?_ od }
