/* What is long and packed is unpacked on a thread of its own, and reads as what is not packed: to its end, up to where
 * it breaks off or is damaged, and where there is no memory; and the thread ends whenever the reader does. */
#include "base/hash.h"
#include "trace/ahead.h"
#include "trace/trace.h"

#include <CUnit/CUnit.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { LINES = 300000, ROOM = 1 << 23 };

typedef struct {
  Heap *heap;
  uint64_t n_events, hash, most; /* no more than so many */
  bool good, cut_short, leaves_open;
  Err err;
} Reading;

static char path[64], *text;
static size_t length;

static int make_file(void) {
  strcpy(path, "/tmp/causal-ahead-XXXXXX");
  const int file = mkstemp(path);
  if (file >= 0) close(file);
  text = malloc(ROOM);
  length = 0;
  for (uint32_t i = 0; text && i < LINES; i++)
    length += (size_t)sprintf(text + length, "T%u|r(x%u)|%u\n", i % 7, (uint32_t)hash_word(i) % 1000, i % 10);
  return file < 0 || !text;
}

static int remove_file(void) {
  free(text);
  return unlink(path);
}

static void read_all(void *argument) {
  Reading *reading = argument;
  const TraceOptions options = {.format = TRACE_STD};
  const TraceEvent *events;
  uint32_t n = 1;
  TraceReader *reader = trace_open(reading->heap, path, &options, &reading->err);
  while (reader && n && reading->n_events < reading->most &&
         (reading->good = trace_next(reader, &events, &n, &reading->err))) {
    reading->n_events += n;
    for (uint32_t i = 0; i < n; i++) reading->hash = hash_join(reading->hash, events[i].object);
  }
  reading->cut_short = reader && trace_cut_short(reader);
  if (!reading->leaves_open) trace_close(reader);
}

static Reading read_within(uint64_t limit, uint64_t fail_at, uint64_t most) {
  Reading reading = {.heap = heap_new(limit), .most = most};
  heap_fail_at(reading.heap, fail_at);
  if (!heap_try(reading.heap, read_all, &reading)) reading.good = false;
  else CU_ASSERT_EQUAL(heap_used(reading.heap), 0);
  heap_free(reading.heap);
  return reading;
}

static Reading read_again(void) { return read_within(0, 0, UINT64_MAX); }

static void put_file(const void *bytes, size_t n) {
  FILE *out = fopen(path, "wb");
  CU_ASSERT_PTR_NOT_NULL_FATAL(out);
  fwrite(bytes, 1, n, out);
  fclose(out);
}

/* ---- packed by hand, and by zlib ---- */

/* Frames of blocks that are as they were, the later ones with larger windows, for which the library needs memory. */
static size_t with_zstd(char *to) {
  enum { BLOCK = 100000, BLOCKS = 12 };
  size_t n = 0;
  for (size_t at = 0, k = 0; at < length; k++) {
    const size_t part = length - at < BLOCK ? length - at : BLOCK;
    const bool last = k % BLOCKS == BLOCKS - 1 || at + part == length;
    const uint32_t head = (uint32_t)last | (uint32_t)part << 3;
    if (k % BLOCKS == 0) {
      memcpy(to + n, (char[]){0x28, (char)0xb5, 0x2f, (char)0xfd, 0, (char)((7 + k / BLOCKS) << 3)}, 6);
      n += 6;
    }
    memcpy(to + n, (char[]){(char)head, (char)(head >> 8), (char)(head >> 16)}, 3);
    memcpy(to + n + 3, text + at, part);
    n += 3 + part;
    at += part;
  }
  return n;
}

static size_t with_gzip(char *to) {
  z_stream stream = {.avail_in = (uInt)length, .next_out = (Bytef *)to, .avail_out = ROOM};
  stream.next_in = (Bytef *)text;
  CU_ASSERT_FATAL(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  CU_ASSERT_FATAL(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  deflateEnd(&stream);
  return ROOM - stream.avail_out;
}

typedef size_t Pack(char *to);

/* The same, and without the thread, for which there is no processor. */
static Reading read_both(void) {
  cpu_set_t all, one;
  size_t first = 0;
  const Reading ahead = read_again();
  CU_ASSERT_FATAL(sched_getaffinity(0, sizeof all, &all) == 0);
  while (!CPU_ISSET(first, &all)) first++;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  CU_ASSERT_FATAL(sched_setaffinity(0, sizeof one, &one) == 0);
  const Reading alone = read_again();
  CU_ASSERT_FATAL(sched_setaffinity(0, sizeof all, &all) == 0);
  CU_ASSERT(ahead.good == alone.good && ahead.cut_short == alone.cut_short && ahead.n_events == alone.n_events);
  CU_ASSERT(ahead.hash == alone.hash && (ahead.good || strcmp(ahead.err.text, alone.err.text) == 0));
  return ahead;
}

static void check(Pack *pack) {
  char *packed = malloc(ROOM);
  put_file(text, length);
  const Reading plain = read_again();
  CU_ASSERT(plain.good && plain.n_events == LINES);
  const size_t n = pack(packed);
  put_file(packed, n);
  const Reading whole = read_both();
  CU_ASSERT(whole.good && whole.n_events == LINES && whole.hash == plain.hash && !whole.cut_short);
  for (size_t less = n / 2; less < n; less += n / 9) {
    put_file(packed, less);
    const Reading part = read_both();
    CU_ASSERT(part.good && part.cut_short && part.n_events > LINES / 4 && part.n_events < LINES);
  }
  for (size_t at = n / 10 * 9; at < n - 100; at += n / 100) {
    memset(packed + at, 0xff, 100);
    put_file(packed, n);
    read_both();
  }
  memset(packed + n / 10 * 9, 0xff, n / 20);
  put_file(packed, n);
  const Reading damaged = read_both();
  CU_ASSERT(!damaged.good && damaged.n_events > LINES / 2 && damaged.n_events < LINES);
  free(packed);
}

static void zstd_reads_as_what_is_not_packed(void) { check(with_zstd); }
static void zlib_reads_as_what_is_not_packed(void) { check(with_gzip); }

/* Nor is a thread left when the heap is freed. */
static void it_is_left(void) {
  char *packed = malloc(ROOM);
  put_file(packed, with_gzip(packed));
  for (uint64_t most = 1; most < LINES; most = most * 3 + 5) {
    const Reading part = read_within(0, 0, most);
    CU_ASSERT(part.good && part.n_events >= most);
    Reading reading = {.heap = heap_new(0), .most = most, .leaves_open = true};
    CU_ASSERT_TRUE(heap_try(reading.heap, read_all, &reading));
    heap_free(reading.heap);
  }
  free(packed);
}

/* Without memory for a thread there is none. */
static void memory_ends(Pack *pack) {
  char *packed = malloc(ROOM);
  uint32_t n_good = 0, n_bad = 0;
  put_file(packed, pack(packed));
  for (uint64_t nth = 1; nth < 200; nth++) {
    const Reading reading = read_within(0, nth, UINT64_MAX);
    if (reading.good) CU_ASSERT_EQUAL(reading.n_events, LINES);
    n_good += reading.good;
    n_bad += !reading.good;
  }
  CU_ASSERT(n_good > 20 && n_bad > 5);
  for (uint64_t limit = 200000; limit < 20000000; limit += limit / 8) {
    const Reading reading = read_within(limit, 0, UINT64_MAX);
    if (reading.good) CU_ASSERT_EQUAL(reading.n_events, LINES);
  }
  free(packed);
}

static void zstd_has_no_memory(void) { memory_ends(with_zstd); }
static void zlib_has_no_memory(void) { memory_ends(with_gzip); }

/* ---- the thread alone ---- */

typedef struct {
  Ahead *ahead;
  uint32_t left;
  void *piece;
} Making;

static bool make(void *argument, char *to, size_t room, size_t *n) {
  Making *making = argument;
  *n = making->left ? 1 + making->left % room : 0;
  memset(to, (int)making->left % 100, *n);
  ahead_take(making->ahead, making->piece);
  making->piece = making->left % 3 ? ahead_give(making->ahead, 100) : NULL;
  if (making->left == 13) return false;
  making->left -= making->left > 0;
  return true;
}

static void a_fault_comes_after_what_was_made(void) {
  Heap *heap = heap_new(0);
  for (uint32_t left = 0; left < 40; left++) {
    Making making = {.left = left};
    uint64_t sum = 0;
    char byte[7];
    size_t n = 1;
    AheadGot got = AHEAD_BYTES;
    making.ahead = ahead_new(heap, make, &making);
    CU_ASSERT_TRUE_FATAL(ahead_begin(making.ahead));
    while (got == AHEAD_BYTES && n) got = ahead_read(making.ahead, byte, sizeof byte, &n), sum += n;
    uint64_t expected = 0;
    for (uint32_t i = left; i > (left < 13 ? 0u : 13u); i--) expected += 1 + i;
    CU_ASSERT_EQUAL(sum, expected);
    CU_ASSERT_EQUAL(got, left < 13 ? AHEAD_BYTES : AHEAD_FAULT);
    CU_ASSERT_EQUAL(ahead_read(making.ahead, byte, sizeof byte, &n), got);
    heap_release(heap, making.piece);
    ahead_free(making.ahead);
    CU_ASSERT_EQUAL(heap_used(heap), 0);
  }
  heap_free(heap);
}

void suite_ahead(void);
void suite_ahead(void) {
  CU_pSuite suite = CU_add_suite("ahead", make_file, remove_file);
  CU_ADD_TEST(suite, zstd_reads_as_what_is_not_packed);
  CU_ADD_TEST(suite, zlib_reads_as_what_is_not_packed);
  CU_ADD_TEST(suite, it_is_left);
  CU_ADD_TEST(suite, zstd_has_no_memory);
  CU_ADD_TEST(suite, zlib_has_no_memory);
  CU_ADD_TEST(suite, a_fault_comes_after_what_was_made);
}
