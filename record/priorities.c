/* priorities.c: of the threads that can go on only the one with the highest priority does. Priorities are random, and
 * change at some gates in transactions: then the thread becomes the last one (Burckhardt, Kothari, Musuvathi and
 * Nagarakatte, "A randomized scheduler with probabilistic guarantees of finding bugs", ASPLOS 2010, with d = 3: two
 * changes).
 *
 * A thread that may block says so before (priorities_away), and counts again when it comes to its next event. What
 * blocks unsaid, or goes on for long without any, is let be after two naps. Who passes very many gates in a row, or
 * looks at the same again and again, perhaps waits for another thread, and becomes the last one, too. */
#include "record/stripe.h"

enum { SLOTS = 256, CHANGES = 2, BURST = 10000 /* gates */, LOOKS = 16, NAPS = 2 };

/* A thread, by its number. Those beyond the last slot run as they like. */
typedef struct {
  _Atomic uint64_t priority; /* 0: not known yet */
  _Atomic uint64_t gates;    /* passed */
  _Atomic bool ready;        /* it can go on */
} Slot;

static Slot slots[SLOTS];
static _Atomic uint32_t turn;    /* grows when another one may be the first */
static _Atomic uint64_t inside;  /* gates in transactions, passed */
static _Atomic uint32_t lowered; /* how often a thread became the last one */

static Slot *slot_of(const Thread *t) { return t->number < SLOTS ? &slots[t->number] : NULL; }

static void change_turn(void) {
  turn++;
  waiting_wake(&turn);
}

/* Below all that there were so far. */
static void lower(Slot *slot) {
  slot->priority = UINT32_MAX - ++lowered;
  change_turn();
}

static void be_ready(const Thread *t, Slot *slot) {
  if (!slot->priority) slot->priority = UINT64_C(1) << 32 | stress_choice(t->number, 0) >> 1;
  if (!slot->ready) slot->ready = true;
}

static bool is_change(uint64_t gate) {
  for (uint32_t i = 0; i < CHANGES; i++)
    if (gate == stress_choice(i, 1) % header->stress.length) return true;
  return false;
}

/* NULL: nobody can go on. */
static Slot *first_ready(void) {
  const uint32_t threads = header->threads, n = threads < SLOTS ? threads : SLOTS;
  Slot *first = NULL;
  for (uint32_t i = 0; i < n; i++)
    if (slots[i].ready && (!first || slots[i].priority > first->priority)) first = &slots[i];
  return first;
}

static void await_turn(Thread *t, Slot *slot) {
  const Slot *watched = NULL;
  uint64_t gates = 0;
  stripe_release(t);
  t->busy = false;
  for (uint32_t naps = 0;; naps++) {
    const uint32_t at = turn;
    Slot *first = first_ready();
    if (!first || first == slot) break;
    if (first != watched || first->gates != gates) {
      watched = first;
      gates = first->gates;
      naps = 0;
    }
    if (naps >= NAPS) {
      first->ready = false;
      change_turn();
    }
    waiting_nap(&turn, at);
  }
  t->busy = true;
  t->stress.burst = 0;
}

void priorities_gate(Thread *t) {
  Slot *slot = slot_of(t);
  if (!slot) return;
  be_ready(t, slot);
  slot->gates++;
  if ((t->stress.depth && is_change(inside++)) || ++t->stress.burst > BURST || t->stress.looks > LOOKS) {
    lower(slot);
    t->stress.burst = t->stress.looks = 0;
  }
  if (first_ready() != slot) await_turn(t, slot);
}

void priorities_done(const Thread *t) {
  Slot *slot = slot_of(t);
  if (slot) be_ready(t, slot);
}

void priorities_away(const Thread *t) {
  Slot *slot = slot_of(t);
  if (!slot || !slot->ready) return;
  slot->ready = false;
  change_turn();
}
