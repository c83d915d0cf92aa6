/* docs/json.md is the manual of what is written here. */
#include "base/json.h"
#include "report/answers.h"

static void write_run(Json *json, const Net *net, const TransId *run, uint32_t n_run) {
  json_member_open(json, "firing_sequence", '[', JSON_LINES);
  for (uint32_t i = 0; i < n_run; i++) {
    json_open(json, '{', JSON_ROW);
    json_member_count(json, "transition", (uint64_t)run[i].v + 1);
    json_member_string(json, "name", net->trans_name[run[i].v]);
    json_close(json);
  }
  json_close(json);
}

/* What was asked about. */
static void write_subject(Json *json, const Net *net, const Answer *answer) {
  if (answer->kind == QUESTION_FIRE) json_member_string(json, "transition", net->trans_name[answer->trans.v]);
  if (answer->kind != QUESTION_COVER) return;
  json_member_open(json, "places", '[', JSON_ROW);
  for (uint32_t i = 0; i < answer->n_places; i++) json_string(json, net->place_name[answer->places[i].v]);
  json_close(json);
}

static void write_answer(Json *json, const Net *net, const Answer *answer) {
  const bool found = answer->answer == VERDICT_VIOLATED;
  json_open(json, '{', JSON_LINES);
  write_subject(json, net, answer);
  json_key(json, "answer");
  if (answer->answer == VERDICT_UNKNOWN) json_null(json);
  else json_bool(json, found);
  json_key(json, "shortest");
  if (found) json_bool(json, answer->shortest);
  else json_null(json);
  write_run(json, net, answer->run, found ? answer->n_run : 0);
  json_close(json);
}

static void write_unsafe(Json *json, const AnswerReport *report) {
  json_key(json, "unsafe");
  if (!report->prefix || report->prefix->status != UNFOLD_NOT_SAFE) {
    json_null(json);
    return;
  }
  json_open(json, '{', JSON_LINES);
  json_member_string(json, "place", report->net->place_name[report->prefix->unsafe_place.v]);
  write_run(json, report->net, report->prefix->unsafe_run, report->prefix->n_unsafe_run);
  json_close(json);
}

static void write_covers(Json *json, const AnswerReport *report) {
  json_member_open(json, "covered", '[', JSON_LINES);
  for (uint32_t i = 0; i < report->n_answers; i++)
    if (report->answers[i].kind == QUESTION_COVER) write_answer(json, report->net, &report->answers[i]);
  json_close(json);
}

/* The answer of a kind that is asked once at most, or null. */
static void write_single(Json *json, const AnswerReport *report, const char *key, QuestionKind kind) {
  json_key(json, key);
  for (uint32_t i = 0; i < report->n_answers; i++) {
    if (report->answers[i].kind != kind) continue;
    write_answer(json, report->net, &report->answers[i]);
    return;
  }
  json_null(json);
}

void answers_json(const AnswerReport *report, FILE *out) {
  Json json = json_start(out);
  json_open(&json, '{', JSON_LINES);
  json_member_string(&json, "schema", "netunfold/1");
  json_member_bool(&json, "complete", report->complete);
  json_member_string(&json, "why", report->why[0] ? report->why : NULL);
  json_member_count(&json, "events", report->counts.events);
  json_member_count(&json, "conditions", report->counts.conditions);
  json_member_count(&json, "cutoffs", report->counts.cutoffs);
  write_covers(&json, report);
  write_single(&json, report, "fired", QUESTION_FIRE);
  write_single(&json, report, "deadlock", QUESTION_DEADLOCK);
  write_unsafe(&json, report);
  json_member_open(&json, "stats", '{', JSON_ROW);
  json_member_count(&json, "places", report->net->n_places);
  json_member_count(&json, "transitions", report->net->n_trans);
  json_member_number(&json, "seconds", report->seconds);
  json_member_count(&json, "bytes", report->bytes);
  json_close(&json);
  json_close(&json);
  json_finish(&json);
}
