// acquired twice, released without need; each is told once, however many threads there are
// run: -DN=3
rwlock r;
proc done { unlock(r) }
N * { begin rdlock(r); if (nondet) { wrlock(r) } call done; call done; rdlock(r); unlock(r) end }
