/* The reader of a running program's log, against a thread played by hand: what may still change is not read before it
 * is final, and what is final is read in its round. */
#include "distil/live.h"
#include "distil/source.h"

#include <CUnit/CUnit.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { RECORD = RAW_FIRST, OWN, COPY, COPY_2, CHUNKS, WORDS = RAW_CHUNK / sizeof(uint64_t) };

/* What a thread shows. */
typedef struct {
  RawShown shown;
  bool busy, starved;
  uint64_t clock;
  pid_t tid;
} Shown;

static char *file;
static Shown *shown;
static uint64_t *own;
static Heap *heap;
static Live *live;

static RawHeader *header(void) { return (void *)file; }

static void announce(uint32_t chunk) {
  RawLive *l = &header()->live;
  l->queue[l->announced % RAW_QUEUE] = chunk;
  l->announced++;
}

/* Copies go round in so many places; 0: they are recycled. */
static void begin_ring(uint32_t places) {
  const int fd = memfd_create("raw", 0);
  Err err = {0};
  CU_ASSERT_FATAL(fd >= 0 && ftruncate(fd, (off_t)CHUNKS * RAW_CHUNK) == 0);
  file = mmap(NULL, (size_t)CHUNKS * RAW_CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  CU_ASSERT_FATAL(file != MAP_FAILED);
  shown = (void *)(file + (size_t)RECORD * RAW_CHUNK);
  own = (void *)(file + (size_t)OWN * RAW_CHUNK);
  shown->shown = (RawShown){.chunk = OWN,
                            .record = RECORD,
                            .busy = offsetof(Shown, busy),
                            .starved = offsetof(Shown, starved),
                            .clock = offsetof(Shown, clock),
                            .tid = offsetof(Shown, tid)};
  own[0] = 1;
  header()->ring.chunks = places;
  header()->ring.first = COPY;
  heap = heap_new(0);
  live = live_open(heap, fd, !places, false, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(live);
  announce(RECORD);
}

static void begin(void) { begin_ring(0); }

static void end(void) {
  live_close(live);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
  munmap(file, (size_t)CHUNKS * RAW_CHUNK);
}

static uint64_t clock_word(uint64_t clock) { return clock << RAW_KIND_BITS | RAW_CLOCK; }
static uint64_t access_word(RawKind kind, uint64_t address) { return address << RAW_ADDRESS_SHIFT | (uint64_t)kind; }

/* The next words are these. */
static void reads(const uint64_t *words, uint32_t n) {
  uint32_t got = 0;
  bool fresh;
  const uint64_t *at = live_words(live, 0, &got, &fresh);
  CU_ASSERT_EQUAL_FATAL(at ? got : 0, n);
  for (uint32_t i = 0; i < n; i++) CU_ASSERT_EQUAL(at[i], words[i]);
}

static uint64_t one_round(void) {
  uint64_t floor;
  CU_ASSERT_TRUE(live_round(live, false, &floor));
  return floor;
}

/* A thread at rest below the floor, then one that has passed it. */
static void test_final(void) {
  const uint64_t first[] = {clock_word(3), access_word(RAW_READ, 64)};
  begin();
  one_round();
  shown->clock = 3;
  memcpy(own + 1, first, sizeof first);
  const uint64_t floor = one_round();
  CU_ASSERT_TRUE(floor > 3);
  reads(first, 2);
  reads(NULL, 0);
  shown->clock = floor;
  own[3] = clock_word(floor);
  own[4] = access_word(RAW_READ, 128);
  reads(own + 3, 1);
  reads(NULL, 0);
  own[4] = access_word(RAW_WRITE, 128);
  own[5] = access_word(RAW_READ, 192);
  one_round();
  reads(own + 4, 2);
  end();
}

/* Of two words, to one of which bytes are added; and some that the clock of a copy of the chunk has made final. */
static void test_lines(void) {
  begin();
  const uint64_t floor = one_round();
  uint64_t *copy = (void *)(file + (size_t)COPY * RAW_CHUNK);
  copy[0] = 1;
  copy[1] = access_word(RAW_LINE_WRITE, 64 | 3);
  copy[2] = 0xff;
  copy[3] = clock_word(floor);
  copy[4] = access_word(RAW_READ, 64);
  shown->clock = floor;
  announce(COPY);
  own[0] = 1 | UINT64_C(1) << 32;
  own[1] = access_word(RAW_LINE_WRITE, 128 | 3);
  own[2] = 0xff;
  reads(copy + 1, 4);
  reads(NULL, 0);
  own[2] = 0xffff;
  own[3] = access_word(RAW_WRITE_RANGE, 128);
  own[4] = 24;
  reads(NULL, 0);
  one_round();
  reads(own + 1, 4);
  reads(NULL, 0);
  end();
}

/* A copy of the thread's chunk, with a clock. */
static void put_copy(uint32_t chunk, uint32_t count, uint64_t clock) {
  uint64_t *copy = (void *)(file + (size_t)chunk * RAW_CHUNK);
  copy[0] = 1 | (uint64_t)count << 32;
  copy[1] = clock_word(clock);
  own[0] = 1 | (uint64_t)(count + 1) << 32;
  header()->ring.count++;
}

/* What was read is given back in the order in which it was written, wherever the thread ends. */
static void test_ring(void) {
  begin_ring(2);
  one_round();
  put_copy(COPY, 0, 1);
  put_copy(COPY_2, 1, 2);
  announce(COPY);
  one_round();
  CU_ASSERT_EQUAL(header()->ring.read, 0);
  reads((const uint64_t[]){clock_word(1)}, 1);
  CU_ASSERT_EQUAL(header()->ring.read, 1);
  announce(COPY_2);
  one_round();
  live_forget(live, 0); /* all of it was in its own chunk, and is there again */
  CU_ASSERT_EQUAL(header()->ring.read, 2);
  put_copy(COPY, 2, 3);
  announce(COPY);
  one_round();
  CU_ASSERT_EQUAL(header()->ring.read, 3);
  end();
}

/* The copy of another thread, which comes first, is read later. */
static void test_turns(void) {
  begin_ring(2);
  one_round();
  put_copy(COPY, 0, 1);
  put_copy(COPY_2, 0, 1);
  ((uint64_t *)(void *)(file + (size_t)COPY * RAW_CHUNK))[0] = 2;
  announce(COPY_2);
  one_round();
  reads((const uint64_t[]){clock_word(1)}, 1);
  CU_ASSERT_EQUAL(header()->ring.read, 0);
  announce(COPY); /* of a thread that was forgotten */
  one_round();
  CU_ASSERT_EQUAL(header()->ring.read, 2);
  end();
}

/* The runtime raises the floor too: it does not go down, and what a round has not seen is not final. */
static void test_floor(void) {
  begin_ring(2);
  const uint64_t floor = one_round();
  own[1] = clock_word(floor);
  own[2] = access_word(RAW_READ, 64);
  shown->clock = floor;
  raw_raise(&header()->live.floor, floor + 10);
  reads(own + 1, 1);
  reads(NULL, 0);
  CU_ASSERT_TRUE(one_round() > floor);
  CU_ASSERT_EQUAL(header()->live.floor, floor + 10);
  reads(own + 2, 1);
  end();
}

void suite_live(void);
void suite_live(void) {
  CU_pSuite suite = CU_add_suite("live", NULL, NULL);
  CU_add_test(suite, "what may change", test_final);
  CU_add_test(suite, "lines, and copies", test_lines);
  CU_add_test(suite, "copies that go round", test_ring);
  CU_add_test(suite, "and are read out of turn", test_turns);
  CU_add_test(suite, "two who raise the floor", test_floor);
}
