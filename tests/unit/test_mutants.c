/* Certificates that were tampered with: in every number and line, and with events left out or made cut-offs. Nothing
 * untrue may be accepted. What is accepted is compared with explicit reachability, of the net and of the cuts of the
 * prefix. */
#include "base/hash.h"
#include "tests/unit/claim_oracle.h"
#include "tests/unit/hand_net.h"
#include "tests/unit/safe_net.h"
#include "unfold/certificate_write.h"

#include <CUnit/CUnit.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 90, LINE_ROOM = 200, MARKINGS = 300, MOST_MUTANT_EVENTS = 60 };

/* A certificate as lines without their ends. */
typedef struct {
  uint32_t n;
  char at[MOST_LINES][LINE_ROOM];
} Page;

typedef struct {
  Heap *heap;
  const Reach *reach;
  Page original;
  uint32_t n_accepted, n_rejected, n_bad;
} Tampering;

/* ---- judging a page ---- */

static size_t join(const Page *page, char *text, size_t room) {
  size_t length = 0;
  for (uint32_t i = 0; i < page->n; i++) length += (size_t)snprintf(text + length, room - length, "%s\n", page->at[i]);
  return length;
}

/* Counts the mutant, and compares what it was found to prove with the oracle. */
static void try_text(Tampering *t, char *text, size_t length) {
  const InFile file = {text, length, "mutant"};
  CertificateReport report;
  Err err;
  switch (certificate_judge(t->heap, t->reach->net, &file, &report, &err)) {
  case VERDICT_UNKNOWN: t->n_bad++; break;
  case VERDICT_VIOLATED: t->n_rejected++; break;
  case VERDICT_HOLDS: {
    const bool is_true = report_is_true(t->heap, t->reach, text, &report);
    if (!is_true) printf("\naccepted, and not true:\n%s", text);
    CU_ASSERT_TRUE(is_true);
    t->n_accepted++;
  }
  }
  certificate_judge_report_fini(&report);
}

static bool is_header(const char *line) { return strncmp(line, "run ", 4) == 0 || strncmp(line, "prefix ", 7) == 0; }

/* The oracle is for one proof. */
static bool has_one_proof(const Page *page) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < page->n; i++) n += is_header(page->at[i]);
  return n <= 1;
}

static void try_page(Tampering *t, const Page *page) {
  char text[MOST_LINES * LINE_ROOM], old[MOST_LINES * LINE_ROOM];
  const size_t length = join(page, text, sizeof text);
  if (!has_one_proof(page)) return;
  if (length == join(&t->original, old, sizeof old) && memcmp(text, old, length) == 0) return;
  try_text(t, text, length);
}

static uint32_t count_numbers(const char *line) {
  uint32_t n = 0;
  for (; (line = strchr(line, ' ')); line++) n++;
  return n;
}

/* The page, and the same with the sizes that its runs and prefixes now have. */
static void try_both(Tampering *t, Page *page) {
  try_page(t, page);
  char *header = NULL;
  uint32_t size = 0;
  for (uint32_t i = page->n; i-- > 0;) {
    char *line = page->at[i];
    if (strncmp(line, "e ", 2) == 0 || strncmp(line, "x ", 2) == 0) size++;
    else if (strncmp(line, "s ", 2) == 0) size += count_numbers(line);
    else if (is_header(line)) {
      header = strrchr(line, ' ');
      snprintf(header, (size_t)(page->at[i] + LINE_ROOM - header), " %u", size);
      size = 0;
    }
  }
  if (header) try_page(t, page);
}

/* ---- numbers ---- */

/* Puts another number for that which begins at `at` in line i. */
static void try_number(Tampering *t, uint32_t i, const char *at, long value) {
  Page page = t->original;
  const char *line = t->original.at[i];
  const size_t before = (size_t)(at - line), digits = strspn(at, "0123456789");
  snprintf(page.at[i] + before, LINE_ROOM - before, "%ld%s", value, at + digits);
  try_page(t, &page);
}

/* Exchanges the number at `at` with the next one. */
static void try_exchange(Tampering *t, uint32_t i, const char *at) {
  Page page = t->original;
  const char *line = t->original.at[i], *next = strchr(at, ' ');
  if (!next) return;
  const int first = (int)(next - at), second = (int)strspn(next + 1, "0123456789");
  const size_t before = (size_t)(at - line);
  snprintf(page.at[i] + before, LINE_ROOM - before, "%.*s %.*s%s", second, next + 1, first, at, next + 1 + second);
  try_page(t, &page);
}

static void tamper_with_numbers(Tampering *t, uint32_t i) {
  for (const char *at = t->original.at[i]; *at; at++) {
    if (!isdigit((unsigned char)*at) || (at > t->original.at[i] && at[-1] != ' ')) continue;
    const long value = strtol(at, NULL, 10);
    for (long other = 0; other <= 12; other++) try_number(t, i, at, other);
    for (long step = 1; step <= 7; step += 2) {
      try_number(t, i, at, value + step);
      try_number(t, i, at, value - step);
    }
    try_exchange(t, i, at);
    Page page = t->original; /* and without it */
    snprintf(page.at[i] + (at - t->original.at[i]) - 1, LINE_ROOM, "%s", at + strspn(at, "0123456789"));
    try_page(t, &page);
  }
}

/* ---- lines ---- */

static void tamper_with_order_of_lines(Tampering *t, uint32_t i) {
  Page page = t->original;
  memmove(page.at[i], page.at[i + 1], (page.n - i - 1) * sizeof *page.at);
  page.n--;
  try_both(t, &page);
  page = t->original;
  memmove(page.at[i + 1], page.at[i], (page.n - i) * sizeof *page.at);
  page.n++;
  try_both(t, &page);
  for (uint32_t k = i + 1; k < t->original.n && k < i + 4; k++) {
    page = t->original;
    memcpy(page.at[i], t->original.at[k], LINE_ROOM);
    memcpy(page.at[k], t->original.at[i], LINE_ROOM);
    try_both(t, &page);
  }
}

/* Another word at the beginning of the line, and `tail` behind it. */
static void try_words(Tampering *t, uint32_t i, const char *old, const char *new, const char *tail) {
  const size_t length = strlen(old);
  Page page = t->original;
  if (strncmp(page.at[i], old, length) != 0) return;
  snprintf(page.at[i], LINE_ROOM, "%s%s%s", new, t->original.at[i] + length, tail);
  try_page(t, &page);
}

static void tamper_with_words(Tampering *t, uint32_t i) {
  static const char *const claims[] = {"covers", "fires", "deadlock", "unsafe", "splits", "uncovered", "dead"};
  enum { N = sizeof claims / sizeof *claims };
  static const char *const tails[] = {" 0", " 1", " 2", " 3", " 4", " 5", " 6", ""};
  try_words(t, i, "prefix erv", "prefix mcmillan", "");
  try_words(t, i, "prefix mcmillan", "prefix erv", "");
  try_words(t, i, "x ", "e ", "");
  for (size_t k = 0; k < sizeof tails / sizeof *tails; k++) try_words(t, i, "e ", "x ", tails[k]);
  for (size_t k = 0; k < N; k++)
    for (size_t other = 0; other < N; other++) try_words(t, i, claims[k], claims[other], "");
  if (strncmp(t->original.at[i], "x ", 2) != 0) return;
  Page page = t->original; /* a live event, without the corresponding one */
  page.at[i][0] = 'e';
  *strrchr(page.at[i], ' ') = '\0';
  try_page(t, &page);
}

/* ---- certificates ---- */

/* Takes the text apart; false if it is too long. */
static bool make_page(const char *text, Page *page) {
  page->n = 0;
  for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
    if (page->n + 2 > MOST_LINES || end - text + 16 > LINE_ROOM) return false;
    snprintf(page->at[page->n++], LINE_ROOM, "%.*s", (int)(end - text), text);
  }
  return true;
}

enum { FLIPS = 200 };

/* One byte, or two, become any others. */
static void tamper_with_bytes(Tampering *t, const char *text) {
  const size_t length = strlen(text);
  char *copy = malloc(length + 1);
  if (!copy) abort();
  for (uint64_t i = 0; i < FLIPS; i++) {
    const uint64_t dice = hash_word(hash_word(length) + i);
    memcpy(copy, text, length + 1);
    copy[dice % length] = (char)(dice >> 32);
    if (i % 2) copy[(dice >> 40) % length] = "0123456789 \nexsc"[dice >> 20 & 15];
    try_text(t, copy, length);
  }
  free(copy);
}

static void tamper(Tampering *t, const char *text) {
  if (!make_page(text, &t->original)) return;
  tamper_with_bytes(t, text);
  for (uint32_t i = 0; i < t->original.n; i++) {
    tamper_with_numbers(t, i);
    tamper_with_order_of_lines(t, i);
    tamper_with_words(t, i);
  }
}

static void write_claims(FILE *out, const Reach *reach) {
  for (uint32_t p = 0; p + 1 < reach->net->n_places; p += 3) {
    const uint32_t places[] = {p, p + 1};
    if (!is_covered(reach, places, 2)) certificate_claim(out, CERTIFY_UNCOVERED, places, 2);
    if (!is_covered(reach, places, 1)) certificate_claim(out, CERTIFY_UNCOVERED, places, 1);
  }
  for (uint32_t t = 0; t < reach->net->n_trans; t++)
    if (!can_fire(reach, (TransId){t})) certificate_claim(out, CERTIFY_DEAD, &t, 1);
}

static void write_run(FILE *out, const Reach *reach) {
  const bool safe = is_safe(reach);
  const uint32_t m = safe ? reach->n_markings - 1 : reach->unsafe_from, n = reach_run(reach, m, NULL);
  TransId run[64];
  if (n >= 64) return;
  reach_run(reach, m, run);
  run[n] = reach->unsafe_trans;
  certificate_run(out, run, safe ? n : n + 1);
  for (uint32_t p = 0; safe && p < reach->net->n_places; p++)
    if (marking_has(reach_marking(reach, m), (PlaceId){p})) certificate_claim(out, CERTIFY_COVERS, &p, 1);
  if (safe && n) certificate_claim(out, CERTIFY_FIRES, &run[n - 1].v, 1);
  if (safe && reach_find_deadlock(reach) == m) certificate_claim(out, CERTIFY_DEADLOCK, NULL, 0);
  if (!safe) certificate_claim(out, CERTIFY_UNSAFE, &reach->unsafe_place.v, 1);
}

/* The certificate of the prefix, or of a run without one. */
static void tamper_with_proof(Tampering *t, const Prefix *prefix, UnfoldOrder order) {
  char *text;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  if (!out) abort();
  certificate_begin(out, t->reach->net);
  if (prefix) {
    certificate_prefix(out, prefix, order);
    write_claims(out, t->reach);
  } else {
    write_run(out, t->reach);
  }
  certificate_end(out);
  fclose(out);
  tamper(t, text);
  free(text);
}

static void tamper_with_prefix(Tampering *t, UnfoldOrder order) {
  Err err;
  Prefix *prefix = unfold(t->heap, t->reach->net, &(UnfoldOptions){.order = order}, &err);
  if (prefix->n_events > 1 && prefix->n_events <= MOST_MUTANT_EVENTS) tamper_with_proof(t, prefix, order);
  prefix_free(prefix);
}

enum { FIRST_SEED = 1, LAST_SEED = 300 };

static void only_truth_is_accepted(void) {
  Tampering t = {0};
  for (uint64_t seed = FIRST_SEED; seed <= LAST_SEED; seed++) {
    t.heap = heap_new((size_t)1 << 28);
    Reach *reach = reach_explore(t.heap, safe_net(t.heap, seed), MARKINGS);
    t.reach = reach;
    if (is_safe(reach)) {
      tamper_with_prefix(&t, UNFOLD_ERV);
      tamper_with_prefix(&t, UNFOLD_MCMILLAN);
    }
    if (is_safe(reach) || reach->unsafe_from != REACH_NONE) tamper_with_proof(&t, NULL, UNFOLD_ERV);
    heap_free(t.heap);
  }
  CU_ASSERT_TRUE(t.n_accepted > 10000);
  CU_ASSERT_TRUE(t.n_rejected > 30000);
  CU_ASSERT_TRUE(t.n_bad > 100000);
}

/* ---- witnesses ---- */

static void try_run(Tampering *t, const TransId *run, uint32_t n) {
  char *text;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  if (!out) abort();
  certificate_begin(out, t->reach->net);
  certificate_run(out, run, n);
  certificate_claim(out, CERTIFY_SPLITS, (uint32_t[]){0}, 1);
  certificate_end(out);
  fclose(out);
  try_text(t, text, length);
  free(text);
}

/* Claims of all that the run, of n steps, can be made by adding others, that its last step splits the block. */
static void try_runs(Tampering *t, const uint64_t *marking, TransId *run, uint32_t n) {
  if (n) try_run(t, run, n);
  for (run[n].v = 0; run[n].v < t->reach->net->n_trans; run[n].v++) {
    uint64_t next[1] = {*marking};
    if (!token_enabled(t->reach->net, next, run[n])) continue;
    token_fire(t->reach->net, next, run[n]);
    try_runs(t, next, run, n + 1);
  }
}

/* Of all runs of a program none proves that its block is not causally atomic, unless that is so. */
static void atomic_blocks_are_not_split(void) {
  Heap *heap = heap_new(0);
  Net *nets[] = {figure5b(heap), figure5a(heap, NULL)};
  for (uint32_t k = 0; k < 2; k++) {
    Reach *reach = reach_explore(heap, nets[k], MARKINGS);
    Tampering t = {.heap = heap, .reach = reach};
    TransId run[32];
    try_runs(&t, reach_marking(reach, 0), run, 0);
    CU_ASSERT_EQUAL(t.n_bad, 0);
    CU_ASSERT_TRUE(t.n_rejected > 20);
    CU_ASSERT_EQUAL(t.n_accepted > 0, k == 1);
  }
  heap_free(heap);
}

/* ---- events left out, and made cut-offs ---- */

/* Marks what cannot stay when the events marked in `gone` are left out, and what is behind `cutoff`, which stays. */
static void spread(const Prefix *prefix, uint32_t cutoff, bool *gone) {
  for (uint32_t e = 0; e < prefix->n_events; e++) {
    const uint32_t other = prefix->corresponding[e].v;
    if (prefix->is_cutoff[e] && other != EVENT_NONE.v && (gone[other] || other == cutoff)) gone[e] = true;
    for (uint32_t i = prefix->pre_start[e]; i < prefix->pre_start[e + 1]; i++) {
      const uint32_t producer = prefix->producer[prefix->pre[i].v].v;
      if (producer != EVENT_NONE.v && (gone[producer] || producer == cutoff)) gone[e] = true;
    }
  }
}

/* Writes the prefix without the events that are gone, and with `cutoff`, if it is one, a cut-off because of `other`,
 * from 1. */
static void write_rest(FILE *out, const Prefix *prefix, UnfoldOrder order, const bool *gone, uint32_t cutoff,
                       uint32_t other) {
  uint32_t event[MOST_MUTANT_EVENTS + 1] = {0}, first[MOST_MUTANT_EVENTS], n = 0, n_conditions = prefix->post_start[0];
  for (uint32_t e = 0; e < prefix->n_events; e++) {
    if (gone[e]) continue;
    event[e + 1] = ++n;
    first[e] = n_conditions;
    n_conditions += prefix->post_start[e + 1] - prefix->post_start[e];
  }
  certificate_begin(out, prefix->net);
  fprintf(out, "prefix %s %u\n", order == UNFOLD_ERV ? "erv" : "mcmillan", n);
  for (uint32_t e = 0; e < prefix->n_events; e++) {
    if (gone[e]) continue;
    const bool is_cutoff = prefix->is_cutoff[e] || e == cutoff;
    fprintf(out, "%c %u", is_cutoff ? 'x' : 'e', prefix->event_trans[e].v + 1);
    for (uint32_t i = prefix->pre_start[e]; i < prefix->pre_start[e + 1]; i++) {
      const uint32_t c = prefix->pre[i].v, producer = prefix->producer[c].v;
      fprintf(out, " %u", (producer == EVENT_NONE.v ? c : first[producer] + c - prefix->post_start[producer]) + 1);
    }
    if (is_cutoff) fprintf(out, " %u", event[e == cutoff ? other : prefix->corresponding[e].v + 1]);
    fputc('\n', out);
  }
  certificate_end(out);
}

static Verdict judge_rest(Heap *heap, const Prefix *prefix, UnfoldOrder order, bool *gone, uint32_t cutoff,
                          uint32_t other) {
  InFile file = {.name = "rest"};
  FILE *out = open_memstream(&file.text, &file.length);
  if (!out) abort();
  spread(prefix, cutoff, gone);
  write_rest(out, prefix, order, gone, cutoff, other);
  fclose(out);
  CertificateReport report;
  Err err = {0};
  const Verdict verdict = certificate_judge(heap, prefix->net, &file, &report, &err);
  if (verdict == VERDICT_UNKNOWN) printf("\n%s\n%s", err.text, file.text);
  certificate_judge_report_fini(&report);
  free(file.text);
  return verdict;
}

static uint32_t judge_rests(Heap *heap, const Prefix *prefix, UnfoldOrder order) {
  bool gone[MOST_MUTANT_EVENTS] = {false};
  uint32_t n = 0;
  CU_ASSERT_EQUAL(judge_rest(heap, prefix, order, gone, EVENT_NONE.v, 0), VERDICT_HOLDS);
  for (uint32_t e = 0; e < prefix->n_events; e++) {
    memset(gone, 0, sizeof gone);
    gone[e] = true;
    CU_ASSERT_EQUAL(judge_rest(heap, prefix, order, gone, EVENT_NONE.v, 0), VERDICT_VIOLATED);
    for (uint32_t other = 0; other <= e && !prefix->is_cutoff[e]; other++, n++) {
      if (other && prefix->is_cutoff[other - 1]) continue;
      memset(gone, 0, sizeof gone);
      CU_ASSERT_EQUAL(judge_rest(heap, prefix, order, gone, e, other), VERDICT_VIOLATED);
    }
  }
  return n;
}

/* The prefix of the unfolder is a smallest one: none of its events can be left out, and none can be another cut-off. */
static void no_event_can_be_left_out(void) {
  uint32_t n = 0;
  for (uint64_t seed = 1; seed <= 600; seed++) {
    Heap *heap = heap_new((size_t)1 << 28);
    Net *net = safe_net(heap, seed);
    for (UnfoldOrder order = UNFOLD_ERV; order <= UNFOLD_MCMILLAN; order++) {
      Err err;
      Prefix *prefix = unfold(heap, net, &(UnfoldOptions){.order = order}, &err);
      if (prefix->status == UNFOLD_COMPLETE && prefix->n_events <= MOST_MUTANT_EVENTS)
        n += judge_rests(heap, prefix, order);
      prefix_free(prefix);
    }
    heap_free(heap);
  }
  CU_ASSERT_TRUE(n > 3000);
}

void suite_mutants(void) {
  CU_pSuite suite = CU_add_suite("mutants", NULL, NULL);
  CU_ADD_TEST(suite, only_truth_is_accepted);
  CU_ADD_TEST(suite, atomic_blocks_are_not_split);
  CU_ADD_TEST(suite, no_event_can_be_left_out);
}
