// A producer and a consumer with room for one message, which FULL guards.
//
// Both are atomic: FULL alone says whose turn it is, and the last thing a block does is to hand the turn over.
// Compare producer_consumer_bug.sml.
// expect: atomic
// expect-block: put: atomic
// expect-block: get: atomic
bool FULL; int MESSAGE, LENGTH;

while (true) {
  await (FULL = false);
  begin:put
    MESSAGE := nondet;
    LENGTH := nondet;
    FULL := true
  end
}
||
while (true) {
  await (FULL = true);
  begin:get
    m := MESSAGE;
    n := LENGTH;
    FULL := false
  end
}
