// A D_proctype that has a choice once another process has moved, and goes on all the same.
// states: 68
// transitions: 103
// verdict: assertion
byte x;
chan q = [1] of { byte };
active D_proctype P() {
  byte v;
  do
  :: x == 0 -> skip; break
  :: q?v -> x = v
  :: x >= 2 -> x = 1
  :: x == 1 -> break
  od
}
active proctype Q() { x = 2; q!3; x++ }
