/* docs/json.md is the manual of what is written here. */
#include "report/json_notes.h"
#include "report/runners.h"
#include "report/verdict.h"
#include "report/words.h"

static const char *const ROLES[] = {NULL, "begin", "out", "in", "chain", "back"}; /* ORDER StepRole */
_Static_assert(sizeof ROLES / sizeof *ROLES == STEP_BACK + 1, "ORDER StepRole");

static void write_step(Json *json, const Net *net, const WitnessStep *step) {
  json_open(json, '{', JSON_ROW);
  json_event(json, net, step->thread, step->transition);
  json_member_string(json, "role", ROLES[step->role]);
  json_close(json);
}

static void write_block(Json *json, const Net *net, const Runners *runners, const BlockVerdict *verdict) {
  const NoteBlock *block = &net->notes->blocks[verdict->block];
  const ThreadList threads = runners_list(runners, verdict->block);
  json_open(json, '{', JSON_LINES);
  json_member_string(json, "name", block->name);
  json_position(json, block->begin);
  json_member_open(json, "threads", '[', JSON_ROW);
  for (uint32_t i = 0; i < threads.n; i++) json_count(json, (uint64_t)threads.at[i] + 1);
  json_close(json);
  json_member_string(json, "verdict", verdict_name(verdict->verdict));
  json_key(json, "entered");
  if (verdict->entered == ENTERED_UNKNOWN) json_null(json);
  else json_bool(json, verdict->entered == ENTERED_SOMETIMES);
  json_member_open(json, "witness", '[', JSON_LINES);
  const Witness *witness = verdict->witness;
  for (uint32_t i = 0; witness && i < witness->n_steps; i++) write_step(json, net, &witness->steps[i]);
  json_close(json);
  json_close(json);
}

static void write_stats(Json *json, const VerdictStats *stats) {
  json_open(json, '{', JSON_ROW);
  json_member_count(json, "places", stats->places);
  json_member_count(json, "transitions", stats->transitions);
  json_member_count(json, "events", stats->events);
  json_member_count(json, "conditions", stats->conditions);
  json_member_count(json, "cutoffs", stats->cutoffs);
  json_member_number(json, "seconds", stats->seconds);
  json_member_count(json, "bytes", stats->bytes);
  json_close(json);
}

void report_json(Heap *heap, const AtomicityReport *report, FILE *out) {
  Arena arena;
  arena_init(&arena, heap);
  const Runners runners = runners_of(&arena, report->net);
  Json json = json_start(out);
  json_open(&json, '{', JSON_LINES);
  json_member_string(&json, "schema", "causalcheck/1");
  json_member_string(&json, "verdict", verdict_name(report->verdict));
  json_member_open(&json, "blocks", '[', JSON_LINES);
  for (uint32_t i = 0; i < report->n_blocks; i++) write_block(&json, report->net, &runners, &report->blocks[i]);
  json_close(&json);
  json_key(&json, "stats");
  write_stats(&json, &report->stats);
  json_close(&json);
  json_finish(&json);
  arena_fini(&arena);
}
