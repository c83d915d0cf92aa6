#include "report/run_finding.h"

#include "base/arena.h"
#include "report/run_words.h"

#include <assert.h>

/* ---- text ---- */

static void put_coloured(RunStyle style, const char *colour, const char *text, FILE *out) {
  if (style.colour) fprintf(out, "%s%s\33[0m", colour, text);
  else fputs(text, out);
}

void finding_note(RunStyle style, const char *place, RunLevel level, const char *text, FILE *out) {
  assert(level <= RUN_NOTE && place && text);
  static const char *const NAMES[] = {"error", "warning", "note"};                              /* ORDER RunLevel */
  _Static_assert(sizeof NAMES / sizeof *NAMES == RUN_NOTE + 1, "ORDER RunLevel");
  static const char *const COLOURS[] = {"\33[1;31m", "\33[1;35m", "\33[1;36m"}; /* ORDER RunLevel */
  _Static_assert(sizeof COLOURS / sizeof *COLOURS == RUN_NOTE + 1, "ORDER RunLevel");
  put_coloured(style, "\33[1m", place, out);
  fputs(": ", out);
  put_coloured(style, COLOURS[level], NAMES[level], out);
  fprintf(out, ": %s\n", text);
}

static void tell_edge(Arena *arena, const TraceNames *names, const MonitorFinding *finding, uint32_t i, RunStyle style, FILE *out) {
  const MonitorEdge *edge = &finding->edges[i];
  const MonitorTransaction *from = &finding->transactions[i], *to = &finding->transactions[(i + 1) % finding->n];
  const char *text = arena_format(arena, "%s %s", run_transaction(arena, names, to), run_edge(arena, names, from, edge));
  finding_note(style, run_place(arena, names, edge->to.location, edge->to.event), RUN_NOTE, text, out);
}

void finding_text(Heap *heap, const TraceNames *names, const MonitorFinding *finding, const char *what, RunStyle style, FILE *out) {
  assert(finding->n > 0 && (finding->n > 1 || !finding->edges));
  const MonitorTransaction *first = &finding->transactions[0];
  Arena arena;
  arena_init(&arena, heap);
  const char *text = arena_format(&arena, "%s %s", run_transaction(&arena, names, first), what);
  finding_note(style, run_place(&arena, names, first->location, first->first), RUN_ERROR, text, out);
  for (uint32_t i = 0; finding->edges && i < finding->n; i++) tell_edge(&arena, names, finding, i, style, out);
  arena_fini(&arena);
}

void verdict_text(Verdict verdict, const char *name, RunStyle style, FILE *out) {
  assert((unsigned)verdict < VERDICT_KINDS);
  static const char *const COLOURS[] = {"\33[1;35m", "\33[1;32m", "\33[1;31m"}; /* ORDER Verdict */
  _Static_assert(sizeof COLOURS / sizeof *COLOURS == VERDICT_KINDS, "ORDER Verdict");
  fputs("verdict: ", out);
  put_coloured(style, COLOURS[verdict], name, out);
  fputc('\n', out);
}

/* ---- JSON ---- */

typedef struct {
  Json *json;
  Arena arena;
  const TraceNames *names;
} Writer;

static const char *const KINDS[] = {"conflict", "order", "fork", "join", "gap"};   /* ORDER MonitorEdgeKind */
_Static_assert(sizeof KINDS / sizeof *KINDS == MONITOR_GAP + 1, "ORDER MonitorEdgeKind");

static void put_location(Writer *writer, uint32_t location) {
  json_member_string(writer->json, "location", run_location(&writer->arena, writer->names, location));
}

static void put_access(Writer *writer, const char *key, const MonitorAccess *access) {
  Json *json = writer->json;
  json_member_open(json, key, '{', JSON_ROW);
  json_member_count(json, "event", access->event);
  const bool on_thread = access->op == TRACE_FORK || access->op == TRACE_JOIN, plain = access->object == TRACE_NONE;
  json_member_string(json, "op", plain ? NULL : run_op(access->op));
  json_member_string(json, "object", plain       ? NULL
                    : on_thread ? run_thread(&writer->arena, writer->names, access->object)
                                : run_object(&writer->arena, writer->names, access->object));
  put_location(writer, access->location);
  json_close(json);
}

static void put_edge(Writer *writer, const MonitorEdge *edge) {
  Json *json = writer->json;
  json_key(json, "edge");
  if (!edge) {
    json_null(json);
    return;
  }
  json_open(json, '{', JSON_LINES);
  json_member_string(json, "kind", KINDS[edge->kind]);
  put_access(writer, "from", &edge->from);
  put_access(writer, "to", &edge->to);
  json_close(json);
}

static void put_transaction(Writer *writer, const MonitorTransaction *transaction, const MonitorEdge *edge) {
  Json *json = writer->json;
  json_open(json, '{', JSON_LINES);
  json_member_string(json, "thread", run_thread(&writer->arena, writer->names, transaction->thread));
  json_key(json, "transaction");
  if (transaction->ordinal) json_count(json, transaction->ordinal);
  else json_null(json);
  json_member_string(json, "label", run_label(&writer->arena, writer->names, transaction->label));
  json_member_count(json, "first", transaction->first);
  json_member_count(json, "last", transaction->last);
  put_location(writer, transaction->location);
  put_edge(writer, edge);
  json_close(json);
}

void finding_json(Heap *heap, const TraceNames *names, const MonitorFinding *finding, Json *json) {
  Writer writer = {.json = json, .names = names};
  arena_init(&writer.arena, heap);
  json_member_count(json, "event", finding->event);
  json_member_open(json, "cycle", '[', JSON_LINES);
  for (uint32_t i = 0; i < finding->n; i++)
    put_transaction(&writer, &finding->transactions[i], finding->edges ? &finding->edges[i] : NULL);
  json_close(json);
  arena_fini(&writer.arena);
}

/* ---- the drawing ---- */

void finding_draw(Arena *arena, const TraceNames *names, const MonitorFinding *finding, uint32_t number, Drawing *drawing) {
  const DrawId cluster = drawing_add_cluster(drawing, DRAW_TOP, arena_format(arena, "%u", number + 1));
  DrawId *nodes = heap_alloc(arena->heap, finding->n * sizeof *nodes);
  drawing_set(drawing, cluster, "label", "%u", number + 1);
  for (uint32_t i = 0; i < finding->n; i++) {
    const MonitorTransaction *t = &finding->transactions[i];
    nodes[i] = drawing_add_node(drawing, cluster, arena_format(arena, "t%u_%u", number + 1, i));
    drawing_set_label(drawing, nodes[i],
                      arena_format(arena, "%s, %s", run_transaction(arena, names, t),
                                   run_place(arena, names, t->location, t->first)));
    drawing_set(drawing, nodes[i], "shape", t->ordinal ? "box" : "ellipse");
  }
  for (uint32_t i = 0; finding->edges && i < finding->n; i++) {
    const MonitorEdge *edge = &finding->edges[i];
    const DrawId line = drawing_add_edge(drawing, nodes[i], nodes[(i + 1) % finding->n]);
    const char *thread = run_thread(arena, names, finding->transactions[(i + 1) % finding->n].thread);
    drawing_set_label(drawing, line,
                      arena_format(arena, "%s: %s %s", run_place(arena, names, edge->to.location, edge->to.event),
                                   thread, run_edge(arena, names, &finding->transactions[i], edge)));
    if (edge->kind != MONITOR_CONFLICT) drawing_set(drawing, line, "style", "dashed");
  }
  heap_release(arena->heap, nodes);
}
