/* Runs: what is read from each format; round trips; bad lines; hostile and damaged files; each allocation fails once.
 */
#include "tests/unit/random_run.h"
#include "base/hash.h"
#include "tests/unit/skip.h"
#include "tests/unit/temp.h"
#include "trace/kinds.h"

#include <CUnit/CUnit.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N_RANDOM = 60, N_MUTANTS = 400 };

static const TraceOptions STRICT = {.format = -1}, LENIENT = {.format = -1, .lenient = true};

/* The run in the file; "" and a printed message if it cannot be read. */
static char *text_of(const char *from, const TraceOptions *options) {
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  char *text = run_text(heap, from, options, NULL, &err);
  if (!text) printf("\n    %s\n", err.text);
  CU_ASSERT_PTR_NOT_NULL(text);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
  return text ? text : calloc(1, 1);
}

static void expect_text(const char *got, const char *expected) {
  CU_ASSERT_STRING_EQUAL(got, expected);
  if (strcmp(got, expected) != 0) printf("\n    expected: %.2000s\n    found:    %.2000s\n", expected, got);
}

static void reads_as(const char *bytes, size_t length, const char *expected) {
  temp_put(temp_path[0], bytes, length);
  char *text = text_of(temp_path[0], &STRICT);
  expect_text(text, expected);
  free(text);
}

/* ---- what is read ---- */

typedef struct {
  const char *bytes, *events;
} Example;

static const Example EXAMPLES[] = {
    {"", ""},
    {"\n# nothing\r\n\n", ""},
    {"T0|w(V1)|12\nT1|r(V1)|13\n", "\"T0\" w \"V1\" \"12\"\n\"T1\" r \"V1\" \"13\"\n"},
    {"T0|w(V1)|12\r\nT1|r(V1)|13\r", "\"T0\" w \"V1\" \"12\"\n\"T1\" r \"V1\" \"13\"\n"},
    {"\xef\xbb\xbfT0|w(V1)", "\"T0\" w \"V1\" -\n"},
    {"T0|begin|3\nT0|begin(m)|4\nT0|begin()\nT0|end(x)|5\nT0|end\n",
     "\"T0\" begin - \"3\"\n\"T0\" begin \"m\" \"4\"\n\"T0\" begin - -\n\"T0\" end - \"5\"\n\"T0\" end - -\n"},
    {"T0|start|\nT0|exit||\n", NULL},
    {"T0|start|\nT0|exit\n", "\"T0\" start - -\n\"T0\" exit - -\n"},
    {"t|acq(l)|main.c:3 (f)\nt|rel(l)\nt|fork(u)|x\nt|join(u)|x\nt|free(p)|0\n",
     "\"t\" acq \"l\" \"main.c:3 (f)\"\n\"t\" rel \"l\" -\n\"t\" fork \"u\" \"x\"\n\"t\" join \"u\" \"x\"\n"
     "\"t\" free \"p\" \"0\"\n"},
    {"t|rmw(v)|1\nt|sacq(v)|1\nt|srel(v)\nt|try(v)|1\nu|stry(l)\nt|sig(v)|1\nu|wait(v)|2\n",
     "\"t\" rmw \"v\" \"1\"\n\"t\" sacq \"v\" \"1\"\n\"t\" srel \"v\" -\n\"t\" try \"v\" \"1\"\n\"u\" stry \"l\" -\n"
     "\"t\" sig \"v\" \"1\"\n\"u\" wait \"v\" \"2\"\n"},
    {"f(x)|begin(f(int) )|7\n", "\"f(x)\" begin \"f(int) \" \"7\"\n"},
    {"T0,\"T,1\"\nw(x)@a.c:3,\n , r(x)\n,\"r(a,\"\"b)@1,2\"\n,begin@7\n\"fork(T,1)\"\n",
     "\"T0\" w \"x\" \"a.c:3\"\n\"T,1\" r \"x\" -\n\"T,1\" r \"a,\"b\" \"1,2\"\n\"T,1\" begin - \"7\"\n"
     "\"T0\" fork \"T,1\" -\n"},
    {"T\nr(x)@2\n", "\"T\" r \"x\" \"2\"\n"},
    {",start(T5)\nw(x)\n,,enter(m)\n,,exit(m)\n,,start\n,,exit",
     "\"T1\" fork \"T5\" -\n\"T0\" w \"x\" -\n\"T2\" begin \"m\" -\n\"T2\" end - -\n\"T2\" start - -\n\"T2\" exit - -\n"},
    {"[main: hello, world]\n@  Start(0,1)\n@   Enter(1,Sor.run(I)V) from Sor.java:12:3\n@  Start(0,1)\n"
     "@    ARd(1,@02[3])  [W=(0:4) R=(1:2)]  Sor.java:50:7\n@ Wr(1,@01.Sor.sum_I)[3 -> 4]  Final  Sor.java:51:7\n"
     "@ VRd(1,null.a/B.c_Z)  Final\n"
     "@ Sleep(1)\n! Rd(9,x) a b\n@ Acquire(1,@03)\n@ Wait(1,@03)\n@ Wait(1,@03)\n@ Rel(1,@03)\n"
     "@   Exit(1,Sor.run(I)V)\n@ Join(0,1)\n@ Rd(1,x)\n@ Join(0,1)\n@ Join(1,0)\n@ Rd(1,x)\n@ Join(1,0)\n",
     "\"0\" fork \"1\" -\n\"1\" begin \"Sor.run(I)V\" \"Sor.java:12:3\"\n\"1\" r \"@02[3]\" \"Sor.java:50:7\"\n"
     "\"1\" w \"@01.Sor.sum_I\" \"Sor.java:51:7\"\n"
     "\"1\" r \"null.a/B.c_Z\" -\n\"1\" acq \"@03\" -\n\"1\" rel \"@03\" -\n\"1\" acq \"@03\" -\n\"1\" rel \"@03\" -\n"
     "\"1\" end - -\n\"1\" r \"x\" -\n"
     "\"0\" join \"1\" -\n\"1\" join \"0\" -\n\"1\" r \"x\" -\n\"1\" join \"0\" -\n"},
};

static void test_examples(void) {
  for (size_t i = 0; i < sizeof EXAMPLES / sizeof *EXAMPLES; i++)
    if (EXAMPLES[i].events) reads_as(EXAMPLES[i].bytes, strlen(EXAMPLES[i].bytes), EXAMPLES[i].events);
}

/* A lock and a variable of the same name are two objects; all else is numbered as it is met. */
static void test_numbers(void) {
  Heap *heap = heap_new(0);
  Err err;
  const TraceEvent *e;
  uint32_t n;
  temp_put(temp_path[0], "b|r(x)|7\na|acq(x)|7\na|w(x)|8\na|fork(c)\n", 39);
  TraceReader *reader = trace_open(heap, temp_path[0], &STRICT, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(reader);
  CU_ASSERT(trace_next(reader, &e, &n, &err) && n == 4);
  CU_ASSERT(e[0].thread == 0 && e[0].object == 0 && e[0].location == 0 && e[0].op == TRACE_READ);
  CU_ASSERT(e[1].thread == 1 && e[1].object == 1 && e[1].location == 0 && e[1].op == TRACE_ACQUIRE);
  CU_ASSERT(e[2].thread == 1 && e[2].object == 0 && e[2].location == 1 && e[2].op == TRACE_WRITE);
  CU_ASSERT(e[3].thread == 1 && e[3].object == 2 && e[3].location == TRACE_NONE && e[3].op == TRACE_FORK);
  CU_ASSERT(trace_next(reader, &e, &n, &err) && n == 0);
  CU_ASSERT(trace_name_count(trace_names(reader), TRACE_OBJECT_NAME) == 2 &&
            trace_name_count(trace_names(reader), TRACE_THREAD_NAME) == 3);
  CU_ASSERT(!trace_cut_short(reader) && trace_format(reader) == TRACE_STD && trace_skipped(reader) == 0);
  trace_close(reader);
  heap_free(heap);
}

/* Comments that are call stacks, and some that only begin like one. */
static void test_calls(void) {
  static const char LOG_OF_CALLS[] =
      "CAUSAL\x03\n\x0b\x03\x03"
      "a:1\x0b\x03\x03"
      "b:2\x0b\x01\x01x\x0b\x00\x01T"
      "\x0c\x04\x01\x00\x01\x02"             /* at the first location, from the second one */
      "\x00\x40\x20\x00"                     /* the thread reads x at the first location */
      "\x0c\x05\x01\x00\x02\x00\x01"         /* at the second one, from an unknown place and the first one */
      "\x0c\x03\x01\x00\x01"                 /* not known any more */
      "\x0c\x04\x01\x00\x03\x02"             /* there is no third location */
      "\x0c\x04\x01\x00\x01\x03"             /* nor here */
      "\x0c\x03\x01\x00\x00"                 /* nor one with number 0 */
      "\x0c\x07\x01\x00\x01\x01\x01\x01\x01" /* too many callers */
      "\x0c\x04\x01\x00\x01\x82\x0c\x00\x0c\x02\x01\x00\x0c\x01\x01\x0c\x04\x02\x00\x01\x02\x0f\x01";
  Heap *heap = heap_new(0);
  Err err;
  const TraceEvent *e;
  uint32_t n, n_calls;
  temp_put(temp_path[0], LOG_OF_CALLS, sizeof LOG_OF_CALLS - 1);
  for (int wants = 0; wants < 2; wants++) {
    TraceReader *reader = trace_open(heap, temp_path[0], &(TraceOptions){.format = -1, .calls = wants}, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(reader);
    CU_ASSERT(trace_next(reader, &e, &n, &err) && n == 1);
    const TraceCalls *c = trace_calls(reader, &n_calls);
    CU_ASSERT_EQUAL_FATAL(n_calls, wants ? 3 : 0);
    CU_ASSERT(!wants || (c[0].at == 0 && c[0].thread == 0 && c[0].location == 0 && c[0].n == 1));
    CU_ASSERT(!wants || (c[0].callers[0] == 1 && c[1].at == 1 && c[1].location == 1 && c[1].n == 2));
    CU_ASSERT(!wants || (c[1].callers[0] == TRACE_NONE && c[1].callers[1] == 0));
    CU_ASSERT(!wants || (c[2].at == 1 && c[2].location == 0 && c[2].n == 0));
    CU_ASSERT(trace_next(reader, &e, &n, &err) && n == 0 && !trace_cut_short(reader));
    trace_calls(reader, &n_calls);
    CU_ASSERT_EQUAL(n_calls, 0);
    trace_close(reader);
  }
  heap_free(heap);
}

/* ---- bad lines ---- */

typedef struct {
  const char *bytes, *message, *before;
} Bad;

#define NO_OPERATION                                                                                                   \
  "expected an operation: r, w, rmw, acq, rel, sacq, srel, try, stry, fork, join, sig, wait, begin, end, start, exit " \
  "or free"
static const Bad BAD[] = {
    {"T0|w(x)|1\nT0|w(x|2\nT0|r(x)|3\n", ":2: expected ')' after the object", "\"T0\" w \"x\" \"1\"\n"},
    {"T0|w(x)|1\n\nT0 w(x)\n", ":3: expected THREAD|OP(OBJECT)|LOCATION, such as T0|w(V1)|12",
     "\"T0\" w \"x\" \"1\"\n"},
    {"|w(x)|1\n", ":1: expected THREAD|OP(OBJECT)|LOCATION, such as T0|w(V1)|12", ""},
    {"T0|write(x)|1\n", ":1: " NO_OPERATION, ""},
    {"T0|w()|1\n", ":1: expected an object in parentheses after the operation", ""},
    {"T0|w|1\n", ":1: expected an object in parentheses after the operation", ""},
    {"T0|w(x)|1|\n", ":1: expected the end of the line after the location", ""},
    {"A,B\nr(x),w(x)\n", ":2: more than one thread's column is filled", ""},
    {"A,B\n,\n", ":2: no thread's column is filled", ""},
    {"A,B\n,,r(x)\n", ":2: a column that the header does not have", ""},
    {"A,B\n,\"r(x)\n", ":2: expected '\"' at the end of the cell", ""},
    {"A,B\n,read(x)\n", ":2: " NO_OPERATION, ""},
    {"@ Rd(1,x)\n@ Rd(1)\n", ":2: expected (THREAD,OPERAND) after the operation", "\"1\" r \"x\" -\n"},
    {"@ Rd(1,x)\n@ Rd(1,x\n", ":2: expected (THREAD,OPERAND) after the operation", "\"1\" r \"x\" -\n"},
    {"CAUSAL\x01\n",
     ": expected a binary log of version 2 or 3, which begins with \"CAUSAL\\x02\\n\" or \"CAUSAL\\x03\\n\"", ""},
};

/* The file cannot be read; what comes before the fault can. */
static void fails_with(const char *message, const char *before) {
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  char expected[300], *text;
  snprintf(expected, sizeof expected, "%s%s", temp_path[0], message);
  CU_ASSERT_PTR_NULL(run_text(heap, temp_path[0], &STRICT, &text, &err));
  expect_text(err.text, expected);
  expect_text(text, before);
  CU_ASSERT_EQUAL(err.kind, ERR_INPUT);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  free(text);
  heap_free(heap);
}

static void test_bad_lines(void) {
  for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
    temp_put(temp_path[0], BAD[i].bytes, strlen(BAD[i].bytes));
    fails_with(BAD[i].message, BAD[i].before);
  }
  temp_put(temp_path[0], "T0|r(x)\nT0|r(\0)\n", 16);
  fails_with(":2: a NUL byte in a line of text", "\"T0\" r \"x\" -\n");
}

static void test_no_format(void) {
  static const char FIRST[] = "STD (THREAD|OP(OBJECT)|LOCATION), nor CSV, ", LAST[] = " or a binary log";
  char formats[TRACE_LIST_ROOM], message[20 + sizeof formats];
  trace_kinds_neither(formats);
  CU_ASSERT(strncmp(formats, FIRST, strlen(FIRST)) == 0 && strcmp(formats + strlen(formats) - strlen(LAST), LAST) == 0);
  snprintf(message, sizeof message, ":1: neither %s", formats);
  temp_put(temp_path[0], "hello\nworld\n", 12);
  fails_with(message, "");
}

/* The line's number, and the events before, where there are many lines of all sorts before it. */
static void test_bad_line_far_away(void) {
  enum { N = 10000 };
  char message[60], *text, *expected = NULL;
  size_t size;
  FILE *file = fopen(temp_path[0], "wb"), *out = open_memstream(&expected, &size);
  for (uint32_t i = 0; i < N; i++) {
    if (i % 5 == 0) fprintf(file, "T0|r(a_long_name_%u)|a_file.c:%u\r\n", i, i);
    if (i % 5 == 0) fprintf(out, "\"T0\" r \"a_long_name_%u\" \"a_file.c:%u\"\n", i, i);
    if (i % 5 == 1) fprintf(file, "T%u|w(V%u)|%u\n", i, i, i), fprintf(out, "\"T%u\" w \"V%u\" \"%u\"\n", i, i, i);
    if (i % 5 == 2) fprintf(file, "T1|end|%u\n", i), fprintf(out, "\"T1\" end - \"%u\"\n", i);
    if (i % 5 == 3) fprintf(file, "# T1|end|%u\n", i);
    if (i % 5 == 4) fprintf(file, "T1|rel(l)\n"), fprintf(out, "\"T1\" rel \"l\" -\n");
  }
  fputs("T1|rel(l)|a|b\n", file);
  fclose(file);
  fclose(out);
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  CU_ASSERT_PTR_NULL(run_text(heap, temp_path[0], &STRICT, &text, &err));
  snprintf(message, sizeof message, ":%u: expected the end of the line after the location", N + 1);
  CU_ASSERT_PTR_NOT_NULL(strstr(err.text, message));
  CU_ASSERT_STRING_EQUAL(text, expected);
  free(text);
  free(expected);
  heap_free(heap);
}

static void test_no_file(void) {
  Heap *heap = heap_new(0);
  Err err = {.kind = ERR_INPUT};
  CU_ASSERT_PTR_NULL(trace_open(heap, "/nowhere/run", &STRICT, &err));
  CU_ASSERT(err.kind == ERR_IO && strcmp(err.text, "/nowhere/run: No such file or directory") == 0);
  CU_ASSERT_PTR_NULL(trace_open(heap, "/tmp", &STRICT, &err));
  CU_ASSERT(err.kind == ERR_IO && strcmp(err.text, "/tmp: Is a directory") == 0);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

/* ---- STD, read by a simple reader ---- */

static bool is_op(const char *word) {
  static const char *const OPS[] = {"r",    "w",    "acq", "rel",  "fork", "join", "begin", "end", "start",
                                    "exit", "free", "rmw", "sacq", "srel", "try",  "stry",  "sig", "wait"};
  for (int i = 0; i < TRACE_OPS; i++)
    if (strcmp(word, OPS[i]) == 0) return true;
  return false;
}

/* Appends what the line says; false if it is wrong. Changes the line. */
static bool simple_line(FILE *out, char *line) {
  char *bar = strchr(line, '|'), *object = NULL, *location = NULL;
  if (!*line || *line == '#') return true;
  if (!bar || bar == line) return false;
  *bar = '\0';
  char *op = bar + 1;
  if ((location = strchr(op, '|'))) *location++ = '\0';
  if ((object = strchr(op, '('))) {
    if (op[strlen(op) - 1] != ')') return false;
    op[strlen(op) - 1] = '\0';
    *object++ = '\0';
  }
  const bool no_object = strcmp(op, "end") == 0 || strcmp(op, "exit") == 0 || strcmp(op, "start") == 0;
  if (!is_op(op) || (location && strchr(location, '|'))) return false;
  if (no_object || (object && !*object)) object = NULL;
  if (!object && !no_object && strcmp(op, "begin") != 0) return false;
  fprintf(out, "\"%s\" %s", line, op);
  object ? fprintf(out, " \"%s\"", object) : fputs(" -", out);
  location &&*location ? fprintf(out, " \"%s\"\n", location) : fputs(" -\n", out);
  return true;
}

static char *simple_std(char *text, uint64_t *skipped) {
  char *result;
  size_t size;
  FILE *out = open_memstream(&result, &size);
  *skipped = 0;
  for (char *line = text, *end; *line; line = end) {
    end = strchr(line, '\n');
    end = end ? (*end = '\0', end + 1) : line + strlen(line);
    const size_t length = strlen(line);
    if (length && line[length - 1] == '\r') line[length - 1] = '\0';
    *skipped += !simple_line(out, line);
  }
  fclose(out);
  return result;
}

static void mutate(char *text, size_t length, uint64_t seed) {
  static const char BYTES[] = "|(),\n\r#T0rw@ \"x";
  uint64_t random = hash_word(seed);
  for (uint64_t n = 1 + random % 30; n; n--) {
    random = hash_word(random);
    text[(random >> 20) % length] = BYTES[random % (sizeof BYTES - 1)];
  }
}

static uint64_t count_skipped(Heap *heap) {
  Err err;
  const TraceEvent *events;
  uint32_t n;
  TraceReader *reader = trace_open(heap, temp_path[0], &(TraceOptions){.format = TRACE_STD, .lenient = true}, &err);
  while (trace_next(reader, &events, &n, &err) && n) continue;
  const uint64_t skipped = trace_skipped(reader);
  trace_close(reader);
  return skipped;
}

static void compare_with_simple(char *text, uint64_t seed) {
  Heap *heap = heap_new(0);
  uint64_t skipped;
  if (seed % 4) mutate(text, strlen(text), seed);
  temp_put(temp_path[0], text, strlen(text));
  char *expected = simple_std(text, &skipped),
       *got = text_of(temp_path[0], &(TraceOptions){.format = TRACE_STD, .lenient = true});
  CU_ASSERT_STRING_EQUAL(got, expected);
  CU_ASSERT_EQUAL(count_skipped(heap), skipped);
  if (strcmp(got, expected) != 0) printf("\n    seed %llu\n", (unsigned long long)seed);
  heap_free(heap);
  free(text);
  free(expected);
  free(got);
}

static void test_simple_reader(void) {
  for (uint64_t seed = 1; seed <= N_MUTANTS; seed++)
    compare_with_simple(random_std(seed, seed % NAMES_LONG, 300, true), seed);
}

/* A name out of so many; the shape depends on the seed. */
static void put_name(FILE *out, uint64_t seed, uint64_t number) {
  static const char *const SHAPES[] = {"%llu",   "V%llu",   "a.long.package.Class.field%llu", "list[%llu].next",
                                       "%08llx", "x%lluy%s"};
  fprintf(out, SHAPES[seed % 6], (unsigned long long)number, number % 2 ? "z" : "an_end_of_thirty_two_characters_");
}

/* So many names that no table has them all near: of threads, of objects, of locations, of two of these or of all. The
 * last line breaks off. */
static char *many_names(uint64_t seed) {
  enum { LINES = 150000, FEW = 50, MANY = 40000 };
  char *text;
  size_t size;
  uint64_t random = hash_word(seed);
  FILE *out = open_memstream(&text, &size);
  for (uint32_t i = 0; i < LINES; i++) {
    const char *const ops[] = {"r", "w", "acq", "rmw", "begin", "fork", "sig", "end"};
    const uint32_t op = (random = hash_word(random)) % 8;
    put_name(out, seed, (random >> 8) % (seed & 1 ? MANY : FEW));
    fprintf(out, "|%s", ops[op]);
    if (op < 7) fputc('(', out), put_name(out, seed / 2, (random >> 24) % (seed & 2 ? MANY : FEW)), fputc(')', out);
    fputc('|', out), put_name(out, seed / 3, i / 999 + (random >> 40) % (seed & 4 ? MANY : FEW)), fputc('\n', out);
  }
  fclose(out);
  text[size - 1 - random % 40] = '\0';
  return text;
}

static void test_simple_reader_far(void) {
  for (uint64_t seed = 1; seed <= 24; seed++) compare_with_simple(many_names(seed), seed);
}

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
  TraceReader *reader = trace_open(c->heap, c->from, &STRICT, &c->err);
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
  char *expected = text_of(temp_path[0], &STRICT);
  if (!convert(temp_path[0], temp_path[1], first, &err) || !convert(temp_path[1], temp_path[0], second, &err))
    CU_FAIL(err.text);
  char *got = text_of(temp_path[0], &STRICT);
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
    reads_as((const char *)log, length, expected);
    Err err;
    CU_ASSERT(convert(temp_path[0], temp_path[1], TRACE_BINARY, &err));
    char *again = text_of(temp_path[1], &STRICT);
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
  TraceReader *reader = trace_open(heap, temp_path[0], &STRICT, &err);
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
      char *text = cut >= 8 ? text_of(temp_path[0], &STRICT) : calloc(1, 1);
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
    char *text = run_text(heap, temp_path[0], &STRICT, NULL, &err);
    snprintf(expected, sizeof expected, "%s%s", temp_path[0], HOSTILE[i].message ? HOSTILE[i].message : "");
    expect_text(err.text, HOSTILE[i].message ? expected : "");
    CU_ASSERT_EQUAL(text == NULL, HOSTILE[i].message != NULL);
    if ((text == NULL) != (HOSTILE[i].message != NULL)) printf("\n    %s\n", HOSTILE[i].name);
    CU_ASSERT_EQUAL(heap_used(heap), 0);
    free(text);
    heap_free(heap);
  }
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
    read_anything(mutant, length, &STRICT);
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
      mutate(mutant, n, seed);
      read_anything((uint8_t *)mutant, n, seed % 2 ? &STRICT : &LENIENT);
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
  char *expected = text_of(temp_path[0], &STRICT);
  if (!pack(program)) {
    skip("%s is not installed", program);
  } else {
    const size_t n = slurp(temp_path[1], bytes, ROOM);
    char *twice = malloc(2 * strlen(expected) + 1);
    strcpy(twice, expected);
    reads_as((char *)bytes, n, expected);
    memcpy(bytes + n, bytes, n);
    reads_as((char *)bytes, 2 * n, strcat(twice, expected));
    for (size_t cut = 40; cut < n; cut += 997) {
      temp_put(temp_path[0], bytes, cut);
      char *got = text_of(temp_path[0], &STRICT);
      CU_ASSERT(strncmp(got, expected, strlen(got)) == 0 && strlen(got) < strlen(expected));
      free(got);
    }
    for (uint32_t at = 4; at < n; at += 499) bytes[at] ^= 0x55, read_anything(bytes, n, &STRICT), bytes[at] ^= 0x55;
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

/* 10,000 threads and 200,000 objects; the memory does not grow with the run. */
static uint64_t peak_of_repeated(uint32_t times) {
  Heap *heap = heap_new(0);
  Err err;
  const TraceEvent *events;
  uint32_t n;
  uint64_t total = 0;
  FILE *file = fopen(temp_path[0], "wb");
  for (uint32_t i = 0; i < 200000 * times; i++)
    fprintf(file, "thread%u|w(object%u)|%u\n", i % 10000, i % 200000, i % 99);
  fclose(file);
  TraceReader *reader = trace_open(heap, temp_path[0], &STRICT, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(reader);
  while (trace_next(reader, &events, &n, &err) && n) total += n;
  CU_ASSERT_EQUAL(total, 200000ul * times);
  CU_ASSERT_EQUAL(trace_name_count(trace_names(reader), TRACE_THREAD_NAME), 10000);
  CU_ASSERT_STRING_EQUAL(trace_name(trace_names(reader), TRACE_OBJECT_NAME, 123456), "object123456");
  trace_close(reader);
  const uint64_t peak = heap_peak(heap);
  heap_free(heap);
  return peak;
}

static void test_many(void) { CU_ASSERT_EQUAL(peak_of_repeated(1), peak_of_repeated(3)); }

void suite_trace(void);
void suite_trace(void) {
  CU_pSuite suite = CU_add_suite("trace", temp_begin, temp_end);
  CU_add_test(suite, "examples of each format", test_examples);
  CU_add_test(suite, "numbers", test_numbers);
  CU_add_test(suite, "call stacks", test_calls);
  CU_add_test(suite, "bad lines", test_bad_lines);
  CU_add_test(suite, "no known format", test_no_format);
  CU_add_test(suite, "a bad line far away", test_bad_line_far_away);
  CU_add_test(suite, "no file", test_no_file);
  CU_add_test(suite, "STD as a simple reader reads it", test_simple_reader);
  CU_add_test(suite, "STD with many names as a simple reader reads it", test_simple_reader_far);
  CU_add_test(suite, "what the formats represent", test_represents);
  CU_add_test(suite, "round trips", test_round_trips);
  CU_add_test(suite, "what a format cannot represent", test_unsayable);
  CU_add_test(suite, "an object of two sorts", test_two_in_one);
  CU_add_test(suite, "random logs", test_random_logs);
  CU_add_test(suite, "logs cut at each byte", test_cut_logs);
  CU_add_test(suite, "hostile logs", test_hostile_logs);
  CU_add_test(suite, "mutants", test_mutants);
  CU_add_test(suite, "packed files", test_packed);
  CU_add_test(suite, "each allocation fails", test_each_allocation_fails);
  CU_add_test(suite, "many names", test_many);
}
