// A buffer that belongs to one thread after another: OWNER says to whom, and who is done hands it over.
//
// Atomic, though there is no lock: only the owner touches the buffer, and handing it over is the block's last event.
// Handed over one statement earlier, `fill` would write what is no longer its own.
// expect: atomic
int[3] OWNER; int HEAD, BODY;

while (true) {
  await (OWNER = 0);
  begin:fill
    HEAD := nondet;
    BODY := nondet;
    OWNER := 1
  end
}
||
while (true) {
  await (OWNER = 1);
  begin:encode
    h := HEAD;
    BODY := BODY + h;
    OWNER := 2
  end
}
||
while (true) {
  await (OWNER = 2);
  begin:send
    h := HEAD;
    b := BODY;
    OWNER := 0
  end
}
