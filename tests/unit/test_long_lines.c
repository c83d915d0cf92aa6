/* Lines and names without end, and runs that come a few bytes at a time. */
#include "trace/trace.h"

#include <CUnit/CUnit.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

enum { LONGEST = 1 << 20 };

/* What another process writes, piece by piece. */
typedef struct {
  pid_t writer;
  char path[32];
  int file;
} Source;

static void write_all(const char *bytes, size_t length, size_t piece) {
  for (size_t i = 0; i < length; i += piece) {
    const size_t n = length - i < piece ? length - i : piece;
    if (write(STDOUT_FILENO, bytes + i, n) != (ssize_t)n) _exit(1);
  }
}

/* Bytes, in pieces of that size; then the same piece without end, or nothing, with the pipe left open. */
static Source source_of(const char *bytes, size_t length, size_t piece, const char *endless) {
  int ends[2];
  CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
  Source source = {fork(), "", ends[0]};
  if (source.writer == 0) {
    signal(SIGPIPE, SIG_DFL);
    close(ends[0]);
    dup2(ends[1], STDOUT_FILENO);
    write_all(bytes, length, piece);
    while (endless) write_all(endless, strlen(endless), strlen(endless));
    for (;;) pause();
  }
  close(ends[1]);
  snprintf(source.path, sizeof source.path, "/dev/fd/%d", ends[0]);
  return source;
}

static void source_end(Source source) {
  close(source.file);
  kill(source.writer, SIGKILL);
  waitpid(source.writer, NULL, 0);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* ---- runs that stay open ---- */

/* Events are given as soon as they are there. */
static void comes_at_once(const char *text, TraceFormat format, uint32_t n_events) {
  for (size_t piece = 1; piece < 100; piece += 13) {
    Source source = source_of(text, strlen(text), piece, NULL);
    Heap *heap = heap_new(0);
    Err err = {.text = ""};
    const TraceOptions options = {.format = -1};
    const TraceEvent *events;
    uint32_t n = 1, total = 0;
    TraceReader *reader = trace_open(heap, source.path, &options, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(reader);
    CU_ASSERT_EQUAL(trace_format(reader), format);
    while (total < n_events && n && trace_next(reader, &events, &n, &err)) total += n;
    CU_ASSERT_EQUAL(total, n_events);
    trace_close(reader);
    heap_free(heap);
    source_end(source);
  }
}

static void short_runs_on_open_pipes(void) {
  comes_at_once("T1|r(x)\n", TRACE_STD, 1);
  comes_at_once("# a\n\n\xef|branch|1\nT1|r(x)|1\n", TRACE_STD, 1);
  comes_at_once("\xef\xbb\xbfT1|end\n", TRACE_STD, 1);
  comes_at_once("T1,T2\nw(x)\n", TRACE_CSV, 1);
  comes_at_once(" , , \"w(x)\"\n,,r(x)\n", TRACE_CSV, 2);
  comes_at_once("one thread\nbegin\nend\n", TRACE_CSV, 2);
  comes_at_once("@ Rd(1,x)\n", TRACE_ROADRUNNER, 1);
  comes_at_once("hello, world\nthis is it\n\n@  Wr(1,x)\n", TRACE_ROADRUNNER, 1);
  comes_at_once("T1\n@  Wr(1,x)\n", TRACE_ROADRUNNER, 1);
}

/* ---- the end of patience ---- */

static Stop stop;

static void set_stop(int number) {
  (void)number;
  stop.asked = stop.due = STOP_TIME;
}

typedef struct {
  Heap *heap;
  const char *path;
  bool ended;
} Reading;

static void read_on(void *argument) {
  Reading *reading = argument;
  Err err = {.text = ""};
  const TraceOptions options = {.format = -1, .lenient = true};
  const TraceEvent *events;
  uint32_t n = 1;
  TraceReader *reader = trace_open(reading->heap, reading->path, &options, &err);
  while (reader && n && trace_next(reader, &events, &n, &err)) continue;
  reading->ended = err.kind != ERR_LIMIT;
  trace_close(reader);
}

/* Reading ends soon after the heap is asked to stop, whatever comes. */
static void is_stopped(const char *bytes, const char *endless) {
  Source source = source_of(bytes, strlen(bytes), 10, endless);
  Reading reading = {.heap = heap_new(64 << 20), .path = source.path};
  stop = (Stop){0};
  heap_watch(reading.heap, &stop);
  signal(SIGALRM, set_stop);
  const double start = seconds();
  ualarm(200000, 0);
  CU_ASSERT_TRUE(!heap_try(reading.heap, read_on, &reading) || !reading.ended);
  CU_ASSERT_TRUE(seconds() - start < 2);
  heap_free(reading.heap);
  source_end(source);
}

/* A little that is packed is without end, too. */
static void unpacking_is_stopped(void) {
  char path[] = "/tmp/causal-bomb-XXXXXX";
  close(mkstemp(path));
  gzFile out = gzopen(path, "wb1");
  char lines[8192];
  for (size_t i = 0; i < sizeof lines; i++) lines[i] = i % 2 ? '\n' : '#';
  for (int i = 0; i < 50000; i++) gzwrite(out, lines, sizeof lines);
  gzclose(out);
  Reading reading = {.heap = heap_new(64 << 20), .path = path};
  stop = (Stop){0};
  heap_watch(reading.heap, &stop);
  signal(SIGALRM, set_stop);
  ualarm(100000, 0);
  CU_ASSERT_FALSE(heap_try(reading.heap, read_on, &reading));
  heap_free(reading.heap);
  unlink(path);
}

static void waiting_is_stopped(void) {
  is_stopped("", NULL);
  is_stopped("T1|r(x)\n", NULL);
  is_stopped("T1|r(x)\nT1|w(", NULL);
}

static void reading_without_events_is_stopped(void) {
  is_stopped("", "#\n");
  is_stopped("T1|r(x)\n", "a");
  is_stopped("T1|r(x)\n", "@ nothing at all\n");
}

/* ---- long lines ---- */

/* Refused with that message, in little time and memory. */
static void is_refused(const char *bytes, size_t length, size_t piece, const char *endless, const char *message) {
  Source source = source_of(bytes, length, piece, endless);
  Heap *heap = heap_new(8 << 20);
  Err err = {.text = ""};
  const TraceOptions options = {.format = -1};
  const TraceEvent *events;
  uint32_t n = 1;
  const clock_t start = clock();
  TraceReader *reader = trace_open(heap, source.path, &options, &err);
  while (reader && n && trace_next(reader, &events, &n, &err)) continue;
  CU_ASSERT_EQUAL(err.kind, ERR_INPUT);
  CU_ASSERT_PTR_NOT_NULL(strstr(err.text, message));
  if (!strstr(err.text, message)) printf("\n    expected: %s\n    found:    %s\n", message, err.text);
  CU_ASSERT_TRUE((double)(clock() - start) / CLOCKS_PER_SEC < 2);
  trace_close(reader);
  heap_free(heap);
  source_end(source);
}

#define BYTES(text) text, sizeof text - 1
#define LONG "the line is longer than 1048576 bytes"

static void endless_lines(void) {
  is_refused(BYTES(""), 1, "a", ":1: " LONG);
  is_refused(BYTES("T1|r(x)\n"), 1, "a", ":2: " LONG);
  is_refused(BYTES("T1|r(x)\n#"), 1, "abc", ":2: " LONG);
  is_refused(BYTES("T1|r(x)\n"), 1, "|", ":2: " LONG);
  is_refused(BYTES("T1,T2\nw(x)\n"), 1, ",", ":3: " LONG);
  is_refused(BYTES("T1,T2\nw(x)\n\""), 1, "\"\"", ":3: " LONG);
  is_refused(BYTES("@ Rd(1,x)\n@ Rd(1,"), 1, "(", ":2: " LONG);
  is_refused(BYTES("CAUSAL\x02\n\x0b\x00\xff\xff\xff\xff\x0f"), 1, "a", ": byte 8: expected a name");
}

/* A line may have so many bytes, and one more is too much; with `lenient` it is skipped and counted. */
static void the_longest_line(void) {
  char path[] = "/tmp/causal-line-XXXXXX";
  close(mkstemp(path));
  for (int extra = 0; extra < 2; extra++)
    for (int lenient = 0; lenient < 2; lenient++) {
      FILE *file = fopen(path, "wb");
      fprintf(file, "T1|r(x)\nT1|r(%0*d)\r\nT1|w(x)\n", LONGEST - 7 + extra, 7);
      fclose(file);
      Heap *heap = heap_new(0);
      Err err = {.text = ""};
      const TraceOptions options = {.format = -1, .lenient = lenient};
      const TraceEvent *events;
      uint32_t n = 1, total = 0;
      TraceReader *reader = trace_open(heap, path, &options, &err);
      bool good = true;
      while (good && n) good = trace_next(reader, &events, &n, &err), total += good ? n : 0;
      CU_ASSERT_EQUAL(good, !extra || lenient);
      CU_ASSERT_EQUAL(total, extra ? good ? 2 : 1 : 3);
      CU_ASSERT_EQUAL(trace_skipped(reader), (uint64_t)(extra && lenient));
      trace_close(reader);
      heap_free(heap);
    }
  unlink(path);
}

void suite_long_lines(void);
void suite_long_lines(void) {
  CU_pSuite suite = CU_add_suite("long_lines", NULL, NULL);
  CU_ADD_TEST(suite, short_runs_on_open_pipes);
  CU_ADD_TEST(suite, waiting_is_stopped);
  CU_ADD_TEST(suite, reading_without_events_is_stopped);
  CU_ADD_TEST(suite, unpacking_is_stopped);
  CU_ADD_TEST(suite, endless_lines);
  CU_ADD_TEST(suite, the_longest_line);
}
