// Fourteen choices between two in one atomic sequence: 16384 ways through it.
// states: 24
// transitions: 16403
// verdict: deadlock
short x;
active proctype P() {
  atomic {
    if :: x = x + 1 :: skip fi;
    if :: x = x + 2 :: skip fi;
    if :: x = x + 4 :: skip fi;
    if :: x = x + 8 :: skip fi;
    if :: x = x + 16 :: skip fi;
    if :: x = x + 32 :: skip fi;
    if :: x = x + 64 :: skip fi;
    if :: x = x + 128 :: skip fi;
    if :: x = x + 256 :: skip fi;
    if :: x = x + 512 :: skip fi;
    if :: x = x + 1024 :: skip fi;
    if :: x = x + 2048 :: skip fi;
    if :: x = x + 4096 :: skip fi;
    if :: x = x + 8192 :: skip fi;
    x = x & 7
  };
  assert(x < 8)
}
active proctype Q() { x == 3; x = 0 }
