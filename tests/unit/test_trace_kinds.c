/* The table of the formats of runs: what must hold of each row, a new one included. */
#include "tests/unit/random_run.h"
#include "tests/unit/temp.h"
#include "trace/kinds.h"

#include <CUnit/CUnit.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_rows(void) {
  for (int i = 0; i < TRACE_N_FORMATS; i++) {
    const TraceKind *kind = &TRACE_KINDS[i];
    CU_ASSERT_PTR_NOT_NULL_FATAL(kind->methods);
    const TraceMethods *methods = kind->methods;
    CU_ASSERT(*kind->name && *kind->title && kind->line);
    CU_ASSERT(methods->look.looks_like && methods->reading.read && methods->writing.write && methods->writing.end);
    CU_ASSERT_EQUAL(methods->writing.unfit != NULL, trace_kind_is_text(kind));
    CU_ASSERT(trace_kind_is_text(kind) || (*methods->look.magic && !methods->look.could_be));
    CU_ASSERT(methods->reading.state_size || !methods->reading.end);
    for (int j = 0; j < i; j++) {
      CU_ASSERT_STRING_NOT_EQUAL(kind->name, TRACE_KINDS[j].name);
      CU_ASSERT_STRING_NOT_EQUAL(kind->title, TRACE_KINDS[j].title);
      CU_ASSERT_PTR_NOT_EQUAL(kind->methods, TRACE_KINDS[j].methods);
    }
  }
}

/* ---- a run in each format ---- */

/* Nothing but what each format can represent: plain names, no locations. */
static const char PLAIN[] =
    "T0|fork(T1)\nT0|begin(B)\nT0|r(V1)\nT1|acq(l)\nT1|w(V1)\nT0|w(V2)\nT0|end\nT1|rel(l)\nT0|join(T1)\nT0|r(V2)\n";

typedef struct {
  TraceFormat format;
  Heap *heap;
  Err err;
  bool good;
} Conversion;

/* temp_path[0], by content, to temp_path[1]. */
static void convert_body(void *argument) {
  Conversion *c = argument;
  const TraceOptions any = {.format = -1};
  const TraceEvent *events;
  uint32_t n = 0;
  TraceReader *reader = trace_open(c->heap, temp_path[0], &any, &c->err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(reader);
  FILE *out = fopen(temp_path[1], "wb");
  CU_ASSERT_PTR_NOT_NULL_FATAL(out);
  TraceWriter *writer = trace_writer_new(c->heap, out, c->format, trace_names(reader));
  while (trace_next(reader, &events, &n, &c->err) && n) trace_write(writer, events, n);
  c->good = trace_writer_end(writer, &c->err);
  fclose(out);
  trace_close(reader);
}

static bool is_empty(const char *name) {
  struct stat info;
  return stat(name, &info) == 0 && !info.st_size;
}

/* Writes the STD text in the format to temp_path[1]. False if the format cannot represent it; then nothing was written,
 * as the text is short. */
static bool write_in(const char *text, TraceFormat format) {
  Conversion c = {.format = format, .heap = heap_new(0)};
  FILE *file = fopen(temp_path[0], "wb");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  fputs(text, file);
  fclose(file);
  CU_ASSERT_FATAL(heap_try(c.heap, convert_body, &c));
  const char *title = TRACE_KINDS[format].title;
  if (!c.good) CU_ASSERT(strncmp(c.err.text, title, strlen(title)) == 0 && is_empty(temp_path[1]));
  CU_ASSERT_EQUAL(heap_used(c.heap), 0);
  heap_free(c.heap);
  return c.good;
}

static char *events_of(const char *from, int format) {
  const TraceOptions options = {.format = format};
  Err err = {.text = ""};
  Heap *heap = heap_new(0);
  char *text = run_text(heap, from, &options, NULL, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(text);
  heap_free(heap);
  return text;
}

/* What was written is read again, whether the format is named or detected. */
static void comes_back(TraceFormat format) {
  char *expected = events_of(temp_path[0], TRACE_STD), *named = events_of(temp_path[1], (int)format),
       *detected = events_of(temp_path[1], -1);
  CU_ASSERT_STRING_EQUAL(named, expected);
  CU_ASSERT_STRING_EQUAL(detected, expected);
  free(expected);
  free(named);
  free(detected);
}

static void test_round_trips(void) {
  for (int format = 0; format < TRACE_N_FORMATS; format++) {
    CU_ASSERT_FATAL(write_in(PLAIN, (TraceFormat)format));
    comes_back((TraceFormat)format);
    for (uint64_t seed = 1; seed <= 20; seed++) {
      char *text = random_std(seed, seed % 2 ? NAMES_PLAIN : NAMES_ODD, 500, seed % 4 > 1);
      if (write_in(text, (TraceFormat)format)) comes_back((TraceFormat)format);
      free(text);
    }
  }
}

/* ---- whose is it? ---- */

/* Does the row claim the file, or any line of it? */
static bool claims(const TraceKind *kind, const char *text, size_t length) {
  const TraceLook *look = &kind->methods->look;
  bool claimed = false;
  if (look->magic) {
    const size_t n = strlen(look->magic);
    return look->looks_like((Part){text, length < n ? length : n}, 0);
  }
  uint32_t number = 0;
  for (const char *at = text, *end; at < text + length; at = end + 1) {
    end = memchr(at, '\n', (size_t)(text + length - at));
    if (!end) end = text + length;
    if (end > at && *at != '#') claimed |= look->looks_like((Part){at, (size_t)(end - at)}, number++);
  }
  return claimed;
}

/* Each row claims what it wrote itself, and no other row does. */
static void test_claims(void) {
  for (int format = 0; format < TRACE_N_FORMATS; format++)
    for (uint64_t seed = 0; seed <= 20; seed++) {
      char *text = seed ? random_std(seed, NAMES_PLAIN, 200, false) : strdup(PLAIN), bytes[1 << 14];
      if (write_in(text, (TraceFormat)format)) {
        FILE *file = fopen(temp_path[1], "rb");
        const size_t n = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        for (int i = 0; i < TRACE_N_FORMATS; i++) CU_ASSERT_EQUAL(claims(&TRACE_KINDS[i], bytes, n), i == format);
      }
      free(text);
    }
}

static void test_list(void) {
  char room[TRACE_LIST_ROOM];
  trace_format_list(room);
  for (int i = 0; i < TRACE_N_FORMATS; i++) CU_ASSERT_PTR_NOT_NULL(strstr(room, TRACE_KINDS[i].title));
}

void suite_trace_kinds(void);
void suite_trace_kinds(void) {
  CU_pSuite suite = CU_add_suite("trace_kinds", temp_begin, temp_end);
  CU_add_test(suite, "each row is whole, and no two are called alike", test_rows);
  CU_add_test(suite, "each row reads what it wrote", test_round_trips);
  CU_add_test(suite, "each row claims what it wrote, and nothing else", test_claims);
  CU_add_test(suite, "the list in messages has each row", test_list);
}
