/* What is said of profiles in profiles.h, checked record by record. */
#include "predict/profiles/profiles.h"

#include <string.h>

static bool fault(Err *err, const char *what, uint32_t number) {
  return err_set(err, ERR_CHECK, "bad profiles: %s (number %u)", what, (unsigned)number);
}

static bool audit_codes(const Profiles *p, Err *err) {
  for (uint32_t c = 0; c < p->codes.n; c++) {
    const ProfileCode *code = &p->codes.at[c];
    if (code->object >= p->n_objects) return fault(err, "a code of no object", c);
    for (uint32_t d = 0; d < c; d++) {
      const ProfileCode *other = &p->codes.at[d];
      if (other->object == code->object && other->place == code->place && other->write == code->write)
        return fault(err, "a code that is there twice", c);
    }
  }
  for (uint32_t i = 0; i < p->memos.n; i++) {
    if (!p->memos.at[i].code) continue;
    const ProfileCode *code = &p->codes.at[p->memos.at[i].code - 1];
    if (2 * code->object + code->write != i || code->place != p->memos.at[i].place)
      return fault(err, "the last code of an object", i);
  }
  return true;
}

/* In its stage it is the first of its code, or the last, and neither of two others. */
static bool audit_code(const Profiles *p, const ProfileRecord *record, uint32_t i, uint32_t r, Err *err) {
  const uint32_t code = record->codes[i];
  uint32_t before = 0;
  if (code >= (p->places ? p->codes.n : 2 * p->n_objects)) return fault(err, "no such code", r);
  for (uint32_t k = i; k > 0 && record->codes[k - 1] != PROFILE_STAGE; k--) before += record->codes[k - 1] == code;
  return before < 2 || fault(err, "an access that should have been left out", r);
}

static bool audit_record(const Profiles *p, uint32_t r, Err *err) {
  const ProfileRecord *record = p->records.at[r].it;
  uint64_t last[2] = {0, 0};
  if (!record->n || record->codes[record->n - 1] == PROFILE_STAGE)
    return fault(err, "a record that ends in no access", r);
  if (record->first > record->last) return fault(err, "the first one comes after the last one", r);
  for (uint32_t i = 0; i < record->n; i++) {
    if (record->codes[i] == PROFILE_STAGE) continue;
    if (!audit_code(p, record, i, r, err)) return false;
    for (uint32_t which = 0; which < 2; which++) {
      const uint64_t event = record->events[which][i], from = which ? record->last : record->first;
      if (event < from || event < last[which]) return fault(err, "events out of order", r);
      last[which] = event;
    }
  }
  return true;
}

static bool same_record(const ProfileRecord *a, const ProfileRecord *b) {
  return a->player == b->player && a->stage == b->stage && a->kind == b->kind && a->n == b->n &&
         memcmp(a->codes, b->codes, a->n * sizeof *a->codes) == 0;
}

bool profiles_audit(const Profiles *p, Err *err) {
  if (!audit_codes(p, err)) return false;
  for (uint32_t r = 0; r < p->records.n; r++) {
    if (!audit_record(p, r, err)) return false;
    for (uint32_t s = 0; s < r; s++)
      if (same_record(p->records.at[r].it, p->records.at[s].it)) return fault(err, "a record that is there twice", r);
  }
  for (uint32_t c = 0; c < p->singles.n; c++) {
    if (!p->singles.at[c]) continue;
    const ProfileRecord *record = p->records.at[p->singles.at[c] - 1].it;
    if (record->n != 1 || record->codes[0] != c) return fault(err, "the record of a single access", c);
  }
  return true;
}
