#include "ask/unit_processes.h"

#include "base/vec.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { MAX_JOBS = 64 };

/* ---- what a process sends: what it has changed ---- */

/* Of the question. */
typedef struct {
  UnfoldCounts before;
  VerdictStats stats;
  Err err;
  char why[sizeof((Atomicity *)NULL)->why];
  bool good, is_over;
} Sent;

/* Of a block; after it its grounds, and its run. Last comes one with the number n_blocks. */
typedef struct {
  uint32_t i, verdict;
  uint32_t n_grounds, n_run; /* bytes, steps */
  bool given_up, is_loose, has_grounds;
} SentBlock;

static void send_block(const Question *q, uint32_t i, FILE *out) {
  const BlockVerdict *block = &q->result->blocks[i];
  SentBlock sent;
  memset(&sent, 0, sizeof sent); /* with what is between the members */
  sent.i = i;
  sent.verdict = block->verdict;
  sent.has_grounds = block->grounds != NULL;
  sent.n_grounds = block->grounds ? (uint32_t)strlen(block->grounds) : 0;
  sent.n_run = q->n_run[i];
  sent.given_up = q->given_up[i];
  sent.is_loose = q->is_loose[i];
  fwrite(&sent, sizeof sent, 1, out);
  if (sent.n_grounds) fwrite(block->grounds, sent.n_grounds, 1, out);
  if (sent.n_run) fwrite(q->run[i], sizeof *q->run[i], sent.n_run, out);
}

static void send_all(const Question *q, const bool *was_open, FILE *out) {
  Sent sent;
  memset(&sent, 0, sizeof sent);
  sent.before = q->before;
  sent.stats = q->result->stats;
  if (!q->good) sent.err = *q->err;
  memcpy(sent.why, q->result->why, sizeof sent.why);
  sent.good = q->good;
  sent.is_over = q->is_over;
  fwrite(&sent, sizeof sent, 1, out);
  for (uint32_t i = 0; i < q->result->n_blocks; i++)
    if (was_open[i] && (q->result->blocks[i].verdict != VERDICT_UNKNOWN || q->given_up[i] || q->is_loose[i]))
      send_block(q, i, out);
  SentBlock last;
  memset(&last, 0, sizeof last);
  last.i = q->result->n_blocks;
  fwrite(&last, sizeof last, 1, out);
}

/* ---- taking it over ---- */

typedef struct {
  const char *at, *end;
} Bytes;

static bool take(Bytes *bytes, void *to, size_t size) {
  if ((size_t)(bytes->end - bytes->at) < size) return false;
  memcpy(to, bytes->at, size);
  bytes->at += size;
  return true;
}

/* Was all of it sent? A process that is left in the middle sends less. */
static bool is_whole(Bytes bytes, uint32_t n_blocks) {
  Sent sent;
  SentBlock block;
  if (!take(&bytes, &sent, sizeof sent)) return false;
  while (take(&bytes, &block, sizeof block)) {
    if (block.i == n_blocks) return bytes.at == bytes.end;
    const size_t length = block.n_grounds + (size_t)block.n_run * sizeof(TransId);
    if ((size_t)(bytes.end - bytes.at) < length) return false;
    bytes.at += length;
  }
  return false;
}

static bool take_block(Question *q, const SentBlock *sent, Bytes *bytes) {
  const char *grounds = sent->has_grounds ? arena_copy(&q->result->arena, bytes->at, sent->n_grounds) : NULL;
  bytes->at += sent->n_grounds;
  q->given_up[sent->i] |= sent->given_up;
  q->is_loose[sent->i] |= sent->is_loose;
  if (sent->verdict == VERDICT_UNKNOWN) return true;
  if (sent->verdict != VERDICT_VIOLATED) {
    question_decide(q, sent->i, (Verdict)sent->verdict, grounds);
    return true;
  }
  TransId *run = heap_alloc(q->heap, heap_product(q->heap, sent->n_run, sizeof *run));
  take(bytes, run, sent->n_run * sizeof *run);
  return question_take_run(q, sent->i, run, sent->n_run, grounds);
}

static void take_counts(Question *q, const Sent *sent, const UnfoldCounts *at_fork) {
  VerdictStats *stats = &q->result->stats;
  q->before.events += sent->before.events - at_fork->events;
  q->before.conditions += sent->before.conditions - at_fork->conditions;
  q->before.cutoffs += sent->before.cutoffs - at_fork->cutoffs;
  if (sent->stats.transitions > stats->transitions || !stats->places) {
    stats->places = sent->stats.places;
    stats->transitions = sent->stats.transitions;
  }
}

/* Would the unit, done here and now, come to the same? Not if it had fewer events left than it has used. */
static bool is_same_here(const Question *q, const Sent *sent, const UnfoldCounts *at_fork) {
  const uint64_t most = q->limits->max_events;
  return !most || (!sent->is_over && q->before.events + (sent->before.events - at_fork->events) < most);
}

/* False if it is to be done here. */
static bool take_all(Question *q, const CharVec *sent_bytes, const UnfoldCounts *at_fork, bool *good) {
  Bytes bytes = {sent_bytes->at, sent_bytes->at + sent_bytes->n};
  Sent sent;
  SentBlock block;
  if (!sent_bytes->n || !is_whole(bytes, q->result->n_blocks)) return false;
  take(&bytes, &sent, sizeof sent);
  if (sent.is_over || !is_same_here(q, &sent, at_fork)) return false;
  take_counts(q, &sent, at_fork);
  if (sent.why[0]) memcpy(q->result->why, sent.why, sizeof sent.why);
  *good = true;
  while (*good && take(&bytes, &block, sizeof block) && block.i < q->result->n_blocks)
    *good = take_block(q, &block, &bytes);
  if (sent.good) return true;
  *q->err = sent.err;
  *good = question_fail(q);
  return true;
}

/* ---- how far the processes have come ---- */

/* Of a unit; its process writes there, and the one that began it reads, now and then. */
typedef struct {
  _Atomic uint64_t events, conditions, cutoffs, queued, bytes;
} Seen;

/* Memory of both, or NULL: then nothing is shown. */
static Seen *seen_new(uint32_t n) {
  void *seen = mmap(NULL, n * sizeof(Seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return seen == MAP_FAILED ? NULL : seen;
}

static void seen_free(Seen *seen, uint32_t n) {
  if (seen) munmap(seen, n * sizeof *seen);
}

/* ---- processes ---- */

/* A unit that is done in a process. */
typedef struct {
  pid_t process;
  int from;             /* what it sends is read here; -1: it has ended, or was never begun */
  UnfoldCounts at_fork; /* Question.before when it was begun */
  CharVec bytes;        /* that it has sent */
} Child;

typedef struct {
  Question *q;
  Unit *unit;
  void *argument;
  const uint32_t *units;
  uint32_t n, jobs;
  Child *children; /* per unit */
  Seen *seen;      /* likewise; or NULL */
  pid_t parent;
  uint32_t begun, running;
  uint32_t taken; /* over, of the units; or they were done here */
  bool good;
} Jobs;

/* Who was begun by a process that is gone works for nobody. */
static void end_with_parent(const Jobs *jobs) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (getppid() != jobs->parent) _exit(3);
}

/* What a process needs to know to tell how far it has come. */
typedef struct {
  const Jobs *jobs;
  Seen *seen; /* or NULL */
  uint64_t events_at_fork;
} Telling;

static void tell(void *argument, const AskProgress *progress) {
  const Telling *telling = argument;
  Seen *seen = telling->seen;
  if (getppid() != telling->jobs->parent) _exit(3); /* elsewhere than on Linux nobody else ends it */
  if (!seen) return;
  seen->events = progress->events - telling->events_at_fork;
  seen->bytes = progress->bytes;
  if (!progress->unfolding) return;
  seen->conditions = progress->unfolding->conditions;
  seen->cutoffs = progress->unfolding->cutoffs;
  seen->queued = progress->unfolding->queued;
}

/* The unit in a process of its own, which never returns. */
_Noreturn static void work(Jobs *jobs, uint32_t u, int to) {
  Question *q = jobs->q;
  FILE *out = fdopen(to, "wb");
  const uint64_t limit = heap_limit(q->heap), used = heap_used(q->heap);
  if (!out) _exit(1);
  if (limit) heap_set_limit(q->heap, limit > used ? used + (limit - used) / jobs->jobs : limit);
  bool *was_open = heap_alloc(q->heap, (size_t)q->result->n_blocks + 1);
  for (uint32_t i = 0; i < q->result->n_blocks; i++) was_open[i] = q->result->blocks[i].verdict == VERDICT_UNKNOWN;
  q->keeps_runs = true;
  Telling telling = {jobs, jobs->seen ? &jobs->seen[u] : NULL, q->before.events};
  AskLimits limits = *q->limits;
  limits.progress = tell;
  limits.progress_argument = &telling;
  q->limits = &limits;
  jobs->unit(q, jobs->argument, jobs->units[u]);
  send_all(q, was_open, out);
  _exit(fclose(out) ? 1 : 0);
}

/* What heap_try runs in the process: where memory or time is up, nothing is sent. */
typedef struct {
  Jobs *jobs;
  uint32_t unit;
  int to;
} Start;

static void work_within(void *argument) {
  const Start *start = argument;
  work(start->jobs, start->unit, start->to);
}

static void begin_child(Jobs *jobs, uint32_t u) {
  Child *child = &jobs->children[u];
  int ends[2];
  if (pipe(ends)) return;
  child->at_fork = jobs->q->before;
  child->process = fork();
  if (child->process == 0) {
    end_with_parent(jobs);
    close(ends[0]);
    heap_try(jobs->q->heap, work_within, &(Start){jobs, u, ends[1]});
    _exit(2);
  }
  close(ends[1]);
  if (child->process < 0) {
    close(ends[0]);
    return;
  }
  child->from = ends[0];
  jobs->running++;
}

static void end_child(Jobs *jobs, Child *child) {
  close(child->from);
  child->from = -1;
  while (waitpid(child->process, NULL, 0) < 0 && errno == EINTR) continue;
  jobs->running--;
}

static void read_child(Jobs *jobs, Child *child) {
  char piece[1 << 12];
  const ssize_t n = read(child->from, piece, sizeof piece);
  if (n < 0 && errno == EINTR) return;
  if (n <= 0) {
    end_child(jobs, child);
    return;
  }
  vec_reserve(jobs->q->heap, &child->bytes, (size_t)n);
  memcpy(child->bytes.at + child->bytes.n, piece, (size_t)n);
  child->bytes.n += (uint32_t)n;
}

/* Waits for what is sent; looks now and then whether the work is to end. */
static void read_some(Jobs *jobs) {
  struct pollfd wait[MAX_JOBS];
  uint32_t unit[MAX_JOBS], n = 0;
  for (uint32_t u = 0; u < jobs->begun && n < MAX_JOBS; u++) {
    if (jobs->children[u].from < 0) continue;
    wait[n] = (struct pollfd){jobs->children[u].from, POLLIN, 0};
    unit[n++] = u;
  }
  if (poll(wait, n, 50) <= 0) return;
  for (uint32_t i = 0; i < n; i++)
    if (wait[i].revents) read_child(jobs, &jobs->children[unit[i]]);
}

static void end_all(Jobs *jobs) {
  for (uint32_t u = 0; u < jobs->begun; u++) {
    if (jobs->children[u].from < 0) continue;
    kill(jobs->children[u].process, SIGKILL);
    end_child(jobs, &jobs->children[u]);
  }
}

/* Begins as many as may run at a time, but none far ahead of the one that is to be taken over next. */
static void begin_more(Jobs *jobs) {
  while (jobs->begun < jobs->n && jobs->running < jobs->jobs && jobs->begun < jobs->taken + 2 * jobs->jobs)
    begin_child(jobs, jobs->begun++);
}

/* All together: what was taken over, and the units that are not. */
static void show_all(const Jobs *jobs) {
  const Question *q = jobs->q;
  UnfoldCounts counts = {0};
  AskProgress progress = {question_events(q), heap_used(q->heap), &counts};
  if (!jobs->seen || !q->limits->progress) return;
  for (uint32_t u = jobs->taken; u < jobs->begun; u++) {
    const bool running = jobs->children[u].from >= 0;
    progress.events += jobs->seen[u].events;
    progress.bytes += running ? jobs->seen[u].bytes : 0;
    counts.cutoffs += jobs->seen[u].cutoffs;
    counts.queued += running ? jobs->seen[u].queued : 0;
  }
  q->limits->progress(q->limits->progress_argument, &progress);
}

static void take_in_order(void *argument) {
  Jobs *jobs = argument;
  Question *q = jobs->q;
  while (jobs->taken < jobs->n && jobs->good && !heap_asked(q->heap) && !question_is_over(q)) {
    Child *child = &jobs->children[jobs->taken];
    begin_more(jobs);
    while (child->from >= 0 && !heap_asked(q->heap)) {
      read_some(jobs);
      show_all(jobs);
      begin_more(jobs);
    }
    if (child->from >= 0) break;
    const uint32_t unit = jobs->units[jobs->taken++];
    if (!take_all(q, &child->bytes, &child->at_fork, &jobs->good)) jobs->good = jobs->unit(q, jobs->argument, unit);
    vec_fini(q->heap, &child->bytes);
  }
}

/* Where it is to end early: what the units have done that were not taken over. */
static void count_left(Jobs *jobs) {
  if (!jobs->seen || !heap_asked(jobs->q->heap)) return;
  for (uint32_t u = jobs->taken; u < jobs->begun; u++) {
    jobs->q->before.events += jobs->seen[u].events;
    jobs->q->before.conditions += jobs->seen[u].conditions;
    jobs->q->before.cutoffs += jobs->seen[u].cutoffs;
  }
}

static bool run_all(Question *q, Jobs *jobs) {
  jobs->children = heap_zeroed(q->heap, heap_product(q->heap, jobs->n, sizeof *jobs->children));
  for (uint32_t u = 0; u < jobs->n; u++) jobs->children[u].from = -1;
  jobs->seen = seen_new(jobs->n);
  const bool ended = heap_try(q->heap, take_in_order, jobs);
  end_all(jobs);
  count_left(jobs);
  seen_free(jobs->seen, jobs->n);
  if (!ended) heap_pass_on(q->heap);
  for (uint32_t u = 0; u < jobs->n; u++) vec_fini(q->heap, &jobs->children[u].bytes);
  heap_release(q->heap, jobs->children);
  question_is_over(q);
  return jobs->good;
}

bool unit_processes_run(Question *q, Unit *unit, void *argument, const uint32_t *units, uint32_t n) {
  const uint32_t jobs = q->options->jobs;
  assert(jobs > 1 && n > 1);
  Jobs all = {.q = q,
              .unit = unit,
              .argument = argument,
              .units = units,
              .n = n,
              .jobs = jobs < MAX_JOBS ? jobs : MAX_JOBS,
              .parent = getpid(),
              .good = true};
  return run_all(q, &all);
}
