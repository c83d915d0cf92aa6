// The producer and consumer of producer_consumer.sml; but the consumer announces that there is room before it
// has read everything.
//
// get is not atomic: the producer may write the next message in the middle of it. put is atomic: it depends on
// nothing that the consumer does in the middle of it.
// expect: violated
// expect-block: put: atomic
// expect-block: get: violated
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
    FULL := false;
    n := LENGTH
  end
}
