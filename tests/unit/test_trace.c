/* Runs: what is read from each format; bad lines; STD as a simple reader reads it. */
#include "base/hash.h"
#include "tests/unit/trace_case.h"
#include "trace/kinds.h"

#include <CUnit/CUnit.h>

#include <stdlib.h>
#include <string.h>

enum { N_MUTANTS = 400 };

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
    if (EXAMPLES[i].events) expect_read(EXAMPLES[i].bytes, strlen(EXAMPLES[i].bytes), EXAMPLES[i].events);
}

/* A lock and a variable of the same name are two objects; all else is numbered as it is met. */
static void test_numbers(void) {
  Heap *heap = heap_new(0);
  Err err;
  const TraceEvent *e;
  uint32_t n;
  temp_put(temp_path[0], "b|r(x)|7\na|acq(x)|7\na|w(x)|8\na|fork(c)\n", 39);
  TraceReader *reader = trace_open(heap, temp_path[0], &TRACE_STRICT, &err);
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
     ": expected a binary log of version 2, 3 or 4, which begins with \"CAUSAL\\x02\\n\", \"CAUSAL\\x03\\n\" or "
     "\"CAUSAL\\x04\\n\"",
     ""},
};

/* The file cannot be read; what comes before the fault can. */
static void fails_with(const char *message, const char *before) {
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  char expected[300], *text;
  snprintf(expected, sizeof expected, "%s%s", temp_path[0], message);
  CU_ASSERT_PTR_NULL(run_text(heap, temp_path[0], &TRACE_STRICT, &text, &err));
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
  CU_ASSERT_PTR_NULL(run_text(heap, temp_path[0], &TRACE_STRICT, &text, &err));
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
  CU_ASSERT_PTR_NULL(trace_open(heap, "/nowhere/run", &TRACE_STRICT, &err));
  CU_ASSERT(err.kind == ERR_IO && strcmp(err.text, "/nowhere/run: No such file or directory") == 0);
  CU_ASSERT_PTR_NULL(trace_open(heap, "/tmp", &TRACE_STRICT, &err));
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
  if (seed % 4) mutate_text(text, strlen(text), seed);
  temp_put(temp_path[0], text, strlen(text));
  char *expected = simple_std(text, &skipped),
       *got = read_text(temp_path[0], &(TraceOptions){.format = TRACE_STD, .lenient = true});
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

/* ---- many names ---- */

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
  TraceReader *reader = trace_open(heap, temp_path[0], &TRACE_STRICT, &err);
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
  CU_add_test(suite, "many names", test_many);
}
