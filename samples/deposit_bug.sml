// A bank account, with a mistake that is easy to make: each access is protected by the lock, the deposit is not.
//
// Not atomic: between the two critical sections another deposit may be made, and is then overwritten. There is
// no data race in this program: race detectors are content with it. deposit.sml mends it.
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
