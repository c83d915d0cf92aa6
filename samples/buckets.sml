// A table with a lock for each bucket. Threads that work on different buckets do not wait for each other.
//
// update is atomic, though no lock is held by all. move is not: between its two updates others see the table without
// what is moved. `self` is the number of the thread: each puts its own number into the bucket where it starts.
// run: -D N=2
// expect: violated
// expect-block: update: atomic
// expect-block: move: violated
int BUCKET[3]; int OWNER[N]; lock guard[3];

N * {
  local int[3] i;
  i := nondet;
  begin:update
    acquire(guard[i])
    BUCKET[i] := self; OWNER[self] := i
    release(guard[i])
  end;
  begin:move
    acquire(guard[i]) BUCKET[i] := 0; release(guard[i])
    i := (i + 1) % 3;
    acquire(guard[i]) BUCKET[i] := self; release(guard[i])
  end
}
