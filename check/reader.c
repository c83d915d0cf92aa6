#include "check/reader.h"

#include "check/formula_read.h"

#include <stdlib.h>

/* The most steps of a run, and events of a prefix. */
#define MOST INT32_MAX

Reader *reader_new(Heap *heap, const Net *net, const InFile *file, CertificateReport *report, Err *err) {
  Reader *reader = heap_zeroed(heap, sizeof *reader);
  *reader = (Reader){.heap = heap, .net = net, .report = report, .err = err};
  lines_init(&reader->lines, file);
  return reader;
}

void reader_free(Reader *reader) {
  vec_fini(reader->heap, &reader->places);
  vec_fini(reader->heap, &reader->preset);
  for (uint32_t i = 0; i < reader->slices.n; i++) heap_release(reader->heap, reader->slices.at[i].kept);
  vec_fini(reader->heap, &reader->slices);
  heap_release(reader->heap, reader);
}

/* ---- verdicts ---- */

bool reader_reject(Reader *reader, size_t line, const Err *why) {
  return err_set(reader->err, ERR_CHECK, "%.300s:%zu: %s", reader->lines.name, line, why->text);
}

void reader_claim(Reader *reader, ClaimKind kind, const uint32_t *numbers, uint32_t n) {
  CertificateReport *report = reader->report;
  vec_push(reader->heap, &report->claims, ((Claim){kind, reader->with, reader->size, report->numbers.n, n}));
  for (uint32_t i = 0; i < n; i++) vec_push(reader->heap, &report->numbers, numbers[i]);
}

bool reader_end_claim(Reader *reader, bool is_true, const Err *why, ClaimKind kind, const uint32_t *numbers,
                      uint32_t n) {
  if (!is_true) return reader_reject(reader, reader->lines.line, why);
  reader_claim(reader, kind, numbers, n);
  return true;
}

/* ---- numbers ---- */

bool reader_index(Reader *reader, const char *what, uint32_t n, uint32_t *index) {
  return lines_index(&reader->lines, what, n, index, reader->err);
}

bool reader_last_index(Reader *reader, const char *what, uint32_t n, uint32_t *index) {
  return reader_index(reader, what, n, index) && lines_at_end(&reader->lines, reader->err);
}

bool reader_size(Reader *reader, const char *what) {
  uint64_t size;
  if (!lines_number(&reader->lines, what, 0, MOST, &size, reader->err)) return false;
  if (!lines_at_end(&reader->lines, reader->err)) return false;
  reader->size = (uint32_t)size;
  lines_next(&reader->lines);
  return true;
}

static int ascending(const void *a, const void *b) {
  const uint32_t x = ((const PlaceId *)a)->v, y = ((const PlaceId *)b)->v;
  return (x > y) - (x < y);
}

/* P1 P2 ...; as a set */
bool reader_places(Reader *reader) {
  uint32_t p, n = 0;
  vec_clear(&reader->places);
  do {
    if (!reader_index(reader, "a place", reader->net->n_places, &p)) return false;
    vec_push(reader->heap, &reader->places, (PlaceId){p});
  } while (lines_has_blank(&reader->lines));
  qsort(reader->places.at, reader->places.n, sizeof *reader->places.at, ascending);
  for (uint32_t i = 0; i < reader->places.n; i++)
    if (!n || reader->places.at[n - 1].v != reader->places.at[i].v) reader->places.at[n++] = reader->places.at[i];
  reader->places.n = n;
  return lines_at_end(&reader->lines, reader->err);
}

/* F: its number in the report */
bool reader_formula(Reader *reader, uint32_t *number) {
  Formula formula;
  if (!formula_read(&reader->lines, reader->heap, reader->net, &formula, reader->err)) return false;
  *number = reader->report->formulas.n;
  vec_push(reader->heap, &reader->report->formulas, formula);
  return true;
}

/* ---- claims ---- */

static const ClaimReader *find_claim(Reader *reader, const ClaimReader *claims) {
  for (; claims->word; claims++)
    if (lines_word(&reader->lines, claims->word)) return claims;
  return NULL;
}

/* claim* */
bool reader_claims(Reader *reader, const ClaimReader *claims) {
  for (const ClaimReader *claim; (claim = find_claim(reader, claims));) {
    if (!claim->read(reader)) return false;
    lines_next(&reader->lines);
  }
  return true;
}
