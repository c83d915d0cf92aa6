#!/bin/sh
# cluster.sh: contrib/slurm and contrib/parallel.sh, for real: Slurm with munge on one node, GNU parallel here and over ssh. Each is
# the one that is installed, or else Debian's package, unpacked in build/cluster, not installed. Their configurations, keys,
# sockets and ports are their own, in a temporary folder. Tasks are killed in all ways; then nothing may be lost, nothing be there
# twice, and the sum is what one process says, byte by byte. What cannot be had is a SKIP. Needs $BIN, and beside it gen-trace and
# bench-shapes.
# Ends with "cluster: N passed, N failed, N skipped".
root=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck disable=SC2034 # count.sh reads it
part=cluster
# shellcheck source=tests/count.sh
. "$root/tests/count.sh"
BIN=$(cd "${BIN:-$root/bin}" && pwd)
PATH=$BIN:$PATH
generator=${BIN%/bin}/gen-trace
LC_ALL=C
export PATH LC_ALL
store=$root/build/cluster
work=$(mktemp -d) || exit 1
chmod 755 "$work"
started=
cleanup() {
  for process in $started; do kill "$process" 2>/dev/null; done
  for process in $started; do wait "$process" 2>/dev/null; done
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

# --- what it needs ---

# PACKAGE...: they and what they need, as far as it is not installed, in $store/system. The system's state is only read
unpack() {
  [ -e "$store/$1.done" ] && return
  mkdir -p "$store/cache/archives/partial" "$store/system"
  apt-get install --download-only --no-install-recommends -qq -y -o Dir::Cache="$store/cache" -o APT::Sandbox::User=root \
    -o Debug::NoLocking=true "$@" >"$work/log" 2>&1 || return 1
  for package in "$store"/cache/archives/*.deb; do dpkg -x "$package" "$store/system" || return 1; done
  rm -rf "$store/cache"
  : >"$store/$1.done"
}

# WHAT PROGRAM PACKAGE...: the program is there, installed or unpacked; else a SKIP
have() {
  what=$1 program=$2
  shift 2
  command -v "$program" >/dev/null && return
  { command -v apt-get >/dev/null && command -v dpkg >/dev/null; } ||
    { skip "$what: there is no $program, and no apt-get to fetch it"; return 1; }
  unpack "$@" || { skip "$what: there is no $program, and its package cannot be had: $(tail -n 1 "$work/log")"; return 1; }
  command -v "$program" >/dev/null || { skip "$what: there is no $program in $*"; return 1; }
}

system=$store/system
libraries=/usr/lib/$(uname -m)-linux-gnu
PATH=$PATH:/usr/sbin:$system/usr/bin:$system/usr/sbin
LD_LIBRARY_PATH=$system$libraries:$system$libraries/slurm-wlm${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
PERL5LIB=$system/usr/share/perl5
export LD_LIBRARY_PATH PERL5LIB

# in the background, and gone at the end
start() {
  "$@" >>"$work/daemons.log" 2>&1 &
  started="$! $started"
}

# SECONDS COMMAND...: until it is true
until_true() {
  left=$(($1 * 10))
  shift
  until "$@" >/dev/null 2>&1; do
    left=$((left - 1))
    [ $left -gt 0 ] || return 1
    sleep .1
  done
}

# a port that nobody listens at
free_port() {
  port=$((20000 + $$ % 20000))
  while grep -qi ":$(printf %04X $port) 0*:0000 0A" /proc/net/tcp; do port=$((port + 1)); done
  echo $port
}

# --- what is checked ---

n_runs=40
# in most of them something is found, the paths are odd, one is no run, one is there twice
make_inputs() {
  mkdir -p "$work/runs/a b" "$work/runs/\$(c)"
  i=0
  while [ $i -lt $n_runs ]; do
    i=$((i + 1))
    case $((i % 3)) in 0) where="a b" ;; 1) where="\$(c)" ;; 2) where=. ;; esac
    case $((i % 4)) in 0) family=elevator ;; *) family=sor ;; esac
    "$generator" -f bin -t 4 -n 64 -e 500000 -s $i $family >"$work/runs/$where/run $i.bin" || exit 1
  done
  echo nonsense >"$work/runs/a b/none.std"
  { echo "$work/runs"; echo "$work/runs/run 2.bin"; echo "$work/gone.std"; } >"$work/list"
}

# what one process says
one_process() { # NAME COMMAND...
  one=$1
  shift
  "$@" --jobs=1 >"$work/$one.text" 2>/dev/null
  echo $? >"$work/$one.code"
}

# WHAT ONE FOLDER CODE: the sum is what one process says, with its exit code; each input has one result. One that is no file is
# always tried again, so it may have more
is_same() {
  grep -v '^[^ ]*sum.sh:' "$3/sum.txt" | diff "$work/$2.text" - >"$work/difference" ||
    { fail "$1: the sum is another one: $(head -n 3 "$work/difference")"; return; }
  [ "$4" = "$(cat "$work/$2.code")" ] || { fail "$1: exit code $4, not $(cat "$work/$2.code")"; return; }
  cat "$3"/*.jsonl | sed '/"size": null/d; s/, "size".*"share": {\("number": [0-9]*\).*/ \1/; s/, "size".*//' | sort >"$work/paths"
  uniq -d "$work/paths" >"$work/twice"
  if [ -s "$work/paths" ] && ! [ -s "$work/twice" ]; then pass; else fail "$1: there twice: $(head -n 1 "$work/twice")"; fi
}

# FOLDER N: the process of the tool that checks that share, once it has written a line; those that it began are not meant
tool_of() {
  [ -s "$1/$2.jsonl" ] || return 1
  # shellcheck disable=SC2013 # no spaces
  for file in $(grep -lx tracepredict /proc/[0-9]*/comm 2>/dev/null); do
    process=${file%/comm}
    tr '\0' '\n' <"$process/cmdline" | grep -qxF -e "--resume=$1/$2.jsonl" || continue
    grep -qx tracepredict "/proc/$(parent_of "${process#/proc/}")/comm" || { echo "${process#/proc/}"; return; }
  done 2>/dev/null
  return 1
}

parent_of() { sed -n 's/^PPid:\t//p' "/proc/$1/status"; }

# FOLDER N: kills that process
kill_tool() { until_true 20 tool_of "$1" "$2" && kill -KILL "$(tool_of "$1" "$2")"; }

half_line() {
  half=$(head -n 1 "$1" | cut -c 1-70)
  printf %s "$half" >>"$1"
}

# --- Slurm ---

write_slurm_conf() {
  user=$(id -un) host=$(hostname -s) port=$(free_port)
  plugins=$(dirname "$(command -v slurmctld-wlm || command -v slurmctld)" | sed 's|sbin$||')lib/${libraries##*/}/slurm-wlm
  cat >"$work/slurm.conf" <<CONF
ClusterName=causal
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
PluginDir=$plugins
PlugStackConfig=$work/none
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
SlurmdParameters=config_overrides
KillWait=2
MailProg=/bin/true
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
  SLURM_CONF=$work/slurm.conf
  export SLURM_CONF
}

# the names that Debian's packages have before they are configured
program() { command -v "$1-wlm" || command -v "$1"; }

start_slurm() {
  mkdir "$work/munge" "$work/state" "$work/spool"
  chmod 711 "$work/munge"
  head -c 128 /dev/urandom >"$work/munge/key" && chmod 400 "$work/munge/key"
  write_slurm_conf
  start munged --foreground --key-file="$work/munge/key" --socket="$work/munge/socket" --pid-file="$work/munge/pid" \
    --log-file="$work/munge/log" --seed-file="$work/munge/seed"
  until_true 20 test -S "$work/munge/socket" || return 1
  start "$(program slurmctld)" -D
  start "$(program slurmd)" -D -d "$(program slurmstepd)"
  until_true 60 sh -c 'sinfo -h -o %T | grep -qx idle'
}

# submit FOLDER ARGUMENT...: by submit.sh; $array is the number of the job
submit() {
  folder=$1
  shift
  "$root/contrib/slurm/submit.sh" "$@" >"$work/submitted" 2>"$work/log" || { fail "submit.sh: $(cat "$work/log")"; return 1; }
  array=$(sed -n 's/^array \([0-9]*\), .*/\1/p' "$work/submitted")
}

none_left() { [ -z "$(squeue -h 2>/dev/null)" ]; }

# the exit code of the last sum, once all have ended
summed() {
  until_true 300 none_left || { scancel -u "$(id -un)"; echo 'no end'; return; }
  scontrol -o show job 2>/dev/null | sed -n 's/.*JobName=causal-sum .* ExitCode=\([0-9]*\):.*/\1/p' | tail -n 1
}

test_array() {
  testing "slurm: an array"
  f="$work/an array"
  CAUSAL_SBATCH='--cpus-per-task=2 --time=10' submit "$f" -n 6 -l "$work/list" "$f" tracepredict || return
  code=$(summed)
  is_same "slurm: an array" runs "$f" "$code"
}

test_killed_tool() {
  testing "slurm: a tool is killed"
  f=$work/tool
  submit "$f" -n 3 -l "$work/list" "$f" tracepredict || return
  kill_tool "$f" 2 || { fail "slurm: a tool is killed: it does not run"; return; }
  code=$(summed)
  if cat "$f/log"/*.txt | grep -q 'share 2 of 3: exit code 137'; then pass; else fail "slurm: a tool is killed: it was not"; fi
  is_same "slurm: a tool is killed" runs "$f" "$code"
}

# by SIGTERM: it writes what it has, and ends as if that were all
test_stopped_tool() {
  testing "slurm: a tool is stopped"
  f=$work/stopped
  submit "$f" -n 3 -r 1 -l "$work/list" "$f" tracepredict || return
  until_true 20 tool_of "$f" 3 && kill -TERM "$(tool_of "$f" 3)"
  code=$(summed)
  if cat "$f/log"/sum-*.txt | grep -q 'sum.sbatch: again: 3$'; then pass; else fail "slurm: a tool is stopped: it was not"; fi
  is_same "slurm: a tool is stopped" runs "$f" "$code"
}

# with everything that belongs to it, by SIGKILL: its script cannot begin it again
test_killed_element() {
  testing "slurm: an element is killed"
  f=$work/element
  submit "$f" -n 3 -r 1 -l "$work/list" "$f" tracepredict || return
  until_true 60 test -s "$f/3.jsonl" && scancel --signal=KILL --full "${array}_3"
  code=$(summed)
  if cat "$f/log"/sum-*.txt | grep -q 'sum.sbatch: again: 3$'; then pass; else fail "slurm: an element is killed: it was not"; fi
  is_same "slurm: an element is killed" runs "$f" "$code"
}

# killed with no round left the sum is unknown, and what has no result is named; then a line is half written, and it goes on
test_resubmitted() {
  testing "slurm: submitted again"
  f=$work/again
  submit "$f" -n 3 -r 0 -l "$work/list" "$f" tracepredict || return
  until_true 60 test -s "$f/1.jsonl" && scancel --signal=KILL --full "${array}_1"
  code=$(summed)
  if [ -e "$f/1.done" ]; then fail "slurm: submitted again: it was not killed"
  elif grep -q '^missing' "$f/sum.txt" && grep -q '^[0-9]* of [0-9]* inputs' "$f/sum.txt" && [ "$code" != 0 ]; then pass
  else fail "slurm: submitted again: what is missing is not told: exit code $code, $(grep inputs "$f/sum.txt")"
  fi
  half_line "$f/1.jsonl"
  submit "$f" -n 3 -r 0 -l "$work/list" "$f" tracepredict || return
  code=$(summed)
  if grep -q 'half written' "$f/log/${array}_1.txt"; then pass; else fail "slurm: submitted again: no warning"; fi
  is_same "slurm: submitted again" runs "$f" "$code"
}

# Slurm itself begins its jobs again
test_failed_node() {
  testing "slurm: a node fails"
  f=$work/node
  submit "$f" -n 3 -l "$work/list" "$f" tracepredict || return
  until_true 60 test -s "$f/1.jsonl"
  scontrol update nodename="$(hostname -s)" state=down reason=test
  sleep 1
  scontrol update nodename="$(hostname -s)" state=resume 2>/dev/null # unless it has come back by itself
  for share in 1 2 3; do scontrol update jobid="${array}_$share" starttime=now 2>/dev/null; done
  code=$(summed)
  if scontrol -o show job "${array}_1" | grep -q 'Restarts=1'; then pass; else fail "slurm: a node fails: the share was not begun again"; fi
  is_same "slurm: a node fails" runs "$f" "$code"
}

test_blocks() {
  testing "slurm: the blocks of a program"
  f=$work/blocks
  submit "$f" -n 4 "$f" causalcheck "$work/blocks.sml" || return
  code=$(summed)
  is_same "slurm: the blocks of a program" blocks "$f" "$code"
}

test_slurm() {
  have slurm slurmd-wlm slurmctld slurmd slurm-client munge || return
  have slurm munged munge || return
  [ -e /proc/self/environ ] || { skip "slurm: there is no /proc"; return; }
  start_slurm || { skip "slurm: it cannot be started here: $(grep -i 'error\|fatal' "$work/daemons.log" | tail -n 1)"; return; }
  test_array
  test_killed_tool
  test_stopped_tool
  test_killed_element
  test_resubmitted
  test_failed_node
  test_blocks
}

# --- GNU parallel ---

# FOLDER ARGUMENT...: by parallel.sh, in the background; $! is it
spread() {
  folder=$1
  shift
  mkdir -p "$folder"
  "$root/contrib/parallel.sh" "$@" >"$folder/sum.txt.new" 2>"$folder/said" &
  spreading=$!
}

spread_end() {
  wait "$spreading"
  code=$?
  mv "$folder/sum.txt.new" "$folder/sum.txt"
}

# WHAT HOSTS: plain, and with a tool and a whole share killed
test_spread() {
  testing "$1"
  f=$work/spread-$1
  spread "$f" -n 4 -S "$2" -l "$work/list" "$f" tracepredict
  spread_end
  is_same "parallel: $1" runs "$f" $code
  f="$work/spread $1, killed"
  spread "$f" -n 4 -S "$2" -l "$work/list" "$f" tracepredict
  kill_tool "$f" 1 || fail "parallel: $1: a tool is killed: it does not run"
  # the script, then its tool
  if until_true 20 tool_of "$f" 2; then
    tool=$(tool_of "$f" 2)
    kill -KILL "$(parent_of "$tool")" "$tool"
  else fail "parallel: $1: a share is killed: it does not run"
  fi
  spread_end
  if grep -q 'share 1 of 4: exit code 137' "$f/said"; then pass; else fail "parallel: $1: a tool is killed: it was not"; fi
  is_same "parallel: $1: killed" runs "$f" $code
  f=$work/spread-$1-blocks
  spread "$f" -n 4 -S "$2" "$f" causalcheck "$work/blocks.sml"
  spread_end
  is_same "parallel: $1: blocks" blocks "$f" $code
}

# sshd in a view of the system of its own, in which there are its user and its folder in /run
start_sshd() {
  ssh-keygen -q -t ed25519 -N '' -f "$work/host" && ssh-keygen -q -t ed25519 -N '' -f "$work/user" || return 1
  cp "$work/user.pub" "$work/authorized"
  port=$(free_port)
  printf '%s\n' "Port $port" "ListenAddress 127.0.0.1" "HostKey $work/host" "AuthorizedKeysFile $work/authorized" \
    "PidFile $work/sshd.pid" "StrictModes no" >"$work/sshd_config"
  { cat /etc/passwd; grep -q '^sshd:' /etc/passwd || echo 'sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin'; } >"$work/passwd"
  # shellcheck disable=SC2016 # the inner shell expands it
  start unshare -m sh -c 'mount --bind "$1/passwd" /etc/passwd && mount -t tmpfs none /run && mkdir /run/sshd &&
    exec "$2" -D -e -f "$1/sshd_config"' - "$work" "$(command -v sshd)"
  # parallel's ssh is this one
  mkdir "$work/ssh"
  printf '#!/bin/sh\nunset LD_LIBRARY_PATH\nexec %s -F none -i %s -p %s -o StrictHostKeyChecking=no -o UserKnownHostsFile=%s -o LogLevel=ERROR "$@"\n' \
    "$(command -v ssh)" "$work/user" "$port" "$work/known" >"$work/ssh/ssh"
  chmod +x "$work/ssh/ssh"
  PATH=$work/ssh:$PATH
  until_true 20 ssh 127.0.0.1 true
}

test_parallel() {
  have parallel parallel parallel || return
  mkdir -p "$work/home" && HOME=$work/home && export HOME
  test_spread here :
  have "parallel: ssh" ssh openssh-client && have "parallel: ssh" sshd openssh-server || return
  { [ "$(id -u)" = 0 ] && command -v unshare >/dev/null; } || { skip "parallel: ssh: an sshd of its own needs root and unshare"; return; }
  start_sshd || { skip "parallel: ssh: sshd cannot be started here: $(tail -n 1 "$work/daemons.log")"; return; }
  # two machines, as far as parallel knows
  test_spread ssh 2/127.0.0.1,2/localhost
}

testing "the inputs"
make_inputs
one_process runs tracepredict --list="$work/list"
"${BIN%/bin}/bench-shapes" wrong 40 >"$work/blocks.sml"
one_process blocks causalcheck --resume="$work/blocks.jsonl" "$work/blocks.sml"
test_slurm
test_parallel
count_end
