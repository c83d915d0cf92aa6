/* stripe.c: the slow ways of the stripes: waiting, several at a time.
 *
 * A thread that holds a stripe may be stuck: in a system call, or in code without callbacks. Its access is the very next instruction after
 * its callback, so it has happened as soon as the thread has been seen asleep, or has run for a while since. Then the
 * stripe is taken from it. */
#include "record/runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SPINS = 100, YIELDS = 200, PAUSE_NS = 50000, RUN_NS = 1000000, LIMIT_MS = 1000 };

Stripe stripes[1 << STRIPE_BITS];

/* A small file of /proc/self/task/TID, read without a cancellation point. */
static bool read_task(pid_t tid, const char *name, char *text, size_t size) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/%s", (int)tid, name);
  const long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const long n = syscall(SYS_read, fd, text, size - 1);
  syscall(SYS_close, fd);
  text[n > 0 ? n : 0] = '\0';
  return n > 0;
}

static bool is_asleep(pid_t tid) {
  char text[512];
  if (!read_task(tid, "stat", text, sizeof text)) return true; /* it is gone */
  const char *state = NULL;
  for (const char *c = text; *c; c++)
    if (c[0] == ')' && c[1] == ' ') state = c + 2;
  return state && *state != 'R' && *state != 'D';
}

static uint64_t time_run(pid_t tid) {
  char text[128];
  uint64_t ns = 0;
  if (read_task(tid, "schedstat", text, sizeof text))
    for (const char *c = text; *c >= '0' && *c <= '9'; c++) ns = ns * 10 + (uint64_t)(*c - '0');
  return ns;
}

/* Sleeps until the word changes, or its holder has certainly made its access. */
static uint64_t watch(Stripe *stripe, uint64_t word, Thread *holder) {
  const uint64_t before = time_run(holder->tid);
  for (uint32_t ms = 0;; ms++) {
    for (uint32_t i = 0; i < 20; i++) {
      syscall(SYS_nanosleep, &(struct timespec){0, PAUSE_NS}, NULL);
      if (atomic_load(stripe) != word) return atomic_load(stripe);
      if (i == 0 && is_asleep(holder->tid)) return word;
    }
    if (time_run(holder->tid) > before + RUN_NS) return word;
    if (ms == LIMIT_MS) {
      thread_lost(RAW_LOST_ORDER);
      return word;
    }
  }
}

/* The word of the stripe when it may be taken: free, or held by a thread that has done what it holds it for. */
uint64_t stripe_wait(Thread *thread, Stripe *stripe) {
  const int error = errno;
  uint64_t word;
  for (uint32_t round = 0;; round++) {
    word = atomic_load(stripe);
    if (!(word & STRIPE_HELD) || (word & STRIPE_HOLDER) == thread->holder) break;
    if (round < SPINS) {
      __builtin_ia32_pause();
    } else if (round < YIELDS) {
      sched_yield();
    } else {
      Thread *holder = thread_of_number((uint32_t)(word & STRIPE_HOLDER) >> 1);
      if (!holder || watch(stripe, word, holder) == word) break;
    }
  }
  errno = error;
  return word;
}

void stripe_release_more(Thread *thread) {
  while (thread->n_more) stripe_give(thread, thread->more[--thread->n_more]);
}

/* Adds the stripes of the lines to `more`, which stays sorted, each once. */
static void add_lines(Thread *t, uintptr_t address, size_t size) {
  if (!size) return;
  const uintptr_t last = (address + size - 1) >> LINE_BITS;
  for (uintptr_t line = address >> LINE_BITS; line <= last && t->n_more < MORE_MAX; line++) {
    Stripe *stripe = stripe_of(line << LINE_BITS);
    uint32_t i = t->n_more;
    while (i && t->more[i - 1] > stripe) i--;
    if (i && t->more[i - 1] == stripe) continue;
    for (uint32_t k = t->n_more++; k > i; k--) t->more[k] = t->more[k - 1];
    t->more[i] = stripe;
  }
}

/* In the order of their addresses, so that no two threads wait for each other. */
void stripe_take_ranges(Thread *t, uintptr_t a, size_t n, uintptr_t b, size_t m) {
  stripe_release(t);
  add_lines(t, a, n);
  add_lines(t, b, m);
  for (uint32_t i = 0; i < t->n_more; i++) stripe_take(t, t->more[i]);
}

void stripe_take_range(Thread *t, uintptr_t address, size_t size) { stripe_take_ranges(t, address, size, 0, 0); }

void stripe_touch(Thread *t, uintptr_t address) {
  Stripe *stripe = stripe_of(address);
  stripe_release(t);
  stripe_take(t, stripe);
  stripe_give(t, stripe);
}
