/* A run that comes through a pipe byte by byte is read as from a file: above all, its format is not guessed too early.
 */
#include "tests/unit/random_run.h"
#include "tests/unit/skip.h"
#include "tests/unit/temp.h"
#include "trace/kinds.h"

#include <CUnit/CUnit.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BYTES = 200, PAGE = 4096 };

/* Opens a pipe that gives out the first BYTES bytes one by one, then up to a page at a time; its end follows. Each
 * piece is a packet of the pipe, so that no read gets two. False if there is no such pipe. */
static bool open_slow(const uint8_t *bytes, size_t length, int *from) {
  int ends[2];
  if (pipe2(ends, O_DIRECT | O_CLOEXEC) != 0) return false;
  bool good = fcntl(ends[1], F_SETPIPE_SZ, 1 << 20) >= (1 << 20);
  for (size_t at = 0; good && at < length;) {
    const size_t n = at < BYTES ? 1 : length - at < PAGE ? length - at : PAGE;
    good = write(ends[1], bytes + at, n) == (ssize_t)n;
    at += n;
  }
  close(ends[1]);
  *from = ends[0];
  if (!good) close(ends[0]);
  return good;
}

typedef struct {
  char *text; /* what was read */
  char fault[300];
} Reading;

/* The message without the name in front. */
static Reading read_run(const char *path, const char *name) {
  static const TraceOptions any = {.format = -1};
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  Reading reading = {0};
  char *before = NULL;
  reading.text = run_text(heap, path, &any, &before, &err);
  if (!reading.text) {
    CU_ASSERT(strncmp(err.text, name, strlen(name)) == 0);
    snprintf(reading.fault, sizeof reading.fault, "%s", err.text + strlen(name));
    reading.text = before;
  }
  heap_free(heap);
  return reading;
}

static void same_slowly(const uint8_t *bytes, size_t length) {
  char path[40];
  int from;
  temp_put(temp_path[0], bytes, length);
  if (!open_slow(bytes, length, &from)) {
    skip("pipes of packets: there are none");
    return;
  }
  snprintf(path, sizeof path, "/dev/fd/%d", from);
  const Reading whole = read_run(temp_path[0], temp_path[0]), slow = read_run(path, path);
  CU_ASSERT_STRING_EQUAL(slow.text, whole.text);
  CU_ASSERT_STRING_EQUAL(slow.fault, whole.fault);
  if (strcmp(slow.text, whole.text) != 0 || strcmp(slow.fault, whole.fault) != 0)
    printf("\n    %.*s\n    slowly: %s%s\n    at once: %s%s\n", (int)length, (const char *)bytes, slow.text, slow.fault,
           whole.text, whole.fault);
  free(whole.text);
  free(slow.text);
  close(from);
}

static void texts(void) {
  static const char *const TEXTS[] = {
      "T1|w(x)|1\n",
      "T|w(x)\nT|r(x)\n",
      "# a comment\r\n\r\nT1|w(x)|1\r\nT2|r(x)|2",
      "\xef\xbb\xbfT0|w(V1)",
      "A,B\nr(x),\n,w(x)\n",
      "T\nr(x)@2\n",
      "[main: hello, world]\n@  Start(0,1)\n@ Rd(1,x)\n",
      "CA|w(x)\n",           /* as a binary log begins */
      "CAUSAL|w(x)|1\n",     /* likewise */
      "\xef|w(x)|1\n",       /* as a byte order mark does */
      "\xef\xbb|w(x)|1\n",   /* likewise */
      "\x1f|w(x)|1\n",       /* as gzip does */
      "\x28\xb5|w(x)|1\n",   /* as zstd does */
      "T0|w(x)|1\nT0|w(x\n", /* bad lines */
      "T0|write(x)|1\n",
      "hello\nworld\n",
      "hello",
      "",
      "\n",
      "C",
  };
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) same_slowly((const uint8_t *)TEXTS[i], strlen(TEXTS[i]));
}

static void logs(void) {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    size_t length;
    char *text;
    uint8_t *log = random_log(seed, 30, &length, &text);
    same_slowly(log, length);
    same_slowly(log, length / 2);
    same_slowly((const uint8_t *)"CAUSAL\x01\n", 8);
    free(log);
    free(text);
  }
}

static void packed_with(const char *program) {
  char command[300];
  uint8_t bytes[PAGE];
  temp_put(temp_path[1], "T1|w(x)|1\nT2|r(x)|2\n", 20);
  snprintf(command, sizeof command, "%s -c < %s > %s 2>/dev/null", program, temp_path[1], temp_path[2]);
  if (system(command) != 0) {
    skip("%s is not installed", program);
    return;
  }
  FILE *file = fopen(temp_path[2], "rb");
  const size_t n = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  same_slowly(bytes, n);
  same_slowly(bytes, 3);
  same_slowly(bytes, n - 5);
}

static void packed(void) {
  packed_with("gzip");
  packed_with("zstd");
}

void suite_slow_pipe(void);
void suite_slow_pipe(void) {
  CU_pSuite suite = CU_add_suite("slow_pipe", temp_begin, temp_end);
  CU_ADD_TEST(suite, texts);
  CU_ADD_TEST(suite, logs);
  CU_ADD_TEST(suite, packed);
}
