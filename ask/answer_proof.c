#include "ask/answer_proof.h"

#include "unfold/certificate_write.h"

#include <assert.h>

static bool is_unsafe(const Prefix *prefix) { return prefix && prefix->status == UNFOLD_NOT_SAFE; }

bool answer_proof_has_any(const AnswerReport *report) {
  bool any = report->complete || is_unsafe(report->prefix);
  for (uint32_t i = 0; i < report->n_answers; i++) any |= report->answers[i].answer == VERDICT_VIOLATED;
  return any;
}

static void write_places(FILE *out, CertificateClaim claim, const Answer *answer) {
  certificate_claim(out, claim, &answer->places->v, answer->n_places);
}

static void write_run(const Answer *answer, FILE *out) {
  assert(answer->kind != QUESTION_FORMULA);
  certificate_run(out, answer->run, answer->n_run);
  switch (answer->kind) {
  case QUESTION_COVER: write_places(out, CERTIFY_COVERS, answer); break;
  case QUESTION_FIRE: certificate_claim(out, CERTIFY_FIRES, &answer->trans.v, 1); break;
  case QUESTION_DEADLOCK: certificate_claim(out, CERTIFY_DEADLOCK, NULL, 0); break;
  case QUESTION_FORMULA:
  case QUESTION_STATES: break;
  }
}

static void write_prefix(const AnswerReport *report, UnfoldOrder order, FILE *out) {
  certificate_prefix(out, report->prefix, order);
  for (uint32_t i = 0; i < report->n_answers; i++) {
    const Answer *answer = &report->answers[i];
    if (answer->answer != VERDICT_HOLDS) continue;
    if (answer->kind == QUESTION_COVER) write_places(out, CERTIFY_UNCOVERED, answer);
    if (answer->kind == QUESTION_FIRE) certificate_claim(out, CERTIFY_DEAD, &answer->trans.v, 1);
  }
}

void answer_proof_write(const AnswerReport *report, UnfoldOrder order, FILE *out) {
  const Prefix *prefix = report->prefix;
  certificate_begin(out, report->net);
  for (uint32_t i = 0; i < report->n_answers; i++)
    if (report->answers[i].answer == VERDICT_VIOLATED) write_run(&report->answers[i], out);
  if (is_unsafe(prefix)) {
    certificate_run(out, prefix->unsafe_run, prefix->n_unsafe_run);
    certificate_claim(out, CERTIFY_UNSAFE, &prefix->unsafe_place.v, 1);
  }
  if (report->complete) write_prefix(report, order, out);
  certificate_end(out);
}
