#include "unfold/certificate_write.h"

#include "petri/text_out.h"

#include <assert.h>

enum { STEPS_A_LINE = 20 };

static void put_field(TextOut *out, uint64_t number) {
  text_out_bytes(out, " ", 1);
  text_out_number(out, number);
}

void certificate_begin(FILE *out, const Net *net) {
  TextOut text = {.stream = out};
  text_out_string(&text, "causal-certificate 1\nnet");
  put_field(&text, net->n_places);
  put_field(&text, net->n_trans);
  put_field(&text, (uint64_t)net->n_inputs + net->n_outputs);
  text_out_string(&text, "\n");
  text_out_end(&text);
}

void certificate_with(FILE *out, const uint32_t *numbers, uint32_t n) {
  TextOut text = {.stream = out};
  text_out_string(&text, "with");
  for (uint32_t i = 0; i < n; i++) put_field(&text, numbers[i]);
  text_out_string(&text, "\n");
  text_out_end(&text);
}

void certificate_run(FILE *out, const TransId *run, uint32_t n) {
  TextOut text = {.stream = out};
  text_out_string(&text, "run");
  put_field(&text, n);
  for (uint32_t i = 0; i < n; i++) {
    if (i % STEPS_A_LINE == 0) text_out_string(&text, "\ns");
    put_field(&text, (uint64_t)run[i].v + 1);
  }
  text_out_string(&text, "\n");
  text_out_end(&text);
}

static void put_event(TextOut *text, const Prefix *prefix, uint32_t e) {
  const EventId other = prefix->corresponding[e];
  text_out_string(text, prefix->is_cutoff[e] ? "x" : "e");
  put_field(text, (uint64_t)prefix->event_trans[e].v + 1);
  for (uint32_t i = prefix->pre_start[e]; i < prefix->pre_start[e + 1]; i++)
    put_field(text, (uint64_t)prefix->pre[i].v + 1);
  if (prefix->is_cutoff[e]) put_field(text, other.v == EVENT_NONE.v ? 0 : (uint64_t)other.v + 1);
  text_out_string(text, "\n");
}

void certificate_prefix(FILE *out, const Prefix *prefix, UnfoldOrder order) {
  assert(prefix->status == UNFOLD_COMPLETE);
  TextOut text = {.stream = out, .heap = prefix->heap};
  text_out_string(&text, order == UNFOLD_ERV ? "prefix erv" : "prefix mcmillan");
  put_field(&text, prefix->n_events);
  text_out_string(&text, "\n");
  for (uint32_t e = 0; e < prefix->n_events; e++) put_event(&text, prefix, e);
  text_out_end(&text);
}

void certificate_claim(FILE *out, CertificateClaim claim, const uint32_t *numbers, uint32_t n) {
  static const char *const words[] = {
      [CERTIFY_COVERS] = "covers", [CERTIFY_FIRES] = "fires",   [CERTIFY_DEADLOCK] = "deadlock",
      [CERTIFY_UNSAFE] = "unsafe", [CERTIFY_SPLITS] = "splits", [CERTIFY_UNCOVERED] = "uncovered",
      [CERTIFY_DEAD] = "dead",
  };
  TextOut text = {.stream = out};
  text_out_string(&text, words[claim]);
  for (uint32_t i = 0; i < n; i++) put_field(&text, (uint64_t)numbers[i] + 1);
  text_out_string(&text, "\n");
  text_out_end(&text);
}

void certificate_end(FILE *out) { fputs("end\n", out); }
