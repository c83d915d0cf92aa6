// A warning about a value takes into account what the thread has seen of it, while a lock keeps it so.
// run: -D N=2
int[4] stock := 3, mine, free, d, far; int[2] seen; bool stop; lock l, m;

N * {
  acquire(l)
  if (stock != 1) { stock := stock - 1 }            // warned of: it may be 0
  if (stock > 0) { stock := stock - 1 }
  while (stock < 3) { stock := stock + 1 }
  d := 0; d := d + 1;
  if (d > 0) { x := 6 / d; d := d - 1; x := 6 / d } // warned of: the second may be by 0
  release(l)

  if (stock > 0) { stock := stock - 1 }             // warned of: no lock is held
  acquire(l)
  if (stock > 0) { release(l) acquire(l) stock := stock - 1 } // warned of: it was released in between
  if (stock > 0) { acquire(m) release(m) stock := stock - 1 }
  await (stock > 1);
  stock := stock - 2;
  stock := stock - 2;                               // warned of
  release(l)
  if (nondet) { acquire(m) }
  if (stock > 0) { stock := stock - 1 }             // warned of: no lock is held for certain
  release(m)                                        // warned of, too
  begin seen := mine < 2 end
}
||
while (mine < 3) { mine := mine + 1 }               // no other thread writes it
mine := mine - 3; mine := mine - 1;                 // warned of
atomic { if (free > 0) { free := free - 1 } }
if (far > 0) { mine := far - 1 }                    // warned of: the other thread may write it
|| free := 2; far := 1
