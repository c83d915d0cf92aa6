#include "check/run_read.h"

#include "petri/instance.h"

#include <stdio.h>

/* ---- runs ---- */

/* s T1 T2 ... */
static bool read_steps(Reader *reader) {
  Err why;
  if (!lines_word(&reader->lines, "s")) {
    char what[80];
    snprintf(what, sizeof what, "'s' and step %u of %u", reader->run.steps.n + 1, reader->size);
    return lines_expected(&reader->lines, what, reader->err);
  }
  do {
    uint32_t t;
    if (!reader_index(reader, "a transition", reader->net->n_trans, &t)) return false;
    if (!run_proof_step(&reader->run, (TransId){t}, &why)) return reader_reject(reader, reader->lines.line, &why);
  } while (reader->run.steps.n < reader->size && lines_has_blank(&reader->lines));
  if (!lines_at_end(&reader->lines, reader->err)) return false;
  lines_next(&reader->lines);
  return true;
}

static bool read_covers(Reader *reader) {
  Err why;
  if (!reader_places(reader)) return false;
  const bool is_true = run_proof_covers(&reader->run, reader->places.at, reader->places.n, &why);
  return reader_end_claim(reader, is_true, &why, CLAIM_COVERS, &reader->places.at->v, reader->places.n);
}

static bool read_fires(Reader *reader) {
  Err why;
  uint32_t t;
  if (!reader_last_index(reader, "a transition", reader->net->n_trans, &t)) return false;
  return reader_end_claim(reader, run_proof_fires(&reader->run, (TransId){t}, &why), &why, CLAIM_FIRES, &t, 1);
}

static bool read_deadlock(Reader *reader) {
  Err why;
  if (!lines_at_end(&reader->lines, reader->err)) return false;
  return reader_end_claim(reader, run_proof_deadlock(&reader->run, &why), &why, CLAIM_DEADLOCK, NULL, 0);
}

static bool read_unsafe(Reader *reader) {
  Err why;
  uint32_t p;
  if (!reader_last_index(reader, "a place", reader->net->n_places, &p)) return false;
  reader->is_unsafe = true;
  return reader_end_claim(reader, run_proof_unsafe(&reader->run, (PlaceId){p}, &why), &why, CLAIM_UNSAFE, &p, 1);
}

static bool read_splits(Reader *reader) {
  Err why;
  uint32_t b;
  if (!reader_last_index(reader, "a block", reader->net->notes ? reader->net->notes->n_blocks : 0, &b)) return false;
  return reader_end_claim(reader, run_proof_splits(&reader->run, b, &why), &why, CLAIM_SPLITS, &b, 1);
}

static bool read_satisfies(Reader *reader) {
  Err why;
  uint32_t f;
  if (!reader_formula(reader, &f)) return false;
  const bool is_true = run_proof_satisfies(&reader->run, &reader->report->formulas.at[f], &why);
  return reader_end_claim(reader, is_true, &why, CLAIM_SATISFIES, &f, 1);
}

static const ClaimReader RUN_CLAIMS[] = {{"covers", read_covers},
                                         {"fires", read_fires},
                                         {"deadlock", read_deadlock},
                                         {"unsafe", read_unsafe},
                                         {"splits", read_splits},
                                         {"satisfies", read_satisfies},
                                         {NULL, NULL}};
/* Of a net with some numbers of threads, which has other places than the one at hand. */
static const ClaimReader INSTANCE_CLAIMS[] = {{"splits", read_splits}, {NULL, NULL}};

/* N steps* claim* */
static bool read_run(Reader *reader) {
  const size_t line = reader->lines.line;
  const uint32_t n_before = reader->report->claims.n;
  Err why;
  if (!reader_size(reader, "a number of steps")) return false;
  while (reader->run.steps.n < reader->size)
    if (!read_steps(reader)) return false;
  reader->is_unsafe = false;
  if (!reader_claims(reader, reader->with ? INSTANCE_CLAIMS : RUN_CLAIMS)) return false;
  if (!reader->is_unsafe && !run_proof_safe(&reader->run, &why)) return reader_reject(reader, line, &why);
  if (reader->report->claims.n == n_before) reader_claim(reader, CLAIM_RUN, NULL, 0);
  return true;
}

/* 'run' N steps* claim* */
bool run_read(Reader *reader) {
  run_proof_init(&reader->run, reader->heap, reader->net);
  const bool good = read_run(reader);
  reader->report->n_steps += reader->run.steps.n;
  run_proof_fini(&reader->run);
  return good;
}

/* ---- nets with some numbers of threads ---- */

/* 'run' proof, of that net */
static bool read_instance_run(Reader *reader, const uint32_t *numbers) {
  const Net *net = reader->net;
  Err why;
  Net *instance = instance_of(reader->heap, net, numbers, &why);
  if (!instance) return reader_reject(reader, reader->lines.line, &why);
  reader->net = instance;
  const bool good =
      lines_word(&reader->lines, "run") ? run_read(reader) : lines_expected(&reader->lines, "'run'", reader->err);
  reader->net = net;
  net_free(instance);
  return good;
}

/* 'with' N1 N2 ... and a run; as many numbers as are open */
bool run_read_instance(Reader *reader) {
  CertificateReport *report = reader->report;
  const uint32_t n = reader->net->notes ? reader->net->notes->n_counts : 0, first = report->with.n;
  Err why;
  if (!n) {
    err_set(&why, ERR_CHECK, "the net leaves no number of threads open");
    return reader_reject(reader, reader->lines.line, &why);
  }
  for (uint32_t i = 0; i < n; i++) {
    uint64_t number;
    if (!lines_number(&reader->lines, "a number of threads", 0, INSTANCE_MAX_THREADS, &number, reader->err))
      return false;
    vec_push(reader->heap, &report->with, (uint32_t)number);
  }
  if (!lines_at_end(&reader->lines, reader->err)) return false;
  lines_next(&reader->lines);
  reader->with = first + 1;
  const bool good = read_instance_run(reader, report->with.at + first);
  reader->with = 0;
  return good;
}
