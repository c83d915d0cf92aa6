/* split.c: a transaction that has accessed something, and holds no lock, is held until another thread has passed: has
 * accessed some of that in conflict, and then ended its own transaction, or holds no lock either, and has had some more
 * time. One thread is held at a time, and who has met it in a transaction is not held in that. What comes of it is for
 * the monitor to say; nothing is known here of what is a violation.
 *
 * Where nobody comes, the same place is held for half the time when it is met again, and after a few times ever more
 * seldom. All this varies with the seed: from the fourth one on places are left out, or held from a later time on; with
 * even seeds a thread waits until another one is held, either where it begins a transaction or outside of any; and with
 * each third one transactions are held where they hold locks, too. */
#include "record/stripe.h"

enum { PLACES = 1024, FREE = 0, TAKING, HELD, STATES };
enum {
  ALL_PLACES = 3 /* seeds */,
  LOCKS_TOO = 3,
  EARLY_PART = 2,
  NEAR_PART = 8 /* of the time-out */,
  FEW = 6 /* times in vain */,
  OTHERS = 4
};
enum { PAGE_BYTES = 4096, LATEST_BITS = 7 };

static _Atomic uint32_t hold;    /* STATES * the number of the hold + its state */
static _Atomic uint32_t met;     /* the hold that somebody has met, and then passed, */
static _Atomic uint32_t nearly;  /* or has, but outside of transactions: perhaps one is to come */
static Touched touched;          /* by the transaction that is held */
static Thread *_Atomic held;     /* by which thread */
static _Atomic uint32_t early;   /* somebody waits before others, or has */
static _Atomic uint32_t outside; /* gates where somebody might */
static _Atomic uint32_t in_vain; /* holds */

/* A place after which transactions are held. */
typedef struct {
  _Atomic uintptr_t code; /* 0: none */
  _Atomic uint32_t instances, in_vain, met;
} Place;

static Place places[PLACES];

/* NULL: there is no room. */
static Place *place_of(uintptr_t code) {
  const uint64_t first = code * UINT64_C(0x9e3779b97f4a7c15) >> 32;
  for (uint32_t i = 0; i < PLACES; i++) {
    Place *place = &places[(first + i) % PLACES];
    uintptr_t there = 0;
    if (atomic_compare_exchange_strong(&place->code, &there, code) || there == code) return place;
  }
  return NULL;
}

/* Choices by the code's place in its page, which is the same in each run. */
static uint64_t choice_of(uintptr_t code, uint64_t more) { return stress_choice(code % PAGE_BYTES, more); }

/* 0 to 2^LATEST_BITS, small numbers more often. */
static uint64_t later(uint64_t choice) { return (choice >> 8) % (UINT64_C(1) << choice % LATEST_BITS); }

/* For how many milliseconds it is to be held at the place this time. */
static uint32_t patience(Place *place, uintptr_t code) {
  const RawStress *stress = &header->stress;
  const uint32_t instance = place->instances++, vain = place->in_vain + place->met / 2 + in_vain / OTHERS;
  if (stress->seed > ALL_PLACES && (choice_of(code, 0) % 2 || instance < later(choice_of(code, 1)))) return 0;
  if (vain <= FEW) return (stress->timeout >> vain) + 1;
  const uint32_t bits = vain - FEW < 16 ? vain - FEW : 16;
  return choice_of(code, instance + UINT64_C(2)) % (UINT64_C(1) << bits) == 0;
}

/* Sleeps until somebody has passed; where it was outside of transactions, for a part of the time from then on. */
static bool await(const Thread *t, uint32_t mine, uint32_t milliseconds) {
  uint64_t since = waiting_now();
  bool near = false;
  for (uint32_t naps = 1, stuck = 0; met != mine; naps++) {
    if (waiting_now() - since > milliseconds || waiting_in_vain(t, &hold, naps, &stuck)) return near;
    if (!near && nearly == mine) {
      near = true;
      since = waiting_now();
      milliseconds /= NEAR_PART;
    }
    waiting_nap(&hold, mine);
  }
  return true;
}

static void hold_at(Thread *t, Place *place, uint32_t milliseconds, uint32_t free) {
  if (!atomic_compare_exchange_strong(&hold, &free, free + TAKING)) return;
  const uint32_t mine = free + HELD;
  touched = t->stress.touched;
  held = t;
  hold = mine;
  waiting_wake(&hold);
  stripe_release(t);
  t->busy = false;
  const bool passed = await(t, mine, milliseconds);
  if (passed && choice_of(place->code, place->met) % 2) waiting_nap(&hold, mine); /* it may go on a little more */
  hold = free + STATES;
  t->busy = true;
  atomic_fetch_add(passed ? &place->met : &place->in_vain, 1);
  atomic_fetch_add(&header->stress.holds, 1);
  atomic_fetch_add(passed ? &header->stress.met : &in_vain, 1);
}

/* Waits until another thread is held; at most once in a run. */
static void wait_early(Thread *t) {
  const uint64_t since = waiting_now();
  uint32_t at = hold;
  if (atomic_exchange(&early, 1)) return;
  stripe_release(t);
  t->busy = false;
  for (uint32_t naps = 1, stuck = 0; at % STATES != HELD; naps++) {
    if (waiting_now() - since > header->stress.timeout / EARLY_PART || waiting_in_vain(t, &hold, naps, &stuck)) break;
    waiting_nap(&hold, at);
    at = hold;
  }
  t->busy = true;
}

static bool is_alone(void) { return atomic_load_explicit(&header->threads, memory_order_relaxed) < 2; }

void split_gate_begin(Thread *t) {
  if (header->stress.seed % 4 == 2 && !early && !t->stress.depth && !t->stress.locks && !is_alone()) wait_early(t);
}

void split_gate(Thread *t) {
  const uint32_t free = hold;
  const uintptr_t code = t->stress.place;
  if ((t->stress.locks && header->stress.seed % LOCKS_TOO) || free % STATES != FREE || is_alone()) return;
  if (!t->stress.depth) {
    if (header->stress.seed % 4 == 0 && !early && outside++ == later(stress_choice(0, 0))) wait_early(t);
    return;
  }
  if (t->stress.partner) return;
  Place *place = code ? place_of(code) : NULL;
  t->stress.place = 0;
  const uint32_t milliseconds = place ? patience(place, code) : 0;
  if (milliseconds) hold_at(t, place, milliseconds, free);
}

/* --- passing --- */

/* What is held stays as it is; if it was let go just now the answer does not matter. */
static bool meets(uintptr_t from, uintptr_t to, bool written) {
  const uint32_t n = touched.n < TOUCHED ? touched.n : TOUCHED;
  for (uint32_t i = 0; i < n; i++)
    if (touched.at[i].from < to && from < touched.at[i].to && (written || touched.at[i].written)) return true;
  return false;
}

void split_done(Thread *t, uintptr_t address, size_t size, bool written) {
  const uint32_t now = hold;
  if (now % STATES != HELD || held == t) return;
  if (size && (t->stress.met != now || !t->stress.met_inside) && meets(address, address + size, written)) {
    t->stress.met = now;
    t->stress.met_inside = t->stress.partner = t->stress.depth;
  }
  if (t->stress.met != now || t->stress.locks || t->stress.depth) return;
  t->stress.met = 0;
  if (!t->stress.met_inside) {
    nearly = now;
    return;
  }
  met = now;
  waiting_wake(&hold);
}
