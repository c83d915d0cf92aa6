/* watching.c: the thread that watches a run, and its verdict. feeding.c says what of the run goes to the monitor,
 * telling.c what is told of it. */
#include "tools/tracerec/watching_inside.h"

#include "base/clock.h"
#include "tools/tracerec/distilling.h"
#include "tools/tracerec/feeding.h"
#include "tools/tracerec/telling.h"

#include <assert.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAUSE_NS = 5000000 };

static void run_debugger(const Watching *w) {
  char command[128];
  const char *name = getenv("TRACEREC_GDB");
  snprintf(command, sizeof command, "%s -q -p %d", name ? name : "gdb", (int)w->header->pid);
  if (system(command)) fprintf(stderr, "tracerec: %s could not be run, or has failed\n", command);
}

/* Is a task stopped, or at its end? Its state comes after its name, which is in parentheses. */
static bool is_task_stopped(const char *folder, const char *task) {
  char path[128], text[512];
  snprintf(path, sizeof path, "%.64s/%.16s/stat", folder, task);
  FILE *file = fopen(path, "r");
  const size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file) fclose(file);
  text[n] = '\0';
  const char *name = strrchr(text, ')');
  return !name || !name[1] || strchr("TtZX", name[2]);
}

static bool is_stopped(pid_t pid) {
  char folder[64];
  bool all = true;
  snprintf(folder, sizeof folder, "/proc/%d/task", (int)pid);
  DIR *tasks = opendir(folder);
  for (const struct dirent *task; tasks && all && (task = readdir(tasks));)
    if (*task->d_name != '.') all = is_task_stopped(folder, task->d_name);
  if (tasks) closedir(tasks);
  return all;
}

/* A signal has its effect on each thread when that is next run, or leaves the kernel: it is waited for, but not
 * forever. */
static void stop(pid_t pid) {
  enum { NAPS = 10000, NAP_NS = 1000000 };
  kill(pid, SIGSTOP);
  for (int i = 0; i < NAPS && !is_stopped(pid); i++) nanosleep(&(struct timespec){0, NAP_NS}, NULL);
}

/* It is stopped before it is told what was seen: the less has happened since. */
static void on_found(Watching *w) {
  uint32_t n;
  if (!telling_is_sound(w, monitor_findings(w->monitor, &n))) {
    w->why = "a violation was seen that depends on an atomic variable which may be a lock";
    w->found = false;
    return;
  }
  const pid_t pid = (pid_t)w->header->pid;
  if (w->options->debug || w->options->stop) stop(pid);
  telling_violation(w);
  if (w->options->debug) run_debugger(w);
  if (w->options->stop) kill(pid, SIGKILL);
  if (w->options->debug || w->options->stop) kill(pid, SIGCONT);
}

static void look(void *argument) {
  Watching *w = argument;
  uint64_t floor;
  for (bool ended = false; !w->found && !ended;) {
    ended = w->ended;
    const char *missed = live_threads(w->live) < WATCHING_THREADS ? live_missed(w->live) : "there are too many threads";
    if (missed) {
      w->why = missed;
      return;
    }
    if (live_round(w->live, ended, &floor)) feeding_round(w, floor);
    if (!live_is_behind(w->live) && !ended) nanosleep(&(struct timespec){0, PAUSE_NS}, NULL);
  }
  feeding_end(w);
  if (w->atoms && !atoms_are_sure(w->atoms)) w->why = "an atomic variable was taken for a lock, and was none";
}

static void tell_found(void *argument) { on_found(argument); }

static double cpu_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void *watch(void *argument) {
  Watching *w = argument;
  if (!heap_try(w->heap, look, w)) w->why = "out of memory";
  if (w->found && !heap_try(w->heap, tell_found, w)) w->why = "out of memory";
  w->recorded = w->header->pid != 0;
  memcpy(w->lost, (const void *)(uintptr_t)w->header->lost, sizeof w->lost);
  w->full = w->header->full;
  live_close(w->live);
  w->live = NULL;
  w->cpu = cpu_seconds();
  return NULL;
}

typedef struct {
  Watching *w;
  Err *err;
} Opening;

static void open_all(void *argument) {
  const Opening *o = argument;
  Watching *w = o->w;
  Heap *heap = w->heap;
  w->live = live_open(heap, w->raw, w->options->no_log, w->options->debug, o->err);
  if (!w->live) return;
  w->header = live_header(w->live);
  w->is_part = *w->header->choice.words;
  w->source = source_of_live(heap, w->live);
  w->monitor = monitor_new(heap, &(MonitorOptions){.all = false});
  w->parts = parts_new(heap);
  w->stacks = stacks_open(heap, WATCHING_THREADS);
  vec_resize_zeroed(heap, &w->called, feeding_count_names(&w->options->atomic));
  w->seen = heap_zeroed(heap, (1u << RAW_STRIPE_BITS) / 8);
}

Watching *watching_open(const WatchOptions *options, int raw, Err *err) {
  Watching *w = calloc(1, sizeof *w);
  if (!w || !(w->heap = heap_new(options->memory))) {
    free(w);
    err_set(err, ERR_LIMIT, "out of memory");
    return NULL;
  }
  w->options = options;
  w->raw = raw;
  w->start = clock_seconds();
  Opening opening = {w, err};
  if (heap_try(w->heap, open_all, &opening) && w->live) return w;
  if (w->live) err_set(err, ERR_LIMIT, "out of memory");
  heap_free(w->heap);
  free(w);
  return NULL;
}

void watching_start(Watching *w, pid_t program) {
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  w->program = program;
  w->started = pthread_create(&w->thread, NULL, watch, w) == 0;
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  if (w->started) return;
  w->why = "there is no thread for it";
  live_close(w->live);
}

/* A name that is never called is mostly a wrong one. */
static void say_missing(const Watching *w) {
  uint32_t number = 0;
  const OptionList *list = &w->options->atomic;
  for (uint32_t i = 0; i < list->n; i++)
    for (const char *at = list->at[i]; *at; at += *at == ',', number++) {
      const int n = (int)strcspn(at, ",");
      if (n && !w->called.at[number] && strncmp(at, "all-calls", (size_t)n))
        fprintf(
            stderr,
            "tracerec: warning: no call of %.*s was recorded; check the name, and that the function is not inlined (-fno-inline)\n",
            n, at);
      at += n;
    }
}

static const char *why_unknown(const Watching *w) {
  if (w->why) return w->why;
  if (!w->n_transactions) return "no transaction was seen";
  if (w->lost[RAW_LOST_ORDER]) return "the order of some accesses was guessed";
  if (w->lost[RAW_LOST_SIGNAL]) return "events of signal handlers that interrupted another event are missing";
  return w->is_part ? "only a part of the run was recorded" : NULL;
}

/* The verdict, where no violation was told. */
static Verdict tell_verdict(Watching *w) {
  const char *why = why_unknown(w);
  const RunReport report = {.verdict = why ? VERDICT_UNKNOWN : VERDICT_HOLDS, .why = why, .events = w->fed};
  if (!w->recorded) return VERDICT_UNKNOWN;
  Heap *heap = heap_new(0); /* there may be nothing left of the other one */
  if (heap) telling_report(heap, w, &report);
  heap_free(heap);
  return report.verdict;
}

static void free_all(Watching *w) {
  if (w->places && w->places != w->symbols) places_close(w->places);
  if (w->symbols) places_close(w->symbols);
  heap_free(w->heap);
  free(w);
}

Verdict watching_end(Watching *w, bool *recorded) {
  w->ended = true;
  if (w->started) pthread_join(w->thread, NULL);
  const Verdict verdict = w->wrong ? VERDICT_UNKNOWN : w->found ? VERDICT_VIOLATED : tell_verdict(w);
  if (w->options->no_log) distilling_say_lost(w->lost, w->full);
  if (w->options->no_log && w->recorded && !w->found && !w->why) say_missing(w);
  if (w->options->stats)
    fprintf(stderr, "watched %llu events in %.3f s of processor time, %llu bytes\n", (unsigned long long)w->fed, w->cpu,
            (unsigned long long)heap_peak(w->heap));
  *recorded = w->recorded;
  free_all(w);
  return verdict;
}
