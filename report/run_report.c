#include "report/run_report.h"

#include "base/arena.h"
#include "base/json.h"
#include "report/run_words.h"

static const char *const VERDICT_COLOURS[] = {"\33[1;32m", "\33[1;31m", "\33[1;35m"}; /* ORDER RunVerdict */

const char *run_verdict_name(const RunReport *report) {
  if (report->verdict == RUN_VIOLATED) return "violated";
  if (report->verdict == RUN_UNKNOWN) return "unknown";
  return report->notion == MONITOR_CAUSAL ? "atomic" : "serializable";
}

/* ---- text ---- */

typedef struct {
  Heap *heap;
  Arena arena; /* of the finding at hand */
  const RunReport *report;
  RunStyle style;
  FILE *out;
} Teller;

static void put_coloured(const Teller *teller, const char *colour, const char *text) {
  if (teller->style.colour) fprintf(teller->out, "%s%s\33[0m", colour, text);
  else fputs(text, teller->out);
}

/* "prog.c:2:1: error: " */
static void put_head(Teller *teller, const char *place, const char *colour, const char *level) {
  put_coloured(teller, "\33[1m", place);
  fputs(": ", teller->out);
  put_coloured(teller, colour, level);
  fputs(": ", teller->out);
}

static void tell_edge(Teller *teller, const MonitorFinding *finding, uint32_t i) {
  const TraceNames *names = teller->report->names;
  const MonitorEdge *edge = &finding->edges[i];
  const MonitorTransaction *from = &finding->transactions[i], *to = &finding->transactions[(i + 1) % finding->n];
  put_head(teller, run_place(&teller->arena, names, edge->to.location, edge->to.event), "\33[1;36m", "note");
  fprintf(teller->out, "%s %s\n", run_transaction(&teller->arena, names, to), run_edge(&teller->arena, names, from, edge));
}

static void tell_finding(Teller *teller, const MonitorFinding *finding) {
  const MonitorTransaction *first = &finding->transactions[0];
  const char *what = teller->report->notion == MONITOR_CAUSAL ? "is not causally atomic" : "is not serializable";
  arena_init(&teller->arena, teller->heap);
  put_head(teller, run_place(&teller->arena, teller->report->names, first->location, first->first), "\33[1;31m", "error");
  fprintf(teller->out, "%s %s\n", run_transaction(&teller->arena, teller->report->names, first), what);
  for (uint32_t i = 0; finding->edges && i < finding->n; i++) tell_edge(teller, finding, i);
  arena_fini(&teller->arena);
}

void run_report_text(Heap *heap, const RunReport *report, RunStyle style, FILE *out) {
  Teller teller = {.heap = heap, .report = report, .style = style, .out = out};
  for (uint32_t i = 0; !style.quiet && i < report->n_findings; i++) tell_finding(&teller, &report->findings[i]);
  if (!style.quiet && report->checked == RUN_AGREES)
    fputs("note: the input cannot be read again: the cycles were checked for consistency, not against the run\n", out);
  if (!style.quiet && report->why) fprintf(out, "unknown: %s\n", report->why);
  fputs("verdict: ", out);
  put_coloured(&teller, VERDICT_COLOURS[report->verdict], run_verdict_name(report));
  fputc('\n', out);
}

/* ---- JSON ---- */

typedef struct {
  Heap *heap;
  Json json;
  Arena arena; /* of the finding at hand */
  const TraceNames *names;
} Writer;

static const char *const OPS[] = {"read", "write", "acquire", "release", "fork", "join",
                                  "begin", "end", "start", "exit", "free"}; /* ORDER TraceOp */
static const char *const KINDS[] = {"conflict", "order", "fork", "join", "gap"};   /* ORDER MonitorEdgeKind */
static const char *const CHECKS[] = {"no", "consistent", "run"};                   /* ORDER RunChecked */

static void put_location(Writer *writer, uint32_t location) {
  json_member_string(&writer->json, "location", run_location(&writer->arena, writer->names, location));
}

static void put_access(Writer *writer, const char *key, const MonitorAccess *access) {
  Json *json = &writer->json;
  json_member_open(json, key, '{', JSON_ROW);
  json_member_count(json, "event", access->event);
  const bool on_thread = access->op == TRACE_FORK || access->op == TRACE_JOIN, plain = access->object == TRACE_NONE;
  json_member_string(json, "op", plain ? NULL : OPS[access->op]);
  json_member_string(json, "object", plain       ? NULL
                    : on_thread ? run_thread(&writer->arena, writer->names, access->object)
                                : run_object(&writer->arena, writer->names, access->object));
  put_location(writer, access->location);
  json_close(json);
}

static void put_edge(Writer *writer, const MonitorEdge *edge) {
  Json *json = &writer->json;
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
  Json *json = &writer->json;
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

static void put_finding(Writer *writer, const MonitorFinding *finding) {
  Json *json = &writer->json;
  arena_init(&writer->arena, writer->heap);
  json_open(json, '{', JSON_LINES);
  json_member_count(json, "event", finding->event);
  json_member_open(json, "cycle", '[', JSON_LINES);
  for (uint32_t i = 0; i < finding->n; i++)
    put_transaction(writer, &finding->transactions[i], finding->edges ? &finding->edges[i] : NULL);
  json_close(json);
  json_close(json);
  arena_fini(&writer->arena);
}

void run_report_json(Heap *heap, const RunReport *report, FILE *out) {
  Writer writer = {.heap = heap, .json = json_start(out), .names = report->names};
  Json *json = &writer.json;
  json_open(json, '{', JSON_LINES);
  json_member_string(json, "schema", "tracecheck/1");
  json_member_string(json, "verdict", run_verdict_name(report));
  json_member_string(json, "why", report->why);
  json_member_string(json, "notion", report->notion == MONITOR_CAUSAL ? "causal" : "serializable");
  json_member_count(json, "events", report->events);
  json_member_count(json, "threads", report->threads);
  json_member_count(json, "entities", report->entities);
  json_member_count(json, "skipped", report->skipped);
  json_member_string(json, "checked", CHECKS[report->checked]);
  json_member_open(json, "violations", '[', JSON_LINES);
  for (uint32_t i = 0; i < report->n_findings; i++) put_finding(&writer, &report->findings[i]);
  json_close(json);
  json_close(json);
  json_finish(json);
}

/* ---- the drawing ---- */

static void draw_finding(Arena *arena, Drawing *drawing, const RunReport *report, uint32_t number) {
  const MonitorFinding *finding = &report->findings[number];
  const DrawId cluster = drawing_add_cluster(drawing, DRAW_TOP, arena_format(arena, "%u", number + 1));
  DrawId *nodes = heap_alloc(arena->heap, finding->n * sizeof *nodes);
  drawing_set(drawing, cluster, "label", "%u", number + 1);
  for (uint32_t i = 0; i < finding->n; i++) {
    const MonitorTransaction *t = &finding->transactions[i];
    nodes[i] = drawing_add_node(drawing, cluster, arena_format(arena, "t%u_%u", number + 1, i));
    drawing_set_label(drawing, nodes[i],
                      arena_format(arena, "%s, %s", run_transaction(arena, report->names, t),
                                   run_place(arena, report->names, t->location, t->first)));
    drawing_set(drawing, nodes[i], "shape", t->ordinal ? "box" : "ellipse");
  }
  for (uint32_t i = 0; finding->edges && i < finding->n; i++) {
    const MonitorEdge *edge = &finding->edges[i];
    const DrawId line = drawing_add_edge(drawing, nodes[i], nodes[(i + 1) % finding->n]);
    const char *thread = run_thread(arena, report->names, finding->transactions[(i + 1) % finding->n].thread);
    drawing_set_label(drawing, line,
                      arena_format(arena, "%s: %s %s", run_place(arena, report->names, edge->to.location, edge->to.event),
                                   thread, run_edge(arena, report->names, &finding->transactions[i], edge)));
    if (edge->kind != MONITOR_CONFLICT) drawing_set(drawing, line, "style", "dashed");
  }
  heap_release(arena->heap, nodes);
}

bool run_report_dot(Heap *heap, const RunReport *report, FILE *out, Err *err) {
  Arena arena;
  Drawing drawing;
  arena_init(&arena, heap);
  drawing_init(&drawing, heap, "cycles");
  for (uint32_t i = 0; i < report->n_findings; i++) draw_finding(&arena, &drawing, report, i);
  const bool good = drawing_write_dot(&drawing, out, err);
  drawing_fini(&drawing);
  arena_fini(&arena);
  return good;
}
