#include "frontend/c/linear.h"

#include "base/hash.h"

#include <assert.h>
#include <string.h>

/* ---- sums ---- */

/* False: it is too large. */
static bool combined(int64_t a, int64_t b, int64_t factor, int64_t *result) {
  int64_t product;
  return !__builtin_mul_overflow(b, factor, &product) && !__builtin_add_overflow(a, product, result);
}

bool linear_add(LinearSum *sum, const LinearSum *other, int64_t factor) {
  LinearTerm terms[LINEAR_TERMS];
  uint32_t i = 0, k = 0, n = 0;
  int64_t constant;
  if (!combined(sum->constant, other->constant, factor, &constant)) return false;
  while (i < sum->n || k < other->n) {
    const uint32_t a = i < sum->n ? sum->terms[i].unknown : UINT32_MAX,
                   b = k < other->n ? other->terms[k].unknown : UINT32_MAX;
    int64_t value;
    if (!combined(a <= b ? sum->terms[i].factor : 0, b <= a ? other->terms[k].factor : 0, factor, &value)) return false;
    if (value && n == LINEAR_TERMS) return false;
    if (value) terms[n++] = (LinearTerm){a < b ? a : b, value};
    i += a <= b;
    k += b <= a;
  }
  sum->constant = constant;
  sum->n = n;
  for (i = 0; i < n; i++) sum->terms[i] = terms[i];
  return true;
}

static bool same_terms(const LinearSum *a, const LinearSum *b, int64_t sign) {
  if (a->n != b->n) return false;
  for (uint32_t i = 0; i < a->n; i++)
    if (a->terms[i].unknown != b->terms[i].unknown || a->terms[i].factor != sign * b->terms[i].factor) return false;
  return true;
}

bool linear_is_same(const LinearSum *a, const LinearSum *b) {
  return a->constant == b->constant && same_terms(a, b, 1);
}

static int64_t factor_of(const LinearSum *sum, uint32_t unknown) {
  for (uint32_t i = 0; i < sum->n; i++)
    if (sum->terms[i].unknown == unknown) return sum->terms[i].factor;
  return 0;
}

/* ---- conditions ---- */

typedef struct {
  Heap *heap;
  LinearRows least, zero;
  uint32_t hashes[LINEAR_ROWS]; /* of the terms of `least` */
  uint32_t fresh;               /* no two of `least` before this one say that something is 0 */
  bool impossible;
} System;

/* Of the terms. That of a sum with all factors negative is the negative. */
static uint32_t hash_of(const LinearSum *sum) {
  uint32_t hash = 0;
  for (uint32_t i = 0; i < sum->n; i++)
    hash += (uint32_t)sum->terms[i].factor * ((sum->terms[i].unknown + 1) * UINT32_C(0x9e3779b1));
  return hash;
}

/* Larger numbers are not gone on with: so their negatives and quotients are numbers, too. */
static bool is_small(const LinearSum *sum) {
  const int64_t most = INT64_MAX / 4;
  for (uint32_t i = 0; i < sum->n; i++)
    if (sum->terms[i].factor > most || sum->terms[i].factor < -most) return false;
  return sum->constant <= most && sum->constant >= -most;
}

static int64_t divisor_of(const LinearSum *sum) {
  int64_t divisor = 0;
  for (uint32_t i = 0; i < sum->n; i++) {
    int64_t a = sum->terms[i].factor < 0 ? -sum->terms[i].factor : sum->terms[i].factor;
    while (divisor) {
      const int64_t rest = a % divisor;
      a = divisor;
      divisor = rest;
    }
    divisor = a;
  }
  return divisor;
}

int64_t linear_divisor(const LinearSum *sum) {
  if (!is_small(sum)) return 1;
  const LinearSum whole = {.n = 2, .terms = {{0, divisor_of(sum)}, {1, sum->constant}}};
  return divisor_of(&whole);
}

static void divide(LinearSum *sum, int64_t divisor) {
  const int64_t rest = sum->constant % divisor;
  for (uint32_t i = 0; i < sum->n; i++) sum->terms[i].factor /= divisor;
  sum->constant = sum->constant / divisor - (rest < 0);
}

/* Of two conditions of the same terms the stricter one stays. */
static void add_divided(System *s, const LinearSum *sum, uint32_t hash) {
  for (uint32_t i = 0; i < s->least.n; i++) {
    if (s->hashes[i] != hash || !same_terms(&s->least.at[i], sum, 1)) continue;
    if (sum->constant >= s->least.at[i].constant) return;
    s->least.at[i].constant = sum->constant;
    if (i < s->fresh) s->fresh = i;
    return;
  }
  if (s->least.n == LINEAR_ROWS) return;
  s->hashes[s->least.n] = hash;
  vec_push(s->heap, &s->least, *sum);
}

static void add_least(System *s, LinearSum sum) {
  if (!is_small(&sum)) return;
  if (!sum.n) {
    s->impossible |= sum.constant < 0;
    return;
  }
  divide(&sum, divisor_of(&sum));
  add_divided(s, &sum, hash_of(&sum));
}

static void add_zero(System *s, LinearSum sum) {
  if (!is_small(&sum)) return;
  if (!sum.n) {
    s->impossible |= sum.constant != 0;
    return;
  }
  const int64_t divisor = divisor_of(&sum);
  if (sum.constant % divisor) s->impossible = true;
  divide(&sum, divisor);
  vec_push(s->heap, &s->zero, sum);
}

/* ---- sums that are 0: an unknown with the factor 1 or -1 is put for by the others ---- */

static uint32_t unit_of(const LinearSum *sum) {
  for (uint32_t i = sum->n; i-- > 0;)
    if (sum->terms[i].factor == 1 || sum->terms[i].factor == -1) return sum->terms[i].unknown;
  return UINT32_MAX;
}

/* False: the result is too large, and is left out. */
static bool replace(LinearSum *sum, const LinearSum *by, uint32_t unknown) {
  const int64_t here = factor_of(sum, unknown), there = factor_of(by, unknown);
  return !here || linear_add(sum, by, -here * there);
}

void linear_reduce(LinearSum *sum, const LinearSum *zero) {
  LinearSum by = *zero;
  const int64_t divisor = divisor_of(&by);
  if (!divisor || by.constant % divisor) return;
  divide(&by, divisor);
  const uint32_t unknown = unit_of(&by);
  if (unknown != UINT32_MAX) replace(sum, &by, unknown);
}

/* Takes the conditions out that have the unknown; the others stay in their order. */
static LinearRows take_least(System *s, uint32_t unknown) {
  uint32_t n = 0, fresh = 0;
  LinearRows rows = {0};
  for (uint32_t i = 0; i < s->least.n; i++)
    if (factor_of(&s->least.at[i], unknown)) {
      vec_push(s->heap, &rows, s->least.at[i]);
    } else {
      s->hashes[n] = s->hashes[i];
      if (n < i) s->least.at[n] = s->least.at[i];
      n++;
      fresh += i < s->fresh;
    }
  s->least.n = n;
  s->fresh = fresh;
  return rows;
}

static LinearRows take_zero(System *s, uint32_t unknown) {
  uint32_t n = 0;
  LinearRows rows = {0};
  for (uint32_t i = 0; i < s->zero.n; i++)
    if (factor_of(&s->zero.at[i], unknown)) vec_push(s->heap, &rows, s->zero.at[i]);
    else s->zero.at[n++] = s->zero.at[i];
  s->zero.n = n;
  return rows;
}

static void replace_all(System *s, const LinearSum *by, uint32_t unknown) {
  LinearRows least = take_least(s, unknown), zero = take_zero(s, unknown);
  for (uint32_t i = 0; i < least.n; i++)
    if (replace(&least.at[i], by, unknown)) add_least(s, least.at[i]);
  for (uint32_t i = 0; i < zero.n; i++)
    if (replace(&zero.at[i], by, unknown)) add_zero(s, zero.at[i]);
  vec_fini(s->heap, &least);
  vec_fini(s->heap, &zero);
}

/* What none can be put for becomes two conditions. */
static void remove_zeros(System *s) {
  uint32_t i = 0;
  while (i < s->zero.n && !s->impossible) {
    const LinearSum by = s->zero.at[i];
    const uint32_t unknown = unit_of(&by);
    if (unknown == UINT32_MAX) {
      i++;
      continue;
    }
    s->zero.at[i] = vec_last(&s->zero);
    s->zero.n--;
    replace_all(s, &by, unknown);
    i = 0;
  }
  for (i = 0; i < s->zero.n; i++) {
    LinearSum negative = linear_constant(0);
    add_least(s, s->zero.at[i]);
    if (linear_add(&negative, &s->zero.at[i], -1)) add_least(s, negative);
  }
  vec_clear(&s->zero);
}

/* A sum that is at least 0, and at most 0, is 0. */
static bool find_zero(System *s) {
  for (uint32_t i = s->fresh; i < s->least.n; i++)
    for (uint32_t k = 0; k < i; k++) {
      const LinearSum *a = &s->least.at[i], *b = &s->least.at[k];
      if (s->hashes[i] + s->hashes[k] || !same_terms(a, b, -1) || a->constant + b->constant > 0) continue;
      if (a->constant + b->constant < 0) return s->impossible = true, false;
      if (unit_of(a) == UINT32_MAX) continue;
      add_zero(s, *a);
      return true;
    }
  s->fresh = s->least.n;
  return false;
}

/* ---- sums that are at least 0: an unknown goes where each that bounds it below meets each that does above ---- */

/* The unknown that makes the fewest new conditions, of those whose numbers are small; UINT32_MAX: there is none left.
 */
static uint32_t next_unknown(const System *s) {
  uint32_t below[LINEAR_UNKNOWNS] = {0}, above[LINEAR_UNKNOWNS] = {0}, best = UINT32_MAX, end = 0;
  uint64_t least = UINT64_MAX;
  for (uint32_t i = 0; i < s->least.n; i++)
    for (uint32_t k = 0; k < s->least.at[i].n; k++) {
      const LinearTerm t = s->least.at[i].terms[k];
      if (t.unknown >= LINEAR_UNKNOWNS) continue;
      (t.factor > 0 ? below : above)[t.unknown]++;
      if (t.unknown >= end) end = t.unknown + 1;
    }
  for (uint32_t u = 0; u < end; u++) {
    const uint64_t cost = (uint64_t)below[u] * above[u];
    if (!(below[u] + above[u]) || cost >= least) continue;
    least = cost;
    best = u;
  }
  return best;
}

static void meet(System *s, const LinearSum *below, const LinearSum *above, uint32_t unknown) {
  LinearSum sum = linear_constant(0);
  const int64_t a = factor_of(below, unknown), b = -factor_of(above, unknown);
  if (linear_add(&sum, below, b) && linear_add(&sum, above, a)) add_least(s, sum);
}

static void eliminate(System *s, uint32_t unknown) {
  LinearRows rows = take_least(s, unknown);
  bool is_below[LINEAR_ROWS];
  assert(rows.n <= LINEAR_ROWS);
  for (uint32_t i = 0; i < rows.n; i++) is_below[i] = factor_of(&rows.at[i], unknown) > 0;
  for (uint32_t i = 0; i < rows.n && !s->impossible; i++)
    for (uint32_t k = 0; k < rows.n && is_below[i]; k++)
      if (!is_below[k]) meet(s, &rows.at[i], &rows.at[k], unknown);
  vec_fini(s->heap, &rows);
}

/* What a word can be is left out at first: then many unknowns have no bound on one side, and go. */
enum { LARGE = 1 << 30 };

static bool is_impossible(Heap *heap, const LinearRows *least, const LinearRows *zero, int64_t large) {
  System s = {.heap = heap};
  for (uint32_t i = 0; i < zero->n; i++) add_zero(&s, zero->at[i]);
  for (uint32_t i = 0; i < least->n; i++)
    if (least->at[i].constant < large && (large > LARGE || !factor_of(&least->at[i], LINEAR_WORD)))
      add_least(&s, least->at[i]);
  do remove_zeros(&s);
  while (!s.impossible && find_zero(&s));
  for (uint32_t unknown; !s.impossible && (unknown = next_unknown(&s)) != UINT32_MAX;) {
    eliminate(&s, unknown);
    while (!s.impossible && find_zero(&s)) remove_zeros(&s);
  }
  vec_fini(heap, &s.least);
  vec_fini(heap, &s.zero);
  return s.impossible;
}

/* ---- what was asked before ---- */

/* A system is words: each sum is how many terms it has, its constant and its terms. The last one stays in each place of
 * the table: the same is asked again soon, or never. */
enum { MOST_KEPT = 2048 };

struct LinearAsked {
  int64_t *words;
  uint64_t hash;
  uint32_t n;
  signed char answers[2]; /* without what is large, and with it; 0: not asked for yet, 1: yes, -1: no */
};

void linear_memo_init(LinearMemo *memo, Heap *heap) {
  *memo = (LinearMemo){.heap = heap, .asked = heap_zeroed(heap, MOST_KEPT * sizeof(LinearAsked))};
}

void linear_memo_fini(LinearMemo *memo) {
  for (uint32_t i = 0; i < MOST_KEPT; i++) heap_release(memo->heap, memo->asked[i].words);
  heap_release(memo->heap, memo->asked);
  vec_fini(memo->heap, &memo->words);
}

static void say_rows(LinearMemo *memo, const LinearRows *rows) {
  vec_reserve(memo->heap, &memo->words, 1 + rows->n * (2 + 2 * LINEAR_TERMS));
  int64_t *at = memo->words.at + memo->words.n;
  *at++ = rows->n;
  for (uint32_t i = 0; i < rows->n; i++) {
    const LinearSum *sum = &rows->at[i];
    *at++ = sum->n;
    *at++ = sum->constant;
    for (uint32_t k = 0; k < sum->n; k++) {
      *at++ = sum->terms[k].unknown;
      *at++ = sum->terms[k].factor;
    }
  }
  memo->words.n = (uint32_t)(at - memo->words.at);
}

static uint64_t hash_words(const int64_t *words, uint32_t n) {
  uint64_t hash = n;
  for (uint32_t i = 0; i < n; i++) hash = (hash ^ (uint64_t)words[i]) * UINT64_C(0x9e3779b97f4a7c15);
  return hash_word(hash);
}

static LinearAsked *find_asked(LinearMemo *memo, const LinearRows *least, const LinearRows *zero) {
  vec_clear(&memo->words);
  say_rows(memo, least);
  say_rows(memo, zero);
  const uint32_t n = memo->words.n;
  const uint64_t hash = hash_words(memo->words.at, n);
  const size_t size = n * sizeof *memo->words.at;
  LinearAsked *asked = &memo->asked[hash % MOST_KEPT];
  if (asked->hash == hash && asked->n == n && !memcmp(asked->words, memo->words.at, size)) return asked;
  heap_release(memo->heap, asked->words);
  *asked = (LinearAsked){.words = NULL};
  *asked = (LinearAsked){.words = heap_alloc(memo->heap, size), .hash = hash, .n = n};
  memcpy(asked->words, memo->words.at, size);
  return asked;
}

bool linear_is_impossible(LinearMemo *memo, const LinearRows *least, const LinearRows *zero, bool all) {
  LinearAsked *asked = find_asked(memo, least, zero);
  for (uint32_t i = 0; i <= all; i++) {
    if (!asked->answers[i]) asked->answers[i] = is_impossible(memo->heap, least, zero, i ? INT64_MAX : LARGE) ? 1 : -1;
    if (asked->answers[i] > 0) return true;
  }
  return false;
}
