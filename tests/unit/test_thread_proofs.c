/* Certificates of short proofs (docs/certificates.md): a false claim is never accepted, whatever the facts before it
 * are. That true ones are accepted is seen by differential testing (tests/engines.c), too. */
#include "base/hash.h"
#include "check/certificate_judge.h"
#include "prove/prove.h"
#include "tests/oracle/colouring.h"
#include "tests/oracle/random_sml.h"
#include "tests/unit/sml_case.h"
#include "unfold/certificate_write.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 30000, PROGRAMS = 500, CHANGES = 40, MOST_BLOCKS = 32 };

/* The proof of what can be proved, into a malloc'd text. */
static void certify(Heap *heap, const Net *net, bool movers, char **text) {
  size_t length;
  FILE *out = open_memstream(text, &length);
  if (!out) abort();
  certificate_begin(out, net);
  prove_free(prove_net(heap, net, &(ProveOptions){.movers = movers, .environment = true, .certificate = out}));
  certificate_end(out);
  fclose(out);
}

typedef struct {
  uint32_t held, rejected, malformed;
  uint32_t wrong; /* claims accepted that are not true */
} Tally;

/* Of a certificate that may be false. */
static Verdict judge(Heap *heap, const Net *net, const char *text, const Answer *answers, Tally *tally) {
  CertificateReport report;
  Err err;
  const InFile file = {(char *)(uintptr_t)text, strlen(text), "proof"};
  const Verdict verdict = certificate_judge(heap, net, &file, &report, &err);
  for (uint32_t i = 0; verdict == VERDICT_HOLDS && i < report.claims.n; i++) {
    const Claim *claim = &report.claims.at[i];
    if (claim->kind == CLAIM_ATOMIC) tally->wrong += answers[report.numbers.at[claim->first]] == ANSWER_VIOLATED;
  }
  certificate_judge_report_fini(&report);
  tally->held += verdict == VERDICT_HOLDS;
  tally->rejected += verdict == VERDICT_VIOLATED;
  tally->malformed += verdict == VERDICT_UNKNOWN;
  return verdict;
}

/* Behind the facts, all blocks are claimed in turn, by either proof; so that it is not only what happens to be there
 * that has to be true. */
static void claim_all(Heap *heap, const Net *net, const char *text, const Answer *answers, Tally *tally) {
  const size_t length = strlen(text) - strlen("end\n");
  char *claimed = malloc(length + 40);
  if (!claimed) abort();
  for (uint32_t b = 0; b < net->notes->n_blocks; b++)
    for (int movers = 0; movers <= 1; movers++) {
      memcpy(claimed, text, length);
      snprintf(claimed + length, 40, "%s %u\nend\n", movers ? "movers" : "environment", b + 1);
      judge(heap, net, claimed, answers, tally);
    }
  free(claimed);
}

/* ---- changes ---- */

static const char *line_start(const char *text, const char *at) {
  while (at > text && at[-1] != '\n') at--;
  return at;
}

/* One number is another one; a line is left out; a number is left out. The first two lines stay. malloc'd. */
static char *change(const char *text, uint64_t seed) {
  const char *from = strchr(strchr(text, '\n') + 1, '\n') + 1;
  const size_t room = strlen(from) - strlen("end\n");
  const char *at = from + hash_word(seed) % room;
  char *changed = malloc(strlen(text) + 20);
  if (!changed) abort();
  if (seed % 5 == 0) {
    at = line_start(from, at);
    sprintf(changed, "%.*s%s", (int)(at - text), text, strchr(at, '\n') + 1);
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

static void change_all(Heap *heap, const Net *net, const char *text, uint64_t seed, const Answer *answers,
                       Tally *tally) {
  for (uint64_t i = 0; i < CHANGES; i++) {
    char *changed = change(text, seed * CHANGES + i);
    const Tally before = *tally;
    if (judge(heap, net, changed, answers, tally) == VERDICT_HOLDS) claim_all(heap, net, changed, answers, tally);
    if (tally->wrong > before.wrong)
      printf("\n  program %llu, change %llu\n", (unsigned long long)seed, (unsigned long long)i);
    free(changed);
  }
}

static Net *random_net(Heap *heap, uint64_t seed) {
  CharVec text = {0};
  random_sml(heap, seed, seed % 3 ? RANDOM_SMALL : RANDOM_WIDE, &text);
  Diag diag;
  diag_init(&diag, heap, "random.sml", text.at, text.n);
  const SmlOptions options = {.granularity = seed % 5 ? GRANULARITY_STATEMENT : GRANULARITY_ACCESS,
                              .encoding = seed % 7 ? ENCODING_COMPACT : ENCODING_PAPER};
  Net *net = sml_compile(heap, &options, &diag);
  diag_fini(&diag);
  return net;
}

static void changed_proofs(void) {
  Tally whole = {0}, claimed = {0}, changed = {0};
  for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
    Heap *heap = heap_new(0);
    Net *net = random_net(heap, seed);
    Answer answers[MOST_BLOCKS];
    Err err;
    CU_ASSERT_FATAL(net && net->notes->n_blocks <= MOST_BLOCKS);
    CU_ASSERT_TRUE_FATAL(colouring_search(heap, net, STATES, answers, &err));
    char *text = NULL;
    certify(heap, net, seed % 2, &text);
    CU_ASSERT_EQUAL(judge(heap, net, text, answers, &whole), VERDICT_HOLDS);
    if (strstr(text, "proof")) {
      claim_all(heap, net, text, answers, &claimed);
      change_all(heap, net, text, seed, answers, &changed);
    }
    free(text);
    net_free(net);
    heap_free(heap);
  }
  CU_ASSERT_EQUAL(whole.held, PROGRAMS);
  CU_ASSERT_EQUAL(whole.wrong + claimed.wrong + changed.wrong, 0);
  CU_ASSERT_EQUAL(claimed.malformed, 0);
  CU_ASSERT_TRUE(claimed.held > 500 && claimed.rejected > 500);
  CU_ASSERT_TRUE(changed.held > 500 && changed.rejected > 2000 && changed.malformed > 2000);
}

/* ---- each reason ---- */

/* A lock, and a block under it; `expected` is a part of what is said of the proof. */
static void check_words(const char *program, const char *proof, const char *expected) {
  SmlCase c = sml_case(program);
  CU_ASSERT_PTR_NOT_NULL_FATAL(c.net);
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  if (!out) abort();
  certificate_begin(out, c.net);
  fputs(proof, out);
  certificate_end(out);
  fclose(out);
  CertificateReport report;
  Err err = {.text = "holds"};
  const InFile file = {text, length, "proof"};
  certificate_judge(c.heap, c.net, &file, &report, &err);
  if (!strstr(err.text, expected)) printf("\n  %s\n", err.text);
  CU_ASSERT_PTR_NOT_NULL(strstr(err.text, expected));
  certificate_judge_report_fini(&report);
  free(text);
  sml_case_end(&c);
}

/* Places: 1 X, 2 l, 3-8 of T1, 9-12 of T2. */
static const char LOCKED[] = "int X; lock l; begin acquire(l) X := 1; release(l) end || acquire(l) X := 2; release(l)";

#define OBJECT "o 2\nv 2\nv\nb 1\n"
#define KINDS "k\nk 1\n"
#define FIRST "a 1 1 3\na 1 1 4\na 2 1 5\na 2 1 6\na 1 1 7\na 1 1 8\n"
#define SECOND "a 1 2 9\na 2 2 10\na 2 2 11\na 1 2 12\n"

static void each_reason(void) {
  check_words(LOCKED, "proof 1 1 2 10\n" OBJECT KINDS FIRST SECOND "movers 1\nenvironment 1\n", "holds");
  check_words(LOCKED, "proof 1 1 2 10\no 2\nv 2\nv 1\nb 1\n" KINDS FIRST SECOND, "has no value at first, or several");
  check_words(LOCKED, "proof 1 1 2 10\no 2\nv 1 2\nv\nb 1\n" KINDS FIRST SECOND,
              "does not take an object from one value to one");
  check_words(LOCKED, "proof 1 1 2 10\no 1\nv\nb 1\n" KINDS FIRST SECOND, "does not keep the bits");
  check_words(LOCKED, "proof 1 1 2 10\no 3\nv 2\nv\nv 1\nb 1\n" KINDS FIRST SECOND, "behind the one without places");
  check_words(LOCKED, "proof 1 1 2 10\no 2\nv 2 3\nv\nb 1\n" KINDS FIRST SECOND, "is private, or of two values");
  check_words(LOCKED, "proof 1 2 2 10\n" OBJECT "b 1\n" KINDS FIRST SECOND, "an object has two bits");
  check_words(LOCKED, "proof 1 1 2 9\n" OBJECT KINDS FIRST "a 1 2 9\na 2 2 10\na 2 2 11\n",
              "at the controls that are there");
  check_words(LOCKED, "proof 1 1 2 10\n" OBJECT KINDS FIRST "a 1 2 9\na 1 2 10\na 1 2 11\na 1 2 12\n",
              "does not keep the bits");
  check_words(LOCKED, "proof 1 1 2 10\n" OBJECT KINDS FIRST "a 2 2 9\na 2 2 10\na 2 2 11\na 1 2 12\n",
              "holds something at first");
  check_words(LOCKED, "proof 1 1 2 10\n" OBJECT "k\nm 1 2\nk 1\n" FIRST SECOND, "does not know the initial value");
  check_words(LOCKED, "proof 1 1 2 10\n" OBJECT "k\nm 1 1\nk 1\n" FIRST SECOND,
              "does not keep the values of other threads");
  check_words(LOCKED, "proof 1 1 2 10\n" OBJECT "k\nk 1\nm 1 1\n" FIRST SECOND,
              "does not keep the values of its own thread");
  check_words(LOCKED, "proof 1 1 2 10\n" OBJECT KINDS FIRST "a 1 2 3\na 2 2 10\na 2 2 11\na 1 2 12\n",
              "is not private to the thread");
  check_words(LOCKED, "proof 1 1 2 10\n" OBJECT KINDS FIRST "a 1 2 9\na 2 2 10\na 2 2 11\na 1 2 9\n",
              "a control is there twice");
  check_words(LOCKED, "proof 1 1 2 10\n" OBJECT KINDS FIRST SECOND "movers 2\n",
              "expected a block, which can only be 1, found '2'");
  check_words(LOCKED, "proof 1 1 2 10\n" OBJECT "k\nx\n", "expected 'k' and the bits of a kind, found 'x'");
  static const char open[] = "proof 0 0 1 7\nk\na 1 1 2\na 1 1 3\na 1 1 4\na 1 1 5\na 1 1 6\na 1 2 7\na 1 2 8\n";
  char text[200];
  snprintf(text, sizeof text, "%sa 1 2 8\n", open);
  check_words("int X; begin x := X; X := 1 end || X := 2", text, "expected a claim that fits here");
  snprintf(text, sizeof text, "%smovers 1\n", open);
  check_words("int X; begin x := X; X := 1 end || X := 2", text, "that block 1 is atomic is not seen by movers");
  snprintf(text, sizeof text, "%senvironment 1\n", open);
  check_words("int X; begin x := X; X := 1 end || X := 2", text,
              "that block 1 is atomic is not seen by the environment");
}

void suite_thread_proofs(void) {
  CU_pSuite suite = CU_add_suite("check/thread_facts", NULL, NULL);
  CU_ADD_TEST(suite, changed_proofs);
  CU_ADD_TEST(suite, each_reason);
}
