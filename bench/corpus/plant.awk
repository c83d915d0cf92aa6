# plant.awk: plants something into a run in STD text: -v what=split, ring or crossed, -v events=N, the run's length. The
# threads and variables are new ones, so nothing else of the run has a part in it.
#
# split    a write of thread P2 between a read and a write of one transaction of P1, in the middle
# ring     three transactions, through all of the run: P2 overwrites what P1 has read, P3 what P2 has read, and P1 what
#          P3 has read
# crossed  two transactions: P1 is after P2 by q, and before it by p; but no chain leads from one of them back into it
BEGIN {
  if (what == "split") {
    at(.5, "P1|begin(split)|1001"); at(.5, "P1|r(p)|1002"); at(.5, "P2|w(p)|1003"); at(.5, "P1|w(p)|1004")
    at(.5, "P1|end|1005")
  } else if (what == "ring") {
    at(.1, "P1|begin(first)|1001"); at(.1, "P1|r(p)|1002")
    at(.3, "P2|begin(second)|1011"); at(.3, "P2|w(p)|1012"); at(.5, "P2|r(q)|1013"); at(.5, "P2|end|1014")
    at(.6, "P3|begin(third)|1021"); at(.6, "P3|w(q)|1022"); at(.8, "P3|r(s)|1023"); at(.8, "P3|end|1024")
    at(.9, "P1|w(s)|1003"); at(.9, "P1|end|1004")
  } else {
    at(.2, "P2|begin(second)|1011"); at(.2, "P2|w(q)|1012")
    at(.5, "P1|begin(first)|1001"); at(.5, "P1|w(p)|1002"); at(.5, "P1|w(q)|1003"); at(.5, "P1|end|1004")
    at(.8, "P2|w(p)|1013"); at(.8, "P2|end|1014")
  }
}

function at(share, event,    n) {
  n = int(events * share)
  planted[n] = planted[n] event "\n"
}

{ print }
NR in planted { printf "%s", planted[NR] }
