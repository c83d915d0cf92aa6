/* docs/json.md is the manual of what is written here. */
#include "base/json.h"
#include "report/answers.h"

static void write_run(Json *json, const Net *net, const TransId *run, uint32_t n_run) {
  json_key(json, "firing_sequence");
  json_open(json, '[', JSON_LINES);
  for (uint32_t i = 0; i < n_run; i++) {
    json_open(json, '{', JSON_ROW);
    json_key(json, "transition");
    json_count(json, (uint64_t)run[i].v + 1);
    json_key(json, "name");
    json_string(json, net->trans_name[run[i].v]);
    json_close(json);
  }
  json_close(json);
}

static void write_answer(Json *json, const char *key, const Answer *answer) {
  json_key(json, key);
  if (answer->answer == ANSWER_UNKNOWN) json_null(json);
  else json_bool(json, answer->answer == ANSWER_YES);
}

static void write_found(Json *json, const Net *net, const Answer *answer) {
  json_key(json, "shortest");
  if (answer->answer == ANSWER_YES) json_bool(json, answer->shortest);
  else json_null(json);
  write_run(json, net, answer->run, answer->answer == ANSWER_YES ? answer->n_run : 0);
}

static void write_cover(Json *json, const Net *net, const Answer *answer) {
  json_open(json, '{', JSON_LINES);
  json_key(json, "places");
  json_open(json, '[', JSON_ROW);
  for (uint32_t i = 0; i < answer->n_places; i++) json_string(json, net->place_name[answer->places[i].v]);
  json_close(json);
  write_answer(json, "answer", answer);
  write_found(json, net, answer);
  json_close(json);
}

static void write_fire(Json *json, const Net *net, const Answer *answer) {
  json_open(json, '{', JSON_LINES);
  json_key(json, "transition");
  json_string(json, net->trans_name[answer->trans.v]);
  write_answer(json, "answer", answer);
  write_found(json, net, answer);
  json_close(json);
}

static void write_deadlock(Json *json, const Net *net, const Answer *answer) {
  json_open(json, '{', JSON_LINES);
  write_answer(json, "answer", answer);
  write_found(json, net, answer);
  json_close(json);
}

static void write_unsafe(Json *json, const AnswerReport *report) {
  json_key(json, "unsafe");
  if (!report->prefix || report->prefix->status != UNFOLD_NOT_SAFE) {
    json_null(json);
    return;
  }
  json_open(json, '{', JSON_LINES);
  json_key(json, "place");
  json_string(json, report->net->place_name[report->prefix->unsafe_place.v]);
  write_run(json, report->net, report->prefix->unsafe_run, report->prefix->n_unsafe_run);
  json_close(json);
}

/* The answers of one kind; of the kinds that are asked once at most, one object or null. */
static void write_covers(Json *json, const AnswerReport *report) {
  json_key(json, "covered");
  json_open(json, '[', JSON_LINES);
  for (uint32_t i = 0; i < report->n_answers; i++)
    if (report->answers[i].kind == QUESTION_COVER) write_cover(json, report->net, &report->answers[i]);
  json_close(json);
}

static void write_single(Json *json, const AnswerReport *report, const char *key, QuestionKind kind,
                         void (*write)(Json *json, const Net *net, const Answer *answer)) {
  json_key(json, key);
  for (uint32_t i = 0; i < report->n_answers; i++) {
    if (report->answers[i].kind != kind) continue;
    write(json, report->net, &report->answers[i]);
    return;
  }
  json_null(json);
}

void answers_json(const AnswerReport *report, FILE *out) {
  Json json = json_start(out);
  json_open(&json, '{', JSON_LINES);
  json_key(&json, "schema");
  json_string(&json, "netunfold/1");
  json_key(&json, "complete");
  json_bool(&json, report->complete);
  json_key(&json, "why");
  json_string(&json, report->why[0] ? report->why : NULL);
  json_key(&json, "events");
  json_count(&json, report->counts.events);
  json_key(&json, "conditions");
  json_count(&json, report->counts.conditions);
  json_key(&json, "cutoffs");
  json_count(&json, report->counts.cutoffs);
  write_covers(&json, report);
  write_single(&json, report, "fired", QUESTION_FIRE, write_fire);
  write_single(&json, report, "deadlock", QUESTION_DEADLOCK, write_deadlock);
  write_unsafe(&json, report);
  json_key(&json, "stats");
  json_open(&json, '{', JSON_ROW);
  json_key(&json, "places");
  json_count(&json, report->net->n_places);
  json_key(&json, "transitions");
  json_count(&json, report->net->n_trans);
  json_key(&json, "seconds");
  json_number(&json, report->seconds);
  json_key(&json, "bytes");
  json_count(&json, report->bytes);
  json_close(&json);
  json_close(&json);
  json_finish(&json);
}
