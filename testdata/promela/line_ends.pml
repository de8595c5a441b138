// Separators that may be left out, doubled, or be arrows.
// states: 12
// transitions: 12
// verdict: holds
byte x
active proctype P()
{
  if
  :: x == 0 -> x = 1
  :: else
  fi
  do
  :: x < 3 ->
     x++;
  :: else -> break;
  od
  { x = 7; }
  atomic { x++ -> x++; }
  x = 0;
}
