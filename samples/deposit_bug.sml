// A bank account with a common mistake: each access is protected by the lock, but the deposit is not.
//
// Not atomic: between the two critical sections another deposit may be made, which is then overwritten. The
// program has no data race, so race detectors find nothing wrong with it. deposit.sml fixes it.
// run: -D CLIENTS=2
// run: -D CLIENTS=5
// expect: violated
int BALANCE; lock account;

CLIENTS * {
  begin:deposit
    acquire(account)
    b := BALANCE;
    release(account)
    b := b + 100;
    acquire(account)
    BALANCE := b;
    release(account)
  end
}
