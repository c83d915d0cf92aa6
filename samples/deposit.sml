// The bank account of deposit_bug.sml, fixed: one critical section from the read to the write. Atomic.
// run: -D CLIENTS=2
// run: -D CLIENTS=5
// expect: atomic
int BALANCE; lock account;

CLIENTS * {
  begin:deposit
    acquire(account)
    b := BALANCE;
    b := b + 100;
    BALANCE := b;
    release(account)
  end
}
