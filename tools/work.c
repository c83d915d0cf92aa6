#include "tools/work.h"

#include "base/clock.h"

#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

/* A signal handler has no other way to tell. */
static volatile int interrupted;
static double first_interrupt; /* seconds */

/* What comes within that time after the first one is not a second one: some senders signal a process and its group. */
#define ECHO_SECONDS 0.2

static void interrupt(int signal_number) {
  if (interrupted != WORK_CANCELLED) {
    first_interrupt = clock_seconds();
    interrupted = WORK_CANCELLED;
  } else if (clock_seconds() - first_interrupt >= ECHO_SECONDS) {
    signal(signal_number, SIG_DFL);
    raise(signal_number);
  }
}

static void time_is_up(int signal_number) {
  (void)signal_number;
  if (!interrupted) interrupted = WORK_TIME_IS_UP;
}

void work_limit_time(double seconds) {
  const double time = seconds < 1e-6 ? 1e-6 : seconds > 1e9 ? 1e9 : seconds; /* a timer of less is none; thirty years */
  const struct sigaction action = {.sa_handler = time_is_up, .sa_flags = SA_RESTART};
  const struct itimerval timer = {.it_value = {(time_t)time, (suseconds_t)((time - (double)(time_t)time) * 1e6)}};
  if (seconds <= 0) return;
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &timer, NULL);
}

void work_allow_time(double seconds) {
  if (interrupted == WORK_TIME_IS_UP) interrupted = 0;
  work_limit_time(seconds);
}

void work_catch_interrupts(void) {
  const struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESTART};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

const volatile int *work_interrupted(void) { return &interrupted; }

WorkOptions work_defaults(void) { return (WorkOptions){.max_memory = tool_default_memory()}; }

/* ---- progress ---- */

enum { PATIENCE = 2 /* seconds */ };

void progress_init(Progress *progress, const Heap *heap, const WorkOptions *options) {
  const double time = clock_seconds();
  *progress = (Progress){.heap = heap, .start = time, .first = time + (options->progress ? 0 : PATIENCE), .last_time = time};
  progress->enabled = !options->quiet && isatty(STDERR_FILENO);
}

/* Is it time for a line? */
static bool is_due(Progress *progress, uint64_t events, double time) {
  if (events < progress->last_events) progress->last_events = 0; /* it is all read again */
  if (time - progress->last_time >= 0.5) {
    progress->rate = (double)(events - progress->last_events) / (time - progress->last_time);
    progress->last_time = time;
    progress->last_events = events;
  }
  return progress->enabled && time >= progress->first;
}

static void show_line(Progress *progress, uint64_t events, const char *more, double time) {
  const double rate = progress->rate > 0 ? progress->rate : (double)events / (time - progress->start + 1e-9);
  fprintf(stderr, "\r\033[K%.0f s: %llu events, %s%.0f events/s, %.0f MB", time - progress->start, (unsigned long long)events, more, rate,
          (double)heap_used(progress->heap) / 1e6);
  progress->shown = true;
}

void progress_show(void *argument, const UnfoldCounts *counts) {
  Progress *progress = argument;
  const double time = clock_seconds();
  if (!is_due(progress, counts->events, time)) return;
  char more[80];
  snprintf(more, sizeof more, "%llu cut-offs, %llu queued, ", (unsigned long long)counts->cutoffs, (unsigned long long)counts->queued);
  show_line(progress, counts->events, more, time);
}

void progress_count(Progress *progress, uint64_t events) {
  const double time = clock_seconds(), before = progress->last_time;
  if (is_due(progress, events, time) && progress->last_time != before) show_line(progress, events, "", time);
}

void progress_clear(Progress *progress) {
  if (progress->shown) fputs("\r\033[K", stderr);
  progress->shown = false;
}
