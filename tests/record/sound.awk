# sound.awk: what is true of every log, in the STD format: a lock is acquired while it is free, and released by its holder, and shared while nobody
# has it; nothing of a thread comes before its fork or after its exit, which comes before the join; ends have begins; what is waited for was
# signalled before.
BEGIN { FS = "[|]" }
/^#/ || /^$/ { next }
{
  thread = $1
  op = $2; sub(/\(.*/, "", op)
  object = $2; sub(/^[^(]*\(/, "", object); sub(/\).*/, "", object)
  if (thread in gone) fault(thread " goes on after its exit")
  if (!(thread in seen) && NR > 1 && thread != "T0" && !(thread in forked)) fault(thread " was not forked")
  seen[thread] = 1
}
op == "fork" { if (object in seen) fault(object " was there before its fork"); forked[object] = 1 }
op == "join" { if ((object in seen) && !(object in gone)) fault(object " is joined before its exit") }
op == "exit" { gone[thread] = 1 }
op == "acq" || op == "try" {
  if (object in holder) fault(object " is held by " holder[object])
  if (sharers[object] > 0) fault(object " is shared")
  holder[object] = thread
}
op == "rel" { if (holder[object] != thread) fault(object " is not held"); delete holder[object] }
op == "sacq" || op == "stry" {
  if (object in holder) fault(object " is held by " holder[object])
  if ((thread, object) in shares) fault(object " is shared by it already")
  shares[thread, object] = 1; sharers[object]++
}
op == "srel" {
  if (!((thread, object) in shares)) fault(object " is not shared")
  delete shares[thread, object]; sharers[object]--
}
op == "sig" { signalled[object] = 1 }
op == "wait" { if (!(object in signalled)) fault(object " was not signalled") }
op == "begin" { open[thread]++ }
op == "end" { if (open[thread]-- <= 0) fault("an end without a begin") }
END { exit bad }
function fault(text) { if (!bad++) print "line " NR ": " text ": " $0 }
