# A run in STD text of N events or a few more: threads are forked, begin, read, write, lock, end and are joined, over and over, and
# variables are freed. It is not serializable in several ways, with locations of few lines, so that --all ends.
function dice(n) {
  seed = (seed * 1103515245 + 12345) % 2147483648
  return int(seed / 65536) % n
}
function say(t, what) {
  print "T" t "|" what "|a.c:" 1 + dice(12)
  events++
}
BEGIN {
  for (seed = 42; events < N;) {
    t = 1 + dice(20)
    d = dice(100)
    if (!(t in depth)) {
      say(0, "fork(T" t ")")
      depth[t] = 0
    } else if (d < 8) {
      say(t, "begin(f" dice(5) ")")
      depth[t]++
    } else if (d < 22 && depth[t]) {
      say(t, "end")
      depth[t]--
    } else if (d < 24 && !depth[t]) {
      say(0, "join(T" t ")")
      delete depth[t]
    } else if (d < 26) {
      say(t, "free(x" 300 * t + dice(290) ")")
    } else if (d < 28) {
      say(t, "acq(l" t ")")
      say(t, "rel(l" t ")")
    } else {
      object = dice(60) ? 300 * t + dice(290) : dice(12)
      say(t, (dice(9) ? "r" : "w") "(x" object ")")
    }
  }
}
