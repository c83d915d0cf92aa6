#include "ask/answer_proof.h"

#include "check/formula_read.h"
#include "petri/text_out.h"
#include "unfold/certificate_write.h"

static bool is_unsafe(const Prefix *prefix) { return prefix && prefix->status == UNFOLD_NOT_SAFE; }

bool answer_proof_has_any(const AnswerReport *report) {
  bool any = report->complete || is_unsafe(report->prefix);
  for (uint32_t i = 0; i < report->n_answers; i++) any |= report->answers[i].answer == VERDICT_VIOLATED;
  return any;
}

static void write_places(FILE *out, CertificateClaim claim, const Answer *answer) {
  certificate_claim(out, claim, &answer->places->v, answer->n_places);
}

/* ---- formulas ---- */

static void put_part(TextOut *text, const Formula *formula, const FormulaPart *part) {
  switch (part->kind) {
  case FORMULA_SUM:
    text_out_item(text, part->bound);
    text_out_item(text, part->n_summands);
    for (uint32_t i = 0; i < part->n_summands; i++)
      text_out_item(text, (uint64_t)formula->places.at[part->first + i].v + 1);
    break;
  case FORMULA_NOT: text_out_string(text, " !"); break;
  case FORMULA_AND: text_out_string(text, " &"); break;
  case FORMULA_OR: text_out_string(text, " |"); break;
  }
}

/* Each part once, behind what it is made of: so the parser leaves them. */
static void write_formula(FILE *out, const char *claim, const Formula *formula) {
  TextOut text = {.stream = out};
  text_out_string(&text, claim);
  for (uint32_t i = 0; i < formula->parts.n; i++) put_part(&text, formula, &formula->parts.at[i]);
  text_out_string(&text, "\n");
  text_out_end(&text);
}

bool answer_proof_has(const AnswerReport *report, const Answer *answer) {
  if (answer->kind != QUESTION_FORMULA) return answer->kind != QUESTION_OTHER;
  const size_t size = (size_t)answer->formula->parts.n + answer->formula->places.n;
  return size <= FORMULA_READ_MOST && (answer->answer != VERDICT_HOLDS || report->proof);
}

static void write_never(const AnswerReport *report, UnfoldOrder order, FILE *out) {
  TextOut text = {.stream = out};
  if (!report->proof) return;
  text_out_string(&text, "complement");
  for (uint32_t i = 0; i < report->n_complements; i++) text_out_item(&text, (uint64_t)report->complements[i].v + 1);
  text_out_string(&text, "\n");
  text_out_end(&text);
  certificate_prefix(out, report->proof, order);
  for (uint32_t i = 0; i < report->n_answers; i++) {
    const Answer *answer = &report->answers[i];
    if (answer->kind == QUESTION_FORMULA && answer->answer == VERDICT_HOLDS && answer_proof_has(report, answer))
      write_formula(out, "never", answer->formula);
  }
}

/* ---- the whole ---- */

static void write_run(const Answer *answer, FILE *out) {
  certificate_run(out, answer->run, answer->n_run);
  switch (answer->kind) {
  case QUESTION_COVER: write_places(out, CERTIFY_COVERS, answer); break;
  case QUESTION_FIRE: certificate_claim(out, CERTIFY_FIRES, &answer->trans.v, 1); break;
  case QUESTION_DEADLOCK: certificate_claim(out, CERTIFY_DEADLOCK, NULL, 0); break;
  case QUESTION_FORMULA: write_formula(out, "satisfies", answer->formula); break;
  case QUESTION_STATES:
  case QUESTION_OTHER: break;
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

void answer_proof_write_inside(const AnswerReport *report, UnfoldOrder order, FILE *out) {
  const Prefix *prefix = report->prefix;
  for (uint32_t i = 0; i < report->n_answers; i++)
    if (report->answers[i].answer == VERDICT_VIOLATED && answer_proof_has(report, &report->answers[i]))
      write_run(&report->answers[i], out);
  if (is_unsafe(prefix)) {
    certificate_run(out, prefix->unsafe_run, prefix->n_unsafe_run);
    certificate_claim(out, CERTIFY_UNSAFE, &prefix->unsafe_place.v, 1);
  }
  if (report->complete) write_prefix(report, order, out);
  write_never(report, order, out);
}

void answer_proof_write(const AnswerReport *report, UnfoldOrder order, FILE *out) {
  certificate_begin(out, report->net);
  answer_proof_write_inside(report, order, out);
  certificate_end(out);
}
