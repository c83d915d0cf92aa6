/* Certificates for every number of threads (docs/certificates.md, "Open numbers of threads"): what --any-number proves
 * is accepted, and nothing that is not true, whatever the facts are. */
#include "ask/any_number.h"
#include "base/hash.h"
#include "check/certificate_judge.h"
#include "prove/backward.h"
#include "prove/prove.h"
#include "tests/oracle/colouring.h"
#include "tests/oracle/random_sml.h"
#include "unfold/certificate_write.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS = 32, STATES = 20000, SEEDS = 400, CHANGES = 40, LARGEST = 3 };

/* A program with open numbers, its net, and which of its blocks are violated with some small numbers. */
typedef struct {
  Heap *heap;
  CharVec text;
  Net *net;
  bool violated[MOST_BLOCKS];
} Case;

typedef struct {
  uint32_t held, rejected, malformed;
  uint32_t every, splits; /* claims accepted */
  uint32_t wrong;         /* of them */
} Tally;

static Net *compile(Heap *heap, const CharVec *text, const SmlOptions *options) {
  Diag diag;
  diag_init(&diag, heap, "t.sml", text->at, text->n);
  Net *net = sml_compile(heap, options, &diag);
  diag_fini(&diag);
  CU_ASSERT_PTR_NOT_NULL_FATAL(net);
  return net;
}

static Verdict judge(const Case *c, const char *text, Tally *tally, Err *err) {
  CertificateReport report;
  const InFile file = {(char *)(uintptr_t)text, strlen(text), "proof"};
  const Verdict verdict = certificate_judge(c->heap, c->net, &file, &report, err);
  for (uint32_t i = 0; verdict == VERDICT_HOLDS && i < report.claims.n; i++) {
    const Claim *claim = &report.claims.at[i];
    tally->every += claim->kind == CLAIM_EVERY;
    tally->splits += claim->kind == CLAIM_SPLITS;
    tally->wrong += claim->kind == CLAIM_EVERY && c->violated[report.numbers.at[claim->first]];
    tally->wrong += claim->kind == CLAIM_SPLITS && !claim->with;
  }
  certificate_judge_report_fini(&report);
  tally->held += verdict == VERDICT_HOLDS;
  tally->rejected += verdict == VERDICT_VIOLATED;
  tally->malformed += verdict == VERDICT_UNKNOWN;
  return verdict;
}

/* ---- what is proved ---- */

/* As causalcheck does, which finds all blocks that are atomic proved; malloc'd. *n_proved and *n_violated are of the
 * blocks. */
static char *certify(const Case *c, unsigned tries, uint32_t *n_proved, uint32_t *n_violated) {
  char *text;
  size_t length;
  Arena arena;
  AnyNumber found;
  Err err;
  FILE *out = open_memstream(&text, &length);
  if (!out) abort();
  arena_init(&arena, c->heap);
  const InFile file = {.name = "t.sml", .text = arena_copy(&arena, c->text.at, c->text.n), .length = c->text.n};
  const AtomicityOptions options = {.tries = tries, .colour.reduce = true, .certificate = out};
  CU_ASSERT_TRUE_FATAL(any_number_check(c->heap, &file, &(BlockInputOptions){0}, &options,
                                        &(AskLimits){.max_events = 100000}, &found, &err));
  *n_proved = *n_violated = 0;
  for (uint32_t i = 0; i < found.n_blocks; i++) {
    const BlockVerdict *block = &found.blocks[i];
    *n_proved += block->is_proved;
    CU_ASSERT_EQUAL(block->is_proved, block->verdict == VERDICT_HOLDS);
    if (block->verdict != VERDICT_VIOLATED) continue;
    ++*n_violated;
    certificate_with(out, block->numbers, found.n_open);
    TransId *run = heap_alloc(c->heap, block->witness->n_steps * sizeof *run);
    for (uint32_t k = 0; k < block->witness->n_steps; k++) run[k] = block->witness->steps[k].transition;
    certificate_run(out, run, block->witness->n_steps);
    certificate_claim(out, CERTIFY_SPLITS, &block->block, 1);
    heap_release(c->heap, run);
  }
  certificate_end(out);
  fclose(out);
  any_number_fini(&found);
  arena_fini(&arena);
  return text;
}

/* ---- what is not ---- */

/* What is known of the net with two for each, without claims; malloc'd, or NULL. */
static char *find_facts(const Case *c, bool pairs) {
  char *text;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  if (!out) abort();
  certificate_begin(out, c->net);
  prove_free(prove_net(c->heap, c->net, &(ProveOptions){.environment = true, .pairs = pairs, .certificate = out}));
  fclose(out);
  const char *const words[] = {"\nmovers ", "\nenvironment ", "\npairs "};
  for (int i = 0; i < 3; i++)
    if (strstr(text, words[i])) *(strstr(text, words[i]) + 1) = '\0';
  if (strstr(text, "\nproof ")) return text;
  free(text);
  return NULL;
}

/* Each block in turn is claimed behind the text; the ones that are violated to the first tally. */
static void claim_all(const Case *c, const char *text, Tally *falsely, Tally *truly) {
  char *claimed = malloc(strlen(text) + 40);
  if (!claimed) abort();
  for (uint32_t b = 0; b < c->net->notes->n_blocks; b++) {
    Err err;
    sprintf(claimed, "%severy %u\nend\n", text, b + 1);
    judge(c, claimed, c->violated[b] ? falsely : truly, &err);
  }
  free(claimed);
}

/* One number of a line from `from` on is another one, or the line is left out; malloc'd. */
static char *change(const char *text, const char *from, uint64_t seed) {
  const char *at = from + hash_word(seed) % strlen(from);
  char *changed = malloc(strlen(text) + 20);
  if (!changed) abort();
  if (seed % 5 == 0) {
    while (at > text && at[-1] != '\n') at--;
    const char *end = strchr(at, '\n');
    sprintf(changed, "%.*s%s", (int)(at - text), text, end ? end + 1 : "");
    return changed;
  }
  while (at > from && !(*at == ' ' && at[1] != '\n')) at--;
  const size_t length = *at == ' ' ? strcspn(at + 1, " \n") + 1 : 0;
  char number[12] = "";
  if (seed % 5 > 1)
    snprintf(number, sizeof number, " %u", (unsigned)(1 + hash_word(seed + 1) % (seed % 5 == 2 ? 3 : 30)));
  sprintf(changed, "%.*s%s%s", (int)(at - text), text, length ? number : "", at + length);
  return changed;
}

/* ---- upward-closed sets ---- */

/* With `number` for the n-th one of the line, from 0; malloc'd. */
static char *renumber(const char *text, const char *line, int n, uint32_t number) {
  char *changed = malloc(strlen(text) + 20);
  if (!changed) abort();
  for (; n >= 0; n--) line = strchr(line, ' ') + 1;
  sprintf(changed, "%.*s%u%s", (int)(line - text), text, number, line + strcspn(line, " \n"));
  return changed;
}

/* The certificate, without one element of the set whose line is given; malloc'd. */
static char *drop_element(const char *text, const char *set, const char *element) {
  char *dropped = strdup(text);
  if (!dropped) abort();
  const char *end = strchr(element, '\n') + 1;
  memmove(dropped + (element - text), text + (end - text), strlen(end) + 1);
  uint32_t n;
  if (sscanf(set, "upward %*u %u", &n) != 1) abort();
  char *changed = renumber(dropped, dropped + (set - text), 1, n - 1);
  free(dropped);
  return changed;
}

typedef struct {
  Tally whole, dropped, changed, falsely, lies; /* falsely: the set of another block; lies: that, changed */
} SetTallies;

/* Without any one of some elements, a set is not closed. */
static void drop_elements(const Case *c, const char *text, const char *set, Tally *tally) {
  uint32_t n;
  Err err;
  if (sscanf(set, "upward %*u %u", &n) != 1) abort();
  const char *element = strstr(set, "\nd ");
  for (uint32_t i = 0; i < n; i++, element = strchr(element + 1, '\n')) {
    if (i % (n / 8 + 1)) continue;
    char *dropped = drop_element(text, set, element + 1);
    judge(c, dropped, tally, &err);
    free(dropped);
  }
}

/* The set is claimed to be one of each block that is violated. */
static void claim_falsely(const Case *c, const char *text, const char *set, uint64_t seed, SetTallies *tallies) {
  Err err;
  for (uint32_t b = 0; b < c->net->notes->n_blocks; b++) {
    if (!c->violated[b]) continue;
    char *false_one = renumber(text, set, 0, b + 1);
    judge(c, false_one, &tallies->falsely, &err);
    for (uint64_t i = 0; i < CHANGES; i++) {
      char *changed = change(false_one, false_one + (set - text), seed * CHANGES + i);
      judge(c, changed, &tallies->lies, &err);
      free(changed);
    }
    free(false_one);
  }
}

static void check_sets(const Case *c, const char *text, uint64_t seed, SetTallies *tallies) {
  Err err;
  for (const char *set = strstr(text, "\nupward "); set; set = strstr(set, "\nupward ")) {
    set++;
    drop_elements(c, text, set, &tallies->dropped);
    claim_falsely(c, text, set, seed, tallies);
    for (uint64_t i = 0; i < CHANGES; i++) {
      char *changed = change(text, i % 2 ? set : strstr(text, "\nproof ") + 1, seed * CHANGES + i);
      judge(c, changed, &tallies->changed, &err);
      free(changed);
    }
  }
}

/* What is violated with three threads only is not found by a search with two of each: what this leaves is no proof. */
static void search_with_two(const Case *c, uint64_t seed, SetTallies *tallies) {
  const Notes *notes = c->net->notes;
  uint32_t *of_group = heap_alloc(c->heap, (notes->n_threads + (size_t)1) * sizeof *of_group), tuple[2];
  uint64_t n_elements;
  Err err;
  for (uint32_t i = 0; i < notes->n_threads; i++) of_group[i] = NOTE_NONE;
  Backward *backward = backward_new(c->heap, c->net, &(OpenNumbers){0, of_group}, &err);
  for (uint32_t b = 0; backward && b < notes->n_blocks; b++) {
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out) abort();
    certificate_begin(out, c->net);
    const BackwardAnswer answer = backward_search(backward, b, 10000, out, tuple, &n_elements);
    certificate_end(out);
    fclose(out);
    if (answer == BACKWARD_NEVER && c->violated[b])
      claim_falsely(c, text, strstr(text, "\nupward ") + 1, seed, tallies);
    free(text);
  }
  backward_free(backward);
  heap_release(c->heap, of_group);
}

static void find_violated(Case *c) {
  for (uint32_t n = 0; n <= LARGEST; n++)
    for (uint32_t m = 0; m <= LARGEST - n; m++) {
      const SmlDefine defines[] = {{"N", n}, {"M", m}};
      Net *net = compile(c->heap, &c->text, &(SmlOptions){.defines = defines, .n_defines = 2});
      Answer answers[MOST_BLOCKS];
      Err err;
      CU_ASSERT_TRUE_FATAL(colouring_search(c->heap, net, STATES, answers, &err));
      for (uint32_t b = 0; b < net->notes->n_blocks; b++) c->violated[b] |= answers[b] == ANSWER_VIOLATED;
      net_free(net);
    }
}

typedef struct {
  Tally whole, falsely, truly, changed, lies; /* lies: with changed facts */
  uint32_t n_proved, n_violated;
} Tallies;

static void check_case(const Case *c, uint64_t seed, Tallies *tallies) {
  uint32_t n_proved, n_violated;
  Err err;
  char *text = certify(c, TRY_ALL, &n_proved, &n_violated), *facts = find_facts(c, seed % 3 == 0);
  const Tally before = tallies->whole;
  CU_ASSERT_EQUAL(judge(c, text, &tallies->whole, &err), VERDICT_HOLDS);
  CU_ASSERT_EQUAL(tallies->whole.every - before.every, n_proved);
  CU_ASSERT_EQUAL(tallies->whole.splits - before.splits, n_violated);
  tallies->n_proved += n_proved;
  tallies->n_violated += n_violated;
  free(text);
  if (!facts) return;
  claim_all(c, facts, &tallies->falsely, &tallies->truly);
  for (uint64_t i = 0; i < CHANGES; i++) {
    char *changed = change(facts, strstr(facts, "\nproof ") + 1, seed * CHANGES + i);
    claim_all(c, changed, &tallies->lies, &tallies->changed);
    free(changed);
  }
  free(facts);
}

static void check_upward(const Case *c, uint64_t seed, SetTallies *tallies) {
  uint32_t n_proved, n_violated;
  Err err;
  char *text = certify(c, 0, &n_proved, &n_violated);
  const Tally before = tallies->whole;
  CU_ASSERT_EQUAL(judge(c, text, &tallies->whole, &err), VERDICT_HOLDS);
  CU_ASSERT_EQUAL(tallies->whole.every - before.every, n_proved);
  check_sets(c, text, seed, tallies);
  search_with_two(c, seed, tallies);
  free(text);
}

static void check_seed(uint64_t seed, Tallies *tallies, SetTallies *sets) {
  Case c = {.heap = heap_new(0)};
  random_sml(c.heap, seed, RANDOM_OPEN, &c.text);
  c.net = compile(c.heap, &c.text, &(SmlOptions){.any_number = true});
  if (c.net->notes->n_counts && c.net->notes->n_blocks <= MOST_BLOCKS) {
    find_violated(&c);
    if (tallies) check_case(&c, seed, tallies);
    if (sets) check_upward(&c, seed, sets);
  }
  net_free(c.net);
  vec_fini(c.heap, &c.text);
  heap_free(c.heap);
}

static void random_programs(void) {
  Tallies t = {0};
  for (uint64_t seed = 1; seed <= SEEDS; seed++) check_seed(seed, &t, NULL);
  CU_ASSERT_EQUAL(t.whole.wrong + t.falsely.held + t.falsely.malformed + t.lies.held, 0);
  CU_ASSERT_TRUE(t.n_proved > 200 && t.n_violated > 50);
  CU_ASSERT_TRUE(t.falsely.rejected > 50 && t.lies.rejected > 500 && t.truly.held > 200 && t.truly.rejected > 10);
  CU_ASSERT_TRUE(t.changed.held > 500 && t.changed.rejected > 500 && t.changed.malformed > 500);
  if (getenv("SHOW"))
    printf("\n%u proved, %u violated; %u, %u false refused; %u true held, %u refused; changed: %u held, %u refused, %u "
           "malformed\n",
           t.n_proved, t.n_violated, t.falsely.rejected, t.lies.rejected, t.truly.held, t.truly.rejected,
           t.changed.held, t.changed.rejected, t.changed.malformed);
}

/* The sets of backward coverability, which alone is asked, or shows what the cut-off does. */
static void upward_sets(void) {
  SetTallies t = {0};
  for (uint64_t seed = 1; seed <= SEEDS / 2; seed++) check_seed(seed, NULL, &t);
  CU_ASSERT_EQUAL(t.whole.wrong + t.changed.wrong + t.dropped.held + t.dropped.malformed, 0);
  CU_ASSERT_EQUAL(t.falsely.held + t.falsely.malformed + t.lies.wrong, 0);
  CU_ASSERT_TRUE(t.whole.every > 200 && t.dropped.rejected > 500);
  CU_ASSERT_TRUE(t.falsely.rejected > 40 && t.lies.rejected > 500);
  CU_ASSERT_TRUE(t.changed.held > 500 && t.changed.rejected > 500 && t.changed.malformed > 500);
  if (getenv("SHOW"))
    printf("\n%u proved; %u dropped refused; %u, %u false refused; changed: %u held, %u refused, %u malformed\n",
           t.whole.every, t.dropped.rejected, t.falsely.rejected, t.lies.rejected, t.changed.held, t.changed.rejected,
           t.changed.malformed);
}

/* ---- each reason ---- */

/* The claims, behind the facts of the net; `expected` is a part of what is said of them. */
static void check_words(const char *program, const SmlOptions *options, const char *claims, const char *expected) {
  Case c = {.heap = heap_new(0)};
  Tally tally = {0};
  Err err = {.text = "holds"};
  for (const char *at = program; *at; at++) vec_push(c.heap, &c.text, *at);
  c.net = compile(c.heap, &c.text, options);
  const bool has_facts = strstr(claims, "proof ") != NULL;
  char *facts = find_facts(&c, strstr(claims, "pairs") != NULL), *text = malloc(100 + strlen(claims) + strlen(facts));
  if (!text || !facts) abort();
  if (has_facts) *(strstr(facts, "\nproof ") + 1) = '\0';
  sprintf(text, "%s%send\n", facts, claims);
  judge(&c, text, &tally, &err);
  if (!strstr(err.text, expected)) printf("\n  %s\n", err.text);
  CU_ASSERT_PTR_NOT_NULL(strstr(err.text, expected));
  free(text);
  free(facts);
  net_free(c.net);
  vec_fini(c.heap, &c.text);
  heap_free(c.heap);
}

static const SmlOptions OPEN = {.any_number = true};
static const SmlOptions TWO = {.defines = &(SmlDefine){"N", 2}, .n_defines = 1};

/* It takes three: with two of them no chain comes back. */
#define IN_TURN                                                                                                    \
  "int X, Y, Z; N * { if (a) { begin X := 1; z := Z end } else { if (b) { x := X; Y := 1 } else { y := Y; Z := 1 " \
  "} } } || begin skip end"
#define LOCKED "int X; lock l; N * { acquire(l) begin X := 1; X := 2 end release(l) }"
#define BARRIER \
  "int[3] C; int X; await (C = 2); begin X := 1; X := 2 end || N * { x := X; C := C + 1 } || begin skip end"

/* Places: 1 and 2 X, 3 and 4 of T1, 5-8 of T2 and T3, 9-12 of T4. */
#define READERS "int X; X := 1 || N * { x := X } || begin skip end"
#define WRITER "a 1 1 3\na 1 1 4\n"
#define LAST "a 1 4 9\na 1 4 10\na 1 4 11\na 1 4 12\n"
#define FIRST_READER "a 1 2 5\na 1 2 6\n"

static void alike(void) {
  check_words(READERS, &OPEN, "proof 0 0 1 10\nk\n" WRITER FIRST_READER "a 1 3 7\na 1 3 8\n" LAST "every 1\n", "holds");
  check_words(READERS, &OPEN, "proof 0 0 2 10\nk\nk\n" WRITER FIRST_READER "a 2 3 7\na 2 3 8\n" LAST "movers 1\n",
              "holds");
  check_words(READERS, &OPEN, "proof 0 0 2 10\nk\nk\n" WRITER FIRST_READER "a 2 3 7\na 2 3 8\n" LAST "every 1\n",
              "what is said of a control of thread 'T2' is not said of the other one's");
  check_words(READERS, &OPEN, "proof 1 0 1 10\no 1\nv 1\nk\n" WRITER FIRST_READER "a 1 3 7\na 1 3 8\n" LAST "every 1\n",
              "what is said of place 'X@1' is not said of those like it");
  check_words(READERS, &OPEN, "proof 0 0 1 10\nk\n" WRITER FIRST_READER "a 1 3 7\na 1 3 8\n" LAST "p\nevery 1\n",
              "are not about every number of threads");
  check_words("lock l; N * { acquire(l); release(l) } || begin skip end", &OPEN,
              "proof 0 0 1 10\nk\na 1 1 2\na 1 1 3\na 1 1 4\na 1 2 5\na 1 2 6\na 1 2 7\na 1 3 8\na 1 3 9\na 1 3 10\na "
              "1 3 11\nevery 1\n",
              "'l', which is of no object, gets a token from 'T1.2 release(l)'");
}

static void each_reason(void) {
  check_words(LOCKED, &OPEN, "every 1\n", "holds");
  check_words(LOCKED, &TWO, "movers 1\n", "holds");
  check_words(LOCKED, &TWO, "every 1\n", "the net leaves no number of threads open");
  check_words(LOCKED, &OPEN, "every 2\n", "expected a block, which can only be 1, found '2'");
  check_words(IN_TURN, &TWO, "environment 1\n", "holds");
  check_words(IN_TURN, &OPEN, "environment 1\n", "holds");
  check_words(IN_TURN, &OPEN, "every 1\n", "by the environment, for every number of threads");
  check_words(BARRIER, &OPEN, "pairs 1\n", "holds"); /* with two */
  check_words(BARRIER, &OPEN, "pairs 1\nevery 1\n", "are not about every number of threads");
  check_words(LOCKED, &OPEN, "with 1\nrun 0\n", "holds");
  check_words(LOCKED, &OPEN, "with 1\nrun 0\nsplits 1\n", "");
  check_words(LOCKED, &OPEN, "with 1\nrun 0\ncovers 1\n", "expected a claim that fits here");
  check_words(LOCKED, &OPEN, "with 1\nprefix\n", "expected 'run'");
  check_words(LOCKED, &OPEN, "with 20000\nrun 0\n", "expected a number of threads from 0 to 10000, found '20000'");
  check_words(LOCKED, &OPEN, "with 1 1\nrun 0\n", "expected the end of the line");
  check_words(LOCKED, &TWO, "with 1\nrun 0\n", "the net leaves no number of threads open");
}

/* The certificate of the program by backward coverability, in which `from` became `to`; `expected` is a part of what is
 * said of it. */
static void check_set(const char *program, const char *from, const char *to, const char *expected) {
  Case c = {.heap = heap_new(0)};
  Tally tally = {0};
  Err err = {.text = "holds"};
  uint32_t n_proved, n_violated;
  for (const char *at = program; *at; at++) vec_push(c.heap, &c.text, *at);
  c.net = compile(c.heap, &c.text, &OPEN);
  char *text = certify(&c, 0, &n_proved, &n_violated), *changed = malloc(strlen(text) + strlen(to) + 1);
  const char *at = strstr(text, from);
  CU_ASSERT_PTR_NOT_NULL_FATAL(at);
  if (!changed) abort();
  sprintf(changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  judge(&c, changed, &tally, &err);
  if (!strstr(err.text, expected)) printf("\n  %s: %s\n", to, err.text);
  CU_ASSERT_PTR_NOT_NULL(strstr(err.text, expected));
  free(changed);
  free(text);
  net_free(c.net);
  vec_fini(c.heap, &c.text);
  heap_free(c.heap);
}

/* Places: 1 X, 2 l, 3-9 of T1, 10-16 of T2, 17-20 of T3; controls: the same without X and l. */
#define LOCK_AND_SKIP LOCKED " || begin skip end"
#define NOT_CLOSED "there can be what is above no element"
#define INITIAL "runs start above an element of the set"

static void each_reason_for_a_set(void) {
  check_set(LOCK_AND_SKIP, "", "", "holds");
  check_set(LOCK_AND_SKIP, "x 1 8\n", "x 1 8 8\n", "control 8 has two positions");
  check_set(LOCK_AND_SKIP, "x 1 8\n", "x 1 9\n", "position 1 is of two kinds");
  check_set(LOCK_AND_SKIP, "x 18\n", "", "control 18 has no position");
  check_set(LOCK_AND_SKIP, "x 7 14\nx 15\nx 16\nx 17\nx 18\n", "x 7 14 18\nx 15\nx 16\nx 17\n",
            "position 7 is one of threads that start at different ones");
  check_set(LOCK_AND_SKIP, "g 1\n", "", "place 'X' is in no group");
  check_set(LOCK_AND_SKIP, "g 1\n", "g 1 2\n", "is private, or of two groups");
  check_set(LOCK_AND_SKIP, "g 1\n", "g 3\n", "is private, or of two groups");
  check_set(LOCK_AND_SKIP, "upward 1 4", "upward 1 3", NOT_CLOSED);
  check_set(LOCK_AND_SKIP, "upward 1 4", "upward 1 5", "expected 'd' and an element");
  check_set(LOCK_AND_SKIP, "upward 1 4", "upward 3 4", "expected a block from 1 to 2, found '3'");
  check_set(LOCK_AND_SKIP, "upward 1 4", "upward 1", "expected a number of elements");
  check_set(LOCK_AND_SKIP, "d 3 3 1 0", "d 3 3 5 0", "expected where the chain is from 1 to 4, found '5'");
  check_set(LOCK_AND_SKIP, "d 3 3 1 0", "d 3 12 1 0", "expected a position from 1 to 11, found '12'");
  check_set(LOCK_AND_SKIP, "d 3 3 1 0", "d 4 3 12 0", "expected a position from 1 to 11, found '12'");
  check_set(LOCK_AND_SKIP, "d 3 3 1 0", "d 5 3 1 0", "expected a kind of element from 0 to 4, found '5'");
  check_set(LOCK_AND_SKIP, "d 3 3 1 0", "d 3 3 1 1 12", "expected a position from 1 to 11, found '12'");
  check_set(LOCK_AND_SKIP, "d 3 3 1 0", "d 3 3 1 0 2 1", "expected an object, which can only be 1, found '2'");
  check_set(LOCK_AND_SKIP, "d 3 3 1 0", "d 3 3 1 0 1 3", "expected a value from 1 to 2, found '3'");
  check_set(LOCK_AND_SKIP, "d 3 3 1 0", "d 3 3 1 0 1", "expected a value from 1 to 2");
  check_set(LOCK_AND_SKIP, "d 3 3 1 0", "d 3 3 2 0", NOT_CLOSED);
  check_set(LOCK_AND_SKIP, "d 3 3 1 0", "d 3 3 1 1 1", NOT_CLOSED);
  check_set(LOCK_AND_SKIP, "d 3 4 2 0", "d 3 4 2 0 1 2", NOT_CLOSED);
  check_set(LOCK_AND_SKIP, "upward 2 0\n", "upward 1 0\n", NOT_CLOSED);
}

/* Every element of a chain that has left T, and none of one that is still with T: such a set is closed but for the step
 * with which T puts the chain down, and would prove what is violated. */
static void what_leaves_t(void) {
  enum { CONTROLS = 16, ITEMS = 2 };
  const uint32_t n = 2 * CONTROLS * ITEMS + CONTROLS * CONTROLS;
  char claims[8000];
  int at = snprintf(claims, sizeof claims, "upward 1 %u\ng 1\n", n);
  for (int c = 1; c <= CONTROLS; c++) at += sprintf(claims + at, "x %d\n", c);
  for (int c = 1; c <= CONTROLS; c++) {
    for (int item = 1; item <= ITEMS; item++)
      at += sprintf(claims + at, "d 2 %d %d 0\nd 3 %d %d 0\n", c, item, c, item);
    for (int to = 1; to <= CONTROLS; to++) at += sprintf(claims + at, "d 4 %d %d 0\n", c, to);
  }
  CU_ASSERT((size_t)at < sizeof claims);
  check_words("int X; N * { begin skip; X := 1; X := 2 end } || begin skip end", &OPEN, claims,
              "before 'T1.3 X := 1' " NOT_CLOSED);
}

/* Elements of which the block that does nothing has no need. */
static void starts_of_runs(void) {
#define LAST_SET "upward 2 0\ng 1\ng 2\nx 1 8\nx 2 9\nx 3 10\nx 4 11\nx 5 12\nx 6 13\nx 7 14\nx 15\nx 16\nx 17\nx 18\n"
#define WITH "upward 2 1\ng 1\ng 2\nx 1 8\nx 2 9\nx 3 10\nx 4 11\nx 5 12\nx 6 13\nx 7 14\nx 15\nx 16\nx 17\nx 18\n"
  check_set(LOCK_AND_SKIP, LAST_SET, WITH "d 0 0\n", INITIAL);
  check_set(LOCK_AND_SKIP, LAST_SET, WITH "d 0 0 1 1\n", INITIAL);
  check_set(LOCK_AND_SKIP, LAST_SET, WITH "d 0 3 1 8 1\n", INITIAL);
  check_set(LOCK_AND_SKIP, LAST_SET, WITH "d 0 0 1 2\n", "before 'T1.1 acquire(l)' " NOT_CLOSED);
  check_set(LOCK_AND_SKIP, LAST_SET, WITH "d 0 1 11\n", "before 'T3.3 end' " NOT_CLOSED);
  check_set(LOCK_AND_SKIP, LAST_SET, WITH "d 0 2 9 9\n", "holds"); /* there is one such thread */
  check_set(LOCK_AND_SKIP, LAST_SET, WITH "d 0 2 3 4\n", "holds"); /* two that have the lock */
  check_set(LOCK_AND_SKIP, LAST_SET, WITH "d 1 9 0\n", "before 'T3.1 begin' " NOT_CLOSED);
  check_set(LOCK_AND_SKIP, LAST_SET, WITH "d 1 3 0\n", "holds"); /* never begins it */
  check_set("int X, Y; begin X := 1; y := Y end || N * { x := X }", "r 1 2\n", "g 1\ng 2\n",
            "is not of the group of those like it");
}

/* ---- positions that are not of threads alike ---- */

/* T1's controls are the first ones, from place 3 or 4 on; T2 and T3 read X, T4 does nothing; where no kinds are found,
 * all controls are of one. The block of T1 is violated. That it is not is claimed by a set for which several of its
 * controls are one position. */
#define READ_BY_MANY " || N * { x := X } || begin skip end"
#define OF_T1(p) "a 1 1 " #p "\n"
#define OF_OTHERS(p, q, r, s, t, u, v, w) \
  "a 1 2 " #p "\na 1 2 " #q "\na 1 3 " #r "\na 1 3 " #s "\na 1 4 " #t "\na 1 4 " #u "\na 1 4 " #v "\na 1 4 " #w "\n"

static void joined_positions(void) {
  /* skip and begin */
  check_words("int X; skip; begin X := 1; X := 2 end" READ_BY_MANY, &OPEN,
              "proof 0 0 1 14\nk\n" OF_T1(3) OF_T1(4) OF_T1(5) OF_T1(6) OF_T1(7) OF_T1(8)
                  OF_OTHERS(9, 10, 11, 12, 13, 14, 15,
                            16) "upward 1 0\ng 1 2\nx 1 2 3\nx 4\nx 5\nx 6\nx 7 9\nx 8 10\nx 11\nx 12\nx 13\nx 14\n",
              "before 'T1.3 X := 1' " NOT_CLOSED);
  /* end, whose controls come first, and skip */
  check_words("int X; begin skip; X := 1; X := 2 end; skip" READ_BY_MANY, &OPEN,
              "proof 0 0 1 15\nk\n" OF_T1(7) OF_T1(8) OF_T1(3) OF_T1(4) OF_T1(5) OF_T1(6) OF_T1(9) OF_OTHERS(
                  10, 11, 12, 13, 14, 15, 16,
                  17) "upward 1 0\ng 1 2\nx 1 4\nx 2 5\nx 3\nx 6\nx 7\nx 8 10\nx 9 11\nx 12\nx 13\nx 14\nx 15\n",
              "before 'T1.3 X := 1' " NOT_CLOSED);
  /* writing Y, which is touched by others only where T1 is not in its block, and X */
  check_words("int X, Y; lock l; acquire(l); begin Y := 1; X := 1; X := 2 end; release(l)" READ_BY_MANY
              " || acquire(l); y := Y; release(l)",
              &OPEN,
              "upward 1 2\ng 3\ng 1 2\ng 4\nx 1\nx 2\nx 3 4 5 6\nx 7\nx 8\nx 9 11\nx 10 12\nx 13\nx 14\nx 15\nx 16\n"
              "x 17\nx 18\nx 19\nx 20\nd 3 3 1 0\nd 3 3 2 0\n",
              "before 'T1.4 X := 1' " NOT_CLOSED);
  /* reading and writing */
  check_words("int X; begin x := X; X := 1; X := 2 end" READ_BY_MANY, &OPEN,
              "proof 0 0 1 14\nh 1\nk\n" OF_T1(4) OF_T1(5) OF_T1(6) OF_T1(7) OF_T1(8) OF_T1(9) OF_OTHERS(
                  10, 11, 12, 13, 14, 15, 16,
                  17) "upward 1 1\nr 1 2 3\nx 1\nx 2 3 4 5\nx 6\nx 7 9\nx 8 10\nx 11\nx 12\nx 13\nx 14\nd 3 2 2 0\n",
              "before 'T1.3 X := 1' " NOT_CLOSED);
}

/* ---- what takes all of a group ---- */

/* The block does nothing; an element asks for another thread, behind its step, and for a chain that nobody can have put
 * on the group. If the step takes all, the chain cannot have been there before it; else it can. */
static void what_takes_all(void) {
#define BLOCK_WITH_LOCK " || acquire(l); begin skip end; release(l)"
  const char *reader = "bool X; lock l; await (X = false)" BLOCK_WITH_LOCK
                       " || acquire(l); X := true; release(l) || N * { acquire(l); release(l) }";
  const char *writer =
      "int X, Y; lock l; X := 1; Y := 1" BLOCK_WITH_LOCK " || N * { acquire(l); x := X; y := Y; release(l) }";
  const char *reader_of_one =
      "bool X; lock l; x := X" BLOCK_WITH_LOCK " || N * { acquire(l); x := X; X := !x; release(l) }";
#define READER_POSITIONS "x 1\nx 2\nx 3\nx 4\nx 5\nx 6\nx 7\nx 8\nx 9\nx 10\nx 11\nx 12\nx 13 16\nx 14 17\nx 15 18\n"
#define WRITER_POSITIONS "x 1\nx 2\nx 3\nx 4\nx 5\nx 6\nx 7\nx 8\nx 9\nx 10 15\nx 11 16\nx 12 17\nx 13 18\nx 14 19\n"
  check_words(reader, &OPEN, "upward 1 1\nr 1 2\ng 3\n" READER_POSITIONS "d 3 5 2 1 2\n",
              "before 'T1.1 await (X = false)' " NOT_CLOSED); /* it only reads */
  check_words(reader, &OPEN, "upward 1 2\nr 1 2\ng 3\n" READER_POSITIONS "d 3 5 2 1 2\nd 3 5 2 1 1\n", "holds");
  check_words(writer, &OPEN, "upward 1 1\ng 1 2 3 4\ng 5\n" WRITER_POSITIONS "d 3 6 1 1 2\n",
              "before 'T1.1 X := 1' " NOT_CLOSED); /* what Y has is left */
  check_words(writer, &OPEN, "upward 1 1\ng 1 2\ng 3 4\ng 5\n" WRITER_POSITIONS "d 3 6 1 1 2\n", "holds");
  check_words(reader_of_one, &OPEN,
              "upward 1 1\ng 1 2 3 4 5 6\ng 7\nx 1\nx 2\nx 3\nx 4\nx 5\nx 6\nx 7\nx 8\nx 9 14\nx 10 15\n"
              "x 11 16\nx 12 17\nx 13 18\nd 3 5 1 1 2\n",
              "before 'T1.1 x := X' " NOT_CLOSED); /* others' permits to read are left */
}

void suite_every_proofs(void) {
  CU_pSuite suite = CU_add_suite("check/every_judge", NULL, NULL);
  CU_ADD_TEST(suite, random_programs);
  CU_ADD_TEST(suite, upward_sets);
  CU_ADD_TEST(suite, each_reason);
  CU_ADD_TEST(suite, alike);
  CU_ADD_TEST(suite, each_reason_for_a_set);
  CU_ADD_TEST(suite, what_leaves_t);
  CU_ADD_TEST(suite, starts_of_runs);
  CU_ADD_TEST(suite, joined_positions);
  CU_ADD_TEST(suite, what_takes_all);
}
