#include "tests/unit/random_run.h"

#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const RUN_OPS[] = {"r",    "w",    "acq", "rel",  "fork", "join", "begin", "end", "start",
                               "exit", "free", "rmw", "sacq", "srel", "try",  "stry",  "sig", "wait"};

static uint32_t draw(uint64_t *random, uint32_t n) {
  *random = hash_word(*random);
  return (uint32_t)((*random >> 32) * n >> 32);
}

/* ---- STD ---- */

/* Bytes that any format can say, at any place in a name. */
static const char ANY_BYTES[] = "abcXYZ0123456789_.:;/\\\"[]{}<>=+*~!?%&$'`^-\x01\x7f\xc3\xa4\xff";

static void put_name(FILE *out, uint64_t *random, NameSort names, const char *letter, uint32_t most) {
  const uint32_t number = draw(random, most);
  fprintf(out, "%s%u", letter, number);
  if (names == NAMES_PLAIN) return;
  uint64_t own = hash_join(number, (unsigned char)letter[0]);
  const uint32_t length = names == NAMES_LONG && number % 7 == 0 ? 1000 + draw(&own, 400000) : draw(&own, 14);
  for (uint32_t i = 0; i < length; i++) putc(ANY_BYTES[draw(&own, sizeof ANY_BYTES - 1)], out);
}

char *random_std(uint64_t seed, NameSort names, uint32_t n_events, bool all_ops) {
  static const char *const LETTER[TRACE_OPS] = {"V",  "V", "l", "l", "T", "T", "B", NULL, NULL,
                                                NULL, "V", "V", "l", "l", "l", "l", "h",  "h"};
  char *text;
  size_t size;
  uint64_t random = hash_word(seed);
  FILE *out = open_memstream(&text, &size);
  for (uint32_t i = 0; i < n_events; i++) {
    const uint32_t op = draw(&random, 3) ? draw(&random, 2) : draw(&random, all_ops ? TRACE_OPS : TRACE_START);
    put_name(out, &random, names, "T", 5);
    fprintf(out, "|%s", RUN_OPS[op]);
    if (LETTER[op] && (op != TRACE_BEGIN || draw(&random, 2)))
      putc('(', out), put_name(out, &random, names, LETTER[op], op == TRACE_READ ? 300 : 20), putc(')', out);
    if (draw(&random, 8)) putc('|', out), put_name(out, &random, names, "", 50);
    putc('\n', out);
  }
  fclose(out);
  return text;
}

/* ---- binary logs ---- */

enum { THREADS = 300, OBJECTS = 3000 };

typedef struct {
  FILE *log, *text;
  uint64_t random;
  uint32_t n_ops; /* of the version */
  uint32_t n[TRACE_NAME_KINDS];
  uint64_t n_events;
  char names[TRACE_NAME_KINDS][OBJECTS + 1][16];
  int64_t before[THREADS][19], location[THREADS];
} LogMaker;

static void put_number(LogMaker *maker, uint64_t number) {
  for (; number >= 128; number /= 128) putc((int)(number % 128 + 128), maker->log);
  uint32_t padding = draw(&maker->random, 20) ? 0 : draw(&maker->random, 4);
  for (putc((int)(padding ? number + 128 : number), maker->log); padding; padding--)
    putc(padding > 1 ? 128 : 0, maker->log);
}

static void put_signed(LogMaker *maker, int64_t number) {
  put_number(maker, number < 0 ? 2 * (uint64_t) - (number + 1) + 1 : 2 * (uint64_t)number);
}

static void put_word(LogMaker *maker, uint32_t word) {
  for (uint32_t i = 0; i < 4; i++) putc((int)(word >> 8 * i & 255), maker->log);
}

static void name_next(LogMaker *maker, uint32_t kind) {
  char *name = maker->names[kind][maker->n[kind]];
  if (draw(&maker->random, 5)) snprintf(name, 16, "%c%u", "tolp"[kind], maker -> n[kind]);
  putc(11, maker->log);
  putc((int)kind, maker->log);
  put_number(maker, strlen(name));
  fputs(name, maker->log);
  maker->n[kind]++;
}

/* A number of a known one, or the next; 0 is none, if it may be. */
static int64_t pick(LogMaker *maker, uint32_t kind, uint32_t most, bool may_miss) {
  if (may_miss && !draw(&maker->random, 4)) return 0;
  while (maker->n[kind] < most && !draw(&maker->random, 3)) name_next(maker, kind);
  if (maker->n[kind] == most || (maker->n[kind] && draw(&maker->random, 8)))
    return 1 + draw(&maker->random, maker->n[kind]);
  return ++maker->n[kind];
}

static void say(LogMaker *maker, uint32_t kind, int64_t number) {
  if (number) fprintf(maker->text, " \"%s\"", maker->names[kind][number - 1]);
  else fputs(" -", maker->text);
}

/* The bits of operation and thread. */
static uint32_t word_low(uint32_t op, int64_t thread) {
  return op < 11 ? op | (uint32_t)(thread - 1) << 4 : 14 | (op - 11) << 4 | (uint32_t)(thread - 1) << 7;
}

static void say_event(LogMaker *maker, int64_t thread, uint32_t op, uint32_t kind, int64_t object, int64_t location) {
  fprintf(maker->text, "\"%s\" %s", maker->names[TRACE_THREAD_NAME][thread - 1], RUN_OPS[op]);
  say(maker, kind, object);
  say(maker, TRACE_LOCATION_NAME, location);
  putc('\n', maker->text);
  maker->n_events++;
}

/* An event as its line, then as bytes. */
static void put_event(LogMaker *maker, int64_t *last, bool first) {
  static const uint32_t SORT[TRACE_OPS] = {0, 0, 0, 0, 1, 1, 2, 3, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0};
  static const uint32_t KIND[] = {TRACE_OBJECT_NAME, TRACE_THREAD_NAME, TRACE_LABEL_NAME, 0};
  const uint32_t op = draw(&maker->random, maker->n_ops), sort = SORT[op];
  while (maker->n[TRACE_THREAD_NAME] < THREADS / 2 && !draw(&maker->random, 9)) name_next(maker, TRACE_THREAD_NAME);
  if (first) name_next(maker, TRACE_THREAD_NAME);
  const int64_t thread =
      draw(&maker->random, 2) && !first ? *last : 1 + draw(&maker->random, maker->n[TRACE_THREAD_NAME]);
  int64_t *place = &maker->location[thread - 1];
  const int64_t location = draw(&maker->random, 3) ? pick(maker, TRACE_LOCATION_NAME, 900, true) : *place;
  int64_t *before = &maker->before[thread - 1][sort ? 15 + sort : location % 16];
  const int64_t object = sort == 3 ? 0 : pick(maker, KIND[sort], sort == 1 ? THREADS : OBJECTS, sort == 2);
  const int64_t step = object - *before, move = location - *place;
  const bool fits = thread <= (op < 11 ? 1024 : 128) && move >= -64 && move < 64 && step >= -1024 && step < 1024;
  if (fits && draw(&maker->random, 9)) {
    put_word(maker, word_low(op, thread) | ((uint32_t)move & 127) << 14 | (uint32_t)step << 21);
  } else {
    putc((int)(13 | (op < 11 ? op : 14) << 4), maker->log);
    if (op >= 11) putc((int)op, maker->log);
    put_number(maker, (uint64_t)thread - 1);
    put_signed(maker, move);
    put_signed(maker, step);
  }
  *before = object;
  *place = location;
  *last = thread;
  say_event(maker, thread, op, KIND[sort], object, location);
}

/* Events of the thread on objects, by turns. */
typedef struct {
  int64_t thread;
  uint32_t n, op[16];
  int64_t move[16], step[16], object[200], location[200];
} LogTurns;

/* What they are of, n_events of them; false: one is of nothing that is known. */
static bool take_turns(const LogMaker *maker, LogTurns *turns, uint32_t n_events) {
  int64_t before[16], location = maker->location[turns->thread - 1];
  memcpy(before, maker->before[turns->thread - 1], sizeof before);
  for (uint32_t i = 0; i < n_events; i++) {
    location += turns->move[i % turns->n];
    if (location < 0 || location > maker->n[TRACE_LOCATION_NAME]) return false;
    const int64_t object = before[location % 16] += turns->step[i % turns->n];
    if (object < 1 || object > maker->n[TRACE_OBJECT_NAME]) return false;
    turns->object[i] = object;
    turns->location[i] = location;
  }
  return true;
}

/* A loop, if one is found that is of what is known. */
static void put_loop(LogMaker *maker, int64_t thread) {
  LogTurns turns = {.thread = thread, .n = 1 + draw(&maker->random, 16)};
  const uint32_t n_events = 1 + draw(&maker->random, 200);
  for (uint32_t i = 0, left = turns.n; i < turns.n; i++, left--) {
    turns.op[i] = draw(&maker->random, 2) ? draw(&maker->random, 4) : TRACE_UPDATE + draw(&maker->random, 7);
    turns.move[i] = left > 1 ? draw(&maker->random, 3) - INT64_C(1) : 0;
    for (uint32_t k = 0; left == 1 && k < i; k++) turns.move[i] -= turns.move[k]; /* back where it began */
    turns.step[i] = draw(&maker->random, 3) - INT64_C(1);
  }
  if (thread > 128 || !take_turns(maker, &turns, n_events)) return;
  putc(0x1f, maker->log);
  put_number(maker, turns.n);
  put_number(maker, n_events);
  for (uint32_t i = 0; i < turns.n; i++)
    put_word(maker,
             word_low(turns.op[i], thread) | ((uint32_t)turns.move[i] & 127) << 14 | (uint32_t)turns.step[i] << 21);
  for (uint32_t i = 0; i < n_events; i++) {
    maker->before[thread - 1][turns.location[i] % 16] = turns.object[i];
    maker->location[thread - 1] = turns.location[i];
    say_event(maker, thread, turns.op[i % turns.n], TRACE_OBJECT_NAME, turns.object[i], turns.location[i]);
  }
}

uint8_t *random_log(uint64_t seed, uint32_t n_events, size_t *length, char **text) {
  char *bytes;
  size_t size;
  int64_t last = 0;
  LogMaker *maker = calloc(1, sizeof *maker);
  maker->random = hash_word(seed);
  maker->log = open_memstream(&bytes, length);
  maker->text = open_memstream(text, &size);
  const uint32_t version = 2 + draw(&maker->random, 3);
  maker->n_ops = version > 2 ? TRACE_OPS : 11;
  fprintf(maker->log, "CAUSAL%c\n", (int)version);
  for (uint32_t i = 0; i < n_events; i++) {
    if (!draw(&maker->random, 50)) fwrite("\x0c\x03\x00\xff\x0f", 1, 5, maker->log);
    put_event(maker, &last, i == 0);
    if (version > 3 && !draw(&maker->random, 4)) put_loop(maker, last);
  }
  putc(15, maker->log);
  put_number(maker, maker->n_events);
  fclose(maker->log);
  fclose(maker->text);
  free(maker);
  return (uint8_t *)bytes;
}

/* ---- reading ---- */

static void put_quoted(FILE *out, const TraceReader *reader, TraceNameKind kind, uint32_t number) {
  if (number == TRACE_NONE) fputs(" -", out);
  else fprintf(out, " \"%s\"", trace_name(trace_names(reader), kind, number));
}

static void put_events(FILE *out, const TraceReader *reader, const TraceEvent *events, uint32_t n) {
  const TraceNameKind o = TRACE_OBJECT_NAME, t = TRACE_THREAD_NAME, l = TRACE_LABEL_NAME;
  const TraceNameKind kind[TRACE_OPS] = {o, o, o, o, t, t, l, l, l, l, o, o, o, o, o, o, o, o};
  for (uint32_t i = 0; i < n; i++) {
    fprintf(out, "\"%s\" %s", trace_name(trace_names(reader), TRACE_THREAD_NAME, events[i].thread),
            RUN_OPS[events[i].op]);
    put_quoted(out, reader, kind[events[i].op], events[i].object);
    put_quoted(out, reader, TRACE_LOCATION_NAME, events[i].location);
    putc('\n', out);
  }
}

typedef struct {
  Heap *heap;
  const char *path;
  const TraceOptions *options;
  FILE *out;
  Err *err;
  bool good;
} Telling;

static void put_run(void *argument) {
  Telling *telling = argument;
  const TraceEvent *events;
  uint32_t n = 0;
  TraceReader *reader = trace_open(telling->heap, telling->path, telling->options, telling->err);
  while (reader && (telling->good = trace_next(reader, &events, &n, telling->err)) && n)
    put_events(telling->out, reader, events, n);
  trace_close(reader);
}

/* The stream is none of the heap's, so who leaves by it has to pass here. */
char *run_text(Heap *heap, const char *path, const TraceOptions *options, char **text, Err *err) {
  char *result = NULL;
  size_t size;
  FILE *out = open_memstream(&result, &size);
  Telling telling = {heap, path, options, out, err, false};
  const bool came_back = heap_try(heap, put_run, &telling);
  fclose(out);
  if (!came_back) {
    free(result);
    heap_pass_on(heap);
  }
  if (text) *text = result;
  else if (!telling.good) free(result);
  return telling.good ? result : NULL;
}
