#include "libcausal/watch.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>

struct CausalStop {
  atomic_bool stopped;
};

CausalStop *causal_stop_new(void) { return calloc(1, sizeof(CausalStop)); }
void causal_stop(CausalStop *stop) { stop->stopped = true; }
void causal_stop_free(CausalStop *stop) { free(stop); }

/* It is looked this often whether somebody asks, and whoever was asked to stop has that long to tell what he knows. */
#define TICK_SECONDS 0.02
#define GRACE_SECONDS 0.1

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* At most a year, which any time_t can hold. */
static struct timespec timespec_of(double seconds) {
  const time_t whole = (time_t)seconds;
  return (struct timespec){whole, (long)((seconds - (double)whole) * 1e9)};
}

/* Waits until then, or the end. False: it is the end. */
static bool wait_until(Watch *watch, double time) {
  const struct timespec then = timespec_of(time);
  while (!watch->is_over && now() < time) pthread_cond_timedwait(&watch->over, &watch->mutex, &then);
  return !watch->is_over;
}

static double least(double a, double b) { return a < b ? a : b; }

/* Why it should stop now. */
static StopReason reason(const Watch *watch, double end) {
  if (watch->asked && watch->asked->stopped) return STOP_CANCELLED;
  return watch->stop.seconds > 0 && now() >= end ? STOP_TIME : STOP_NOT;
}

/* Waits until it should stop. False: it has come to its end. */
static bool wait_for_reason(Watch *watch) {
  enum { YEAR = 365 * 24 * 3600 };
  const double limit = watch->stop.seconds, end = now() + (limit > 0 ? least(limit, YEAR) : YEAR);
  StopReason why;
  while ((why = reason(watch, end)) == STOP_NOT)
    if (!wait_until(watch, watch->asked ? least(now() + TICK_SECONDS, end) : end)) return false;
  watch->stop.asked = (int)why;
  return true;
}

static void *look_on(void *argument) {
  Watch *watch = argument;
  pthread_mutex_lock(&watch->mutex);
  if (wait_for_reason(watch) && wait_until(watch, now() + GRACE_SECONDS)) watch->stop.due = 1;
  pthread_mutex_unlock(&watch->mutex);
  return NULL;
}

/* Signals are the business of the threads of the process. */
static bool start_thread(Watch *watch) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const bool good = pthread_create(&watch->thread, NULL, look_on, watch) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return good;
}

static void destroy(Watch *watch) {
  pthread_cond_destroy(&watch->over);
  pthread_mutex_destroy(&watch->mutex);
}

bool watch_begin(Watch *watch, double seconds, const CausalStop *asked) {
  pthread_condattr_t monotonic;
  *watch = (Watch){.asked = asked, .stop = {.seconds = seconds}};
  if (seconds <= 0 && !asked) return true;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_mutex_init(&watch->mutex, NULL);
  pthread_cond_init(&watch->over, &monotonic);
  pthread_condattr_destroy(&monotonic);
  watch->runs = start_thread(watch);
  if (!watch->runs) destroy(watch);
  return watch->runs;
}

void watch_end(Watch *watch) {
  if (!watch->runs) return;
  pthread_mutex_lock(&watch->mutex);
  watch->is_over = true;
  pthread_cond_signal(&watch->over);
  pthread_mutex_unlock(&watch->mutex);
  pthread_join(watch->thread, NULL);
  destroy(watch);
  watch->runs = false;
}
