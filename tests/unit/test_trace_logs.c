/* Runs that are written: round trips through all formats; binary logs, also hostile, damaged and packed; each
 * allocation fails once. */
#include "base/hash.h"
#include "tests/unit/skip.h"
#include "tests/unit/trace_case.h"
#include "trace/kinds.h"

#include <CUnit/CUnit.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N_RANDOM = 60, N_MUTANTS = 400 };

static const TraceOptions LENIENT = {.format = -1, .lenient = true};

/* ---- round trips ---- */

typedef struct {
  const char *from, *to;
  TraceFormat format;
  Heap *heap;
  Err err;
  bool good;
} Conversion;

static void convert_body(void *argument) {
  Conversion *c = argument;
  const TraceEvent *events;
  uint32_t n = 0;
  TraceReader *reader = trace_open(c->heap, c->from, &TRACE_STRICT, &c->err);
  FILE *out = reader ? fopen(c->to, "wb") : NULL;
  if (!out) return;
  TraceWriter *writer = trace_writer_new(c->heap, out, c->format, trace_names(reader));
  while (trace_next(reader, &events, &n, &c->err) && n) trace_write(writer, events, n);
  c->good = trace_writer_end(writer, &c->err) && fclose(out) == 0;
  trace_close(reader);
}

static bool convert(const char *from, const char *to, TraceFormat format, Err *err) {
  Conversion c = {.from = from, .to = to, .format = format, .heap = heap_new(0), .err = {.text = ""}};
  convert_body(&c);
  *err = c.err;
  if (c.good) CU_ASSERT_EQUAL(heap_used(c.heap), 0);
  heap_free(c.heap);
  return c.good;
}

static const char LOCATION[] = "T0|r(x)|a.c:3\n", ALL_OPS[] = "T0|start\nT0|free(x)\nT0|exit\n";

/* Can the format represent the STD text? */
static bool represents(TraceFormat format, const char *text) {
  Err err;
  temp_put(temp_path[0], text, strlen(text));
  return convert(temp_path[0], temp_path[1], format, &err);
}

/* The formats that there are; random runs are for those that represent locations. */
static void test_represents(void) {
  CU_ASSERT(represents(TRACE_STD, LOCATION) && represents(TRACE_STD, ALL_OPS));
  CU_ASSERT(represents(TRACE_STD, "T0|sig(h)\nT1|wait(h)\n"));
  CU_ASSERT(represents(TRACE_CSV, LOCATION) && represents(TRACE_CSV, ALL_OPS));
  CU_ASSERT(represents(TRACE_ROADRUNNER, LOCATION) && !represents(TRACE_ROADRUNNER, ALL_OPS));
  CU_ASSERT(represents(TRACE_BINARY, LOCATION) && represents(TRACE_BINARY, ALL_OPS));
}

/* Through two formats, and back. */
static void round_trip(uint64_t seed, NameSort names, TraceFormat first, TraceFormat second) {
  Err err;
  if (!represents(first, LOCATION) || !represents(second, LOCATION)) return;
  const bool all_ops = represents(first, ALL_OPS) && represents(second, ALL_OPS);
  char *text = random_std(seed, names, names == NAMES_LONG ? 40 : 6000, all_ops);
  temp_put(temp_path[0], text, strlen(text));
  char *expected = read_text(temp_path[0], &TRACE_STRICT);
  if (!convert(temp_path[0], temp_path[1], first, &err) || !convert(temp_path[1], temp_path[0], second, &err))
    CU_FAIL(err.text);
  char *got = read_text(temp_path[0], &TRACE_STRICT);
  CU_ASSERT_STRING_EQUAL(got, expected);
  if (strcmp(got, expected) != 0)
    printf("\n    seed %lu, names %d, formats %d, %d", (unsigned long)seed, names, first, second);
  free(text);
  free(expected);
  free(got);
}

static void test_round_trips(void) {
  uint64_t seed = 1;
  for (NameSort names = 0; names < NAMES_SORTS; names++)
    for (int first = 0; first < TRACE_N_FORMATS; first++)
      for (int second = 0; second < TRACE_N_FORMATS; second++)
        round_trip(seed++, names, (TraceFormat)first, (TraceFormat)second);
}

typedef struct {
  const char *bytes, *message;
  TraceFormat format;
} Unsayable;

#define STRANGE_THREAD "the name of a thread that begins as a packed file does, or with a byte order mark"
static const Unsayable UNSAYABLE[] = {
    {"T0|start\n", "RoadRunner text cannot represent the start or exit of a thread, or the freeing of a variable",
     TRACE_ROADRUNNER},
    {"T,0|r(x)\n", "RoadRunner text cannot represent the name of a thread with a comma or parenthesis in it",
     TRACE_ROADRUNNER},
    {"T0|r(x))\n", "RoadRunner text cannot represent the name of an object with unbalanced parentheses",
     TRACE_ROADRUNNER},
    {"T0|r(x)|a b\n", "RoadRunner text cannot represent a location with blanks in it", TRACE_ROADRUNNER},
    {"T0|rmw(x)\n", "RoadRunner text cannot represent an update, a shared lock, a try, a signal or a wait",
     TRACE_ROADRUNNER},
    {"T0|begin(-)\n", "RoadRunner text cannot represent a transaction that is called '-'", TRACE_ROADRUNNER},
    {"T(0)|r(x)\n", "CSV cannot represent the name of a thread with a parenthesis in it", TRACE_CSV},
    {"T0|r(x)@)\n", "CSV cannot represent the name of an object with ')@' in it", TRACE_CSV},
    {"T0,T1\nr(a|b)\n", "STD cannot represent a name with a '|' or a line end in it", TRACE_STD},
    {"\n\x1f\x8bT|r(x)\n", "CSV cannot represent " STRANGE_THREAD, TRACE_CSV},
    {"T,\xef\xbb\xbf\nr(a)\n,r(a)\n", "STD cannot represent " STRANGE_THREAD, TRACE_STD},
    {"T,CAUSAL\x01\nr(a)\n,r(a)\n",
     "STD cannot represent the name of a thread that begins as a file of another format does", TRACE_STD},
    {"\"#T\",T\nr(a)\n", "STD cannot represent the name of a thread that begins with '#'", TRACE_STD},
};

static const uint8_t SAME_NAMES[] = "CAUSAL\x02\n\x0b\x01\x01x\x0b\x01\x01x\x00\x00\x20\x00\x01\x00\x20\x00\x0f\x02";
static const uint8_t SAME_HANDOVERS[] =
    "CAUSAL\x03\n\x0b\x01\x01x\x0b\x01\x01x\x5e\x00\x20\x00\x5e\x00\x20\x00\x0f\x02";
static const uint8_t MIXED[] = "CAUSAL\x02\n\x00\x00\x20\x00\x02\x00\x00\x00\x0f\x02";

static void cannot_represent(TraceFormat format, const char *message) {
  Err err;
  CU_ASSERT_FALSE(convert(temp_path[0], temp_path[1], format, &err));
  expect_text(err.text, message);
}

static void test_unsayable(void) {
  for (size_t i = 0; i < sizeof UNSAYABLE / sizeof *UNSAYABLE; i++) {
    temp_put(temp_path[0], UNSAYABLE[i].bytes, strlen(UNSAYABLE[i].bytes));
    cannot_represent(UNSAYABLE[i].format, UNSAYABLE[i].message);
  }
  temp_put(temp_path[0], SAME_NAMES, sizeof SAME_NAMES - 1);
  cannot_represent(TRACE_STD, "a text cannot represent two variables with the same name");
  temp_put(temp_path[0], SAME_HANDOVERS, sizeof SAME_HANDOVERS - 1);
  cannot_represent(TRACE_STD, "a text cannot represent two hand-overs with the same name");
  temp_put(temp_path[0], MIXED, sizeof MIXED - 1);
  cannot_represent(TRACE_STD, "a text cannot represent an object that is two of a variable, a lock and a hand-over");
}

/* Two events, each on object 0. */
static bool text_has_both(TraceOp one, TraceOp other) {
  Err err;
  const TraceEvent events[] = {{0, 0, TRACE_NONE, (uint8_t)one}, {0, 0, TRACE_NONE, (uint8_t)other}};
  Heap *heap = heap_new(0);
  FILE *out = fopen(temp_path[1], "wb");
  TraceWriter *writer = trace_writer_new(heap, out, TRACE_STD, NULL);
  trace_write(writer, events, 2);
  const bool good = trace_writer_end(writer, &err);
  fclose(out);
  heap_free(heap);
  return good;
}

static void test_two_in_one(void) {
  static const TraceOp ops[] = {TRACE_WRITE, TRACE_ACQUIRE, TRACE_SIGNAL};
  for (int one = 0; one < 3; one++)
    for (int other = 0; other < 3; other++) CU_ASSERT_EQUAL(text_has_both(ops[one], ops[other]), one == other);
}

/* ---- binary logs ---- */

static void test_random_logs(void) {
  for (uint64_t seed = 1; seed <= N_RANDOM; seed++) {
    size_t length;
    char *expected;
    uint8_t *log = random_log(seed, (uint32_t)seed * 100, &length, &expected);
    expect_read((const char *)log, length, expected);
    Err err;
    CU_ASSERT(convert(temp_path[0], temp_path[1], TRACE_BINARY, &err));
    char *again = read_text(temp_path[1], &TRACE_STRICT);
    expect_text(again, expected);
    free(log);
    free(expected);
    free(again);
  }
}

/* A file that was cut short has the first events, and says so; `whole` is the length of the file. */
static void read_cut(const char *expected, size_t cut, size_t whole) {
  Heap *heap = heap_new(16 << 20);
  Err err = {.text = ""};
  const TraceEvent *events;
  uint32_t n, total = 0, n_expected = 0;
  TraceReader *reader = trace_open(heap, temp_path[0], &TRACE_STRICT, &err);
  CU_ASSERT_EQUAL(reader == NULL, cut < 8 && cut > 0);
  while (reader && trace_next(reader, &events, &n, &err) && n) total += n;
  if (reader && cut) CU_ASSERT_EQUAL(trace_cut_short(reader), cut < whole);
  for (const char *line = expected; (line = strchr(line, '\n')); line++) n_expected++;
  CU_ASSERT(total <= n_expected && (cut < whole || total == n_expected));
  trace_close(reader);
  heap_free(heap);
}

static void test_cut_logs(void) {
  for (uint64_t seed = 1; seed <= 4; seed++) {
    size_t length;
    char *expected;
    uint8_t *log = random_log(seed, 150, &length, &expected);
    for (size_t cut = 0; cut <= length; cut++) {
      temp_put(temp_path[0], log, cut);
      char *text = cut >= 8 ? read_text(temp_path[0], &TRACE_STRICT) : calloc(1, 1);
      CU_ASSERT(strncmp(text, expected, strlen(text)) == 0);
      read_cut(expected, cut, length);
      free(text);
    }
    free(log);
    free(expected);
  }
}

typedef struct {
  const char *name, *bytes;
  size_t length;
  const char *message;
} Hostile;

#define LOG(text) "CAUSAL\x02\n" text, 8 + sizeof text - 1
#define LOG3(text) "CAUSAL\x03\n" text, 8 + sizeof text - 1
#define LOG4(text) "CAUSAL\x04\n" text, 8 + sizeof text - 1
#define NO_LOOP ": byte 8: expected a loop: the number of its words, up to 16, and of its events, up to 65536"
#define NOT_KNOWN ": byte 12: a loop with an event of what has not been named or used before"
#define UNKNOWN(what) ": byte 8: " what " number that is neither known nor the next one"
#define NO_NAME \
  ": byte 8: expected a name: its kind, from 0 to 3, the number of its bytes, up to 1048576, bytes other than NUL"
static const Hostile HOSTILE[] = {
    {"a thread far away", LOG("\x0d\xff\xff\xff\xff\x0f\x00\x02"), UNKNOWN("a thread")},
    {"a thread of 64 bits", LOG("\x0d\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00\x02"), UNKNOWN("a thread")},
    {"a thread that is not the next", LOG("\x10\x00\x20\x00"), UNKNOWN("a thread")},
    {"an object far away", LOG("\x0d\x00\x00\xfe\xff\xff\xff\x1f"), UNKNOWN("an object")},
    {"an object below 0", LOG("\x0d\x00\x00\x01"), UNKNOWN("an object")},
    {"one less than 0", LOG("\x00\x00\xe0\xff"), UNKNOWN("an object")},
    {"an object that is not the next", LOG("\x00\x00\x40\x00"), UNKNOWN("an object")},
    {"a location far away", LOG("\x00\x80\x20\x00"), UNKNOWN("a location")},
    {"a location below 0", LOG("\x00\xc0\x3f\x00"), UNKNOWN("a location")},
    {"a thread's object that is not there", LOG("\x04\x00\x60\x00"), UNKNOWN("an object")},
    {"no object", LOG("\x00\x00\x00\x00"), ": byte 8: the object of the operation is missing"},
    {"no other thread", LOG("\x04\x00\x00\x00"), ": byte 8: the object of the operation is missing"},
    {"an object of end", LOG("\x07\x00\x20\x00"), ": byte 8: an object for an operation that takes none"},
    {"65 bits", LOG("\x0d\x80\x80\x80\x80\x80\x80\x80\x80\x80\x02\x00\x02"), ": byte 8: a number of more than 64 bits"},
    {"no end of a number", LOG("\x0d\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80"),
     ": byte 8: a number of more than 64 bits"},
    {"a kind of operation", LOG("\xbd\x00\x00\x02"), ": byte 8: expected the number of an operation"},
    {"a kind of name", LOG("\x0b\x04\x01x"), NO_NAME},
    {"a name with NUL", LOG("\x0b\x00\x02x\x00"), NO_NAME},
    {"a later operation of a word", LOG3("\x7e\x00\x20\x00"), ": byte 8: expected the number of an operation"},
    {"a later operation", LOG3("\xed\x12\x00\x00\x02"), ": byte 8: expected the number of an operation"},
    {"an older operation as a later one", LOG3("\xed\x0a\x00\x00\x02"),
     ": byte 8: expected the number of an operation"},
    {"a later operation of another sort", LOG3("\xbd\x00\x00\x02"), ": byte 8: expected the number of an operation"},
    {"a later operation without an object", LOG3("\x0e\x00\x00\x00"),
     ": byte 8: the object of the operation is missing"},
    {"a later operation of version 2", LOG("\xed\x0b\x00\x00\x02"), ": byte 8: expected the number of an operation"},
    {"a later thread far away", LOG3("\x8e\x00\x20\x00"), UNKNOWN("a thread")},
    {"a later word of version 2", LOG("\x0e\x00\x20\x00"), ": byte 8: unknown kind of record"},
    {"a later word of version 2 with a known object", LOG("\x00\x00\x20\x00\x0e\x00\x00\x00"),
     ": byte 12: unknown kind of record"},
    {"a loop of version 3", LOG3("\x1f\x01\x01\x00\x00\x20\x00"), ": byte 8: unknown kind of record"},
    {"a loop of no words", LOG4("\x1f\x00\x01"), NO_LOOP},
    {"a loop of no events", LOG4("\x1f\x01\x00\x00\x00\x20\x00"), NO_LOOP},
    {"a loop of too many words", LOG4("\x1f\x11\x11"), NO_LOOP},
    {"a loop of too many events", LOG4("\x1f\x01\x81\x80\x04\x00\x00\x20\x00"), NO_LOOP},
    {"a loop of 2^64 - 1 events", LOG4("\x1f\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00\x00\x20\x00"), NO_LOOP},
    {"a loop with a name", LOG4("\x1f\x01\x02\x0b\x01\x01x"), ": byte 8: expected an event of one word"},
    {"a loop with a later operation", LOG4("\x1f\x01\x02\x7e\x00\x20\x00"), ": byte 8: expected an event of one word"},
    {"a loop that names something new", LOG4("\x00\x00\x20\x00\x1f\x01\x03\x00\x00\x20\x00"), NOT_KNOWN},
    {"a loop that goes below 0", LOG4("\x00\x00\x20\x00\x1f\x01\x03\x00\x00\xe0\xff"), NOT_KNOWN},
    {"a loop of another thread", LOG4("\x00\x00\x20\x00\x1f\x01\x03\x10\x00\x00\x00"), NOT_KNOWN},
    {"a loop with a location", LOG4("\x00\x00\x20\x00\x1f\x01\x03\x00\x40\x00\x00"), NOT_KNOWN},
    {"a kind of record", LOG("\x0e"), ": byte 8: unknown kind of record"},
    {"a name with bits", LOG("\x1b\x00\x01x"), ": byte 8: unknown kind of record"},
    {"too few events", LOG("\x00\x00\x20\x00\x0f\x02"),
     ": byte 12: the number of events at the end does not match the events"},
    {"more behind the end", LOG("\x00\x00\x20\x00\x0f\x01\x0f"), ": byte 14: data after the end"},
    {"a name of 4 GB", LOG("\x0b\x00\xff\xff\xff\xff\x0fx"), NO_NAME},
    {"a name of 2^64 - 1 bytes", LOG("\x0b\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01x"), NO_NAME},
    {"a comment of 2^64 - 1 bytes", LOG("\x0c\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01x"), NULL},
};

/* Little memory is used, too. */
static void test_hostile_logs(void) {
  for (size_t i = 0; i < sizeof HOSTILE / sizeof *HOSTILE; i++) {
    Heap *heap = heap_new(2 << 20);
    Err err = {.text = ""};
    char expected[300];
    temp_put(temp_path[0], HOSTILE[i].bytes, HOSTILE[i].length);
    char *text = run_text(heap, temp_path[0], &TRACE_STRICT, NULL, &err);
    snprintf(expected, sizeof expected, "%s%s", temp_path[0], HOSTILE[i].message ? HOSTILE[i].message : "");
    expect_text(err.text, HOSTILE[i].message ? expected : "");
    CU_ASSERT_EQUAL(text == NULL, HOSTILE[i].message != NULL);
    if ((text == NULL) != (HOSTILE[i].message != NULL)) printf("\n    %s\n", HOSTILE[i].name);
    CU_ASSERT_EQUAL(heap_used(heap), 0);
    free(text);
    heap_free(heap);
  }
}

/* A log of a part of a run says so, and so does a binary one that is made of it. The words are text, whatever they
 * were. */
static void test_parts(void) {
  static const char PART[] = "CAUSAL\x03\n\x0c\x01\x06\x0c\x05\x05in f\x0c\x04\x05g\x1b!\x00\x00\x20\x00\x0f\x01";
  Heap *heap = heap_new(0);
  Err err;
  const TraceEvent *e;
  uint32_t n;
  temp_put(temp_path[0], PART, sizeof PART - 1);
  for (int round = 0; round < 2; round++) {
    TraceReader *reader = trace_open(heap, temp_path[round], &TRACE_STRICT, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(reader);
    CU_ASSERT(trace_next(reader, &e, &n, &err) && n == 1);
    CU_ASSERT(trace_part(reader)->late);
    expect_text(trace_part(reader)->what, "in f; g?!");
    FILE *out = round ? NULL : fopen(temp_path[1], "wb");
    if (out) {
      TraceWriter *writer = trace_writer_new(heap, out, TRACE_BINARY, trace_names(reader));
      trace_write_part(writer, trace_part(reader));
      trace_write(writer, e, n);
      CU_ASSERT(trace_writer_end(writer, &err) && fclose(out) == 0);
    }
    trace_close(reader);
  }
  heap_free(heap);
}

/* Words that nothing else is left of: many of them, or none. */
static void test_long_parts(void) {
  char log[700] = "CAUSAL\x03\n";
  size_t n = 8;
  Heap *heap = heap_new(0);
  Err err;
  const TraceEvent *e;
  uint32_t n_events;
  for (int i = 0; i < 3; i++) {
    memcpy(log + n, "\x0c\xc9\x01\x05", 4);
    memset(log + n + 4, 'a' + i, 200);
    n += 204;
  }
  memcpy(log + n, "\x0c\x01\x05\x00\x00\x20\x00\x0f\x01", 9);
  temp_put(temp_path[0], log, n + 9);
  TraceReader *reader = trace_open(heap, temp_path[0], &TRACE_STRICT, &err);
  CU_ASSERT(reader && trace_next(reader, &e, &n_events, &err) && n_events == 1);
  CU_ASSERT_EQUAL(strlen(trace_part(reader)->what), TRACE_PART_ROOM - 1);
  CU_ASSERT(!trace_part(reader)->late);
  trace_close(reader);
  temp_put(temp_path[0], "CAUSAL\x03\n\x0c\x01\x05\x00\x00\x20\x00\x0f\x01", 17);
  reader = trace_open(heap, temp_path[0], &TRACE_STRICT, &err);
  CU_ASSERT(reader && trace_next(reader, &e, &n_events, &err) && n_events == 1);
  expect_text(trace_part(reader)->what, "?");
  trace_close(reader);
  heap_free(heap);
}

/* Whatever the bytes are: an answer, in bounded memory. */
static void read_anything(const uint8_t *bytes, size_t length, const TraceOptions *options) {
  Heap *heap = heap_new(32 << 20);
  Err err;
  temp_put(temp_path[0], bytes, length);
  free(run_text(heap, temp_path[0], options, NULL, &err));
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void test_mutants(void) {
  size_t length;
  char *text, *std = random_std(7, NAMES_ODD, 100, false);
  uint8_t *log = random_log(7, 300, &length, &text);
  temp_put(temp_path[0], std, strlen(std));
  for (uint64_t seed = 1; seed <= N_MUTANTS; seed++) {
    uint8_t *mutant = malloc(length);
    uint64_t random = hash_word(seed);
    memcpy(mutant, log, length);
    for (uint64_t n = 1 + seed % 4; n; n--) {
      random = hash_word(random);
      mutant[8 + (random >> 20) % (length - 8)] = (uint8_t)random;
    }
    read_anything(mutant, length, &TRACE_STRICT);
    free(mutant);
  }
  for (int format = 0; format < TRACE_N_FORMATS; format++) {
    if (!represents((TraceFormat)format, LOCATION)) continue;
    temp_put(temp_path[0], std, strlen(std));
    Err err;
    CU_ASSERT_FATAL(convert(temp_path[0], temp_path[1], (TraceFormat)format, &err));
    FILE *file = fopen(temp_path[1], "rb");
    char bytes[1 << 15];
    const size_t n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (uint64_t seed = 1; seed <= N_MUTANTS; seed++) {
      char mutant[1 << 15];
      memcpy(mutant, bytes, n);
      mutate_text(mutant, n, seed);
      read_anything((uint8_t *)mutant, n, seed % 2 ? &TRACE_STRICT : &LENIENT);
    }
  }
  free(std);
  free(log);
  free(text);
}

/* ---- packed ---- */

static bool pack(const char *program) {
  char command[400];
  snprintf(command, sizeof command, "%s -c < %s > %s 2>/dev/null", program, temp_path[0], temp_path[1]);
  return system(command) == 0;
}

static size_t slurp(const char *from, uint8_t *bytes, size_t room) {
  FILE *file = fopen(from, "rb");
  const size_t n = fread(bytes, 1, room, file);
  fclose(file);
  return n;
}

/* Packed in two parts, whole, cut, and damaged. */
static void packed_with(const char *program) {
  enum { ROOM = 1 << 17 };
  static uint8_t bytes[2 * ROOM];
  char *text = random_std(3, NAMES_ODD, 3000, true);
  temp_put(temp_path[0], text, strlen(text));
  char *expected = read_text(temp_path[0], &TRACE_STRICT);
  if (!pack(program)) {
    skip("%s is not installed", program);
  } else {
    const size_t n = slurp(temp_path[1], bytes, ROOM);
    char *twice = malloc(2 * strlen(expected) + 1);
    strcpy(twice, expected);
    expect_read((char *)bytes, n, expected);
    memcpy(bytes + n, bytes, n);
    expect_read((char *)bytes, 2 * n, strcat(twice, expected));
    for (size_t cut = 40; cut < n; cut += 997) {
      temp_put(temp_path[0], bytes, cut);
      char *got = read_text(temp_path[0], &TRACE_STRICT);
      CU_ASSERT(strncmp(got, expected, strlen(got)) == 0 && strlen(got) < strlen(expected));
      free(got);
    }
    for (uint32_t at = 4; at < n; at += 499)
      bytes[at] ^= 0x55, read_anything(bytes, n, &TRACE_STRICT), bytes[at] ^= 0x55;
    free(twice);
  }
  free(text);
  free(expected);
}

static void test_packed(void) {
  packed_with("gzip");
  packed_with("zstd");
}

/* ---- memory ---- */

static void fail_each(const char *from, TraceFormat format) {
  bool done = false;
  for (uint64_t nth = 1; !done; nth++) {
    Conversion c = {.from = from, .to = temp_path[1], .format = format, .heap = heap_new(0), .err = {.text = ""}};
    heap_fail_at(c.heap, nth);
    done = heap_try(c.heap, convert_body, &c);
    if (done) CU_ASSERT(c.good && heap_used(c.heap) == 0);
    heap_free(c.heap);
  }
}

static void test_each_allocation_fails(void) {
  size_t length;
  char *text = random_std(5, NAMES_ODD, 300, false), *events;
  for (int format = 0; format < TRACE_N_FORMATS; format++) {
    const TraceFormat next = (TraceFormat)((format + 1) % TRACE_N_FORMATS);
    Err err;
    if (!represents((TraceFormat)format, LOCATION) || !represents(next, LOCATION)) continue;
    temp_put(temp_path[0], text, strlen(text));
    CU_ASSERT(convert(temp_path[0], temp_path[2], (TraceFormat)format, &err));
    fail_each(temp_path[2], next);
  }
  uint8_t *log = random_log(5, 300, &length, &events);
  temp_put(temp_path[0], log, length);
  fail_each(temp_path[0], TRACE_BINARY);
  free(text);
  free(log);
  free(events);
}

void suite_trace_logs(void);
void suite_trace_logs(void) {
  CU_pSuite suite = CU_add_suite("trace/writer", temp_begin, temp_end);
  CU_add_test(suite, "what the formats represent", test_represents);
  CU_add_test(suite, "round trips", test_round_trips);
  CU_add_test(suite, "what a format cannot represent", test_unsayable);
  CU_add_test(suite, "an object of two sorts", test_two_in_one);
  CU_add_test(suite, "random logs", test_random_logs);
  CU_add_test(suite, "logs cut at each byte", test_cut_logs);
  CU_add_test(suite, "parts of runs", test_parts);
  CU_add_test(suite, "parts of runs with many words", test_long_parts);
  CU_add_test(suite, "hostile logs", test_hostile_logs);
  CU_add_test(suite, "mutants", test_mutants);
  CU_add_test(suite, "packed files", test_packed);
  CU_add_test(suite, "each allocation fails", test_each_allocation_fails);
}
