# least.sh: the least time of a command. Sourced, with $runs and a folder $work.
now() { date +%s%N; }

# COMMAND: its least time goes to $best, in nanoseconds; what it printed last, to $work/result and $work/messages
least() {
  best=
  i=0
  while [ $i -lt "$runs" ]; do
    start=$(now)
    eval "$1" >"$work/result" 2>"$work/messages"
    end=$(now)
    [ -n "$best" ] && [ $((end - start)) -ge "$best" ] || best=$((end - start))
    i=$((i + 1))
  done
}
