/* sleep.c: sleeps. Where a run is stressed they are cut short, so that threads meet that otherwise would not: who comes
 * later by sleeping alone might come at any time. A sleep until a point in time takes as long as it takes. */
#include "record/stripe.h"

#include <threads.h>
#include <time.h>
#include <unistd.h>

enum { SECOND = 1000000000 /* nanoseconds */, MILLION = 1000000 };

/* By priorities a sleep is none, and so nobody goes on meanwhile who otherwise would not. */
static void let_go(void) {
  if (self && !self->busy) stripe_release(self);
}

static bool is_stressed(void) { return UNLIKELY(header && header->stress.how); }

/* What is no time stays none. */
static struct timespec shorter(struct timespec time) {
  if (time.tv_sec < 0 || time.tv_nsec < 0 || time.tv_nsec >= SECOND) return time;
  if (header->stress.how == STRESS_PRIORITIES) return (struct timespec){0, 0};
  const long more = (long)(time.tv_sec % STRESS_SLEEP) * (SECOND / STRESS_SLEEP);
  return (struct timespec){time.tv_sec / STRESS_SLEEP, more + time.tv_nsec / STRESS_SLEEP};
}

#define SLEEP(name)                                                       \
  EXPORTED int name(const struct timespec *time, struct timespec *rest) { \
    let_go();                                                             \
    if (!is_stressed() || !time) return REAL(name)(time, rest);           \
    const struct timespec asked = shorter(*time);                         \
    return REAL(name)(&asked, rest);                                      \
  }

SLEEP(nanosleep)
SLEEP(thrd_sleep)

EXPORTED int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
  let_go();
  if (!is_stressed() || !time || flags & TIMER_ABSTIME) return REAL(clock_nanosleep)(clock, flags, time, rest);
  const struct timespec asked = shorter(*time);
  return REAL(clock_nanosleep)(clock, flags, &asked, rest);
}

EXPORTED int usleep(useconds_t time) {
  let_go();
  if (!is_stressed()) return REAL(usleep)(time);
  const struct timespec asked = shorter((struct timespec){time / MILLION, (long)(time % MILLION) * 1000});
  return REAL(nanosleep)(&asked, NULL);
}

EXPORTED unsigned sleep(unsigned time) {
  let_go();
  if (!is_stressed()) return REAL(sleep)(time);
  const struct timespec asked = shorter((struct timespec){.tv_sec = time});
  return REAL(nanosleep)(&asked, NULL) ? time : 0;
}
