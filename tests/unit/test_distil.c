/* From raw logs to binary ones: random runs against an oracle; long chunks, and more of them than are sifted at once;
 * logs that break off; files that are none; each allocation fails once. */
#include "distil/distil.h"
#include "base/hash.h"
#include "distil/space_inside.h"
#include "tests/unit/raw_run.h"
#include "trace/trace.h"

#include <CUnit/CUnit.h>

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

void suite_distil(void);

enum { MOST_MEMORY = 1 << 28, N_DAMAGED = 1500 };
enum { N_RANDOM = 3000, N_LONG = 12, N_SETTLED = 500, N_MARKED = 40, N_EVEN = 100 };

/* ---- its raw log ---- */

static RawFile raw;
static MemoryFile out;
static uint32_t toucher[1 << RAW_STRIPE_BITS]; /* the thread + 1 that has accessed its lines */

static int open_files(void) {
  raw_file_open(&raw);
  out = memory_file_open();
  return 0;
}

static int close_files(void) {
  raw_file_close(&raw);
  memory_file_close(&out);
  return 0;
}

static void share(uint32_t stripe) { raw.header->shared[stripe / 64] |= UINT64_C(1) << stripe % 64; }

static void touch(const Deed *d) {
  for (uint64_t line = d->address >> RAW_LINE_BITS; line <= (d->address + d->size - 1) >> RAW_LINE_BITS; line++) {
    uint32_t *first = &toucher[raw_stripe_of_line(line)];
    if (*first && *first != d->thread + 1) share(raw_stripe_of_line(line));
    *first = d->thread + 1;
  }
}

/* What two threads have accessed, and sometimes more. */
static void write_shared(RawRun *run, bool all) {
  for (uint32_t i = 0; i < run->deeds.n; i++)
    if (raw_run_is_access(&run->deeds.at[i])) touch(&run->deeds.at[i]);
  for (uint32_t i = 0; i < run->deeds.n; i++)
    for (uint64_t b = 0; raw_run_is_access(&run->deeds.at[i]) && b < run->deeds.at[i].size; b++)
      toucher[raw_stripe(run->deeds.at[i].address + b)] = 0;
  if (all || !draw(&run->random, 8)) memset(raw.header->shared, 0xff, sizeof raw.header->shared);
  for (uint32_t i = draw(&run->random, 4); i-- > 0;) share(raw_stripe(raw_run_access(run).address));
}

static void write_raw(RawRun *run, bool keep_local) {
  raw_log_write(&run->log, &raw);
  raw.header->threads += draw(&run->random, 4) ? 0 : draw(&run->random, RAW_LOG_SILENT);
  for (uint32_t i = 0; i < RAW_RUN_NAMES; i++) raw.header->name_at[i] = i * sizeof RAW_RUN_NAME[i];
  memcpy(raw.header->names, RAW_RUN_NAME, sizeof RAW_RUN_NAME);
  raw.header->n_names = RAW_RUN_NAMES;
  write_shared(run, keep_local);
  raw_file_mark(&run->log, &raw);
}

/* ---- what comes out ---- */

/* Compares what was read, one event after the other, with what is expected. */
typedef struct {
  uint64_t seed;
  const TraceReader *reader;
  const Expected *expected;
  uint32_t n, at;
} Comparison;

static void say_event(const TraceNames *names, const TraceEvent *e) {
  static const TraceNameKind KIND[TRACE_OPS] = {
      [TRACE_READ] = TRACE_OBJECT_NAME,    [TRACE_WRITE] = TRACE_OBJECT_NAME, [TRACE_ACQUIRE] = TRACE_OBJECT_NAME,
      [TRACE_RELEASE] = TRACE_OBJECT_NAME, [TRACE_FREE] = TRACE_OBJECT_NAME,  [TRACE_BEGIN] = TRACE_LABEL_NAME,
      [TRACE_UPDATE] = TRACE_OBJECT_NAME};
  printf("thread %u, operation %u, object \"%s\"\n", e->thread, e->op,
         e->object == TRACE_NONE ? "" : trace_name(names, KIND[e->op], e->object));
}

static bool is_expected(const TraceNames *names, const TraceEvent *e, const Expected *x) {
  const char *name;
  if (e->thread != x->thread || e->op != x->op) return false;
  switch (e->op) {
  case TRACE_READ:
  case TRACE_WRITE:
  case TRACE_UPDATE:
  case TRACE_FREE:
    name = trace_name(names, TRACE_OBJECT_NAME, e->object);
    return strncmp(name, "0x", 2) == 0 && strtoull(name, NULL, 16) == x->object;
  case TRACE_ACQUIRE:
  case TRACE_TRY:
  case TRACE_RELEASE:
    name = trace_name(names, TRACE_OBJECT_NAME, e->object);
    return strncmp(name, "&0x", 3) == 0 && strtoull(name + 1, NULL, 16) == x->object;
  case TRACE_FORK:
  case TRACE_JOIN: return e->object == x->object;
  case TRACE_BEGIN: return strcmp(trace_name(names, TRACE_LABEL_NAME, e->object), RAW_RUN_NAME[x->object]) == 0;
  default: return e->object == TRACE_NONE;
  }
}

static bool compare(Comparison *c, const TraceEvent *events, uint32_t n) {
  const TraceNames *names = trace_names(c->reader);
  for (uint32_t i = 0; i < n; i++, c->at++) {
    const Expected *x = &c->expected[c->at];
    if (c->at < c->n && is_expected(names, &events[i], x)) continue;
    printf("\n    seed %llu: event %u is ", (unsigned long long)c->seed, c->at);
    say_event(names, &events[i]);
    if (c->at == c->n) printf("    but there should be only %u\n", c->n);
    else
      printf("    and should be thread %u, operation %u, object %#llx\n", x->thread, x->op,
             (unsigned long long)x->object);
    return false;
  }
  return true;
}

static bool good_names(const TraceNames *names, const DistilResult *result) {
  bool good = trace_name_count(names, TRACE_OBJECT_NAME) == result->objects &&
              trace_name_count(names, TRACE_THREAD_NAME) == result->threads;
  for (uint32_t i = 0; i < result->threads && good; i++) {
    char name[16];
    snprintf(name, sizeof name, "T%u", i);
    good = strcmp(trace_name(names, TRACE_THREAD_NAME, i), name) == 0;
  }
  return good;
}

/* Is the log that was written as expected? */
static bool check_log(Heap *heap, uint64_t seed, const ExpectedVec *expected, const DistilResult *result) {
  const TraceOptions options = {.format = TRACE_BINARY};
  const TraceEvent *events;
  uint32_t n;
  Err err = {.text = ""};
  TraceReader *reader = trace_open(heap, out.path, &options, &err);
  Comparison c = {seed, reader, expected->at, expected->n, 0};
  bool good = reader;
  while (good && (good = trace_next(reader, &events, &n, &err)) && n) good = compare(&c, events, n);
  if (*err.text) printf("\n    seed %llu: %s\n", (unsigned long long)seed, err.text);
  if (good && c.at < c.n) {
    printf("\n    seed %llu: %u events, there should be %u\n", (unsigned long long)seed, c.at, c.n);
    good = false;
  }
  if (good && (trace_cut_short(reader) || result->events != c.n || !good_names(trace_names(reader), result))) {
    printf("\n    seed %llu: wrong numbers or names\n", (unsigned long long)seed);
    good = false;
  }
  trace_close(reader);
  return good;
}

static bool distil_raw(Heap *heap, bool keep_local, bool scratch, DistilResult *result, Err *err) {
  const DistilOptions options = {.keep_local = keep_local, .scratch = scratch ? "/tmp" : NULL};
  memory_file_set(&out, NULL, 0);
  const bool good = distil(heap, raw.file.path, out.stream, &options, result, err);
  heap_release(heap, result->warnings);
  fflush(out.stream);
  return good;
}

/* Each lock has a name, too, when it is first used. */
static bool is_of_lock(const Expected *e) {
  return e->op == TRACE_ACQUIRE || e->op == TRACE_RELEASE || e->op == TRACE_TRY;
}

static uint32_t count_locks(const ExpectedVec *events) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < events->n; i++) {
    if (!is_of_lock(&events->at[i])) continue;
    bool is_new = true;
    for (uint32_t k = 0; k < i && is_new; k++)
      is_new = events->at[k].object != events->at[i].object || !is_of_lock(&events->at[k]);
    n += is_new;
  }
  return n;
}

/* Is what becomes of the run as the oracle says? Chunks are shortened, or not. */
static bool check_run(RawRun *run, uint64_t seed, bool keep_local) {
  ExpectedVec expected = {0};
  DistilResult result = {0};
  Err err;
  Heap *heap = heap_new(0);
  write_raw(run, keep_local);
  const uint32_t n_objects = distil_oracle(run->heap, &run->deeds, run->areas, run->n_areas, keep_local, &expected);
  bool good = true;
  for (uint32_t scratch = 1 + (uint32_t)seed % 2; scratch-- > 0 && good;) {
    good = distil_raw(heap, keep_local, scratch, &result, &err);
    if (!good) printf("\n    seed %llu: %s\n", (unsigned long long)seed, err.text);
    good = good && check_log(heap, seed, &expected, &result);
  }
  if (good && (result.objects != n_objects + count_locks(&expected) || heap_used(heap))) {
    printf("\n    seed %llu: %u objects, or %llu bytes are left\n", (unsigned long long)seed, result.objects,
           (unsigned long long)heap_used(heap));
    good = false;
  }
  heap_free(heap);
  return good;
}

/* ---- tests ---- */

static void test_random(void) {
  bool good = true;
  for (uint64_t seed = 1; seed <= N_RANDOM && good; seed++) {
    Heap *heap = heap_new(0);
    uint64_t random = hash_word(seed);
    RawRun run = raw_run_new(heap, seed, 1 + draw(&random, 6));
    raw_run_begin(&run);
    for (uint32_t i = draw(&random, 1u << draw(&random, 10)); i-- > 0;) raw_run_do(&run, draw(&random, run.n_threads));
    raw_run_end(&run);
    good = check_run(&run, seed, !draw(&random, 4));
    heap_free(heap);
  }
  CU_ASSERT(good);
}

/* Chunks that are full to the last word, or have room for one of two. */
static void test_long(void) {
  bool good = true;
  for (uint64_t seed = 1; seed <= N_LONG && good; seed++) {
    Heap *heap = heap_new(0);
    RawRun run = raw_run_new(heap, seed, 1 + (uint32_t)seed % 3);
    for (uint32_t i = 0; i < 60; i++) {
      const uint32_t thread = draw(&run.random, run.n_threads);
      if (i % 10 == 0) raw_run_fill_chunk(&run, thread, draw(&run.random, 5));
      raw_run_do(&run, thread);
    }
    good = check_run(&run, seed, seed % 4 == 0);
    heap_free(heap);
  }
  CU_ASSERT(good);
}

/* The thread has one area for itself; now and then it does something to any other one. */
static void do_mostly_alone(RawRun *run, uint32_t thread) {
  Area areas[RAW_RUN_MOST_AREAS];
  const uint32_t n_areas = run->n_areas, what = draw(&run->random, 60);
  if (what < 2) raw_run_do_access(run, thread);
  if (what == 2) raw_run_do(run, thread);
  if (what == 3) raw_run_move_clock(run, thread);
  if (what < 4) return;
  memcpy(areas, run->areas, sizeof areas);
  run->areas[0] = areas[thread];
  run->n_areas = 1;
  if (what < 20) raw_run_do_loop(run, thread);
  else raw_run_do_sweep(run, thread);
  memcpy(run->areas, areas, sizeof areas);
  run->n_areas = n_areas;
}

/* The chunks of the raw log that a filter may skip by their marks, where they are many, and those where it may not. */
static void count_marked(uint32_t *alone, uint32_t *others) {
  for (uint32_t i = RAW_FIRST; i < raw.header->chunks; i++) {
    const RawTail *tail = (const RawTail *)(const void *)(raw_file_chunk(&raw, i) + RAW_WORDS);
    uint32_t marks = 0, shared = 0;
    for (uint32_t k = 0; k < RAW_MARKS; k++) marks += (uint32_t)__builtin_popcountll(tail->marks[k]);
    for (uint32_t k = 0; k < tail->n; k++)
      shared += raw.header->shared[tail->stripes[k] / 64] >> tail->stripes[k] % 64 & 1 ? 1 : 0;
    if (marks >= RAW_WORDS / 4) ++*(shared ? others : alone);
  }
}

/* Long chunks, of which most words are local and have marks; of some the stripes are shared in the end. */
static void test_marked(void) {
  uint32_t alone = 0, others = 0;
  bool good = true;
  for (uint64_t seed = 1; seed <= N_MARKED && good; seed++) {
    Heap *heap = heap_new(0);
    RawRun run = raw_run_new(heap, seed, 2 + (uint32_t)seed % 2);
    run.n_areas = run.n_threads + 1;
    for (uint32_t i = 0; i < run.n_areas; i++)
      run.areas[i] = (Area){RAW_RUN_PLACE[i] + ((uint64_t)i << 20) - 8, 512 + 8 * draw(&run.random, 1536)};
    for (uint32_t i = 0; run.log.thread[i % run.n_threads].chunks.n < 5; i++) do_mostly_alone(&run, i % run.n_threads);
    good = check_run(&run, seed, false);
    count_marked(&alone, &others);
    heap_free(heap);
  }
  CU_ASSERT(good);
  CU_ASSERT(alone > N_MARKED / 2 && others > N_MARKED / 2);
}

/* Memory of which all is noted, chunks ago; and then a few other accesses. */
static void test_settled(void) {
  bool good = true;
  for (uint64_t seed = 1; seed <= N_SETTLED && good; seed++) {
    Heap *heap = heap_new(0);
    RawRun run = raw_run_new(heap, seed, 2);
    if (run.n_areas > 2) run.n_areas = 2;
    for (uint32_t i = 0; i < 48; i++) {
      run.regular = i < 40 ? UINT32_MAX : 0;
      if (i < 40 && draw(&run.random, 3)) raw_run_do_sweep(&run, i % 2);
      else if (draw(&run.random, 2)) raw_run_do_loop(&run, i % 2);
      else raw_run_do_access(&run, i % 2);
      raw_run_move_clock(&run, i % 2);
      if (i % 4 > 1) raw_log_next_chunk(&run.log, i % 2);
    }
    good = check_run(&run, seed, false);
    heap_free(heap);
  }
  CU_ASSERT(good);
}

/* All words of a page, in their order, or all but one, which comes last. */
static void write_page(RawRun *run, uint32_t thread, uint32_t page, uint32_t last) {
  const uint64_t at = run->areas[0].at + 8 + 4096 * (uint64_t)page;
  raw_run_do_row(run, thread, at, last);
  raw_run_do_row(run, thread, at + 8 * (uint64_t)(last + 1), 511 - last);
  raw_run_do_row(run, thread, at + 8 * (uint64_t)last, 1);
}

/* By both threads: those of the second one find the words shared. */
static void write_pages(RawRun *run, const uint32_t *order, uint32_t n) {
  for (uint32_t i = 0; i < 2 * n; i++) {
    raw_run_move_clock(run, i / n);
    write_page(run, i / n, order[i % n], draw(&run->random, 2) ? 511 : draw(&run->random, 512));
  }
}

static void free_page(RawRun *run, uint32_t page) {
  raw_run_do_free(run, 0, run->areas[0].at + 8 + 4096 * (uint64_t)page, 4096);
}

/* Loops over whole pages whose objects have their numbers one after the other, but the pages in another order, and not
 * all of them; now and then something is freed, or accessed in another way. */
static void test_even(void) {
  bool good = true;
  for (uint64_t seed = 1; seed <= N_EVEN && good; seed++) {
    uint32_t order[] = {0, 1, 2, 3};
    Heap *heap = heap_new(0);
    RawRun run = raw_run_new(heap, seed, 2);
    run.n_areas = 1;
    run.areas[0] = (Area){RAW_RUN_PLACE[1] - 8, 4 * 4096 + 16};
    for (uint32_t i = 3; i > 0; i--) {
      const uint32_t k = draw(&run.random, i + 1), other = order[k];
      order[k] = order[i];
      order[i] = other;
    }
    write_pages(&run, order, 4);
    for (uint32_t i = 0; i < 120; i++) {
      run.regular = draw(&run.random, 200) ? UINT32_MAX : 8;
      if (i % 10 == 9 && i != 49) free_page(&run, order[1]);
      if (i == 40) write_pages(&run, order + 1, 2);
      if (draw(&run.random, 30)) raw_run_do_loop(&run, i % 2);
      else raw_run_do(&run, i % 2);
    }
    good = check_run(&run, seed, false);
    heap_free(heap);
  }
  CU_ASSERT(good);
}

enum { PAGES = 500, ROUNDS = 40 }; /* as many as the table has room for */

static const Space *looked_into;
static atomic_uint added; /* pages 0 .. added - 1 */

/* A number that there is no page of, and whose place is that of this one. */
static uint64_t rival_of(uint64_t number, uint32_t n_slots) {
  uint64_t rival = PAGES;
  while (((uint32_t)hash_word(rival) ^ (uint32_t)hash_word(number)) & (n_slots - 1)) rival++;
  return rival;
}

/* What has no page is looked for where the next one is added. */
static void *look_for_rivals(void *rivals) {
  const uint64_t *rival = rivals;
  bool good = true;
  for (uint32_t i; (i = added) < PAGES;) good = good && !find_page(looked_into, rival[i] << PAGE_BITS);
  return good ? rivals : NULL;
}

static bool add_pages(Heap *heap, Source *source, uint64_t *rivals) {
  Space *space = space_new(heap, source);
  pthread_t thread;
  void *good = NULL;
  for (uint64_t i = 0; i < PAGES; i++) rivals[i] = rival_of(i, space->table->n);
  looked_into = space;
  added = 0;
  if (pthread_create(&thread, NULL, look_for_rivals, rivals) == 0) {
    for (uint64_t i = 0; i < PAGES; i++, added++) space_note(space, 0, i << PAGE_BITS, 8);
    pthread_join(thread, &good);
  }
  space_free(space);
  return good;
}

/* A page that becomes known meanwhile is not taken for the one that is looked for. */
static void test_new_pages(void) {
  static uint64_t rivals[PAGES];
  Heap *heap = heap_new(0);
  Err err;
  RawRun run = raw_run_new(heap, 1, 1);
  raw_log_write(&run.log, &raw);
  Source *source = source_open(heap, raw.file.path, NULL, &err);
  CU_ASSERT_FATAL(source != NULL);
  for (uint32_t round = 0; round < ROUNDS; round++) CU_ASSERT(add_pages(heap, source, rivals));
  source_close(source);
  heap_free(heap);
}

/* More chunks than are sifted ahead of time: the rest is read as it is. */
static void test_many_threads(void) {
  bool good = true;
  for (uint64_t seed = 1; seed <= 2 && good; seed++) {
    Heap *heap = heap_new(0);
    RawRun run = raw_run_new(heap, seed, RAW_RUN_MOST_THREADS);
    for (uint32_t i = 0; i < 20 * RAW_RUN_MOST_THREADS; i++) {
      raw_run_do(&run, i % RAW_RUN_MOST_THREADS);
      if (i / RAW_RUN_MOST_THREADS % 4 == 3 && draw(&run.random, 5))
        raw_log_next_chunk(&run.log, i % RAW_RUN_MOST_THREADS);
    }
    good = check_run(&run, seed, false);
    heap_free(heap);
  }
  CU_ASSERT(good);
}

/* A thread frees what the first one accesses before and after: it is its own again, so the second one shares it. Of the
 * first one there is nothing but the clock in between, or a region, too. If it frees by itself, there is only that. */
static void check_freed_meanwhile(uint32_t who, uint64_t seed) {
  const uint64_t at = RAW_RUN_PLACE[0], code = RAW_RUN_CODE[0];
  const ExpectedVec expected = {
      (Expected[]){{at, 0, TRACE_WRITE}, {at, who, TRACE_FREE}, {at, 0, TRACE_WRITE}, {at, 1, TRACE_WRITE}}, 4, 4};
  Heap *heap = heap_new(0);
  RawRun run = raw_run_new(heap, seed, 2);
  DistilResult result = {0};
  Err err;
  for (uint64_t clock = 1; clock <= 4; clock++) {
    const uint32_t thread = clock == 2 ? who : clock == 4;
    if (who || clock == 1 || clock == 4) raw_log_clock(&run.log, thread, clock);
    if (clock == 2) raw_log_put_two(&run.log, thread, RAW_FREE, at, code, 8);
    else raw_log_put(&run.log, thread, RAW_WRITE + 3, at, code);
  }
  raw_log_write(&run.log, &raw);
  share(raw_stripe(at));
  CU_ASSERT(distil_raw(heap, false, false, &result, &err));
  CU_ASSERT(check_log(heap, seed, &expected, &result));
  heap_free(heap);
}

static void test_freed_meanwhile(void) {
  for (uint64_t seed = 1; seed <= 16; seed++) check_freed_meanwhile(seed % 2, seed);
}

/* Of an event of two words the second one is missing: all before it is read. */
static void test_cut_short(void) {
  static const uint32_t KIND[] = {RAW_READ_RANGE, RAW_WRITE_RANGE, RAW_FREE, RAW_BEGIN, RAW_FORK, RAW_JOIN};
  for (uint32_t i = 0; i < sizeof KIND / sizeof *KIND; i++) {
    Heap *heap = heap_new(0);
    RawRun run = raw_run_new(heap, i, 2);
    DistilResult result = {0};
    Err err;
    for (uint32_t t = 0; t < 2; t++) raw_log_put(&run.log, t, RAW_WRITE, RAW_RUN_PLACE[0], RAW_RUN_CODE[0]);
    raw_log_next_chunk(&run.log, 0);
    raw_log_put(&run.log, 0, RAW_READ, RAW_RUN_PLACE[0], RAW_RUN_CODE[0]);
    raw_log_put(&run.log, 0, KIND[i], RAW_RUN_PLACE[0], RAW_RUN_CODE[0]);
    raw_log_write(&run.log, &raw);
    share(raw_stripe(RAW_RUN_PLACE[0]));
    const ExpectedVec expected = {(Expected[]){{RAW_RUN_PLACE[0], 0, TRACE_WRITE},
                                               {RAW_RUN_PLACE[0], 0, TRACE_READ},
                                               {RAW_RUN_PLACE[0], 1, TRACE_WRITE}},
                                  3, 3};
    CU_ASSERT(distil_raw(heap, false, true, &result, &err));
    CU_ASSERT(check_log(heap, i, &expected, &result));
    heap_free(heap);
  }
}

/* Chunks that are not there, or only in part, have nothing in them. */
static void test_short_file(void) {
  Heap *heap = heap_new(0);
  RawRun run = raw_run_new(heap, 1, 1);
  DistilResult result = {0};
  Err err;
  raw_log_put(&run.log, 0, RAW_WRITE, RAW_RUN_PLACE[0], RAW_RUN_CODE[0]);
  raw_log_write(&run.log, &raw);
  const ExpectedVec expected = {0};
  const off_t size = lseek(fileno(raw.file.stream), 0, SEEK_END);
  CU_ASSERT(ftruncate(fileno(raw.file.stream), (RAW_FIRST + 1) * RAW_CHUNK - 1) == 0);
  CU_ASSERT(distil_raw(heap, true, false, &result, &err));
  CU_ASSERT(check_log(heap, 1, &expected, &result));
  CU_ASSERT(ftruncate(fileno(raw.file.stream), size) == 0);
  heap_free(heap);
}

/* There is room for some of the chunks that are shortened, and for half of one; the others stay as they are. The log
 * has room. */
static void test_half_shortened(void) {
  enum { CHUNKS = 24 };
  struct rlimit limit;
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &limit);
  for (uint32_t room = 600; room < 3000; room += 100) {
    Heap *heap = heap_new(0);
    RawRun run = raw_run_new(heap, room, 2);
    DistilResult result = {0};
    Err err = {.text = ""};
    for (uint32_t i = 0; i < 2 * CHUNKS; i++) {
      for (uint64_t k = 1; k < 1000; k++)
        raw_log_put(&run.log, i % 2, RAW_WRITE, RAW_RUN_PLACE[0] + 64 * (1 + i % 2) + k * 128, RAW_RUN_CODE[0]);
      raw_log_put(&run.log, i % 2, RAW_WRITE, RAW_RUN_PLACE[0], RAW_RUN_CODE[0]);
      raw_log_next_chunk(&run.log, i % 2);
    }
    raw_log_write(&run.log, &raw);
    memset(raw.header->shared, 0, sizeof raw.header->shared);
    share(raw_stripe(RAW_RUN_PLACE[0]));
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){room, limit.rlim_max});
    const bool good = distil_raw(heap, false, true, &result, &err);
    setrlimit(RLIMIT_FSIZE, &limit);
    CU_ASSERT(good && result.events == 2 * CHUNKS);
    heap_free(heap);
  }
  signal(SIGXFSZ, SIG_DFL);
}

typedef struct {
  Heap *heap;
  DistilResult result;
  Err err;
  bool scratch, good;
} Attempt;

static void attempt(void *argument) {
  Attempt *a = argument;
  a->good = distil_raw(a->heap, false, a->scratch, &a->result, &a->err);
}

/* Some words are other ones, small or large, or those of other places. */
static void damage(RawFile *file, uint64_t *random) {
  const uint32_t chunks = file->header->chunks;
  for (uint32_t n = 1 + draw(random, 8); n-- > 0;) {
    uint64_t *chunk = raw_file_chunk(file, RAW_FIRST + draw(random, chunks - RAW_FIRST));
    uint64_t *word = &chunk[draw(random, 1u << draw(random, 10))];
    const uint64_t any = (uint64_t)draw(random, UINT32_MAX) << 32 | draw(random, UINT32_MAX);
    const uint64_t choice[] = {0, any >> draw(random, 64), *word ^ UINT64_C(1) << draw(random, 64),
                               raw_file_chunk(file, RAW_FIRST)[draw(random, 1024)]};
    *word = choice[draw(random, 4)];
  }
  uint32_t *head = (uint32_t *)(void *)file->header + 2;
  if (!draw(random, 4)) head[draw(random, 12)] = draw(random, 2) ? draw(random, 20) : draw(random, UINT32_MAX);
  if (!draw(random, 20)) memset(file->header->modules, 'x', sizeof file->header->modules);
  if (!draw(random, 20)) file->header->name_at[file->header->n_names / 2 % RAW_NAMES] = draw(random, UINT32_MAX);
}

/* A damaged raw log is refused, or read as what it is. It ends, and nothing is left. */
static void test_damaged(void) {
  uint32_t refused = 0, read = 0;
  bool good = true;
  for (uint64_t seed = 1; seed <= N_DAMAGED && good; seed++) {
    Heap *heap = heap_new(0), *other = heap_new(MOST_MEMORY);
    uint64_t random = hash_word(seed);
    RawRun run = raw_run_new(heap, seed, 1 + draw(&random, 4));
    Attempt a = {.heap = other, .err = {.text = ""}, .scratch = seed % 2};
    raw_run_begin(&run);
    for (uint32_t i = draw(&random, 400); i-- > 0;) raw_run_do(&run, draw(&random, run.n_threads));
    write_raw(&run, false);
    damage(&raw, &random);
    const bool done = heap_try(other, attempt, &a);
    refused += done && !a.good;
    read += done && a.good;
    good = !done || ((a.good || a.err.text[0]) && heap_used(other) == 0);
    if (!good)
      printf("\n    seed %llu: %llu bytes are left\n", (unsigned long long)seed, (unsigned long long)heap_used(other));
    memset(raw.header, 0, sizeof *raw.header);
    heap_free(other);
    heap_free(heap);
  }
  CU_ASSERT(good);
  CU_ASSERT(refused > N_DAMAGED / 10);
  CU_ASSERT(read > N_DAMAGED / 10);
}

static void expect_error(const char *path, ErrKind kind) {
  Heap *heap = heap_new(0);
  const DistilOptions options = {.keep_local = false};
  DistilResult result;
  Err err = {.text = ""};
  memory_file_set(&out, NULL, 0);
  CU_ASSERT_FALSE(distil(heap, path, out.stream, &options, &result, &err));
  CU_ASSERT_EQUAL(err.kind, kind);
  CU_ASSERT(strncmp(err.text, path, strlen(path)) == 0);
  CU_ASSERT_EQUAL(ftell(out.stream), 0);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void test_no_raw_log(void) {
  static const char TEXT[] = "CUACRAW1, it says, but it is short\n";
  static char zeros[RAW_FIRST * RAW_CHUNK + 1];
  MemoryFile file = memory_file_open();
  expect_error("/nonexistent/raw", ERR_IO);
  expect_error("/tmp", ERR_INPUT);
  expect_error(file.path, ERR_INPUT);
  memory_file_set(&file, TEXT, sizeof TEXT);
  expect_error(file.path, ERR_INPUT);
  memory_file_set(&file, zeros, sizeof zeros);
  expect_error(file.path, ERR_INPUT);
  memory_file_close(&file);
}

/* The program was never started. */
static void test_nothing_recorded(void) {
  Heap *heap = heap_new(0);
  DistilResult result = {.pid = 7, .threads = 7};
  Err err;
  const RawLog log = raw_log_new(heap, 1, 1);
  raw_log_write(&log, &raw);
  raw.header->pid = 0;
  CU_ASSERT(distil_raw(heap, false, true, &result, &err));
  CU_ASSERT(result.pid == 0 && result.events == 0 && ftell(out.stream) == 0);
  heap_free(heap);
}

/* How often the raw log is mapped: once, by us. */
static uint32_t count_mappings(void) {
  char line[512];
  uint32_t n = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  CU_ASSERT_PTR_NOT_NULL_FATAL(maps);
  while (fgets(line, sizeof line, maps)) n += strstr(line, MEMORY_FILE_NAME) != NULL;
  fclose(maps);
  return n;
}

/* Control comes back, nothing is left, and the attempt that has all its memory writes the log. */
static void test_out_of_memory(void) {
  const uint64_t seed = 5;
  Heap *heap = heap_new(0);
  RawRun run = raw_run_new(heap, seed, 3);
  ExpectedVec expected = {0};
  for (uint32_t i = 0; i < 400; i++) raw_run_do(&run, i % 3);
  write_raw(&run, false);
  distil_oracle(heap, &run.deeds, run.areas, run.n_areas, false, &expected);
  CU_ASSERT_EQUAL(count_mappings(), 1);
  bool done = false;
  uint64_t nth = 1;
  for (; !done && nth < 1000; nth++) {
    Attempt a = {.heap = heap_new(0)};
    heap_fail_at(a.heap, nth);
    done = heap_try(a.heap, attempt, &a);
    CU_ASSERT(!done || (a.good && heap_used(a.heap) == 0));
    CU_ASSERT_EQUAL(count_mappings(), 1);
    heap_fail_at(a.heap, 0);
    if (done) CU_ASSERT(check_log(a.heap, seed, &expected, &a.result));
    heap_free(a.heap);
  }
  CU_ASSERT(done && nth > 20);
  heap_free(heap);
}

void suite_distil(void) {
  CU_pSuite suite = CU_add_suite("distil", open_files, close_files);
  CU_add_test(suite, "random runs", test_random);
  CU_add_test(suite, "full chunks", test_long);
  CU_add_test(suite, "chunks with marks", test_marked);
  CU_add_test(suite, "memory that is settled", test_settled);
  CU_add_test(suite, "pages whose objects are numbered in order", test_even);
  CU_add_test(suite, "pages that are new", test_new_pages);
  CU_add_test(suite, "a chunk that is half shortened", test_half_shortened);
  CU_add_test(suite, "more chunks than the sieve takes", test_many_threads);
  CU_add_test(suite, "memory that is freed meanwhile", test_freed_meanwhile);
  CU_add_test(suite, "half an event", test_cut_short);
  CU_add_test(suite, "half a chunk", test_short_file);
  CU_add_test(suite, "damaged raw logs", test_damaged);
  CU_add_test(suite, "no raw log", test_no_raw_log);
  CU_add_test(suite, "nothing recorded", test_nothing_recorded);
  CU_add_test(suite, "out of memory", test_out_of_memory);
}
