/* What synchronisation becomes in the log: small runs by hand; random runs of barriers, semaphores and conditions,
 * whose waits must come after just those signals that they were simulated to come after; flags that are locks and such
 * as are none; events at random, which must do no harm. */
#include "distil/atoms.h"
#include "distil/syncs.h"
#include "tests/unit/raw_log.h"

#include "base/hash.h"

#include <CUnit/CUnit.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void suite_syncs(void);

enum { MOST_TEXT = 1024, N_THREADS = 8 };

/* --- by hand --- */

typedef VEC(RawEvent) EventVec;

/* The events of a text: words "THREAD.WHAT" or "THREAD.WHAT=NUMBER", all on one object. */
static void read_syncs(Heap *heap, const char *text, EventVec *events) {
  static const char *const what[SYNCS] = {
      [SYNC_SEMAPHORE] = "sem",   [SYNC_OPENED] = "opened", [SYNC_POST] = "post",     [SYNC_TAKE] = "take",
      [SYNC_TRY_TAKE] = "try",    [SYNC_BARRIER] = "bar",   [SYNC_ARRIVE] = "arrive", [SYNC_LEAVE] = "leave",
      [SYNC_WAITING] = "waiting", [SYNC_SIGNAL] = "signal", [SYNC_BROADCAST] = "all", [SYNC_WOKEN] = "woken",
      [SYNC_GONE] = "gone",       [SYNC_DONE] = "done",     [SYNC_PASSED] = "passed"};
  for (; *text; text += strspn(text, " ")) {
    RawEvent e = {.kind = RAW_SYNC, .address = 0x1000, .thread = (uint32_t)(*text - '0')};
    const size_t length = strcspn(text += 2, " =");
    for (uint32_t i = 1; i < SYNCS; i++)
      if (strlen(what[i]) == length && strncmp(what[i], text, length) == 0) e.size = i;
    CU_ASSERT_FATAL(e.size > 0);
    if (text[length] == '=') e.new = (uint32_t)atoi(text + length + 1);
    vec_push(heap, events, e);
    text += strcspn(text, " ");
  }
}

/* "0.sig 1.wait#1 ..." */
static void write_syncs(Syncs *s, const EventVec *events, char *text) {
  static const char *const name[TRACE_OPS] = {[TRACE_ACQUIRE] = "acq",
                                              [TRACE_RELEASE] = "rel",
                                              [TRACE_TRY] = "try",
                                              [TRACE_SIGNAL] = "sig",
                                              [TRACE_WAIT] = "wait"};
  *text = '\0';
  for (uint32_t i = 0; i < events->n; i++) {
    TraceOp op;
    uint32_t part;
    if (!syncs_step(s, &events->at[i], &op, &part)) continue;
    text += sprintf(text, "%s%u.%s", i && text[-1] ? " " : "", events->at[i].thread, name[op]);
    if (part) text += sprintf(text, "#%u", part);
  }
}

static void becomes(const char *raw, const char *expected) {
  char text[MOST_TEXT + 1] = "", *got = text + 1;
  EventVec events = {0};
  Heap *heap = heap_new(0);
  Syncs *s = syncs_new(heap, N_THREADS);
  read_syncs(heap, raw, &events);
  for (uint32_t i = 0; i < events.n; i++) syncs_note(s, &events.at[i]);
  write_syncs(s, &events, got);
  if (strcmp(got, expected)) printf("\n    '%s'\n    is '%s'\n    not '%s'\n", raw, got, expected);
  CU_ASSERT_STRING_EQUAL(got, expected);
  syncs_free(s);
  vec_fini(heap, &events);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void semaphores(void) {
  becomes("0.sem=1 1.take 1.post 2.try 2.post", "1.acq 1.rel 2.try 2.rel");
  becomes("0.sem=1 1.take", "");                                          /* nobody posts */
  becomes("0.sem=1 1.take 2.post", "2.sig");                              /* another one posts */
  becomes("0.sem=1 1.take 1.post 1.post 2.take", "1.sig 1.sig#1 2.wait"); /* twice */
  becomes("0.sem=0 1.post 2.take", "1.sig 2.wait");
  becomes("0.sem=2 1.take 1.post 2.take 2.take", "1.sig 2.wait"); /* the first two find what was there */
  becomes("0.sem=2 1.take 1.post 2.take 2.post", "1.sig 2.sig#1");
  becomes("0.opened=1 1.take 2.take 2.post", "2.sig");            /* another process has posted it */
  becomes("0.opened=0 1.post 2.opened=1 2.take", "1.sig 2.wait"); /* it was open */
  becomes("0.opened=1 1.take 1.post 2.opened=1 2.take 2.post", "1.acq 1.rel 2.acq 2.rel");
  becomes("1.take 1.post 2.take", "1.sig 2.wait"); /* who knows how it began */
  becomes("0.sem=1 1.take 1.post 0.sem=0 1.post 2.take", "1.acq 1.rel 1.sig 2.wait");
  becomes("0.sem=0 0.post 0.post 1.take 0.post 2.take 3.take", "0.sig 0.sig#1 1.wait 0.sig 2.wait#1 3.wait");
}

static void barriers(void) {
  becomes("0.bar=2 1.arrive 2.arrive 1.leave 1.arrive 2.leave 2.arrive 1.leave 2.leave",
          "1.sig 2.sig 1.wait 1.sig#1 2.wait 2.sig#1 1.wait#1 2.wait#1");
  becomes("1.arrive 2.arrive 1.leave 1.arrive 2.leave 2.arrive 2.leave 1.leave", /* how many is not known */
          "1.sig 2.sig 1.wait 1.sig#1 2.wait 2.sig#1 2.wait#1 1.wait#1");
  becomes("0.bar=2 1.arrive 2.arrive 3.arrive 4.arrive 1.leave 3.leave 2.leave 4.leave", /* two rounds at a time */
          "1.sig 2.sig 3.sig#1 4.sig#1 1.wait 3.wait#1 2.wait 4.wait#1");
  becomes("0.bar=1 1.arrive 1.leave 1.arrive 1.leave", "1.sig 1.wait 1.sig 1.wait");
}

static void conditions(void) {
  becomes("1.waiting 2.signal 1.woken", "2.sig 1.wait");
  becomes("2.signal 1.waiting 1.gone", "");
  becomes("1.waiting 1.woken", ""); /* for no reason */
  becomes("1.waiting 2.waiting 3.all 2.woken 1.woken", "3.sig 2.wait 1.wait");
  becomes("1.waiting 2.waiting 3.signal 2.woken 3.signal 1.woken", "3.sig 2.wait 3.sig 1.wait"); /* changed places */
  becomes("1.waiting 2.waiting 3.signal 1.gone 2.woken", "3.sig 2.wait");
  becomes("1.waiting 3.signal 2.waiting 1.gone 2.woken", "3.sig"); /* the second one came too late for it */
  becomes("1.waiting 2.waiting 3.signal 3.signal 2.woken 1.woken", "3.sig 3.sig#1 2.wait#1 1.wait");
}

static void once(void) {
  becomes("1.done 1.passed 2.passed 2.passed 3.passed", "1.sig 2.wait 3.wait");
  becomes("1.passed 2.passed", ""); /* it was done before */
}

/* --- simulated --- */

typedef struct {
  uint64_t random;
  Heap *heap;
  EventVec events;
  VEC(uint64_t) after; /* by event: of a wait, the numbers of the signals before it, as bits from `base` on */
  U32Vec base;
} Simulation;

static void put(Simulation *sim, uint32_t thread, RawSync what, uint32_t number) {
  const RawEvent e = {.kind = RAW_SYNC, .address = 0x1000, .thread = thread, .size = what, .new = number};
  vec_push(sim->heap, &sim->events, e);
}

/* Signals of the group that is current for each part, by definition. */
typedef struct {
  uint32_t signals[64], n;
  bool waited;
} Group;

/* Does each wait, by the number of its event, come after just these events? */
static bool waits_for(const EventVec *events, const U32Vec *wanted, const U32Vec *wanted_at, Heap *heap) {
  static Group groups[256];
  Syncs *s = syncs_new(heap, N_THREADS);
  bool good = true;
  memset(groups, 0, sizeof groups);
  for (uint32_t i = 0; i < events->n; i++) syncs_note(s, &events->at[i]);
  for (uint32_t i = 0; i < events->n && good; i++) {
    TraceOp op;
    uint32_t part = 0;
    const bool some = syncs_step(s, &events->at[i], &op, &part);
    const uint32_t from = wanted_at->at[i], n = wanted_at->at[i + 1] - from;
    Group *g = &groups[part];
    if (some && op == TRACE_SIGNAL) {
      if (g->waited) g->n = 0;
      g->waited = false;
      g->signals[g->n++] = i;
    }
    if (some && op == TRACE_WAIT) {
      g->waited = true;
      good = g->n == n && memcmp(g->signals, wanted->at + from, n * sizeof *g->signals) == 0;
    } else {
      good = n == 0;
    }
  }
  syncs_free(s);
  return good;
}

typedef struct {
  Simulation sim;
  U32Vec wanted, wanted_at;
} Truth;

static void put_true(Truth *t, uint32_t thread, RawSync what, uint32_t number, const uint32_t *after, uint32_t n) {
  put(&t->sim, thread, what, number);
  vec_push(t->sim.heap, &t->wanted_at, t->wanted.n);
  for (uint32_t i = 0; i < n; i++) vec_push(t->sim.heap, &t->wanted, after[i]);
}

/* Threads 0 to n - 1 meet again and again. */
static void simulate_barrier(Truth *t) {
  const uint32_t n = 1 + draw(&t->sim.random, N_THREADS);
  uint32_t signals[2][N_THREADS], arrived[2] = {0}, round[N_THREADS] = {0};
  bool inside[N_THREADS] = {false};
  put_true(t, 0, SYNC_BARRIER, n, NULL, 0);
  for (uint32_t steps = 0; steps < 200; steps++) {
    const uint32_t thread = draw(&t->sim.random, n), parity = round[thread] % 2;
    if (!inside[thread]) {
      if (arrived[parity] == n) arrived[parity] = 0;
      signals[parity][arrived[parity]++] = t->sim.events.n;
      put_true(t, thread, SYNC_ARRIVE, 0, NULL, 0);
      inside[thread] = true;
    } else if (arrived[parity] == n) {
      put_true(t, thread, SYNC_LEAVE, 0, signals[parity], n);
      inside[thread] = false;
      round[thread]++;
    }
  }
}

static void simulate_semaphore(Truth *t) {
  uint32_t posts[256], first = 0, n = 0, value = draw(&t->sim.random, 3);
  put_true(t, 0, SYNC_SEMAPHORE, value, NULL, 0);
  put_true(t, 7, SYNC_POST, 0, NULL, 0); /* by one that has not taken it: no lock */
  posts[n++] = t->sim.events.n - 1;
  for (uint32_t steps = 0; steps < 200; steps++) {
    const uint32_t thread = draw(&t->sim.random, N_THREADS);
    if (draw(&t->sim.random, 2)) {
      posts[n++] = t->sim.events.n;
      put_true(t, thread, SYNC_POST, 0, NULL, 0);
    } else if (value) {
      value--;
      put_true(t, thread, draw(&t->sim.random, 2) ? SYNC_TAKE : SYNC_TRY_TAKE, 0, NULL, 0);
    } else if (first < n) {
      put_true(t, thread, SYNC_TAKE, 0, &posts[first++], 1);
    }
  }
}

/* Those who have waited longest are woken, and some give up that were not signalled. */
static void simulate_condition(Truth *t) {
  uint32_t queue[N_THREADS], n = 0, signal[N_THREADS];
  enum { OUT, WAITS, SIGNALLED } state[N_THREADS] = {OUT};
  for (uint32_t steps = 0; steps < 300; steps++) {
    const uint32_t thread = draw(&t->sim.random, N_THREADS);
    if (state[thread] == OUT && draw(&t->sim.random, 2)) {
      put_true(t, thread, SYNC_WAITING, 0, NULL, 0);
      state[thread] = WAITS;
      queue[n++] = thread;
    } else if (state[thread] == OUT) {
      const bool all = draw(&t->sim.random, 3) == 0;
      for (bool more = n > 0; more; more = all && n > 0) {
        signal[queue[0]] = t->sim.events.n;
        state[queue[0]] = SIGNALLED;
        memmove(queue, queue + 1, --n * sizeof *queue);
      }
      put_true(t, thread, all ? SYNC_BROADCAST : SYNC_SIGNAL, 0, NULL, 0);
    } else if (state[thread] == SIGNALLED) {
      put_true(t, thread, SYNC_WOKEN, 0, &signal[thread], 1);
      state[thread] = OUT;
    } else if (draw(&t->sim.random, 4) == 0) {
      put_true(t, thread, SYNC_GONE, 0, NULL, 0);
      state[thread] = OUT;
      for (uint32_t i = 0, k = n, m = n = 0; i < k; i++, m = n)
        if (queue[i] != thread) queue[m] = queue[i], n++;
    }
  }
}

static void simulated(void) {
  static void (*const simulate[])(Truth *) = {simulate_barrier, simulate_semaphore, simulate_condition};
  for (uint64_t seed = 1; seed <= 3000; seed++) {
    Heap *heap = heap_new(0);
    Truth t = {.sim = {.random = hash_word(seed), .heap = heap}};
    simulate[seed % 3](&t);
    vec_push(heap, &t.wanted_at, t.wanted.n);
    const bool good = waits_for(&t.sim.events, &t.wanted, &t.wanted_at, heap);
    if (!good) printf("\n    seed %llu\n", (unsigned long long)seed);
    vec_fini(heap, &t.sim.events);
    vec_fini(heap, &t.wanted);
    vec_fini(heap, &t.wanted_at);
    CU_ASSERT_EQUAL(heap_used(heap), 0);
    heap_free(heap);
    CU_ASSERT_FATAL(good);
  }
}

/* --- atomic variables --- */

/* Words "THREAD.KIND:OLD>NEW", where the kind is r(ead), w(rite), c(laim), C, of twice as many bytes, or u(pdate), and
 * `!` after all: awaited. */
static void read_atomics(Heap *heap, const char *text, EventVec *events) {
  for (; *text; text += strspn(text, " ")) {
    char kind, awaited = ' ';
    int old, value;
    RawEvent e = {.address = 0x1000, .size = 4};
    CU_ASSERT_FATAL(sscanf(text, "%u.%c:%d>%d%c", &e.thread, &kind, &old, &value, &awaited) >= 4);
    e.kind = kind == 'r' ? RAW_ATOMIC_READ : kind == 'w' ? RAW_ATOMIC_WRITE : RAW_ATOMIC_UPDATE;
    if (kind == 'C') e.size = 8;
    e.flags = (kind == 'c' || kind == 'C' ? RAW_CLAIMS : 0u) | (awaited == '!' ? RAW_AWAITED : 0u);
    e.old = raw_value(old);
    e.new = raw_value(value);
    vec_push(heap, events, e);
    text += strcspn(text, " ");
  }
}

/* A letter for each: acquire, release, nothing (-), access; before it w for a wait, after it s for a signal. */
static void are(const char *raw, const char *expected) {
  char text[MOST_TEXT] = "", *to = text;
  EventVec events = {0};
  Heap *heap = heap_new(0);
  Places *places = places_open(heap, "");
  Atoms *atoms = atoms_new(heap, places, N_THREADS);
  read_atomics(heap, raw, &events);
  for (uint32_t i = 0; i < events.n; i++) atoms_note(atoms, &events.at[i]);
  for (uint32_t i = 0; i < events.n; i++) {
    const AtomStep step = atoms_step(atoms, &events.at[i]);
    if (step.waits) *to++ = 'w';
    *to++ = "-arx"[step.role];
    if (step.signals) *to++ = 's';
  }
  if (strcmp(text, expected)) printf("\n    '%s' is '%s', not '%s'\n", raw, text, expected);
  CU_ASSERT_STRING_EQUAL(text, expected);
  atoms_free(atoms);
  places_close(places);
  vec_fini(heap, &events);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void flags(void) {
  are("1.c:0>1 1.w:1>0 2.c:0>1 2.w:1>0", "arar");
  are("1.c:0>1 2.r:1>1 2.c:1>1 1.w:1>0 2.c:0>1! 2.w:1>0", "a--rar"); /* tested first, and waited for */
  are("0.w:9>0 1.c:0>7 1.w:7>0 2.c:0>8 2.w:8>0", "-arar");           /* set up */
  are("1.c:-1>1 1.w:1>-1 2.c:-1>2 2.w:2>-1", "arar");
  are("1.c:0>1000000000 1.w:1000000000>0 2.c:0>1000000001 2.w:1000000001>0", "arar"); /* who holds it */
  are("1.c:0>1 1.w:1>0 2.c:0>1", "ara");                                              /* held at the end */
  are("1.c:0>1 1.w:1>0 1.c:0>1 1.w:1>0", "xxxx");                                     /* one thread alone */
  are("1.c:0>1 2.c:1>1 2.r:1>1", "xxx");                                              /* never given back */
  are("1.c:0>1 2.w:1>0 2.c:0>1 2.w:1>0", "xxxx");                                     /* by another one */
  are("1.u:0>1 1.w:1>0 2.u:0>1 2.w:1>0", "xxxx");                                     /* fetch_add claims nothing */
  are("1.c:0>1 1.u:1>0 2.c:0>1 2.u:1>0", "xxxx");
  are("1.c:0>1 2.u:1>2 1.w:1>0 2.c:0>1 2.w:1>0", "xxxxx");
  are("1.c:0>1 1.w:1>0 2.C:0>1 2.w:1>0", "xxxx");          /* a part of another variable */
  are("1.c:0>1 1.w:1>0 2.c:0>1 2.w:1>0 0.w:0>5", "xxxxx"); /* changed otherwise */
  are("1.c:0>1 1.w:1>0 2.c:0>1 2.w:1>2 1.c:2>1 1.w:1>2", "xxxxxx");
  are("1.c:0>1 1.w:1>0 2.r:5>5 2.c:0>1 2.w:1>0", "xxxxx");          /* somehow it was */
  are("2.r:1>1 1.w:1>0 1.c:0>1 1.w:1>0 2.c:0>1 2.w:1>0", "xxxxxx"); /* it was held at first, by nobody */
  are("1.c:1000000000>1 1.w:1>1000000000 2.c:1000000000>1 2.w:1>1000000000", "xxxx"); /* which value is the free one? */
}

static void awaited(void) {
  are("1.r:0>0 2.w:0>1 1.r:1>1!", "xxswx");
  are("1.r:0>0 2.u:0>1 3.u:1>2 1.r:2>2!", "xxsxswx");
  are("1.r:0>0 2.w:0>1 1.r:1>1 1.w:1>2 2.r:2>2", "xxxxx"); /* nobody has been seen waiting */
  are("1.r:1>1! 2.w:1>0 1.r:0>0!", "xxswx");               /* the first one waits for nothing */
  are("2.w:0>0 1.r:0>0!", "xx");                           /* no change */
}

/* --- at random --- */

static void no_harm(void) {
  Heap *heap = heap_new(0);
  for (uint64_t seed = 1; seed <= 3000; seed++) {
    uint64_t random = hash_word(seed);
    EventVec events = {0};
    Syncs *s = syncs_new(heap, N_THREADS);
    for (uint32_t i = draw(&random, 200); i-- > 0;) {
      const RawEvent e = {.kind = RAW_SYNC,
                          .address = draw(&random, 3),
                          .thread = draw(&random, N_THREADS),
                          .size = 1 + draw(&random, SYNCS - 1),
                          .new = draw(&random, 4)};
      vec_push(heap, &events, e);
    }
    for (uint32_t i = 0; i < events.n; i++) syncs_note(s, &events.at[i]);
    for (uint32_t i = 0; i < events.n; i++) {
      TraceOp op;
      uint32_t part;
      syncs_step(s, &events.at[i], &op, &part);
    }
    syncs_free(s);
    vec_fini(heap, &events);
  }
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

void suite_syncs(void) {
  CU_pSuite suite = CU_add_suite("syncs", NULL, NULL);
  CU_add_test(suite, "semaphores", semaphores);
  CU_add_test(suite, "barriers", barriers);
  CU_add_test(suite, "conditions", conditions);
  CU_add_test(suite, "what is done once", once);
  CU_add_test(suite, "simulated runs", simulated);
  CU_add_test(suite, "flags that are locks", flags);
  CU_add_test(suite, "variables that are waited for", awaited);
  CU_add_test(suite, "events at random", no_harm);
}
