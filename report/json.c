/* docs/json.md is the manual of what is written here. */
#include "base/json.h"

#include "report/runners.h"
#include "report/verdict.h"
#include "report/words.h"

static const char *const ROLES[] = {NULL, "begin", "out", "in", "chain", "back"}; /* ORDER StepRole */

static void write_position(Json *json, SrcPos pos) {
  json_key(json, "line");
  json_count(json, pos.line);
  json_key(json, "column");
  json_count(json, pos.column);
}

static void write_step(Json *json, const Net *net, const WitnessStep *step) {
  const TransNote *note = &net->notes->transitions[step->transition.v];
  json_open(json, '{', JSON_ROW);
  json_key(json, "thread");
  if (step->thread == NOTE_NONE)
    json_null(json);
  else
    json_count(json, (uint64_t)step->thread + 1);
  write_position(json, note->pos);
  json_key(json, "text");
  json_string(json, note->text[0] ? note->text : net->trans_name[step->transition.v]);
  json_key(json, "role");
  json_string(json, ROLES[step->role]);
  json_close(json);
}

static void write_block(Json *json, const Net *net, const Runners *runners, const BlockVerdict *verdict) {
  const NoteBlock *block = &net->notes->blocks[verdict->block];
  const ThreadList threads = runners_list(runners, verdict->block);
  json_open(json, '{', JSON_LINES);
  json_key(json, "name");
  json_string(json, block->name);
  write_position(json, block->begin);
  json_key(json, "threads");
  json_open(json, '[', JSON_ROW);
  for (uint32_t i = 0; i < threads.n; i++) json_count(json, (uint64_t)threads.at[i] + 1);
  json_close(json);
  json_key(json, "verdict");
  json_string(json, verdict_name(verdict->verdict));
  json_key(json, "witness");
  json_open(json, '[', JSON_LINES);
  const Witness *witness = verdict->witness;
  for (uint32_t i = 0; witness && i < witness->n_steps; i++) write_step(json, net, &witness->steps[i]);
  json_close(json);
  json_close(json);
}

static void write_stats(Json *json, const VerdictStats *stats) {
  json_open(json, '{', JSON_ROW);
  json_key(json, "places");
  json_count(json, stats->places);
  json_key(json, "transitions");
  json_count(json, stats->transitions);
  json_key(json, "events");
  json_count(json, stats->events);
  json_key(json, "conditions");
  json_count(json, stats->conditions);
  json_key(json, "cutoffs");
  json_count(json, stats->cutoffs);
  json_key(json, "seconds");
  json_number(json, stats->seconds);
  json_key(json, "bytes");
  json_count(json, stats->bytes);
  json_close(json);
}

void report_json(Heap *heap, const Report *report, FILE *out) {
  Arena arena;
  arena_init(&arena, heap);
  const Runners runners = runners_of(&arena, report->net);
  Json json = json_start(out);
  json_open(&json, '{', JSON_LINES);
  json_key(&json, "schema");
  json_string(&json, "causalcheck/1");
  json_key(&json, "verdict");
  json_string(&json, verdict_name(report->verdict));
  json_key(&json, "blocks");
  json_open(&json, '[', JSON_LINES);
  for (uint32_t i = 0; i < report->n_blocks; i++) write_block(&json, report->net, &runners, &report->blocks[i]);
  json_close(&json);
  json_key(&json, "stats");
  write_stats(&json, &report->stats);
  json_close(&json);
  json_finish(&json);
  arena_fini(&arena);
}
