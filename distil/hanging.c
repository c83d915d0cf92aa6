/* hanging.c: one pass over the raw log finds who holds what. Then threads are taken away that go on, or wait for
 * something that one of those may do: whoever is left cannot go on any more. A lock is given back by who holds it, and
 * a thread ends by itself; who signals a condition, or comes to a barrier, may be anybody. */
#include "distil/hanging.h"

#include "base/keys.h"
#include "distil/blocks.h"
#include "distil/faults.h"
#include "distil/naming.h"
#include "distil/source.h"
#include "distil/stacks.h"

#include <stdio.h>
#include <string.h>

#define NOBODY UINT32_MAX

enum { LINES = 30, NAMES = 3, TEXT = 600 };

/* Who has a lock, or a semaphore, and since when. */
typedef struct {
  uint32_t thread;
  uint64_t code;
  bool shared;
} Holder;

typedef VEC(Holder) HolderVec;

typedef struct {
  uint64_t function, last; /* the one that it has begun with; the code of its last event */
  const RawWait *wait;     /* or NULL: it goes on */
  uint32_t other;          /* whose end it waits for; or NOBODY */
  bool begun, ended, stuck;
} Course;

typedef struct {
  Heap *heap;
  Source *source;
  const RawHeader *header;
  Places *places;
  Blocks *blocks;
  Naming *naming;
  Stacks *stacks;
  Keys locks;          /* addresses, also of semaphores; */
  VEC(HolderVec) held; /* by their numbers */
  Course *courses;     /* by thread */
  uint32_t n_threads;
} Reading;

/* --- the run --- */

static void take(Reading *r, const RawEvent *e, bool shared) {
  bool is_new;
  const uint32_t lock = keys_add(r->heap, &r->locks, e->address, &is_new);
  if (is_new) vec_resize_zeroed(r->heap, &r->held, r->locks.n);
  const Holder holder = {e->thread, e->code, shared};
  vec_push(r->heap, &r->held.at[lock], holder);
}

/* Of a semaphore who posts it need not have taken it. */
static void give(const Reading *r, const RawEvent *e, bool anybody) {
  const uint32_t lock = keys_find(&r->locks, e->address);
  HolderVec *holders = lock == KEYS_NONE ? NULL : &r->held.at[lock];
  if (!holders || !holders->n) return;
  uint32_t i = holders->n - 1;
  while (i && holders->at[i].thread != e->thread) i--;
  if (holders->at[i].thread == e->thread || anybody) holders->at[i] = holders->at[--holders->n];
}

static void note_sync(Reading *r, const RawEvent *e) {
  if (e->size == SYNC_TAKE || e->size == SYNC_TRY_TAKE) take(r, e, false);
  else if (e->size == SYNC_POST) give(r, e, true);
}

static bool is_own(void *places, uint64_t code) { return places_is_own(places, code); }

/* The block is called as in the log. */
static void note_alloc(const Reading *r, const RawEvent *e) {
  const uint64_t code = stacks_own_code(r->stacks, e->thread, e->code, is_own, r->places);
  blocks_begin(r->blocks, e->thread, e->address, e->size, code, e->code);
}

static void note_start(const Reading *r, const RawEvent *e) {
  Course *c = &r->courses[e->thread];
  c->begun = true;
  c->function = e->address;
}

static void note_call(const Reading *r, const RawEvent *e) {
  Course *c = &r->courses[e->thread];
  if (!places_is_own(r->places, c->function) && places_is_own(r->places, e->code)) c->function = e->code;
}

static void note(Reading *r, const RawEvent *e) {
  switch (e->kind) {
  case RAW_ACQUIRE:
  case RAW_TRY: take(r, e, false); break;
  case RAW_SHARED_ACQUIRE:
  case RAW_SHARED_TRY: take(r, e, true); break;
  case RAW_RELEASE:
  case RAW_SHARED_RELEASE: give(r, e, false); break;
  case RAW_SYNC: note_sync(r, e); break;
  case RAW_ALLOC: note_alloc(r, e); return;
  case RAW_FREE: blocks_end(r->blocks, e->address); return;
  case RAW_START: note_start(r, e); return;
  case RAW_FIRST_CALL: note_call(r, e); return;
  case RAW_EXIT: r->courses[e->thread].ended = true; return;
  case RAW_CALLER:
  case RAW_STACK: stacks_note(r->stacks, e); return;
  default: break;
  }
  r->courses[e->thread].last = e->code;
}

static void note_all(Reading *r) {
  static void *const none[SIEVE_THREADS];
  RawEvent e;
  source_begin(r->source, NULL, none);
  while (heap_asked(r->heap) == STOP_NOT && source_next(r->source, &e)) note(r, &e);
}

static bool is_there(const Course *c) { return c->begun && !c->ended; }

/* The thread of that handle; or NOBODY. */
static uint32_t thread_of(const Reading *r, uint64_t handle) {
  for (uint32_t i = 0; i < RAW_WAITS; i++) {
    const RawWait *wait = &r->header->waits[i];
    const bool known = wait->handle == handle && wait->thread < r->n_threads;
    if (known && is_there(&r->courses[wait->thread])) return wait->thread;
  }
  return NOBODY;
}

static void note_waits(const Reading *r) {
  for (uint32_t i = 0; i < RAW_WAITS; i++) {
    const RawWait *wait = &r->header->waits[i];
    if (wait->kind == WAIT_NOT || wait->kind >= RAW_WAIT_KINDS || wait->thread >= r->n_threads) continue;
    Course *c = &r->courses[wait->thread];
    c->wait = wait;
    c->other = wait->kind == WAIT_THREAD ? thread_of(r, wait->object) : NOBODY;
  }
}

/* --- who is stuck --- */

/* Who holds what it waits for. */
static HolderVec holders_of(const Reading *r, const RawWait *wait) {
  const bool held = wait->kind == WAIT_LOCK || wait->kind == WAIT_SHARED || wait->kind == WAIT_SEMAPHORE;
  const uint32_t lock = held ? keys_find(&r->locks, wait->object) : KEYS_NONE;
  return lock == KEYS_NONE ? (HolderVec){0} : r->held.at[lock];
}

/* Must the holder do something before the thread can go on, and can it not? Who reads does not wait for others who do.
 */
static bool bars(const Reading *r, const RawWait *wait, const Holder *holder) {
  const Course *c = &r->courses[holder->thread];
  if (wait->kind == WAIT_SEMAPHORE || (wait->kind == WAIT_SHARED && holder->shared)) return false;
  return c->stuck || c->ended;
}

static bool can_go_on(const Reading *r, const Course *c) {
  const HolderVec holders = holders_of(r, c->wait);
  for (uint32_t i = 0; i < holders.n; i++)
    if (bars(r, c->wait, &holders.at[i])) return false;
  return c->other == NOBODY || !r->courses[c->other].stuck;
}

/* At first all who wait are. */
static void find_stuck(const Reading *r, Hanging *hanging) {
  uint32_t there = 0, waiting = 0, stuck = UINT32_MAX, before;
  for (uint32_t t = 0; t < r->n_threads; t++) {
    Course *c = &r->courses[t];
    c->stuck = is_there(c) && c->wait;
    there += is_there(c);
    waiting += c->stuck;
  }
  hanging->all_wait = there && waiting == there;
  do {
    before = stuck;
    stuck = 0;
    for (uint32_t t = 0; t < r->n_threads; t++) {
      Course *c = &r->courses[t];
      c->stuck = c->stuck && !can_go_on(r, c);
      stuck += c->stuck;
    }
  } while (stuck != before);
  hanging->deadlock = stuck;
}

/* --- in words --- */

typedef struct {
  char text[TEXT];
} Text;

/* " at a.c:3:2:main", or nothing. */
static Text place_of(const Reading *r, const char *before, uint64_t code) {
  char place[TEXT - 100];
  Text t;
  places_line(r->places, code - 1, place, sizeof place);
  snprintf(t.text, sizeof t.text, "%s%s", *place ? before : "", place);
  return t;
}

static Text thread_name(const Reading *r, uint32_t thread) {
  Text t = {"another thread"};
  if (thread != NOBODY) naming_print_thread(r->places, thread, r->courses[thread].function, t.text, sizeof t.text);
  return t;
}

/* ", which T1:work holds since a.c:9:2:work" */
static Text holder_text(const Reading *r, uint32_t thread, const RawWait *wait, const Holder *holder) {
  Text t;
  const bool semaphore = wait->kind == WAIT_SEMAPHORE, ended = r->courses[holder->thread].ended;
  const char *how = semaphore ? "has taken" : ended ? "took" : "holds";
  const Text name = thread_name(r, holder->thread),
             since = place_of(r, semaphore || ended ? " at " : " since ", holder->code);
  if (holder->thread == thread) snprintf(t.text, sizeof t.text, ", which it %s itself%.400s", how, since.text);
  else
    snprintf(t.text, sizeof t.text, ", which %.120s%s %s%.400s", name.text, ended ? ", which has ended," : "", how,
             since.text);
  return t;
}

static Text waits_for(const Reading *r, const Course *c) {
  const RawWait *wait = c->wait;
  static const char *const how[RAW_WAIT_KINDS] = {[WAIT_LOCK] = "waits for &%s",
                                                  [WAIT_SHARED] = "waits to read under &%s",
                                                  [WAIT_CONDITION] = "waits for a signal of &%s",
                                                  [WAIT_SEMAPHORE] = "waits for a post of &%s",
                                                  [WAIT_BARRIER] = "waits at the barrier &%s",
                                                  [WAIT_ONCE] = "waits until the initialisation by &%s is done",
                                                  [WAIT_THREAD] = "waits for the end of %s"};
  Text t;
  char name[TEXT / 2];
  const char *put = strchr(how[wait->kind], '%');
  if (wait->kind == WAIT_THREAD) snprintf(name, sizeof name, "%.250s", thread_name(r, c->other).text);
  else naming_print(r->naming, wait->object, 0, name, sizeof name);
  snprintf(t.text, sizeof t.text, "%.*s%s%s", (int)(put - how[wait->kind]), how[wait->kind], name, put + 2);
  return t;
}

static void tell(const Reading *r, uint32_t thread, CharVec *lines) {
  const Course *c = &r->courses[thread];
  const Text name = thread_name(r, thread);
  Text holding[NAMES] = {{""}};
  if (!c->wait) {
    fault_warn(r->heap, lines, "%s does not wait%s", name.text, place_of(r, "; it was last at ", c->last).text);
    return;
  }
  const HolderVec holders = holders_of(r, c->wait);
  for (uint32_t i = 0; i < holders.n && i < NAMES; i++) holding[i] = holder_text(r, thread, c->wait, &holders.at[i]);
  fault_warn(r->heap, lines, "%s %s%s%s%s%s%s", name.text, waits_for(r, c).text,
             place_of(r, " at ", c->wait->code).text, holding[0].text, holding[1].text, holding[2].text,
             holders.n > NAMES ? ", and others" : "");
}

static void tell_all(const Reading *r, Hanging *hanging) {
  uint32_t n = 0, left = 0;
  for (int stuck = 1; stuck >= 0; stuck--)
    for (uint32_t t = 0; t < r->n_threads; t++) {
      const Course *c = &r->courses[t];
      if (!is_there(c) || c->stuck != stuck) continue;
      if (n++ < LINES) tell(r, t, &hanging->lines);
      else left++;
    }
  if (left) fault_warn(r->heap, &hanging->lines, "and %u more threads", left);
}

/* --- all of it --- */

typedef struct {
  Reading *reading;
  Hanging *hanging;
} Job;

static void read_all(void *argument) {
  const Job *job = argument;
  Reading *r = job->reading;
  r->header = source_header(r->source);
  r->n_threads = r->header->threads;
  r->places = places_open(r->heap, r->header->modules);
  r->blocks = blocks_open(r->heap, r->places);
  r->naming = naming_new(r->heap, r->places, r->blocks, NULL);
  r->stacks = stacks_open(r->heap, r->n_threads);
  r->courses = heap_zeroed(r->heap, heap_product(r->heap, r->n_threads + (size_t)1, sizeof *r->courses));
  note_all(r);
  note_waits(r);
  find_stuck(r, job->hanging);
  tell_all(r, job->hanging);
}

static void close_all(Reading *r) {
  for (uint32_t i = 0; i < r->held.n; i++) vec_fini(r->heap, &r->held.at[i]);
  vec_fini(r->heap, &r->held);
  keys_fini(r->heap, &r->locks);
  heap_release(r->heap, r->courses);
  stacks_close(r->stacks);
  naming_free(r->naming);
  blocks_close(r->blocks);
  places_close(r->places);
  source_close(r->source);
}

void hanging_read(Heap *heap, const char *raw, Hanging *hanging) {
  Err err;
  Reading r = {.heap = heap, .source = source_open(heap, raw, NULL, &err)};
  Job job = {&r, hanging};
  if (!r.source) return;
  if (heap_try(heap, read_all, &job)) {
    close_all(&r);
    return;
  }
  source_close(r.source); /* and what else is not the heap's */
  if (r.places) places_close(r.places);
  heap_pass_on(heap);
}

void hanging_fini(Heap *heap, Hanging *hanging) {
  vec_fini(heap, &hanging->lines);
  *hanging = (Hanging){.deadlock = false};
}
