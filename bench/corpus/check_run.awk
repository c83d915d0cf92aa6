# check_run.awk: a run in STD text, by the definitions, in words of its own: prints "serializable" or "violated", and
# "atomic" or "violated", for -v notion=serializable and notion=causal. Two events depend on each other if they are of
# one thread, or access one variable and one of them writes it, or one is the fork or join of the other one's thread.
#
# serializable: no cycle through transactions, each event outside of all being one, in the graph of all dependences.
# causal: for no transaction a chain of dependences leads from one of its events through another thread's back into it.
#
# All pairs of events are looked at, so it is for short runs. Acquire and release are no events of the definitions.
BEGIN { FS = "|"; n = 0; transactions = 0 }

function parse(text) {
  what = text
  sub(/\(.*/, "", what)
  of = text
  sub(/^[^(]*\(?/, "", of)
  sub(/\)$/, "", of)
}

{
  parse($2)
  t = $1
  if (what == "begin") { if (depth[t]++ == 0) open[t] = ++transactions; next }
  if (what == "end") { if (--depth[t] == 0) delete open[t]; next }
  if (what != "r" && what != "w" && what != "fork" && what != "join") next
  n++
  thread[n] = t
  kind[n] = what
  object[n] = of
  inside[n] = (t in open)
  transaction[n] = inside[n] ? open[t] : ++transactions
}

function depend(i, j) { # i < j
  if (thread[i] == thread[j]) return 1
  if (kind[i] == "fork" && object[i] == thread[j]) return 1
  if (kind[j] == "join" && object[j] == thread[i]) return 1
  if (object[i] != object[j]) return 0
  return (kind[i] == "w" && (kind[j] == "w" || kind[j] == "r")) || (kind[i] == "r" && kind[j] == "w")
}

# Kahn: what can be taken away, a transaction without predecessors at a time
function has_cycle(    i, j, a, b, left, head, tail, queue, in_degree, edge, successors, parts, k, m) {
  for (j = 2; j <= n; j++)
    for (i = 1; i < j; i++) {
      a = transaction[i]; b = transaction[j]
      if (a == b || (a, b) in edge || !depend(i, j)) continue
      edge[a, b] = 1
      successors[a] = successors[a] " " b
      in_degree[b]++
    }
  for (i = 1; i <= transactions; i++) if (!in_degree[i]) queue[++tail] = i
  left = transactions
  while (head < tail) {
    a = queue[++head]
    left--
    m = split(successors[a], parts, " ")
    for (k = 1; k <= m; k++) if (--in_degree[parts[k]] == 0) queue[++tail] = parts[k]
  }
  return left > 0
}

# is[j] is 1 inside the transaction, 2 if a chain from it has left it and come to j
function is_split(b,    i, j, first, is) {
  for (j = 1; j <= n; j++) {
    if (transaction[j] == b) {
      for (i = first; first && i < j; i++) if (is[i] == 2 && depend(i, j)) return 1
      is[j] = 1
      if (!first) first = j
    } else if (first)
      for (i = first; i < j; i++) if (is[i] && (is[i] == 2 || thread[i] != thread[j]) && depend(i, j)) { is[j] = 2; break }
  }
  return 0
}

function any_split(    b, j, wanted) {
  for (j = 1; j <= n; j++) if (inside[j]) wanted[transaction[j]] = 1
  for (b in wanted) if (is_split(b + 0)) return 1
  return 0
}

END {
  if (notion == "causal") print any_split() ? "violated" : "atomic"
  else print has_cycle() ? "violated" : "serializable"
}
