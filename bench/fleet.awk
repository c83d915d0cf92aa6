# fleet.awk: how long a fleet of machines takes for many inputs that are shared out (docs/scale.md), by simulation. Reads
# measured times of single inputs, seconds, one on each line; each simulated input takes one of them, by chance.
#
#   -v inputs=N -v nodes=N -v shares=N   that many, each node with one processor; an input belongs to a share by chance,
#                                        as by a hash, and a free node takes the next share
#   -v slow=S -v factor=F                that part of the nodes takes F times as long (default .05 and 4)
#   -v mtbf=H -v down=S                  a node fails every H hours on average (0: never; default 100), and comes back
#                                        after S seconds (default 600)
#   -v delay=S -v notice=S               until a share begins (default 2); until a failed one is begun again (default 60)
#   -v resume=0                          a share that is begun again begins with its first input (default 1: it goes on)
#   -v seed=N
#
# Prints the time until all is done; what that would be with no node slow or failing, and no share waiting; how much of
# the nodes' time was used; failures; and what was lost by them, in percent of the work.
function default(value, other) { return value == "" ? other + 0 : value + 0 }
function exponential(mean) { return -mean * log(1 - rand()) }

# --- a heap of what happens: time, and who: node i, or -s for share s, which can be begun again ---

function earlier(i, j) { return at[i] < at[j] || (at[i] == at[j] && who[i] > who[j]) }
function swap(i, j,    x) { x = at[i]; at[i] = at[j]; at[j] = x; x = who[i]; who[i] = who[j]; who[j] = x }

function push(time, it,    i) {
  at[++size] = time
  who[size] = it
  for (i = size; i > 1 && earlier(i, int(i / 2)); i = int(i / 2)) swap(i, int(i / 2))
}

function pop(    i, k) {
  popped_at = at[1]
  popped = who[1]
  at[1] = at[size]
  who[1] = who[size--]
  for (i = 1; (k = 2 * i) <= size; i = k) {
    if (k < size && earlier(k + 1, k)) k++
    if (!earlier(k, i)) return
    swap(i, k)
  }
}

# --- shares: inputs first[s] to first[s + 1] - 1, of which those before done[s] are done ---

function make_shares(    i, s, n) {
  for (i = 0; i < inputs; i++) n[int(rand() * shares) + 1]++
  first[1] = 1
  for (s = 1; s <= shares; s++) first[s + 1] = first[s] + n[s]
  for (i = 1; i <= inputs; i++) work += time[i] = times[int(rand() * n_times) + 1]
  for (s = 1; s <= shares; s++) { done[s] = first[s]; queue[++tail] = s }
}

# A node with a share, from a time on: until the share is done, or the node fails.
function run(node, s, now,    begun, begins) {
  now += delay
  begun = now
  while (done[s] < first[s + 1]) {
    begins = now
    now += time[done[s]] * speed[node]
    if (now > fails[node]) { fail(node, s, begun, begins); return }
    done[s]++
  }
  busy += now - begun
  if (now > end) end = now
  push(now, node)
}

function fail(node, s, begun, begins) {
  failures++
  busy += fails[node] - begun
  lost += (fails[node] - (resume ? begins : begun)) / speed[node]
  if (!resume) done[s] = first[s]
  push(fails[node] + notice, -s)
  push(fails[node] + down, node)
  fails[node] += down + exponential(mtbf * 3600)
}

# A node that failed while it had nothing to do is back later.
function is_up(node, now) {
  if (now < fails[node]) return 1
  push(fails[node] + down > now ? fails[node] + down : now, node)
  fails[node] += down + exponential(mtbf * 3600)
  return 0
}

{ times[++n_times] = $1 }

END {
  if (!n_times || !inputs || !nodes || !shares) { print "fleet.awk: no times, inputs, nodes or shares" >"/dev/stderr"; exit 3 }
  slow = default(slow, .05); factor = default(factor, 4); mtbf = default(mtbf, 100); down = default(down, 600)
  delay = default(delay, 2); notice = default(notice, 60); resume = default(resume, 1)
  srand(default(seed, 1))
  make_shares()
  for (i = 1; i <= nodes; i++) {
    speed[i] = rand() < slow ? factor : 1
    fails[i] = mtbf ? exponential(mtbf * 3600) : 1e300
    push(0, i)
  }
  for (left = shares; size;) {
    pop()
    if (popped < 0) {
      queue[++tail] = -popped
      if (n_idle) push(popped_at, idle[n_idle--])
    } else if (head == tail) idle[++n_idle] = popped
    else if (is_up(popped, popped_at)) run(popped, queue[++head], popped_at)
  }
  for (s = 1; s <= shares; s++) if (done[s] != first[s + 1]) { print "fleet.awk: share " s " is not done" >"/dev/stderr"; exit 1 }
  printf "%.0f %.0f %.0f %d %.2f\n", end, work / nodes, 100 * work / (nodes * end), failures, 100 * lost / work
}
