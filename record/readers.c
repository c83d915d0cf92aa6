/* readers.c: stripes that are open to readers.
 *
 * What many threads read and none writes would go from one to the next with each read. So a stripe that has come to
 * threads by reads several times, without a write in between, is opened: nobody holds it, and its word has a clock
 * above which all may read. A reader writes nothing that others look at all the time; it only notes in its own memory
 * which stripe it is `reading`, until its next event. Who takes the stripe for something else ends that: it looks at
 * all readers, waits for those that are reading the stripe, and sets its clock above theirs. Between a reader's note
 * and its look at the word there is no fence; membarrier(2), called by who ends it, makes up for that. This takes
 * thousands of cycles; so the more often a stripe was opened, the later it is opened again.
 *
 * The states are those of M. D. Bond et al., "Octet: capturing and controlling cross-thread dependences efficiently"
 * (OOPSLA 2013); a lock that works like this is in D. Dice and A. Kogan, "BRAVO: biased locking for reader-writer
 * locks" (USENIX ATC 2019). */
#include "record/stripe.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
  READERS = 512,
  FIRST = 2,      /* reads by which a stripe has come before it is opened, */
  DOUBLINGS = 10, /* doubled at most so many times, */
  STEP = 2,       /* by so many each time that it was opened */
  COUNT_BITS = 12 /* of `comings`; the doublings are above them */
};

static _Atomic(Thread *) readers[READERS];
static _Atomic uint32_t n_readers;       /* now */
static _Atomic uint32_t places;          /* that have ever been used */
static _Atomic uint64_t before[READERS]; /* the greatest clock of those that were in this place */
static bool is_on;

_Atomic uint8_t stripes_written[1 << RAW_STRIPE_BITS];
static _Atomic uint16_t comings[1 << RAW_STRIPE_BITS];

void readers_begin(void) {
  is_on = header->exact && !syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
}

static void raise_to(_Atomic uint64_t *clock, uint64_t to) {
  if (atomic_load(clock) < to) atomic_store(clock, to);
}

static bool take_place(Thread *t, uint32_t place) {
  Thread *nobody = NULL;
  if (atomic_load(&readers[place]) || !atomic_compare_exchange_strong(&readers[place], &nobody, t)) return false;
  uint32_t n = atomic_load(&places);
  while (n <= place && !atomic_compare_exchange_weak(&places, &n, place + 1)) {}
  atomic_fetch_add(&n_readers, 1);
  t->reader = place + 1;
  return true;
}

/* Is the thread a reader? It becomes one, if there is a place. */
static bool is_reader(Thread *t) {
  if (!is_on || t->reader) return t->reader;
  for (uint32_t i = 0; i < READERS && atomic_load(&n_readers) < READERS; i++)
    if (take_place(t, i)) return true;
  return false;
}

void readers_leave(Thread *t) {
  if (!t->reader) return;
  raise_to(&before[t->reader - 1], t->clock);
  atomic_store(&readers[t->reader - 1], NULL);
  atomic_fetch_sub(&n_readers, 1);
  t->reader = 0;
}

bool readers_enter(Thread *t, const Stripe *stripe) {
  const uint64_t word = atomic_load(stripe), clock = word >> STRIPE_CLOCK_SHIFT;
  if (!stripe_is_open(word) || !is_reader(t)) return false;
  if (clock >= t->clock) thread_set_clock(t, clock + 1);
  return stripe_reads(t, stripe);
}

/* All who had it before are below this thread's clock. */
static void open_held(Thread *t) {
  uint64_t word = atomic_load(t->held);
  if (!stripe_is_ours(t, t->held)) return;
  t->opened = (t->clock - 1) << STRIPE_CLOCK_SHIFT | STRIPE_READERS;
  t->reading = t->held;
  if (atomic_compare_exchange_strong(t->held, &word, t->opened)) t->held = NULL;
  else t->reading = NULL;
}

void readers_come(Thread *t) {
  const size_t i = (size_t)(t->held - stripes);
  const uint32_t count = atomic_load_explicit(&comings[i], memory_order_relaxed), doublings = count >> COUNT_BITS;
  const bool written = atomic_load_explicit(&stripes_written[i], memory_order_relaxed);
  const uint32_t n = written ? 0 : 1 + (count & ((1u << COUNT_BITS) - 1));
  const bool opens = n >= (uint32_t)FIRST << doublings && is_reader(t);
  const uint32_t later = doublings < DOUBLINGS ? doublings + STEP : DOUBLINGS;
  const uint32_t next = opens ? later << COUNT_BITS : doublings << COUNT_BITS | n;
  atomic_store_explicit(&stripes_written[i], 0, memory_order_relaxed);
  atomic_store_explicit(&comings[i], (uint16_t)next, memory_order_relaxed);
  if (opens) open_held(t);
}

/* Waits until the other thread is not reading the stripe. */
static void await(const Thread *other, const Stripe *stripe) {
  StripeWatch watch = {0};
  for (uint32_t round = 0; other->reading == stripe; round++)
    if (!stripe_spin(round) && stripe_is_over(&watch, other, true)) return;
}

/* Who leaves a place leaves its clock there before. */
static uint64_t end_one(uint32_t place, const Thread *t, const Stripe *stripe) {
  const Thread *other = atomic_load(&readers[place]);
  if (other && other != t) await(other, stripe);
  const uint64_t its = other && other != t ? *(const volatile uint64_t *)&other->clock : 0;
  const uint64_t left = atomic_load(&before[place]);
  return its > left ? its : left;
}

uint64_t readers_end(const Thread *t, const Stripe *stripe) {
  const int error = errno;
  const uint32_t n = atomic_load(&places);
  uint64_t clock = 0;
  if (n) syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
  thread_look();
  for (uint32_t i = 0; i < n; i++) {
    const uint64_t its = end_one(i, t, stripe);
    if (its > clock) clock = its;
  }
  thread_look_away();
  errno = error;
  return clock;
}
