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

enum { RECORD = RAW_FIRST, OWN, COPY, CHUNKS, WORDS = RAW_CHUNK / sizeof(uint64_t) };

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

static void begin(void) {
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
  heap = heap_new(0);
  live = live_open(heap, fd, true, false, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(live);
  announce(RECORD);
}

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

void suite_live(void);
void suite_live(void) {
  CU_pSuite suite = CU_add_suite("live", NULL, NULL);
  CU_add_test(suite, "what may change", test_final);
  CU_add_test(suite, "lines, and copies", test_lines);
}
