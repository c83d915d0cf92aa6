/* docs/json.md is the manual of what is written here. */
#include "report/cycle.h"
#include "report/json_notes.h"

static const char *const NAMES[] = {"unknown", "serializable", "violated"}; /* ORDER Verdict */
_Static_assert(sizeof NAMES / sizeof *NAMES == VERDICT_KINDS, "ORDER Verdict");

static void write_transaction(Json *json, const CycleReport *report, uint32_t i) {
  const Notes *notes = report->net->notes;
  const ConflictTransaction *transaction = &report->cycle->transactions[i];
  const ConflictEdge *edge = &report->cycle->edges[i];
  const bool block = transaction->block != NOTE_NONE;
  json_open(json, '{', JSON_ROW);
  json_thread(json, transaction->thread);
  json_member_string(json, "block", block ? notes->blocks[transaction->block].name : NULL);
  json_position(json, block ? notes->blocks[transaction->block].begin
                            : notes->transitions[report->cycle->run[transaction->first].v].pos);
  json_member_count(json, "first", transaction->first);
  json_member_count(json, "last", transaction->last);
  json_member_count(json, "from", edge->from);
  json_member_count(json, "to", edge->to);
  json_member_string(json, "object", edge->object == NOTE_NONE ? NULL : notes->objects[edge->object].name);
  json_close(json);
}

static void write_step(Json *json, const Net *net, TransId t) {
  json_open(json, '{', JSON_ROW);
  json_event(json, net, net->notes->transitions[t.v].thread, t);
  json_close(json);
}

static bool is_entry_known(const CycleReport *report) {
  bool known = report->verdict == VERDICT_HOLDS;
  for (uint32_t i = 0; i < report->n_blocks; i++) known = known && report->blocks[i].entered != ENTERED_UNKNOWN;
  return known;
}

static void write_never(Json *json, const CycleReport *report) {
  json_key(json, "never_entered");
  if (!is_entry_known(report)) {
    json_null(json);
    return;
  }
  json_open(json, '[', JSON_LINES);
  for (uint32_t i = 0; i < report->n_blocks; i++) {
    if (report->blocks[i].entered != ENTERED_NEVER) continue;
    const NoteBlock *block = &report->net->notes->blocks[report->blocks[i].block];
    json_open(json, '{', JSON_ROW);
    json_member_string(json, "name", block->name);
    json_position(json, block->begin);
    json_close(json);
  }
  json_close(json);
}

void cycle_json(const CycleReport *report, FILE *out) {
  const ConflictCycle *cycle = report->cycle;
  Json json = json_start(out);
  json_open(&json, '{', JSON_LINES);
  json_member_string(&json, "schema", "causalcheck-serializable/1");
  json_member_string(&json, "verdict", NAMES[report->verdict]);
  json_member_string(&json, "why", report->why);
  json_member_open(&json, "cycle", '[', JSON_LINES);
  for (uint32_t i = 0; cycle && i < cycle->n; i++) write_transaction(&json, report, i);
  json_close(&json);
  write_never(&json, report);
  json_member_open(&json, "run", '[', JSON_LINES);
  for (uint32_t i = 0; cycle && i < cycle->n_run; i++) write_step(&json, report->net, cycle->run[i]);
  json_close(&json);
  json_member_open(&json, "stats", '{', JSON_ROW);
  json_member_count(&json, "states", report->states);
  json_member_number(&json, "seconds", report->seconds);
  json_member_count(&json, "bytes", report->bytes);
  json_close(&json);
  json_close(&json);
  json_finish(&json);
}
