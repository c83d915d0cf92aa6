/* stripe.c: the slow ways of the stripes: waiting, taking one away, several at a time.
 *
 * A thread that holds a stripe may be stuck: in a system call, or in code without callbacks. Its access is the very
 * next instruction after its callback, so it has happened as soon as the thread has been seen asleep outside of a
 * callback, or has run for a while since. Then the stripe is taken from it. It may have woken up in the meantime, have
 * found the stripe its own, and be about to make another access; so who has taken a stripe waits once more for the
 * same. From then on the other one sees that the stripe is lost. */
#include "record/stripe.h"

#include "record/live.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
  ASK = 25,
  SPINS = 100,
  YIELDS = 200,
  PAUSE_NS = 50000,
  LOOK = 20,
  LIMIT = 20000,
  RUN_NS = 1000000
}; /* LOOK, LIMIT: pauses */

Stripe stripes[1 << RAW_STRIPE_BITS];

bool stripe_read_task(pid_t tid, const char *name, char *text, size_t size) {
  char path[64];
  const sigset_t blocked = signals_block();
  snprintf(path, sizeof path, "/proc/self/task/%d/%s", (int)tid, name);
  const long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  const long n = fd < 0 ? -1 : syscall(SYS_read, fd, text, size - 1);
  if (fd >= 0) syscall(SYS_close, fd);
  signals_restore(blocked);
  text[n > 0 ? n : 0] = '\0';
  return n > 0;
}

static bool is_asleep(pid_t tid) {
  char text[512];
  if (!stripe_read_task(tid, "stat", text, sizeof text)) return true; /* it is gone */
  const char *state = NULL;
  for (const char *c = text; *c; c++)
    if (c[0] == ')' && c[1] == ' ') state = c + 2;
  return state && *state != 'R' && *state != 'D';
}

static uint64_t time_run(pid_t tid) {
  char text[128];
  uint64_t ns = 0;
  if (stripe_read_task(tid, "schedstat", text, sizeof text))
    for (const char *c = text; *c >= '0' && *c <= '9'; c++) ns = ns * 10 + (uint64_t)(*c - '0');
  return ns;
}

bool stripe_spin(uint32_t round) {
  if (round < SPINS) __builtin_ia32_pause();
  else if (round < YIELDS) sched_yield();
  return round < YIELDS;
}

bool stripe_is_over(StripeWatch *w, const Thread *holder, bool taken) {
  if (!w->seen) {
    w->seen = !holder->busy;
    if (w->seen) w->ran = time_run(holder->tid);
  } else if (taken || !holder->busy) {
    const bool over = (w->pauses % LOOK == 1 && is_asleep(holder->tid)) ||
                      (w->pauses % LOOK == 0 && time_run(holder->tid) > w->ran + RUN_NS);
    if (over && (taken || !holder->busy)) return true;
  }
  syscall(SYS_nanosleep, &(struct timespec){0, PAUSE_NS}, NULL);
  if (++w->pauses < LIMIT) return false;
  thread_lost(RAW_LOST_ORDER);
  return true;
}

/* Sleeps until the word changes, or what its holder has accessed is over. Before the stripe is `taken` from it: what it
 * has accessed while it holds the stripe; it may wait for others, and access this one afterwards. */
static uint64_t watch(const Stripe *stripe, uint64_t word, const Thread *holder, bool taken) {
  StripeWatch w = {0};
  while (atomic_load(stripe) == word && !(taken && holder->waiting))
    if (stripe_is_over(&w, holder, taken)) return word;
  return atomic_load(stripe);
}

static Thread *holder_of(uint64_t word) {
  const uint32_t holder = (uint32_t)(word & STRIPE_HOLDER) >> 1;
  return holder ? thread_of_number(holder - 1) : NULL;
}

/* Who holds it may keep it without a need. */
static void ask_for(const Stripe *stripe, uint64_t word) {
  Thread *holder = holder_of(word);
  if (holder) holder->wanted = stripe;
}

void stripe_release_wanted(Thread *t) {
  const Stripe *stripe = t->wanted;
  t->wanted = NULL;
  if (!stripe) return;
  const uint32_t place = stripe_place((uint32_t)(stripe - stripes));
  if (t->kept[place] == stripe) stripe_give_kept(t, place);
}

void stripe_release_kept(Thread *t) {
  t->wanted = NULL;
  for (uint32_t i = 0; i < KEPT_WORDS; i++)
    while (t->keeps[i]) stripe_give_kept(t, i * 64 + (uint32_t)__builtin_ctzll(t->keeps[i]));
}

/* The word of the stripe when it may be taken: free, or held by a thread that has done what it holds it for. */
static uint64_t wait(const Thread *thread, const Stripe *stripe) {
  for (uint32_t round = 0;; round++) {
    const uint64_t word = atomic_load(stripe);
    if (!(word & STRIPE_HELD) || (word & STRIPE_HOLDER) == thread->holder) return word;
    if (round % ASK == 0) ask_for(stripe, word);
    if (!stripe_spin(round)) {
      thread_look();
      const Thread *holder = holder_of(word);
      const bool over = !holder || watch(stripe, word, holder, false) == word;
      thread_look_away();
      if (over) return word;
    }
  }
}

/* The stripes that the other thread keeps, of which some are its own no more, become this one's. */
static uint32_t take_kept(const Thread *thread, const Thread *other, Stripe *taken[KEPT]) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < KEPT; i++) {
    Stripe *stripe = *(Stripe *const volatile *)&other->kept[i];
    if (!stripe || !stripe_is_ours(other, stripe)) continue;
    uint64_t word = atomic_load(stripe);
    if ((word & STRIPE_HOLDER) != other->holder) continue;
    if (atomic_compare_exchange_strong(stripe, &word, stripe_ours(thread, word))) taken[n++] = stripe;
  }
  return n;
}

/* What was taken is as the other thread has given it back, if it is `over`; else it is its own again. It may have given
 * it back just then. */
static void leave_kept(const Thread *thread, const Thread *other, Stripe *const *taken, uint32_t n, bool over) {
  const uint64_t clock = *(const volatile uint64_t *)&other->clock;
  for (uint32_t i = 0; i < n; i++) {
    uint64_t word = atomic_load(taken[i]);
    const uint64_t left = over ? clock << STRIPE_CLOCK_SHIFT | (other->holder - STRIPE_HELD) : stripe_ours(other, word);
    if ((word & STRIPE_HOLDER) == thread->holder) atomic_compare_exchange_strong(taken[i], &word, left);
  }
}

/* Takes what is held, if the word is still that; `word` becomes what it is after that. False: it is to be waited for
 * again. */
static bool take_away(const Thread *thread, Stripe *stripe, uint64_t *word) {
  Stripe *kept[KEPT]; /* what is over for one of them is so for all */
  const uint64_t ours = stripe_ours(thread, *word);
  const Thread *holder = holder_of(*word);
  if (!atomic_compare_exchange_strong(stripe, word, ours)) return false;
  if (!holder) return true;
  const uint32_t n = take_kept(thread, holder, kept);
  const bool over = watch(stripe, ours, holder, true) == ours;
  leave_kept(thread, holder, kept, n, over);
  if (!over) return false; /* it has given the stripe back just then */
  const uint64_t clock = *(const volatile uint64_t *)&holder->clock;
  *word = (*word & STRIPE_HOLDER) | clock << STRIPE_CLOCK_SHIFT;
  return true;
}

uint64_t stripe_take_slowly(Thread *thread, Stripe *stripe) {
  const int error = errno;
  uint64_t word;
  if (thread->n_kept) stripe_release_kept(thread); /* no two threads wait for each other */
  thread->waiting = true;
  for (bool taken = false; !taken;) {
    word = wait(thread, stripe);
    const uint64_t ours = stripe_ours(thread, word);
    if (word & STRIPE_HELD && word != ours) {
      thread_look();
      taken = take_away(thread, stripe, &word);
      thread_look_away();
    } else {
      taken = atomic_compare_exchange_strong(stripe, &word, ours);
    }
  }
  thread->waiting = false;
  errno = error;
  return word & ~(uint64_t)STRIPE_HELD;
}

static void share(const Stripe *stripe) {
  const size_t i = (size_t)(stripe - stripes);
  if (!stripe_is_shared(stripe)) atomic_fetch_or(&header->shared[i / 64], UINT64_C(1) << i % 64);
}

/* Of several threads the first one enters itself, and the others see that. */
void stripe_see(Thread *t, uintptr_t address, size_t size) {
  if (!size) return;
  const uintptr_t last = (address + size - 1) >> LINE_BITS;
  for (uintptr_t line = address >> LINE_BITS; line <= last; line++) {
    Stripe *stripe = stripe_of(line << LINE_BITS);
    uint64_t word = atomic_load(stripe);
    while (!(word & STRIPE_HOLDER) && !atomic_compare_exchange_weak(stripe, &word, word | (t->holder - STRIPE_HELD))) {}
    if ((word & STRIPE_HOLDER) && stripe_was_not_ours(t, word)) share(stripe);
  }
}

bool stripe_passed(Thread *t, Stripe *stripe, uint64_t word) {
  uint64_t clock = word >> STRIPE_CLOCK_SHIFT;
  if (!(word & STRIPE_HOLDER)) return false;
  if (stripe_is_open(word)) {
    const uint64_t read = readers_end(t, stripe);
    if (read > clock) clock = read;
  }
  share(stripe);
  if (UNLIKELY(t->era)) live_lose(t, (uint32_t)(stripe - stripes));
  if (clock >= t->clock) thread_set_clock(t, clock + 1);
  return true;
}

void stripe_release_more(Thread *thread) {
  while (thread->n_more) stripe_give(thread, thread->more[--thread->n_more]);
}

/* What was taken may not be known anywhere else than in the stripe, nor that it was another's, or open, before. */
void stripe_recover(Thread *t) {
  t->waiting = false;
  t->held = NULL;
  t->reading = NULL;
  t->n_more = t->n_kept = 0;
  thread_end_loop(t);
  memset(t->keeps, 0, sizeof t->keeps);
  memset(t->kept, 0, sizeof t->kept);
  for (uint32_t i = 0; i < sizeof stripes / sizeof *stripes; i++) {
    if (!stripe_is_ours(t, &stripes[i])) continue;
    const uint64_t before = atomic_load(&stripes[i]) >> STRIPE_CLOCK_SHIFT, read = readers_end(t, &stripes[i]);
    const uint64_t clock = before > read ? before : read;
    share(&stripes[i]);
    if (clock >= t->clock) t->clock = clock + 1;
  }
  thread_set_clock(t, t->clock);
  for (uint32_t i = 0; i < sizeof stripes / sizeof *stripes; i++) stripe_give(t, &stripes[i]);
}

/* Adds the stripes of the lines to `more`, which stays sorted, each once. Beyond its room nothing is ordered. */
static void add_lines(Thread *t, uintptr_t address, size_t size) {
  if (!size) return;
  const uintptr_t last = (address + size - 1) >> LINE_BITS;
  for (uintptr_t line = address >> LINE_BITS; line <= last; line++) {
    Stripe *stripe = stripe_of(line << LINE_BITS);
    uint32_t i = t->n_more;
    stripe_write(stripe);
    if (i == MORE_MAX) {
      if (line == last) thread_lost(RAW_LOST_ORDER);
      share(stripe);
      continue;
    }
    while (i && t->more[i - 1] > stripe) i--;
    if (i && t->more[i - 1] == stripe) continue;
    for (uint32_t k = t->n_more++; k > i; k--) t->more[k] = t->more[k - 1];
    t->more[i] = stripe;
  }
}

/* In the order of their addresses, so that no two threads wait for each other. */
static void take_more(Thread *t) {
  for (uint32_t i = 0; i < t->n_more; i++) stripe_take(t, t->more[i]);
}

void stripe_take_ranges(Thread *t, uintptr_t a, size_t n, uintptr_t b, size_t m) {
  if (!t->exact) {
    stripe_see(t, a, n);
    stripe_see(t, b, m);
    return;
  }
  stripe_release(t);
  add_lines(t, a, n);
  add_lines(t, b, m);
  take_more(t);
}

void stripe_take_range(Thread *t, uintptr_t address, size_t size) { stripe_take_ranges(t, address, size, 0, 0); }

/* Does not wait for long. */
static bool try(Thread *t, Stripe *stripe) {
  for (uint32_t round = 0; round < SPINS; round++) {
    uint64_t word = atomic_load(stripe);
    if (!(word & STRIPE_HELD) && atomic_compare_exchange_strong(stripe, &word, stripe_ours(t, word))) {
      if (stripe_was_not_ours(t, word)) stripe_passed(t, stripe, word);
      return true;
    }
    __builtin_ia32_pause();
  }
  return false;
}

static bool try_range(Thread *t, uintptr_t address, size_t size) {
  const uintptr_t last = (address + size - 1) >> LINE_BITS;
  for (uintptr_t line = address >> LINE_BITS; line <= last; line++) {
    Stripe *stripe = stripe_of(line << LINE_BITS);
    if (stripe_is_ours(t, stripe)) continue;
    if (t->n_more == MORE_MAX || !try(t, stripe)) return false;
    t->more[t->n_more++] = stripe;
  }
  return true;
}

/* What was written is kept, so that nothing comes between if the two were no copy after all. Where that may be a
 * deadlock, the write that is in the log already is made nothing there, and is logged again. */
void stripe_take_copy(Thread *t, uintptr_t from, size_t size) {
  uint64_t *const write = t->written - 2, clock = t->clock;
  if (try_range(t, from, size)) return;
  const bool same_chunk = write < t->at;
  if (same_chunk) write[0] = write[1] = clock << RAW_KIND_BITS | RAW_CLOCK;
  stripe_take_ranges(t, t->written_to, size, from, size);
  if (same_chunk) thread_log_with(t, RAW_WRITE_RANGE, t->written_to, t->written_code, size);
}

void stripe_touch(Thread *t, uintptr_t address) {
  Stripe *stripe = stripe_of(address);
  stripe_release(t);
  stripe_write(stripe);
  stripe_take(t, stripe);
  stripe_give(t, stripe);
}

/* By what each 64 MB of memory begin with, as an arena of the C library does: what is freed may come again as part of
 * another block. All are held until the last is, and are given back with one clock. */
void stripe_touch_memory(Thread *t, uintptr_t address, size_t size) {
  const uintptr_t area = (uintptr_t)1 << 26;
  stripe_release(t);
  for (uintptr_t at = address & ~(area - 1); at < address + size; at += area) add_lines(t, at, 1);
  take_more(t);
  stripe_release_more(t);
}
