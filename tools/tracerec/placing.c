/* placing.c: compilers agree on lines, not on columns, so an event is looked for by its line, its function and what it
 * does. Of a variable that the log names as the witness does the address is known; else a leg is on the object of the
 * one before it, or on any. */
#include "tools/tracerec/placing.h"

#include "ask/step_text.h"
#include "base/file.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

/* The fields of a line, with tabs between. */
enum { WHAT, ROLE, CLASS, SAME, LINE, FUNCTION, PATH, OBJECT, FIELDS };

typedef struct {
  Heap *heap;
  Arena *arena;
  TraceReader *reader;
  const char *name; /* of the witness file */
  uint32_t line;
  Placed *now;      /* NULL: before the first plan */
  const char *legs; /* of it, so far, as lines of a step file */
  uint32_t n_legs;  /* of these */
  uint32_t of;      /* the leg, from 1, on whose object the next one may be; 0: none */
} Making;

static bool fault(const Making *m, const char *what, Err *err) {
  return err_set(err, ERR_INPUT, "%s:%u: %s", m->name, m->line, what);
}

/* ---- what the log knows ---- */

/* An event of the witness, and the names that its places have in the log. */
typedef struct {
  const TraceNames *names;
  const SeenEvent *event;
} Sought;

static bool is_code(const void *event, const TraceCode *code) {
  const Sought *sought = event;
  return code->op == sought->event->op && code->location != TRACE_NONE &&
         seen_is_at(sought->event, trace_name(sought->names, TRACE_LOCATION_NAME, code->location));
}

static const char *find_codes(const Making *m, const SeenEvent *wanted) {
  return step_codes(m->arena, trace_where(m->reader), is_code, &(Sought){trace_names(m->reader), wanted});
}

/* "1+3c190:4", or NULL: the log does not say where an object of that name is. */
static const char *find_object(const Making *m, const char *name) {
  const TraceWhere *where = trace_where(m->reader);
  for (uint32_t i = 0; i < where->objects.n; i++) {
    const TraceObject *object = &where->objects.at[i];
    if (object->module < STEP_MODULES &&
        strcmp(trace_name(trace_names(m->reader), TRACE_OBJECT_NAME, object->object), name) == 0)
      return step_object(m->arena, object);
  }
  return NULL;
}

/* ---- one line of the witness ---- */

/* The code of an event, and its class in a step file; codes NULL: there is none in the log. */
typedef struct {
  const char *codes, *class;
} Code;

/* What may do it in a log, the most likely first: a read or a write may be part of an update. */
static Code find_code(const Making *m, const char *class, SeenEvent *wanted) {
  static const struct {
    const char *class, *step;
    uint8_t op;
  } OPS[] = {{"read", "read", TRACE_READ},          {"read", "write", TRACE_UPDATE},
             {"write", "write", TRACE_WRITE},       {"write", "write", TRACE_UPDATE},
             {"release", "release", TRACE_RELEASE}, {"release", "release", TRACE_SHARED_RELEASE},
             {"begin", "begin", TRACE_BEGIN}};
  for (size_t i = 0; i < sizeof OPS / sizeof *OPS; i++) {
    if (strcmp(OPS[i].class, class)) continue;
    wanted->op = OPS[i].op;
    const char *codes = find_codes(m, wanted);
    if (codes) return (Code){codes, OPS[i].step};
  }
  return (Code){NULL, NULL};
}

/* Why the cycle would be none with this event after its last one; or NULL. */
static const char *why_no_cycle(const SeenCycle *cycle, const SeenEvent *event, bool same) {
  const SeenEvent *last = &cycle->events[cycle->n_events - 1];
  if (cycle->n_events == 1) return event->role ? "its block does not come first" : NULL;
  if (same && last->op == TRACE_READ && event->op == TRACE_READ) return "two reads do not depend on each other";
  return !same && last->role != event->role ? "its threads depend on each other not only by memory" : NULL;
}

/* The next event of the cycle: it is on the object of the one before it, or not. */
static bool add_seen(Making *m, SeenEvent event, bool same, Err *err) {
  SeenCycle *cycle = &m->now->cycle;
  if (cycle->n_events == SEEN_EVENTS) return fault(m, "the witness is too long", err);
  if (cycle->n_events && !m->now->why) m->now->why = why_no_cycle(cycle, &event, same);
  event.transaction = event.role ? cycle->n_events : 0;
  cycle->events[cycle->n_events++] = event;
  if (same) cycle->edges[cycle->n_edges++] = (SeenEdge){cycle->n_events - 2, cycle->n_events - 1};
  return true;
}

static void add_leg(Making *m, char *const fields[FIELDS], const Code *code, bool same) {
  const bool seen = strcmp(fields[WHAT], "pass") != 0;
  const char *object = seen ? find_object(m, fields[OBJECT]) : "*";
  m->n_legs++;
  if (seen && (!same || !m->of)) m->of = m->n_legs;
  if (!object) object = arena_format(m->arena, "=%u", m->of);
  if (seen && *object != '=') m->of = 0;
  m->legs = arena_format(m->arena, "%sleg %s %s %s %s * *\n", m->legs, fields[ROLE], code->class, code->codes, object);
}

static const char *name_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static SeenEvent event_of(const Making *m, char *const fields[FIELDS]) {
  return (SeenEvent){.role = (uint32_t)(*fields[ROLE] - 'A'),
                     .place = arena_format(m->arena, "%s:%s:", name_of(fields[PATH]), fields[LINE]),
                     .function = arena_copy(m->arena, fields[FUNCTION], strlen(fields[FUNCTION]))};
}

static const char *why_no_code(const Making *m, char *const fields[FIELDS]) {
  const char *class = fields[CLASS], *const *known = (const char *const[]){"read", "write", "begin", NULL};
  while (*known && strcmp(*known, class)) known++;
  if (!*known) return arena_format(m->arena, "it depends on %s, not only on accesses to memory", class);
  return arena_format(m->arena, "a run of it had no %s in line %s of %s, or too many", class, fields[LINE],
                      name_of(fields[PATH]));
}

/* A place that only helps the run may be missing. */
static bool add_pass(Making *m, char *const fields[FIELDS]) {
  SeenEvent event = event_of(m, fields);
  const Code code = find_code(m, fields[CLASS], &event);
  if (code.codes && !m->now->why) add_leg(m, fields, &code, false);
  return true;
}

static bool add_event(Making *m, char *const fields[FIELDS], Err *err) {
  const bool begins = strcmp(fields[WHAT], "begin") == 0, passes = strcmp(fields[WHAT], "pass") == 0;
  const char role = *fields[ROLE];
  if (!begins && !passes && strcmp(fields[WHAT], "leg")) return fault(m, "expected plan, begin, leg or pass", err);
  if (role < 'A' || role >= 'A' + SEEN_ROLES || fields[ROLE][1]) return fault(m, "expected a role from A to H", err);
  if (begins != !m->now->cycle.n_events) return fault(m, "a plan has one begin, before its legs", err);
  if (begins && (role != 'A' || strcmp(fields[CLASS], "begin"))) return fault(m, "A begins, with the class begin", err);
  if (passes) return add_pass(m, fields);
  SeenEvent event = event_of(m, fields);
  const bool same = *fields[SAME] == '=' && m->now->cycle.n_events > 1,
             known = begins || strcmp(fields[CLASS], "read") == 0 || strcmp(fields[CLASS], "write") == 0;
  const Code code = known ? find_code(m, fields[CLASS], &event) : (Code){NULL, NULL};
  if (!code.codes && !m->now->why) m->now->why = why_no_code(m, fields);
  if (!add_seen(m, event, same, err)) return false;
  if (begins && code.codes) m->legs = arena_format(m->arena, "begin A begin %s * * *\n", code.codes);
  else if (code.codes) add_leg(m, fields, &code, same);
  return true;
}

/* ---- all lines ---- */

/* The cycle leaves the block's thread, and comes back. */
static const char *why_not_closed(const SeenCycle *cycle) {
  uint32_t others = 0;
  for (uint32_t i = 0; i < cycle->n_events; i++) others += cycle->events[i].role != 0;
  const bool closed = others && !cycle->events[cycle->n_events - 1].role;
  return closed ? NULL : "it is not known how it leaves its block and comes back";
}

static void end_plan(Making *m) {
  if (!m->now) return;
  if (!m->now->why) m->now->why = why_not_closed(&m->now->cycle);
  if (!m->now->why)
    m->now->steps = arena_format(m->arena, "%splan 1\n%s", step_head(m->arena, trace_where(m->reader)), m->legs);
}

static void begin_plan(Making *m, Placing *placing, const char *title) {
  end_plan(m);
  vec_push(m->heap, &placing->cases, (Placed){.title = arena_copy(m->arena, title, strlen(title))});
  m->now = &vec_last(&placing->cases);
  m->legs = "";
  m->n_legs = m->of = 0;
}

static uint32_t split(char *text, char *fields[FIELDS]) {
  uint32_t n = 0;
  for (char *rest = text; rest && n < FIELDS;) {
    fields[n++] = rest;
    rest = strchr(rest, '\t');
    if (rest) *rest++ = '\0';
  }
  return n;
}

static bool read_line(Making *m, Placing *placing, char *text, Err *err) {
  char *fields[FIELDS];
  m->line++;
  if (m->line == 1) return strcmp(text, "witness 1") == 0 || fault(m, "not a witness file of version 1", err);
  const uint32_t n = split(text, fields);
  if (n == 2 && strcmp(fields[WHAT], "plan") == 0) return begin_plan(m, placing, fields[1]), true;
  if (!m->now || n != FIELDS) return fault(m, "expected plan, or 8 fields with tabs between", err);
  return add_event(m, fields, err);
}

static bool read_lines(Making *m, Placing *placing, char *text, const char *last, Err *err) {
  while (*text) {
    char *end = text + strcspn(text, "\n"), *next = *end ? end + 1 : end;
    *end = '\0';
    if (!read_line(m, placing, text, err)) return false;
    text = next;
  }
  if (text != last) { /* behind the end of a line, which is a NUL by now, it is in the next one */
    m->line += !m->line || !text[-1];
    return fault(m, "a NUL byte", err);
  }
  end_plan(m);
  return m->line || fault(m, "not a witness file of version 1", err);
}

/* What the log says of places is known at its end. */
static bool read_log(TraceReader *reader, Err *err) {
  const TraceEvent *events;
  uint32_t n;
  do {
    if (!trace_next(reader, &events, &n, err)) return false;
  } while (n);
  return true;
}

bool placing_make(Heap *heap, const char *witness, const char *log, Placing *placing, Err *err) {
  const TraceOptions options = {.format = -1, .where = true};
  InFile file;
  *placing = (Placing){.heap = heap};
  arena_init(&placing->arena, heap);
  if (!file_read(heap, witness, &file, err)) return false;
  Making m = {.heap = heap, .arena = &placing->arena, .name = file.name};
  m.reader = trace_open(heap, log, &options, err);
  const bool good =
      m.reader && read_log(m.reader, err) && read_lines(&m, placing, file.text, file.text + file.length, err);
  trace_close(m.reader);
  file_release(heap, &file);
  return good;
}

void placing_fini(Placing *placing) {
  vec_fini(placing->heap, &placing->cases);
  arena_fini(&placing->arena);
}

/* ---- the block ---- */

/* How deep its thread is in transactions, counted from the first event on; 0: the block has ended. */
typedef struct {
  uint64_t first, last;
  uint32_t thread, depth;
  bool ended;
} Block;

static void follow(Block *block, const TraceEvent *event, uint64_t number) {
  if (number < block->first || number > block->last || block->ended) return;
  if (number == block->first) block->thread = event->thread;
  if (event->thread != block->thread) return;
  if (event->op == TRACE_BEGIN) block->depth++;
  if (event->op == TRACE_END) block->ended = !--block->depth;
}

bool placing_is_inside(Heap *heap, const char *log, uint64_t first, uint64_t last, bool *inside, Err *err) {
  const TraceOptions options = {.format = -1};
  Block block = {.first = first, .last = last};
  const TraceEvent *events;
  uint64_t number = 0;
  uint32_t n = 1;
  bool good = true;
  TraceReader *reader = trace_open(heap, log, &options, err);
  while (reader && good && n && number <= last) {
    good = trace_next(reader, &events, &n, err);
    for (uint32_t i = 0; good && i < n; i++, number++) follow(&block, &events[i], number);
  }
  *inside = !block.ended && block.depth;
  trace_close(reader);
  return reader && good;
}
