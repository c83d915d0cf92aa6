/* docs/json.md is the manual of what is written here. */
#include "base/json.h"
#include "report/cycle.h"

static const char *const NAMES[] = {"serializable", "violated", "unknown"}; /* ORDER Verdict */

static void write_thread(Json *json, uint32_t thread) {
  json_key(json, "thread");
  if (thread == NOTE_NONE) json_null(json);
  else json_count(json, (uint64_t)thread + 1);
}

static void write_position(Json *json, SrcPos pos) {
  json_key(json, "line");
  json_count(json, pos.line);
  json_key(json, "column");
  json_count(json, pos.column);
}

static void write_transaction(Json *json, const CycleReport *report, uint32_t i) {
  const Notes *notes = report->net->notes;
  const ConflictTransaction *transaction = &report->cycle->transactions[i];
  const ConflictEdge *edge = &report->cycle->edges[i];
  const bool block = transaction->block != NOTE_NONE;
  json_open(json, '{', JSON_ROW);
  write_thread(json, transaction->thread);
  json_key(json, "block");
  json_string(json, block ? notes->blocks[transaction->block].name : NULL);
  write_position(json, block ? notes->blocks[transaction->block].begin
                             : notes->transitions[report->cycle->run[transaction->first].v].pos);
  json_key(json, "first");
  json_count(json, transaction->first);
  json_key(json, "last");
  json_count(json, transaction->last);
  json_key(json, "from");
  json_count(json, edge->from);
  json_key(json, "to");
  json_count(json, edge->to);
  json_key(json, "object");
  json_string(json, edge->object == NOTE_NONE ? NULL : notes->objects[edge->object].name);
  json_close(json);
}

static void write_step(Json *json, const Net *net, TransId t) {
  const TransNote *note = &net->notes->transitions[t.v];
  json_open(json, '{', JSON_ROW);
  write_thread(json, note->thread);
  write_position(json, note->pos);
  json_key(json, "text");
  json_string(json, note->text[0] ? note->text : net->trans_name[t.v]);
  json_close(json);
}

void cycle_json(const CycleReport *report, FILE *out) {
  const ConflictCycle *cycle = report->cycle;
  Json json = json_start(out);
  json_open(&json, '{', JSON_LINES);
  json_key(&json, "schema");
  json_string(&json, "causalcheck-serializable/1");
  json_key(&json, "verdict");
  json_string(&json, NAMES[report->verdict]);
  json_key(&json, "why");
  json_string(&json, report->why);
  json_key(&json, "cycle");
  json_open(&json, '[', JSON_LINES);
  for (uint32_t i = 0; cycle && i < cycle->n; i++) write_transaction(&json, report, i);
  json_close(&json);
  json_key(&json, "run");
  json_open(&json, '[', JSON_LINES);
  for (uint32_t i = 0; cycle && i < cycle->n_run; i++) write_step(&json, report->net, cycle->run[i]);
  json_close(&json);
  json_key(&json, "stats");
  json_open(&json, '{', JSON_ROW);
  json_key(&json, "states");
  json_count(&json, report->states);
  json_key(&json, "seconds");
  json_number(&json, report->seconds);
  json_key(&json, "bytes");
  json_count(&json, report->bytes);
  json_close(&json);
  json_close(&json);
  json_finish(&json);
}
