#include "check/prefix_read.h"

#include "check/never_judge.h"

#include "petri/complement.h"
#include "petri/safe.h"

#include <stdio.h>

/* ---- prefixes ---- */

/* C1 C2 ...: the preset of an event of t, to `preset` */
static bool read_preset(Reader *reader, TransId t) {
  const uint32_t n = net_pre(reader->net, t).n;
  uint32_t c;
  vec_clear(&reader->preset);
  for (uint32_t i = 0; i < n; i++) {
    if (!reader_index(reader, "a condition", reader->process.conditions.n, &c)) return false;
    if (i && c <= vec_last(&reader->preset))
      return err_set(reader->err, ERR_INPUT,
                     "%.300s:%zu: the conditions of a preset must be ascending, but %u comes after %u",
                     reader->lines.name, reader->lines.line, c + 1, vec_last(&reader->preset) + 1);
    vec_push(reader->heap, &reader->preset, c);
  }
  return true;
}

/* E, of event e */
static bool read_corresponding(Reader *reader, uint32_t e, uint32_t *other) {
  uint64_t number;
  if (!lines_number(&reader->lines, "an earlier event", 0, e - 1, &number, reader->err)) return false;
  *other = (uint32_t)number;
  return true;
}

static bool check_event(Reader *reader, TransId t, bool is_cutoff, uint32_t other, PastOrder order, Err *why) {
  Process *process = &reader->process;
  const uint32_t e = process->events.n;
  if (is_cutoff && process->events.at[other].is_cutoff)
    return err_set(why, ERR_CHECK, "event %u: its corresponding event %u is a cut-off", e, other);
  return process_add(process, t, reader->preset.at, is_cutoff, why) &&
         (!is_cutoff || past_check_cutoff(&reader->past, e, other, order, why));
}

/* e T C1 C2 ...  |  x T C1 C2 ... E */
static bool read_event(Reader *reader, PastOrder order) {
  const uint32_t e = reader->process.events.n;
  const bool is_live = lines_word(&reader->lines, "e"), is_cutoff = !is_live && lines_word(&reader->lines, "x");
  uint32_t t, other = 0;
  Err why;
  if (!is_live && !is_cutoff) {
    char what[80];
    snprintf(what, sizeof what, "event %u of %u, which begins with 'e' or 'x'", e, reader->size);
    return lines_expected(&reader->lines, what, reader->err);
  }
  if (!reader_index(reader, "a transition", reader->net->n_trans, &t) || !read_preset(reader, (TransId){t}))
    return false;
  if (is_cutoff && !read_corresponding(reader, e, &other)) return false;
  if (!lines_at_end(&reader->lines, reader->err)) return false;
  if (!check_event(reader, (TransId){t}, is_cutoff, other, order, &why))
    return reader_reject(reader, reader->lines.line, &why);
  lines_next(&reader->lines);
  return true;
}

static bool read_uncovered(Reader *reader) {
  Err why;
  if (!reader_places(reader)) return false;
  const bool is_true = cosets_uncovered(&reader->cosets, reader->places.at, reader->places.n, &why);
  return reader_end_claim(reader, is_true, &why, CLAIM_UNCOVERED, &reader->places.at->v, reader->places.n);
}

static bool read_dead(Reader *reader) {
  uint32_t t;
  Err why;
  if (!reader_last_index(reader, "a transition", reader->net->n_trans, &t)) return false;
  const uint32_t e = reader->process.first_of[t];
  if (e) err_set(&why, ERR_CHECK, "'%.200s' can fire: see event %u", reader->net->trans_name[t], e);
  return reader_end_claim(reader, !e, &why, CLAIM_DEAD, &t, 1);
}

static const ClaimReader PREFIX_CLAIMS[] = {{"uncovered", read_uncovered}, {"dead", read_dead}, {NULL, NULL}};

/* ORDER */
static bool read_order(Reader *reader, PastOrder *order) {
  if (lines_word(&reader->lines, " erv")) *order = PAST_ERV;
  else if (lines_word(&reader->lines, " mcmillan")) *order = PAST_MCMILLAN;
  else return lines_expected(&reader->lines, "an order, 'erv' or 'mcmillan'", reader->err);
  return true;
}

/* ORDER N event* */
static bool read_events(Reader *reader) {
  PastOrder order = PAST_ERV;
  if (!read_order(reader, &order) || !reader_size(reader, "a number of events")) return false;
  while (reader->process.events.n <= reader->size)
    if (!read_event(reader, order)) return false;
  return true;
}

/* claim* */
static bool read_prefix_claims(Reader *reader) {
  reader->is_safe = true;
  reader_claim(reader, CLAIM_COMPLETE, NULL, 0);
  return reader_claims(reader, PREFIX_CLAIMS);
}

/* 'prefix' ORDER N event*, and what `claims` reads after a complete one */
bool prefix_read(Reader *reader, bool (*claims)(Reader *reader)) {
  const size_t line = reader->lines.line;
  Err why;
  process_init(&reader->process, reader->heap, reader->net);
  past_init(&reader->past, &reader->process);
  bool good = read_events(reader);
  if (good) {
    cosets_init(&reader->cosets, &reader->process);
    good = cosets_complete(&reader->cosets, &why) ? claims(reader) : reader_reject(reader, line, &why);
    cosets_fini(&reader->cosets);
  }
  reader->report->n_events += reader->process.events.n - 1;
  reader->report->n_conditions += reader->process.conditions.n;
  reader->report->n_pairs += reader->process.n_pairs;
  past_fini(&reader->past);
  process_fini(&reader->process);
  return good;
}

/* 'prefix' ORDER N event* claim* */
bool prefix_read_proof(Reader *reader) { return prefix_read(reader, read_prefix_claims); }

/* ---- formulas that never hold ---- */

/* F, which is one of the plain net */
static bool read_never(Reader *reader) {
  Err why;
  uint32_t f;
  const Net *net = reader->net;
  reader->net = reader->plain;
  const bool read = reader_formula(reader, &f);
  reader->net = net;
  if (!read) return false;
  const bool is_true = never_judge(&reader->cosets, &reader->report->formulas.at[f], reader->complement, &why);
  return reader_end_claim(reader, is_true, &why, CLAIM_NEVER, &f, 1);
}

static const ClaimReader NEVER_CLAIMS[] = {{"never", read_never}, {NULL, NULL}};

static bool read_never_claims(Reader *reader) { return reader_claims(reader, NEVER_CLAIMS); }

/* 'prefix' prefix, of the net with complements of reader->places */
static bool read_complement_prefix(Reader *reader) {
  const Net *net = reader->net;
  if (!lines_word(&reader->lines, "prefix")) return lines_expected(&reader->lines, "'prefix'", reader->err);
  Net *complemented = net_with_complements(reader->heap, net, reader->places.at, reader->places.n);
  reader->complement = heap_alloc(reader->heap, ((size_t)net->n_places + 1) * sizeof *reader->complement);
  for (uint32_t p = 0; p < net->n_places; p++) reader->complement[p] = PROCESS_NONE;
  for (uint32_t i = 0; i < reader->places.n; i++) reader->complement[reader->places.at[i].v] = net->n_places + i;
  reader->plain = net;
  reader->net = complemented;
  const bool good = prefix_read(reader, read_never_claims);
  reader->net = net;
  heap_release(reader->heap, reader->complement);
  net_free(complemented);
  return good;
}

/* 'complement' P* prefix; the complements are right if the net is 1-safe */
bool prefix_read_complement(Reader *reader) {
  Err why;
  vec_clear(&reader->places);
  if (lines_has_blank(&reader->lines) ? !reader_places(reader) : !lines_at_end(&reader->lines, reader->err))
    return false;
  if (!reader->is_safe && !net_is_safe(reader->heap, reader->net)) {
    err_set(&why, ERR_CHECK, "the net is not known to be 1-safe");
    return reader_reject(reader, reader->lines.line, &why);
  }
  reader->is_safe = true;
  lines_next(&reader->lines);
  return read_complement_prefix(reader);
}
