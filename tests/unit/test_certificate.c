/* Certificates: what unfold/ writes holds, also for nets with many events; and nothing that is not true is ever
 * accepted: certificates are changed in every number and line, and what still holds is compared with explicit
 * reachability. */
#include "check/past.h"
#include "tests/unit/claim_oracle.h"
#include "tests/unit/hand_net.h"
#include "tests/unit/known_net.h"
#include "tests/unit/safe_net.h"
#include "tests/unit/temp.h"
#include "unfold/certificate_write.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing and judging ---- */

/* A certificate in memory; `text` is freed by text_fini, and is whole once the stream is closed. */
typedef struct {
  char *text;
  size_t length;
  FILE *stream;
} Text;

static void text_begin(Text *text, const Net *net) {
  text->stream = open_memstream(&text->text, &text->length);
  if (!text->stream) abort();
  certificate_begin(text->stream, net);
}

static void text_end(Text *text) {
  certificate_end(text->stream);
  fclose(text->stream);
}

static void text_fini(Text *text) { free(text->text); }

static Verdict judge(Heap *heap, const Net *net, const char *text, size_t length, CertificateReport *report, Err *err) {
  const InFile file = {(char *)(uintptr_t)text, length, "proof"};
  return certificate_judge(heap, net, &file, report, err);
}

/* The verdict; where it is not the one expected, the reason is printed. */
static Verdict judge_text(Heap *heap, const Net *net, const Text *text, Verdict expected) {
  CertificateReport report;
  Err err = {0};
  const uint64_t used = heap_used(heap);
  const Verdict verdict = judge(heap, net, text->text, text->length, &report, &err);
  certificate_judge_report_fini(&report);
  if (verdict != expected) printf("\n%s\n%.2000s\n", verdict == VERDICT_HOLDS ? "it holds" : err.text, text->text);
  CU_ASSERT_EQUAL(verdict, expected);
  CU_ASSERT_EQUAL(heap_used(heap), used);
  return verdict;
}

static Prefix *unfold_in(Heap *heap, const Net *net, UnfoldOrder order) {
  Err err;
  return unfold(heap, net, &(UnfoldOptions){.order = order}, &err);
}

/* ---- random nets ---- */

enum { N_RANDOM = 1500, MARKINGS = 500 };

/* Claims all that is true of single places and of transitions; returns how many claims that were. */
static uint32_t claim_all(FILE *out, const Reach *reach) {
  uint32_t n = 0;
  for (uint32_t p = 0; p < reach->net->n_places; p++)
    if (!is_covered(reach, &p, 1)) certificate_claim(out, CERTIFY_UNCOVERED, &p, 1), n++;
  for (uint32_t t = 0; t < reach->net->n_trans; t++)
    if (!can_fire(reach, (TransId){t})) certificate_claim(out, CERTIFY_DEAD, &t, 1), n++;
  return n;
}

static void judge_claim(Heap *heap, const Prefix *prefix, UnfoldOrder order, CertificateClaim claim,
                        const uint32_t *numbers, uint32_t n, bool is_true) {
  Text text;
  text_begin(&text, prefix->net);
  certificate_prefix(text.stream, prefix, order);
  certificate_claim(text.stream, claim, numbers, n);
  text_end(&text);
  judge_text(heap, prefix->net, &text, is_true ? VERDICT_HOLDS : VERDICT_VIOLATED);
  text_fini(&text);
}

/* Pairs and triples of places, and each transition: what is true is accepted, what is false is rejected. */
static void judge_claims(Heap *heap, const Reach *reach, const Prefix *prefix, UnfoldOrder order) {
  const uint32_t n = reach->net->n_places;
  for (uint32_t p = 0; p < n; p++) {
    const uint32_t pair[] = {p, (7 * p + 1) % n}, triple[] = {p, (5 * p + 1) % n, (3 * p + 2) % n};
    judge_claim(heap, prefix, order, CERTIFY_UNCOVERED, pair, 1, !is_covered(reach, pair, 1));
    judge_claim(heap, prefix, order, CERTIFY_UNCOVERED, pair, 2, !is_covered(reach, pair, 2));
    judge_claim(heap, prefix, order, CERTIFY_UNCOVERED, triple, 3, !is_covered(reach, triple, 3));
  }
  for (uint32_t t = 0; t < reach->net->n_trans; t++)
    judge_claim(heap, prefix, order, CERTIFY_DEAD, &t, 1, !can_fire(reach, (TransId){t}));
}

static void judge_prefixes(Heap *heap, const Reach *reach, bool thoroughly) {
  for (UnfoldOrder order = UNFOLD_ERV; order <= UNFOLD_MCMILLAN; order++) {
    Prefix *prefix = unfold_in(heap, reach->net, order);
    Text text;
    text_begin(&text, reach->net);
    certificate_prefix(text.stream, prefix, order);
    claim_all(text.stream, reach);
    text_end(&text);
    judge_text(heap, reach->net, &text, VERDICT_HOLDS);
    if (prefix->n_events < 200) CU_ASSERT_TRUE(prefix_is_complete(heap, reach, text.text));
    text_fini(&text);
    if (thoroughly) judge_claims(heap, reach, prefix, order);
    prefix_free(prefix);
  }
}

/* The way to the last marking that was found, with all that is true of it, or to the second token. */
static void write_run(FILE *out, Heap *heap, const Reach *reach) {
  const bool safe = reach->unsafe_from == REACH_NONE;
  const uint32_t m = safe ? reach->n_markings - 1 : reach->unsafe_from, n = reach_run(reach, m, NULL);
  TransId *run = heap_alloc(heap, ((size_t)n + 1) * sizeof *run);
  uint32_t places[SKETCH_PLACES], n_places = 0;
  reach_run(reach, m, run);
  if (!safe) run[n] = reach->unsafe_trans;
  certificate_run(out, run, safe ? n : n + 1);
  for (uint32_t p = 0; p < reach->net->n_places; p++)
    if (safe && marking_has(reach_marking(reach, m), (PlaceId){p})) places[n_places++] = p;
  if (n_places) certificate_claim(out, CERTIFY_COVERS, places, n_places);
  if (safe ? n > 0 : true) certificate_claim(out, CERTIFY_FIRES, &run[safe ? n - 1 : n].v, 1);
  if (safe && reach_find_deadlock(reach) == m) certificate_claim(out, CERTIFY_DEADLOCK, NULL, 0);
  if (!safe) certificate_claim(out, CERTIFY_UNSAFE, &reach->unsafe_place.v, 1);
  heap_release(heap, run);
}

static void judge_run(Heap *heap, const Reach *reach) {
  Text text;
  text_begin(&text, reach->net);
  write_run(text.stream, heap, reach);
  text_end(&text);
  judge_text(heap, reach->net, &text, VERDICT_HOLDS);
  text_fini(&text);
}

static void what_is_written_holds(void) {
  uint32_t n_safe = 0, n_unsafe = 0;
  for (uint64_t seed = 1; seed <= N_RANDOM; seed++) {
    Heap *heap = heap_new((size_t)1 << 28);
    Net *net = safe_net(heap, seed);
    Reach *reach = reach_explore(heap, net, MARKINGS);
    if (is_safe(reach)) judge_prefixes(heap, reach, seed % 8 == 2);
    if (is_safe(reach) || reach->unsafe_from != REACH_NONE) judge_run(heap, reach);
    n_safe += is_safe(reach);
    n_unsafe += reach->unsafe_from != REACH_NONE;
    heap_free(heap);
  }
  CU_ASSERT_TRUE(n_safe > N_RANDOM / 3);
  CU_ASSERT_TRUE(n_unsafe > N_RANDOM / 10);
}

/* ---- the order ---- */

typedef struct {
  Past past;
  uint32_t n_pairs, n_equal; /* of events with the same marking; and of one size */
} Comparison;

static bool is_cutoff(Comparison *c, uint32_t event, uint32_t other, PastOrder order) {
  Err err;
  return past_check_cutoff(&c->past, event, other, order, &err);
}

/* Of two events with the same marking one is smaller in ERV's order, and only one; the smaller size decides first. */
static void compare_events(Comparison *c, uint32_t e, uint32_t f) {
  Err err = {0};
  const bool before = past_check_cutoff(&c->past, e, f, PAST_ERV, &err), after = is_cutoff(c, f, e, PAST_ERV);
  const bool less = is_cutoff(c, e, f, PAST_MCMILLAN), more = is_cutoff(c, f, e, PAST_MCMILLAN);
  CU_ASSERT_EQUAL(after, strstr(err.text, "not smaller") != NULL);
  CU_ASSERT_FALSE((less && !before) || (more && !after));
  c->n_pairs += before || after;
  c->n_equal += (before || after) && !less && !more;
}

/* The unfolder's cut-offs are cut-offs, and not the other way round. */
static void compare_cutoff(Comparison *c, const Prefix *prefix, uint32_t e) {
  const uint32_t other = prefix->corresponding[e - 1].v + 1; /* EVENT_NONE: 0 */
  CU_ASSERT_TRUE(is_cutoff(c, e, other, PAST_ERV));
  CU_ASSERT_TRUE(is_cutoff(c, e, other, PAST_MCMILLAN));
  CU_ASSERT_FALSE(other && is_cutoff(c, other, e, PAST_ERV));
  CU_ASSERT_FALSE(other && is_cutoff(c, other, e, PAST_MCMILLAN));
}

static void compare_prefix(Comparison *c, Heap *heap, const Prefix *prefix) {
  Process process;
  Err err;
  process_init(&process, heap, prefix->net);
  past_init(&c->past, &process);
  for (uint32_t e = 0; e < prefix->n_events; e++) {
    const uint32_t *pre = &prefix->pre[prefix->pre_start[e]].v;
    CU_ASSERT_TRUE_FATAL(process_add(&process, prefix->event_trans[e], pre, prefix->is_cutoff[e], &err));
  }
  for (uint32_t e = 1; e <= prefix->n_events; e++) {
    if (!prefix->is_cutoff[e - 1]) continue;
    compare_cutoff(c, prefix, e);
    for (uint32_t f = 1; f < e; f++) compare_events(c, e, f);
  }
  past_fini(&c->past);
  process_fini(&process);
}

static void order_is_one(void) {
  Comparison c = {0};
  for (uint64_t seed = 1; seed <= N_RANDOM; seed++) {
    Heap *heap = heap_new((size_t)1 << 28);
    Prefix *prefix = unfold_in(heap, safe_net(heap, seed), UNFOLD_MCMILLAN);
    if (prefix->status == UNFOLD_COMPLETE && prefix->n_events < 300) compare_prefix(&c, heap, prefix);
    heap_free(heap);
  }
  CU_ASSERT_TRUE(c.n_pairs > 1000);
  CU_ASSERT_TRUE(c.n_equal > 200);
}

/* ---- by hand ---- */

/* A net that is written down as its arcs: "a>T T>b ...", places a, b, ... with the marked ones first, transitions T, U,
 * ... */
static Net *small_net(Heap *heap, uint32_t n_places, uint32_t n_marked, uint32_t n_trans, const char *arcs) {
  NetBuilder *builder = net_builder_new(heap);
  Err err;
  for (uint32_t p = 0; p < n_places; p++) net_add_place(builder, (const char[]){(char)('a' + p), '\0'}, p < n_marked);
  for (uint32_t t = 0; t < n_trans; t++) net_add_trans(builder, (const char[]){(char)('T' + t), '\0'});
  for (; *arcs; arcs += arcs[3] ? 4 : 3) {
    if (arcs[0] >= 'a')
      net_add_input(builder, (PlaceId){(uint32_t)(arcs[0] - 'a')}, (TransId){(uint32_t)(arcs[2] - 'T')});
    else net_add_output(builder, (TransId){(uint32_t)(arcs[0] - 'T')}, (PlaceId){(uint32_t)(arcs[2] - 'a')});
  }
  return net_freeze(builder, &err);
}

/* The verdict on the proofs given, and a part of the message. */
static void judge_hand(const Net *net, const char *proofs, Verdict expected, const char *reason) {
  Heap *heap = heap_new(0);
  CertificateReport report;
  Err err = {0};
  char text[2048];
  const int n = snprintf(text, sizeof text, "causal-certificate 1\nnet %u %u %u\n%send\n", net->n_places, net->n_trans,
                         net->n_inputs + net->n_outputs, proofs);
  const Verdict verdict = judge(heap, net, text, (size_t)n, &report, &err);
  if (verdict != expected || !strstr(err.text, reason)) printf("\n%s%s (expected: %s)\n", proofs, err.text, reason);
  CU_ASSERT_EQUAL(verdict, expected);
  CU_ASSERT_PTR_NOT_NULL(strstr(err.text, reason));
  certificate_judge_report_fini(&report);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void holds(const Net *net, const char *proofs) { judge_hand(net, proofs, VERDICT_HOLDS, ""); }
static void bad(const Net *net, const char *proofs, const char *why) { judge_hand(net, proofs, VERDICT_UNKNOWN, why); }
static void rejected(const Net *net, const char *proofs, const char *why) {
  judge_hand(net, proofs, VERDICT_VIOLATED, why);
}

/* The net's prefix holds. */
static void judge_complete(Heap *heap, const Net *net) {
  Prefix *prefix = unfold_in(heap, net, UNFOLD_ERV);
  Text text;
  text_begin(&text, net);
  certificate_prefix(text.stream, prefix, UNFOLD_ERV);
  text_end(&text);
  judge_text(heap, net, &text, VERDICT_HOLDS);
  text_fini(&text);
}

/* Two ways from a to b, then back: T and U, V. */
static void parikh_vectors_decide(void) {
  Heap *heap = heap_new(0);
  Net *net = small_net(heap, 2, 1, 3, "a>T T>b a>U U>b b>V V>a");
  holds(net, "prefix erv 3\ne 1 1\nx 2 1 1\nx 3 2 0\n");
  rejected(net, "prefix erv 3\ne 2 1\nx 1 1 1\nx 3 2 0\n",
           "proof:5: event 2 ('T') is not a cut-off because of 1: that one, with its causes, is not smaller");
  rejected(net, "prefix mcmillan 3\ne 1 1\nx 2 1 1\nx 3 2 0\n", "not smaller");
  holds(net, "prefix mcmillan 4\ne 1 1\ne 2 1\nx 3 2 0\nx 3 3 0\n");
  rejected(net, "prefix erv 3\ne 1 1\nx 2 1 0\nx 3 2 0\n",
           "event 2 ('U') is not a cut-off because of 0: it leads to another marking");
  rejected(net, "prefix erv 4\ne 1 1\nx 2 1 1\nx 3 2 2\n", "event 3: its corresponding event 2 is a cut-off");
  rejected(net, "prefix erv 3\ne 1 1\nx 2 1 1\ne 3 3\n", "condition 3 is produced by the cut-off 2");
  rejected(net, "prefix erv 2\ne 1 1\nx 2 1 1\n",
           "proof:3: the prefix is not complete: an event of transition 'V' with the preset 2 is missing");
  rejected(net, "prefix erv 3\ne 1 1\ne 1 1\nx 3 2 0\n", "event 2 ('T') is listed twice, first as event 1");
  rejected(net, "prefix erv 3\ne 1 1\nx 2 1 1\nx 2 2 0\n",
           "event 3 ('U'): condition 2 is of 'b', which is not an input place");
  rejected(net, "prefix erv 3\ne 1 1\nx 2 1 1\nx 3 2 0\nuncovered 2\n",
           "proof:7: these places can be marked together: see condition 2");
  rejected(net, "prefix erv 3\ne 1 1\nx 2 1 1\nx 3 2 0\ndead 3\n", "proof:7: 'V' can fire: see event 3");
  holds(net, "prefix erv 3\ne 1 1\nx 2 1 1\nx 3 2 0\nuncovered 2 1 2\nuncovered 1 2\n");
  rejected(net, "prefix erv 3\ne 1 1\nx 2 1 1\nx 3 2 0\nuncovered 2 2\n", "see condition 2");
  heap_free(heap);
}

/* T and U, both with the lock c, then V: the orders of T and U have the same Parikh vectors. */
static void normal_forms_decide(void) {
  Heap *heap = heap_new(0);
  Net *net = small_net(heap, 6, 3, 3, "a>T c>T T>c T>d b>U c>U U>c U>e c>V d>V e>V V>f");
  holds(net, "prefix erv 5\ne 1 1 3\ne 2 2 3\ne 2 2 4\nx 1 1 6 3\ne 3 5 8 9\n");
  rejected(net, "prefix erv 5\ne 1 1 3\ne 2 2 3\ne 1 1 6\nx 2 2 4 3\ne 3 7 8 9\n", "not smaller");
  rejected(net, "prefix erv 5\ne 1 1 3\ne 2 2 3\ne 2 2 4\nx 1 5 6 3\ne 3 5 8 9\n", "condition 5 is of 'd'");
  rejected(net, "prefix erv 5\ne 1 1 3\ne 2 2 3\ne 2 2 4\nx 1 1 6 3\ne 3 5 6 9\n",
           "condition 5 is not concurrent to condition 6");
  rejected(net, "prefix erv 5\ne 1 1 3\ne 2 2 3\ne 2 2 4\nx 1 1 6 3\ne 3 3 5 9\n",
           "condition 3 is not concurrent to condition 5");
  bad(net, "prefix erv 1\ne 1 3 1\n", "proof:4: the conditions of a preset must be ascending, but 1 comes after 3");
  bad(net, "prefix erv 1\ne 1 1 1\n", "proof:4: the conditions of a preset must be ascending, but 1 comes after 1");
  rejected(net, "prefix erv 5\ne 1 1 3\ne 2 2 3\ne 2 2 4\nx 1 1 6 3\ne 1 3 4\n",
           "two conditions of its preset are of 'c'");
  heap_free(heap);
}

/* T makes a and c, of which U takes c; V, W and X come last, and are concurrent to a and to U's b. So Y, which takes a,
 * b and c and what X makes, is not enabled, though all four places have a condition that is concurrent to X. */
static void a_sibling_may_be_taken(void) {
  Heap *heap = heap_new(0);
  judge_complete(heap, small_net(heap, 9, 2, 6, "a>T T>f T>h f>Y h>U U>g g>Y h>Y b>V V>c c>W W>d d>X X>e e>Y Y>i"));
  heap_free(heap);
}

/* T fills e and f; e is read by W, emptied by U and filled by V. Of what X to \ make, ] is the first that takes e and
 * f, too: after T alone, after the others, and after each of them. */
static void all_that_comes_after_a_condition_is_found(void) {
  Heap *heap = heap_new(0);
  judge_complete(heap, small_net(heap, 14, 4, 10,
                                 "a>T T>e T>f e>U d>U U>g g>V V>e V>h e>W c>W W>e "
                                 "b>X X>i i>Y Y>j j>Z Z>k k>[ [>l l>\\ \\>m m>] e>] f>] ]>n"));
  heap_free(heap);
}

static void nets_that_are_not_safe_have_no_prefix(void) {
  Heap *heap = heap_new(0);
  Net *net = small_net(heap, 3, 2, 2, "a>T T>c b>U U>c");
  rejected(net, "prefix erv 2\ne 1 1\ne 2 2\n",
           "proof:5: event 2 ('U') puts a second token on 'c': condition 3 is there at the same time");
  rejected(net, "prefix erv 2\ne 1 1\nx 2 2 1\n", "puts a second token");
  holds(net, "run 2\ns 1 2\nunsafe 3\n");
  holds(net, "run 2\ns 1\ns 2\nfires 2\nunsafe 3\ncovers 3\ndeadlock\n");
  rejected(net, "run 2\ns 1 2\n", "proof:3: step 2 ('U') puts a second token on 'c'");
  rejected(net, "run 2\ns 1 2\nunsafe 1\n", "proof:5: the last step does not put a second token on 'a'");
  rejected(net, "run 1\ns 1\nunsafe 3\n", "second token");
  rejected(net, "run 2\ns 1 1\n", "proof:4: step 2 ('T') cannot fire: no token on 'a'");
  rejected(net, "run 0\nfires 1\n", "'T' is not the last step of the run");
  rejected(net, "run 1\ns 2\ndeadlock\n", "'T' is enabled after the run");
  rejected(net, "run 1\ns 2\ncovers 1 3 2\n", "'b' is not marked after the run");
  holds(net, "run 0\n");
  rejected(net, "run 3\ns 1 2 1\nunsafe 3\n", "step 2 ('U') puts a second token on 'c'");
  heap_free(heap);
}

/* One token too many where a place is refilled, and a spring. */
static void endless_nets_have_no_prefix(void) {
  Heap *heap = heap_new(0);
  Net *spring = small_net(heap, 1, 0, 1, "T>a");
  rejected(spring, "prefix erv 0\n", "transition 'T' has no input place");
  rejected(spring, "prefix erv 1\ne 1\n", "without input places");
  holds(spring, "run 2\ns 1 1\nunsafe 1\n");
  Net *nothing = small_net(heap, 0, 0, 0, "");
  holds(nothing, "prefix erv 0\n");
  holds(nothing, "run 0\ndeadlock\n");
  bad(nothing, "prefix erv 0\ndead 1\n", "expected a transition, but there are none, found '1'");
  heap_free(heap);
}

static void forms_are_kept(void) {
  Heap *heap = heap_new(0);
  Net *net = small_net(heap, 2, 1, 3, "a>T T>b a>U U>b b>V V>a");
  holds(net, "c\nc any\nprefix erv 3\ne 1 1\nc x\nx 2 1 1\nx 3 2 0\nc y\nrun 1\ns 1\nc z\ncovers 2\nc\n");
  bad(net, "prefix erv 3\ne 1 1\nx 2 1 1\n",
      "proof:6: expected event 3 of 3, which begins with 'e' or 'x', found 'end'");
  bad(net, "prefix erv 3\ne 1 1\nx 2 1 1\nx 3 2 0\nx 3 2 0\n",
      "proof:7: expected a claim that fits here, 'run', 'prefix', 'complement', 'proof', 'part', 'with' or 'end', found 'x'");
  bad(net, "prefix erv 1\ne 1 1 \n", "proof:4: expected the end of the line, found a blank");
  bad(net, "prefix erv 1\ne 1  1\n", "proof:4: expected a condition, which can only be 1, found a blank");
  bad(net, "prefix erv 1\ne 4 1\n", "expected a transition from 1 to 3, found '4'");
  bad(net, "prefix erv 1\ne 0 1\n", "expected a transition from 1 to 3, found '0'");
  bad(net, "prefix erv 1\ne -1 1\n", "expected a transition from 1 to 3, found '-1'");
  bad(net, "prefix erv 1\ne 99999999999999999999999999 1\n",
      "expected a transition from 1 to 3, found '999999999999999999999999...'");
  bad(net, "prefix erv 1\ne 1 2\n", "expected a condition, which can only be 1, found '2'");
  bad(net, "prefix erv 1\nx 1 1\n", "expected an earlier event, which can only be 0, found the end of the line");
  bad(net, "prefix erv 1\nx 1 1 1\n", "expected an earlier event, which can only be 0, found '1'");
  bad(net, "prefix erv 1\ne 1 1\r\n", "expected a condition, which can only be 1, found '1?'");
  bad(net, "prefix erv 2\ne 1 1\ne 1 3\n", "expected a condition from 1 to 2, found '3'");
  bad(net, "prefix foo 1\n", "expected an order, 'erv' or 'mcmillan', found 'foo'");
  bad(net, "prefix erv\n", "expected a number of events from 0 to 2147483647, found the end of the line");
  bad(net, "prefix erv 2147483648\n", "expected a number of events from 0 to 2147483647, found '2147483648'");
  bad(net, "run 2\ns 1\ncovers 1\n", "proof:5: expected 's' and step 2 of 2, found 'covers'");
  bad(net, "run 1\ns 1 3\n", "expected the end of the line, found '3'");
  bad(net, "run 1\ns\n", "expected a transition from 1 to 3, found the end of the line");
  bad(net, "run 1\ns 1\ncovers\n", "expected a place from 1 to 2");
  bad(net, "run 1\ns 1\nsplits 1\n", "expected a block, but there are none, found '1'");
  bad(net, "run 1\ns 1\ndead 1\n", "expected a claim that fits here");
  bad(net, "run 1\ns 1\ndeadlock 1\n", "expected the end of the line");
  bad(net, "fires 1\n", "proof:3: expected a claim that fits here");
  bad(net, "\n", "proof:3: expected a claim that fits here");
  bad(net, "end\n", "proof:4: unexpected text after 'end'");
  heap_free(heap);
}

static void judge_bytes(const char *text, size_t length, const char *why) {
  Heap *heap = heap_new((size_t)1 << 16);
  Net *net = small_net(heap, 2, 1, 1, "a>T T>b");
  CertificateReport report;
  Err err = {0};
  const Verdict verdict = judge(heap, net, text, length, &report, &err);
  if (!strstr(err.text, why)) printf("\n%s (expected: %s)\n", err.text, why);
  CU_ASSERT_EQUAL(verdict, why[0] ? VERDICT_UNKNOWN : VERDICT_HOLDS);
  CU_ASSERT_PTR_NOT_NULL(strstr(err.text, why));
  certificate_judge_report_fini(&report);
  heap_free(heap);
}

/* What does not even begin well, every beginning of a good one, and sizes that are announced and nothing more. */
static void files_are_whole(void) {
  static const char good[] = "causal-certificate 1\nnet 2 1 2\nprefix erv 1\ne 1 1\nuncovered 1 2\nend\n";
  static const char behind[] = "c\nrun 1\ns 1\nend";
  char text[128];
  judge_bytes("", 0, "proof:1: not a certificate: the first line should be 'causal-certificate 1'");
  judge_bytes("\0\0\0", 3, "not a certificate");
  judge_bytes("causal-certificate 2\n", 21, "expected the version of the format, which can only be 1, found '2'");
  judge_bytes("causal-certificate", 18, "found the end of the file");
  judge_bytes("causal-certificate 1\nnet 2 1 3\nend\n", 35,
              "a certificate for another net, with 2 places, 1 transitions and 3 arcs; this one has 2, 1 and 2");
  for (size_t n = 1; n < sizeof good - 2; n++) judge_bytes(good, n, "proof:");
  judge_bytes(good, sizeof good - 2, "");
  judge_bytes("causal-certificate 1\nnet 2 1 2\nprefix erv 2147483647\n", 53, "expected event 1 of 2147483647");
  judge_bytes("causal-certificate 1\nnet 2 1 2\nrun 2147483647\n", 46, "expected 's' and step 1 of 2147483647");
  const int n = snprintf(text, sizeof text, "%.31s%s", good, behind);
  judge_bytes(text, (size_t)n, "");
}

/* ---- not causally atomic ---- */

static void splits_are_judged(void) {
  Heap *heap = heap_new(0);
  Net *split = figure5a(heap, "deposit"), *atomic = figure5b(heap);
  holds(split, "run 5\ns 1 2 3 7 4\nsplits 1\n");
  rejected(split, "run 5\ns 1 2 3 4 7\nsplits 1\n",
           "proof:5: the witness against block 'deposit' (line 3) proves nothing");
  rejected(split, "run 0\nsplits 1\n", "proves nothing: it is empty");
  bad(split, "run 5\ns 1 2 3 7 4\nsplits 2\n", "expected a block, which can only be 1, found '2'");
  rejected(atomic, "run 8\ns 7 8 9 1 2 3 4 5\nsplits 1\n", "proves nothing");
  heap_free(heap);
}

/* ---- nets with many events ---- */

static void judge_known(Heap *heap, const Net *net) {
  Prefix *prefix = unfold_in(heap, net, UNFOLD_ERV);
  bool *fired = heap_zeroed(heap, net->n_trans);
  Text text;
  text_begin(&text, net);
  certificate_prefix(text.stream, prefix, UNFOLD_ERV);
  for (uint32_t e = 0; e < prefix->n_events; e++) fired[prefix->event_trans[e].v] = true;
  for (uint32_t t = 0; t < net->n_trans; t++)
    if (!fired[t]) certificate_claim(text.stream, CERTIFY_DEAD, &t, 1);
  text_end(&text);
  judge_text(heap, net, &text, VERDICT_HOLDS);
  text_fini(&text);
}

static void known_prefixes_are_complete(void) {
  static const char *const names[] = {"q_1",        "bds_1.sync", "dpd_7.sync",  "elevator_4",
                                      "byzagr4_1b", "dme11",      "acquire1_30", "acquire1_100"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    Heap *heap = heap_new((size_t)1 << 30);
    const Net *net = known_net(heap, names[i]);
    if (net) judge_known(heap, net);
    heap_free(heap);
  }
}

/* ---- memory ---- */

typedef struct {
  Heap *heap;
  const Net *net;
  const Text *text;
  Verdict verdict;
} Attempt;

static void attempt(void *argument) {
  Attempt *a = argument;
  CertificateReport report;
  Err err;
  a->verdict = judge(a->heap, a->net, a->text->text, a->text->length, &report, &err);
}

/* Each allocation fails once; the heap knows all that is left. */
static void memory_may_run_out_anywhere(void) {
  Heap *net_heap = heap_new(0);
  Net *net = safe_net(net_heap, 2);
  Reach *reach = reach_explore(net_heap, net, MARKINGS);
  Prefix *prefix = unfold_in(net_heap, net, UNFOLD_ERV);
  Text text;
  text_begin(&text, net);
  write_run(text.stream, net_heap, reach);
  certificate_prefix(text.stream, prefix, UNFOLD_ERV);
  claim_all(text.stream, reach);
  text_end(&text);
  uint64_t n = 0;
  for (bool done = false; !done; n++) {
    Heap *heap = heap_new(0);
    Attempt a = {heap, net, &text, VERDICT_UNKNOWN};
    heap_fail_at(heap, n + 1);
    done = heap_try(heap, attempt, &a);
    CU_ASSERT_TRUE(!done || a.verdict == VERDICT_HOLDS);
    heap_free(heap);
  }
  CU_ASSERT_TRUE(n > 20);
  text_fini(&text);
  heap_free(net_heap);
}

typedef struct {
  Heap *heap;
  const Prefix *prefix;
  Stop *stop;
  Err err;
} Saving;

/* The time is up while it writes. */
static bool write_until_stopped(void *argument, FILE *out, Err *err) {
  const Saving *saving = argument;
  (void)err;
  certificate_begin(out, saving->prefix->net);
  saving->stop->asked = STOP_CANCELLED;
  saving->stop->due = 1;
  certificate_prefix(out, saving->prefix, UNFOLD_ERV);
  certificate_end(out);
  return true;
}

static void save(void *argument) {
  Saving *saving = argument;
  file_write(saving->heap, temp_path[0], write_until_stopped, saving, &saving->err);
}

static void nothing_half_written_is_left(void) {
  static Stop stop;
  Heap *heap = heap_new(0);
  stop = (Stop){0};
  heap_watch(heap, &stop);
  Net *net = safe_net(heap, 2);
  Saving saving = {heap, unfold_in(heap, net, UNFOLD_ERV), &stop, {0}};
  CU_ASSERT_FALSE(heap_try(heap, save, &saving));
  CU_ASSERT_EQUAL(heap_why(heap), STOP_CANCELLED);
  CU_ASSERT_NOT_EQUAL(remove(temp_path[0]), 0);
  heap_free(heap);
}

void suite_certificate(void) {
  CU_pSuite suite = CU_add_suite("certificate", temp_begin, temp_end);
  CU_ADD_TEST(suite, what_is_written_holds);
  CU_ADD_TEST(suite, order_is_one);
  CU_ADD_TEST(suite, parikh_vectors_decide);
  CU_ADD_TEST(suite, normal_forms_decide);
  CU_ADD_TEST(suite, a_sibling_may_be_taken);
  CU_ADD_TEST(suite, all_that_comes_after_a_condition_is_found);
  CU_ADD_TEST(suite, nets_that_are_not_safe_have_no_prefix);
  CU_ADD_TEST(suite, endless_nets_have_no_prefix);
  CU_ADD_TEST(suite, forms_are_kept);
  CU_ADD_TEST(suite, files_are_whole);
  CU_ADD_TEST(suite, splits_are_judged);
  CU_ADD_TEST(suite, known_prefixes_are_complete);
  CU_ADD_TEST(suite, memory_may_run_out_anywhere);
  CU_ADD_TEST(suite, nothing_half_written_is_left);
}
