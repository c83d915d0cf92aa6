#include "tools/work.h"

#include "base/clock.h"
#include "tools/remedies.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

/* ---- the clock and the signals ---- */

/* What comes within that time after the first Ctrl-C is not a second one: some senders signal a process and its group.
 */
#define ECHO_SECONDS 0.2
/* So much processor time is left to who is asked to stop. */
#define GRACE_SECONDS 0.1
/* Then it is looked at again and again, so that what waits for input or output learns of it, too. */
#define TICK_SECONDS 0.02

/* Whoever is asked to stop does not wait for longer until somebody reads what it writes. */
#define STALL_TICKS 5

/* A signal handler has no other way to tell. */
static Stop the_stop;
static double asked_at, asked_cpu; /* the clocks when it was asked */
static const char *the_tool;       /* its name, */
static pid_t the_process;          /* and its process: none that it has started */
static volatile sig_atomic_t working;
static int stalled_ticks;   /* so often in a row there was no room for output */
static long stalled_sleeps; /* and so often it had gone to sleep till then */

static struct itimerval timer_after(double seconds) {
  const double time = seconds < 1e-6  ? 1e-6
                      : seconds > 1e9 ? 1e9
                                      : seconds; /* less than that is no timer; thirty years */
  return (struct itimerval){.it_value = {(time_t)time, (suseconds_t)((time - (double)(time_t)time) * 1e6)},
                            .it_interval = {0, (suseconds_t)(TICK_SECONDS * 1e6)}};
}

static void ask(StopReason why) {
  const struct itimerval ticks = timer_after(TICK_SECONDS);
  asked_at = clock_seconds();
  asked_cpu = clock_cpu_seconds();
  the_stop.asked = (int)why;
  setitimer(ITIMER_REAL, &ticks, NULL);
}

static void interrupt(int signal_number) {
  if (the_stop.asked == STOP_NOT) {
    ask(STOP_CANCELLED);
  } else if (clock_seconds() - asked_at >= ECHO_SECONDS) {
    signal(signal_number, SIG_DFL);
    raise(signal_number);
  }
}

static bool is_full(int file) {
  struct pollfd out = {.fd = file, .events = POLLOUT};
  return poll(&out, 1, 0) == 0;
}

static void leave(void) {
  const char *const pieces[] = {the_tool, ": stopped: nobody reads what it writes\n"};
  for (int i = 0; i < 2 && !is_full(STDERR_FILENO); i++)
    if (write(STDERR_FILENO, pieces[i], strlen(pieces[i])) < 0) break;
  _exit(EXIT_UNKNOWN);
}

/* Ends the process if it only waits for a reader: there is no room for output, again and again, and in between it has
 * not gone to sleep once more than each of these signals makes it. */
static void watch_output(void) {
  struct rusage use;
  if (getpid() != the_process) return;
  getrusage(RUSAGE_SELF, &use);
  if (!is_full(STDOUT_FILENO) && !is_full(STDERR_FILENO)) stalled_ticks = 0;
  else if (!stalled_ticks || use.ru_nvcsw > stalled_sleeps + stalled_ticks) stalled_ticks = 1;
  else stalled_ticks++;
  if (stalled_ticks == 1) stalled_sleeps = use.ru_nvcsw;
  if (stalled_ticks > STALL_TICKS) leave();
}

/* While it works; or later, once it has been asked to stop or its time is up. */
static void tick(int signal_number) {
  const int error = errno;
  (void)signal_number;
  if (working && the_stop.asked == STOP_NOT) ask(STOP_TIME);
  else if (working && clock_cpu_seconds() - asked_cpu >= GRACE_SECONDS) the_stop.due = 1;
  watch_output();
  errno = error;
}

static void handle(int signal_number, void (*handler)(int)) {
  const struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigaction(signal_number, &action, NULL);
}

/* Nothing is left of the clock of work before. */
static void start_clock(const char *tool, double seconds) {
  const struct itimerval never = {0};
  setitimer(ITIMER_REAL, &never, NULL);
  the_stop = (Stop){.seconds = seconds};
  the_tool = tool;
  the_process = getpid();
  stalled_ticks = 0;
  working = 1;
  handle(SIGALRM, tick);
  handle(SIGINT, interrupt);
  handle(SIGTERM, interrupt);
  if (seconds <= 0) return;
  const struct itimerval timer = timer_after(seconds);
  setitimer(ITIMER_REAL, &timer, NULL);
}

WorkOptions work_defaults(void) { return (WorkOptions){.max_memory = WORK_DEFAULT_MEMORY}; }

StopReason work_within_limits(Tool *tool, const WorkOptions *options, void (*body)(void *argument), void *argument) {
  Heap *heap = tool->heap;
  if (options->max_memory == WORK_DEFAULT_MEMORY) heap_find_limit(heap, tool_default_memory);
  else heap_set_limit(heap, options->max_memory);
  heap_watch(heap, &the_stop);
  start_clock(tool->name, options->timeout);
  const bool done = heap_try(heap, body, argument);
  working = 0; /* the clock goes on: what was found is written in that time, or until nobody reads it */
  the_stop.due = 0;
  heap_set_limit(heap, 0);
  return done ? STOP_NOT : heap_why(heap);
}

bool work_was_interrupted(void) { return the_stop.asked == STOP_CANCELLED; }

void work_give_up(Tool *tool, StopReason why) {
  char text[100];
  heap_explain(tool->heap, why, text, sizeof text);
  const bool met = why == STOP_MEMORY && heap_met_limit(tool->heap);
  fprintf(stderr, "%s: %s%s\n", tool->name, text, met ? " (--max-memory=SIZE sets it)" : "");
  tool->exit_code = EXIT_UNKNOWN;
}

/* ---- progress ---- */

bool work_is_terminal(int file) {
  const char *terminal = getenv("TERM");
  return isatty(file) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

enum { PATIENCE = 2 /* seconds */ };

void work_progress_init(Progress *progress, const WorkOptions *options) {
  const double time = clock_seconds();
  *progress = (Progress){.start = time, .next = time + (options->progress ? 0 : PATIENCE), .last_time = time};
  progress->enabled = !options->quiet && work_is_terminal(STDERR_FILENO);
}

/* The rate is that of the last half second. */
static void measure_rate(Progress *progress, uint64_t events, double time) {
  if (events < progress->last_events) progress->last_events = 0; /* it is all read again */
  if (time - progress->last_time < 0.5) return;
  progress->rate = (double)(events - progress->last_events) / (time - progress->last_time);
  progress->last_time = time;
  progress->last_events = events;
}

static void show_progress(void *argument, const AskProgress *now) {
  Progress *progress = argument;
  const double time = clock_seconds();
  char more[80] = "";
  measure_rate(progress, now->events, time);
  if (!progress->enabled || time < progress->next) return;
  const double rate = progress->rate > 0 ? progress->rate : (double)now->events / (time - progress->start + 1e-9);
  if (now->unfolding)
    snprintf(more, sizeof more, "%llu cut-offs, %llu queued, ", (unsigned long long)now->unfolding->cutoffs,
             (unsigned long long)now->unfolding->queued);
  fprintf(stderr, "\r\033[K%.0f s: %llu events, %s%.0f events/s, %.0f MB", time - progress->start,
          (unsigned long long)now->events, more, rate, (double)now->bytes / 1e6);
  progress->next = time + 0.1;
  progress->shown = true;
}

AskLimits work_limits(const WorkOptions *options, Progress *progress) {
  return (AskLimits){options->max_events, options->allow_empty, show_progress, progress, &TOOL_REMEDIES};
}

void work_progress_clear(Progress *progress) {
  if (progress->shown) fputs("\r\033[K", stderr);
  progress->shown = false;
}
