// every warning there is
// run: -D M=3 -D N=1
bool F, G := 3; lock l, unused;
proc p { release(l) }
N * {
  local int[3] k;
  k := k + 2; k := k + 2;
  k := k - 5;
  x := 1 / 0;
  Missing := Missing + F;
  acquire(l)
  while (nondet) { acquire(l) }
  call p; call p;
  if (k > 3) { begin:dead skip end }
  F := not F
}
|| G := F
