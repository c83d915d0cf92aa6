/* Certificates of short proofs (docs/certificates.md): a false claim is never accepted, whatever the facts before it
 * are. That true ones are accepted is seen by differential testing (tests/engines.c), too. */
#include "base/hash.h"
#include "check/certificate_judge.h"
#include "prove/prove.h"
#include "tests/oracle/colouring.h"
#include "tests/oracle/random_protocol.h"
#include "tests/oracle/random_sml.h"
#include "tests/unit/sml_case.h"
#include "unfold/certificate_write.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 30000, PROGRAMS = 500, PROTOCOLS = 400, CHANGES = 40, MOST_BLOCKS = 32 };

/* The proof of what can be proved by these, into a malloc'd text. */
static void certify(Heap *heap, const Net *net, ProveOptions options, char **text) {
  size_t length;
  FILE *out = open_memstream(text, &length);
  if (!out) abort();
  certificate_begin(out, net);
  options.certificate = out;
  prove_free(prove_net(heap, net, &options));
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

/* Behind the facts, all blocks are claimed in turn, by each proof; so that it is not only what happens to be there
 * that has to be true. */
static void claim_all(Heap *heap, const Net *net, const char *text, const Answer *answers, Tally *tally) {
  const size_t length = strlen(text) - strlen("end\n");
  char *claimed = malloc(length + 40);
  if (!claimed) abort();
  for (uint32_t b = 0; b < net->notes->n_blocks; b++)
    for (int i = 0; i < 3; i++) {
      static const char *const words[] = {"movers", "environment", "pairs"};
      memcpy(claimed, text, length);
      snprintf(claimed + length, 40, "%s %u\nend\n", words[i], b + 1);
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

static Net *random_net(Heap *heap, uint64_t seed, bool protocol) {
  CharVec text = {0};
  if (protocol) random_protocol(heap, seed, &text);
  else random_sml(heap, seed, seed % 3 ? RANDOM_SMALL : RANDOM_WIDE, &text);
  Diag diag;
  diag_init(&diag, heap, "random.sml", text.at, text.n);
  const SmlOptions options = {.granularity = seed % 5 ? GRANULARITY_STATEMENT : GRANULARITY_ACCESS,
                              .encoding = seed % 7 ? ENCODING_COMPACT : ENCODING_PAPER};
  Net *net = sml_compile(heap, &options, &diag);
  diag_fini(&diag);
  return net;
}

typedef struct {
  Tally whole, claimed, changed;
  uint32_t counting, pairs; /* certificates with counters, and with sets of pairs */
} Tallies;

static void change_proof(uint64_t seed, bool protocol, Tallies *tallies) {
  Heap *heap = heap_new(0);
  Net *net = random_net(heap, seed, protocol);
  Answer answers[MOST_BLOCKS];
  Err err;
  CU_ASSERT_FATAL(net && net->notes->n_blocks <= MOST_BLOCKS);
  CU_ASSERT_TRUE_FATAL(colouring_search(heap, net, STATES, answers, &err));
  char *text = NULL;
  certify(heap, net, (ProveOptions){.movers = seed % 2, .environment = true, .pairs = protocol}, &text);
  CU_ASSERT_EQUAL(judge(heap, net, text, answers, &tallies->whole), VERDICT_HOLDS);
  if (strstr(text, "proof")) {
    tallies->counting += strstr(text, "\nn ") != NULL;
    tallies->pairs += strstr(text, "\np ") != NULL;
    claim_all(heap, net, text, answers, &tallies->claimed);
    change_all(heap, net, text, seed, answers, &tallies->changed);
  }
  free(text);
  net_free(net);
  heap_free(heap);
}

static void changed_proofs(void) {
  Tallies t = {0};
  for (uint64_t seed = 1; seed <= PROGRAMS; seed++) change_proof(seed, false, &t);
  CU_ASSERT_EQUAL(t.whole.held, PROGRAMS);
  CU_ASSERT_EQUAL(t.whole.wrong + t.claimed.wrong + t.changed.wrong, 0);
  CU_ASSERT_EQUAL(t.claimed.malformed, 0);
  CU_ASSERT_TRUE(t.claimed.held > 500 && t.claimed.rejected > 500);
  CU_ASSERT_TRUE(t.changed.held > 500 && t.changed.rejected > 2000 && t.changed.malformed > 2000);
}

static void changed_pairs(void) {
  Tallies t = {0};
  for (uint64_t seed = 1; seed <= PROTOCOLS; seed++) change_proof(seed, true, &t);
  CU_ASSERT_EQUAL(t.whole.held, PROTOCOLS);
  CU_ASSERT_EQUAL(t.whole.wrong + t.claimed.wrong + t.changed.wrong, 0);
  CU_ASSERT_EQUAL(t.claimed.malformed, 0);
  CU_ASSERT_TRUE(t.counting > 50 && t.pairs > 30);
  CU_ASSERT_TRUE(t.claimed.held > 200 && t.claimed.rejected > 200);
  CU_ASSERT_TRUE(t.changed.held > 200 && t.changed.rejected > 2000 && t.changed.malformed > 1000);
}

/* What was proved must hold, in every program that once did not. */
static void check_whole(const char *program) {
  SmlCase c = sml_case(program);
  CU_ASSERT_PTR_NOT_NULL_FATAL(c.net);
  const Answer answers[MOST_BLOCKS] = {ANSWER_ATOMIC};
  Tally tally = {0};
  char *text = NULL;
  certify(c.heap, c.net, (ProveOptions){.pairs = true}, &text);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "\npairs 1\n"));
  CU_ASSERT_EQUAL(judge(c.heap, c.net, text, answers, &tally), VERDICT_HOLDS);
  free(text);
  sml_case_end(&c);
}

static void whole_proofs(void) {
  /* counting shows that T2 never counts: then the others count up to less */
  check_whole("int[5] N; atomic { await (N != 1); N := N + 1 } || await (N = 3); begin end; N := N + 1 || N := N + 1");
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
  check_words(LOCKED, "proof 1 1 2 10\no 2\nv 2\nv 1\nb 1\n" KINDS FIRST SECOND, "has no initial value, or several");
  check_words(LOCKED, "proof 1 1 2 10\no 2\nv 1 2\nv\nb 1\n" KINDS FIRST SECOND,
              "does not take an object from one value to one");
  check_words(LOCKED, "proof 1 1 2 10\no 1\nv\nb 1\n" KINDS FIRST SECOND, "does not keep the bits");
  check_words(LOCKED, "proof 1 1 2 10\no 3\nv 2\nv\nv 1\nb 1\n" KINDS FIRST SECOND, "after the one without places");
  check_words(LOCKED, "proof 1 1 2 10\no 2\nv 2 3\nv\nb 1\n" KINDS FIRST SECOND, "is private, or of two values");
  check_words(LOCKED, "proof 1 2 2 10\n" OBJECT "b 1\n" KINDS FIRST SECOND, "an object has two bits");
  check_words(LOCKED, "proof 1 1 2 9\n" OBJECT KINDS FIRST "a 1 2 9\na 2 2 10\na 2 2 11\n", "at the listed controls");
  check_words(LOCKED, "proof 1 1 2 10\n" OBJECT KINDS FIRST "a 1 2 9\na 1 2 10\na 1 2 11\na 1 2 12\n",
              "does not keep the bits");
  check_words(LOCKED, "proof 1 1 2 10\n" OBJECT KINDS FIRST "a 2 2 9\na 2 2 10\na 2 2 11\na 1 2 12\n",
              "holds something initially");
  check_words(LOCKED, "proof 1 1 2 10\n" OBJECT "k\nm 1 2\nk 1\n" FIRST SECOND, "does not know the initial value");
  check_words(LOCKED, "proof 1 1 2 10\n" OBJECT "k\nm 1 1\nk 1\n" FIRST SECOND,
              "does not keep the values of other threads");
  check_words(LOCKED, "proof 1 1 2 10\n" OBJECT "k\nk 1\nm 1 1\n" FIRST SECOND,
              "does not keep the values of its own thread");
  check_words(LOCKED, "proof 1 1 2 10\n" OBJECT KINDS FIRST "a 1 2 3\na 2 2 10\na 2 2 11\na 1 2 12\n",
              "is not private to the thread");
  check_words(LOCKED, "proof 1 1 2 10\n" OBJECT KINDS FIRST "a 1 2 9\na 2 2 10\na 2 2 11\na 1 2 9\n",
              "a control is listed twice");
  check_words(LOCKED, "proof 1 1 2 10\n" OBJECT KINDS FIRST SECOND "movers 2\n",
              "expected a block, which can only be 1, found '2'");
  check_words(LOCKED, "proof 1 1 2 10\n" OBJECT "k\nx\n", "expected 'k' and the bits of a kind, found 'x'");
  static const char open[] = "proof 0 0 1 7\nk\na 1 1 2\na 1 1 3\na 1 1 4\na 1 1 5\na 1 1 6\na 1 2 7\na 1 2 8\n";
  char text[200];
  snprintf(text, sizeof text, "%sa 1 2 8\n", open);
  check_words("int X; begin x := X; X := 1 end || X := 2", text, "expected a claim that fits here");
  snprintf(text, sizeof text, "%smovers 1\n", open);
  check_words("int X; begin x := X; X := 1 end || X := 2", text, "block 1 is not shown to be atomic by movers");
  snprintf(text, sizeof text, "%senvironment 1\n", open);
  check_words("int X; begin x := X; X := 1 end || X := 2", text,
              "block 1 is not shown to be atomic by the environment");
}

/* Places: 1-3 N, 4-5 X, 6-11 of T1, 12-14 of T2, 15-17 of T3. */
static const char COUNTED[] =
    "int[3] N; int X; await (N = 2); begin X := 1; X := 2 end || x := X; N := N + 1 || x := X; N := N + 1";

#define WAITING "a 1 1 6\na 2 1 7\na 2 1 8\na 2 1 9\na 2 1 10\na 2 1 11\n"
#define COUNTING "a 3 2 12\na 3 2 13\na 4 2 14\na 3 3 15\na 3 3 16\na 4 3 17\n"
#define THREE "o 3\nv 1\nv 2\nv 3\n"

static void each_reason_of_counters(void) {
  check_words(COUNTED,
              "proof 1 0 4 12\n" THREE "n 1\nk\nk\nm 1 3\nk\nm 1 1 2\nk\nm 1 2 3\nw 1 1\n" WAITING COUNTING "pairs 1\n",
              "holds");
  check_words(COUNTED, "proof 1 0 4 12\n" THREE "n 1\nk\nk\nk\nk\nw 1 1\n" WAITING COUNTING "pairs 1\n",
              "is not shown to be atomic by pairs");
  check_words(COUNTED, "proof 1 0 4 12\n" THREE "n 1\nn 1\n", "an object is two counters");
  check_words(COUNTED, "proof 1 0 4 12\n" THREE "k\nw 1 1\n", "object 1 is not a counter");
  check_words(COUNTED, "proof 1 0 4 12\n" THREE "n 1\nk\nw 1 3\n", "a weight is no smaller than the number of values");
  check_words(COUNTED, "proof 1 0 4 12\n" THREE "n 1\nk\nk\nk\nk\n" WAITING COUNTING, "does not keep a counter");
  check_words(COUNTED, "proof 1 0 4 12\n" THREE "n 1\nk\nk\nk\nk\nw 1 2\n" WAITING COUNTING, "does not keep a counter");
  /* the values of a third thread's control, where all others have not counted */
  check_words(COUNTED, "proof 1 0 4 12\n" THREE "n 1\nk\nk\nm 1 3\nk\nm 1 1\nk\nm 1 2 3\nw 1 1\n" WAITING COUNTING,
              "does not keep the values of other threads");
  /* of a kind that some threads have who count, and one that does not */
  check_words(COUNTED,
              "proof 1 0 2 7\n" THREE "n 1\nk\nm 1 1 2\nk\nm 1 2 3\nw 1 1\n"
              "a 1 1 6\na 1 2 12\na 1 2 13\na 2 2 14\na 1 3 15\na 1 3 16\na 2 3 17\npairs 1\n",
              "does not keep the values of other threads");
}

/* Places: 1-2 F, 3-6 of T1, 7-8 of T2, 9-10 of T3. */
static const char PAIRED[] = "bool F; begin F := true end || await (F) || F := false";

#define EACH_ONE                                        \
  "proof 1 0 7 8\no 2\nv 1\nv 2\nk\nk\nk\nk\nk\nk\nk\n" \
  "a 1 1 3\na 2 1 4\na 3 1 5\na 4 1 6\na 5 2 7\na 6 2 8\na 7 3 9\na 7 3 10\n"
#define BEFORE "q 1 5 1\nq 2 5 1\n"
#define BEHIND "q 3 5 1\nq 3 5 2\nq 3 6 2\nq 4 5 1\nq 4 5 2\nq 4 6 2\n"
#define BY_THIRD "q 3 6 1\nq 4 6 1\n"

static void each_reason_of_pairs(void) {
  check_words(PAIRED, EACH_ONE "p 1\nl 1 2 3 4\nr 5 6\n" BEFORE BEHIND BY_THIRD "pairs 1\n", "holds");
  check_words(PAIRED, EACH_ONE "p 1\nl 1 2 3\nl 4\nr 5 6\n" BEHIND BY_THIRD, "lacks the initial controls and values");
  check_words(PAIRED, EACH_ONE "p 1\nl 1 2 3 4\nr 5 6\n" BEFORE BEHIND, "'T3.1#2 F := false' leads to a line that");
  check_words(PAIRED, EACH_ONE "p 1\nl 1 2 3 4\nr 5 6\n" BEFORE BY_THIRD, "'T1.2 F := true' leads to a line that");
  check_words(PAIRED, EACH_ONE "p 1\nl 1 2 3 4\nr 5 6\n" BEFORE "q 3 5 1\nq 3 5 2\nq 4 5 1\nq 4 5 2\n",
              "'T2.1 await (F)' leads to a line that");
  check_words(PAIRED, EACH_ONE "p 1\nl 3 4\nr 5 6\n" BEHIND BY_THIRD, "leads into a set of pairs");
  check_words(PAIRED, EACH_ONE "p 1\nl 1 2 3 4\nr 6\nq 3 6 2\n", "leads into a set of pairs");
  check_words(PAIRED, EACH_ONE "p 1\nl 1 2\nr 5 6\n" BEFORE, "holds"); /* a thread may leave the set */
  check_words(PAIRED, EACH_ONE "p\nl 1 2 3 4\nr 5 6\nq 1 5\nq 2 5\nq 3 5\nq 4 5\nq 1 6\nq 2 6\nq 3 6\nq 4 6\n",
              "holds");
  check_words(PAIRED, EACH_ONE "p 1\nl 1 2 3 4\nr 5 6\nq 5 1 1\n", "has a kind that the set is not about");
  check_words(PAIRED, EACH_ONE "p 1 1\n", "the objects of a set of pairs do not ascend");
  check_words(PAIRED, EACH_ONE "p 1\nl 1 2 3 4\nr 5 6\nq 1 5 3\n", "expected a value from 1 to 2, found '3'");
  check_words(PAIRED, EACH_ONE "p 1\nl 1 2 3 4\nr 5 6\nq 1 5\n", "expected a value from 1 to 2");
}

void suite_thread_proofs(void) {
  CU_pSuite suite = CU_add_suite("check/thread_facts", NULL, NULL);
  CU_ADD_TEST(suite, changed_proofs);
  CU_ADD_TEST(suite, changed_pairs);
  CU_ADD_TEST(suite, whole_proofs);
  CU_ADD_TEST(suite, each_reason);
  CU_ADD_TEST(suite, each_reason_of_counters);
  CU_ADD_TEST(suite, each_reason_of_pairs);
}
