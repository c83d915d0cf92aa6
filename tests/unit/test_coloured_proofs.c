/* Certificates of what was unfolded (docs/certificates.md, "A coloured net"): a false claim is never accepted, whatever
 * stands before it. That true ones are accepted is seen by differential testing (tests/engines.c), too. */
#include "ask/atomicity.h"
#include "base/hash.h"
#include "check/certificate_judge.h"
#include "tests/oracle/colouring.h"
#include "tests/oracle/net_script.h"
#include "tests/oracle/random_sml.h"
#include "tests/oracle/random_units.h"
#include "tests/unit/sml_case.h"
#include "unfold/certificate_write.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 30000, SEEDS = 120, CHANGES = 40, LIES = 20, MOST_BLOCKS = 32 };

/* What a judge is asked about. */
typedef struct {
  Heap *heap;
  Net *net;
  Answer answers[MOST_BLOCKS];
} Case;

typedef struct {
  uint32_t held, rejected, malformed;
  uint32_t wrong; /* certificates accepted with a claim that is not true */
} Tally;

static Verdict judge(const Case *c, const char *text, Tally *tally, Err *err) {
  CertificateReport report;
  const InFile file = {(char *)(uintptr_t)text, strlen(text), "proof"};
  const Verdict verdict = certificate_judge(c->heap, c->net, &file, &report, err);
  bool wrong = false;
  for (uint32_t i = 0; verdict == VERDICT_HOLDS && i < report.claims.n; i++) {
    const Claim *claim = &report.claims.at[i];
    if (claim->kind == CLAIM_ATOMIC) wrong |= c->answers[report.numbers.at[claim->first]] == ANSWER_VIOLATED;
  }
  certificate_judge_report_fini(&report);
  tally->held += verdict == VERDICT_HOLDS;
  tally->rejected += verdict == VERDICT_VIOLATED;
  tally->malformed += verdict == VERDICT_UNKNOWN;
  tally->wrong += wrong;
  return verdict;
}

/* ---- the certificate of a block ---- */

/* malloc'd, or NULL if the block, or one of all (NOTE_NONE), is not atomic. */
static char *certify(const Case *c, uint32_t block, bool reduce) {
  bool blocks[MOST_BLOCKS] = {false}, good;
  char *text;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  if (!out) abort();
  if (block != NOTE_NONE) blocks[block] = true;
  const AtomicityOptions options = {.colour = {COLOURING_CHAIN, reduce, block == NOTE_NONE ? NULL : blocks},
                                    .certificate = out};
  Atomicity result;
  Err err;
  certificate_begin(out, c->net);
  good = atomicity_check(c->heap, c->net, &options, &(AskLimits){.max_events = 20000}, &result, &err);
  certificate_end(out);
  fclose(out);
  if (good) {
    good = result.verdict == VERDICT_HOLDS && result.n_blocks;
    atomicity_fini(&result);
  }
  if (good) return text;
  free(text);
  return NULL;
}

/* ---- changes of true certificates ---- */

static uint32_t random_line(const char *text, uint64_t seed) {
  uint32_t n = 0;
  for (const char *at = text; *at; at++) n += *at == '\n';
  return (uint32_t)(hash_word(seed) % n);
}

/* One number is another one, is left out, or has another one behind it; a line is left out, or there twice. The first
 * two lines stay. malloc'd. */
static char *change(const char *text, uint64_t seed) {
  const char *at = strchr(strchr(text, '\n') + 1, '\n') + 1;
  char *changed = malloc(2 * strlen(text) + 20);
  if (!changed) abort();
  for (uint32_t line = random_line(at, seed); line; line--) at = strchr(at, '\n') + 1;
  const char *end = strchr(at, '\n') + 1;
  if (seed % 8 < 2) {
    const char *again = seed % 8 ? at : end;
    sprintf(changed, "%.*s%s", (int)(end - text), text, again);
    if (again == end) sprintf(changed, "%.*s%s", (int)(at - text), text, end);
    return changed;
  }
  uint32_t n = 0;
  for (const char *blank = at; blank < end; blank++) n += *blank == ' ';
  for (uint32_t word = n ? (uint32_t)(hash_word(seed + 1) % n) : 0; at < end - 1; at++)
    if (*at == ' ' && !word--) break;
  const size_t length = *at == ' ' ? strcspn(at + 1, " \n") + 1 : 0;
  char number[12] = "";
  if (seed % 8 > 2) snprintf(number, sizeof number, " %u", (unsigned)(hash_word(seed + 2) % (seed % 8 < 5 ? 5 : 30)));
  const bool insert = seed % 8 == 7;
  sprintf(changed, "%.*s%s%s", (int)(at + (insert ? length : 0) - text), text, length ? number : "", at + length);
  return changed;
}

/* Some claims are changed more than once: what a place stands for in one line may be needed in another one. */
static void change_all(const Case *c, const char *text, uint64_t seed, Tally *tally) {
  for (uint64_t i = 0; i < CHANGES; i++) {
    const uint64_t first = hash_word(seed * CHANGES + i);
    char *changed = change(text, first);
    for (uint64_t k = 0; k < i % 3; k++) {
      char *more = change(changed, hash_word(first + k + 1));
      free(changed);
      changed = more;
    }
    const uint32_t wrong = tally->wrong;
    Err err;
    judge(c, changed, tally, &err);
    if (tally->wrong > wrong) printf("\n  seed %llu, change %llu\n", (unsigned long long)seed, (unsigned long long)i);
    free(changed);
  }
}

/* Each block by itself is claimed to be another one, too. */
static void claim_others(const Case *c, const char *text, Tally *tally) {
  const char *at = strstr(text, "\nblock ") + strlen("\nblock ");
  char *changed = malloc(strlen(text) + 20);
  if (!changed) abort();
  for (uint32_t b = 0; b < c->net->notes->n_blocks; b++) {
    Err err;
    sprintf(changed, "%.*s%u%s", (int)(at - text), text, b + 1, at + strcspn(at, " "));
    judge(c, changed, tally, &err);
  }
  free(changed);
}

/* ---- certificates of blocks that are not atomic ---- */

/* The net without some of its transitions, so that nothing marks the place. */
static Net *cut_net(Heap *heap, const Net *net, PlaceId red, const bool *dropped) {
  NetBuilder *builder = net_builder_new(heap);
  Err err;
  for (uint32_t p = 0; p < net->n_places; p++) net_add_place(builder, net->place_name[p], net->marked[p]);
  for (uint32_t t = 0; t < net->n_trans; t++) {
    const PlaceList pre = net_pre(net, (TransId){t}), post = net_post(net, (TransId){t});
    if (dropped[t]) continue;
    const TransId new = net_add_trans(builder, net->trans_name[t]);
    for (uint32_t i = 0; i < pre.n; i++) net_add_input(builder, pre.at[i], new);
    for (uint32_t i = 0; i < post.n; i++)
      if (post.at[i].v != red.v || pre.n == 0) net_add_output(builder, new, post.at[i]);
  }
  Net *cut = net_freeze(builder, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(cut);
  return cut;
}

/* The lines of the coloured net, of which there are T transitions, as they are in another one; malloc'd. */
static char *replace_net(const char *text, const Net *net, uint32_t n_before) {
  const char *from = strstr(text, "\ncoloured ") + 1, *to = strstr(from, "\nt ");
  char *result;
  size_t length;
  FILE *out = open_memstream(&result, &length);
  if (!out) abort();
  const char *marked = strchr(from, '\n') + 1, *marked_end = strchr(marked, '\n') + 1;
  fprintf(out, "%.*scoloured %u %u\n%.*s", (int)(from - text), text, net->n_places, net->n_trans,
          (int)(marked_end - marked), marked);
  for (uint32_t t = 0; t < net->n_trans; t++) {
    const PlaceList pre = net_pre(net, (TransId){t}), post = net_post(net, (TransId){t});
    fprintf(out, "t %u", pre.n);
    for (uint32_t i = 0; i < pre.n; i++) fprintf(out, " %u", pre.at[i].v + 1);
    for (uint32_t i = 0; i < post.n; i++) fprintf(out, " %u", post.at[i].v + 1);
    fputc('\n', out);
  }
  for (to = marked_end; n_before; n_before--) to = strchr(to, '\n') + 1;
  fputs(to, out);
  fclose(out);
  return result;
}

/* What a coloured net does not do that it should: mark red; nothing; let any thread but the first one choose; put the
 * chain down in the step that chooses. All others: what some transitions do, at random. */
enum { LIE_RED, LIE_NOTHING, LIE_CHOICES, LIE_BEGINS };

static bool takes(const Net *net, TransId t, const char *prefix) {
  const PlaceList pre = net_pre(net, t);
  bool any = false;
  for (uint32_t i = 0; i < pre.n; i++) any |= !strncmp(net->place_name[pre.at[i].v], prefix, strlen(prefix));
  return any;
}

static bool is_dropped(const Net *net, TransId t, uint64_t seed) {
  const bool chooses = takes(net, t, "undecided");
  switch (seed % LIES) {
  case LIE_RED:
  case LIE_NOTHING: return false;
  case LIE_CHOICES: return chooses && !takes(net, t, "T1.");
  case LIE_BEGINS: return chooses && takes(net, t, "chain=none");
  default: return hash_word(seed + t.v) % (2 + seed % 7) == 0;
  }
}

/* A certificate of a block that is violated: the coloured net as it is, or does less, so that it cannot mark red; all
 * else as it should be. malloc'd, or NULL if the net without them marks red still. */
static char *lie(const Case *c, const Coloured *coloured, const bool *blocks, PlaceId red, uint64_t seed) {
  const Net *net = colour_result_net(coloured);
  char *honest, *text = NULL;
  size_t length;
  Err err;
  FILE *out = open_memstream(&honest, &length);
  bool *dropped = heap_zeroed(c->heap, (size_t)net->n_trans + 1);
  if (!out) abort();
  certificate_begin(out, c->net);
  CU_ASSERT_TRUE(colour_certify(coloured, blocks, NULL, out, &err));
  fclose(out);
  const bool whole = seed % LIES == LIE_NOTHING;
  for (uint32_t t = 0; t < net->n_trans; t++) dropped[t] = is_dropped(net, (TransId){t}, seed);
  Net *cut = cut_net(c->heap, net, seed % LIES == LIE_RED ? red : PLACE_NONE, dropped);
  Prefix *prefix = unfold(c->heap, cut, &(UnfoldOptions){.targets = &red, .n_targets = 1, .max_events = 20000}, &err);
  if (prefix && prefix->status == UNFOLD_COMPLETE && (whole || prefix->target_event[0].v == EVENT_NONE.v)) {
    char *head = replace_net(honest, cut, net->n_trans);
    out = open_memstream(&text, &length);
    if (!out) abort();
    fputs(head, out);
    certificate_prefix(out, prefix, UNFOLD_ERV);
    certificate_end(out);
    fclose(out);
    free(head);
  }
  prefix_free(prefix);
  net_free(cut);
  heap_release(c->heap, dropped);
  free(honest);
  return text;
}

static void lie_as(const Case *c, uint32_t block, uint64_t seed, bool reduce, Tally *tally) {
  bool blocks[MOST_BLOCKS] = {false};
  Err err;
  blocks[block] = true;
  Coloured *coloured = colour_net(c->heap, c->net, &(ColourOptions){COLOURING_CHAIN, reduce, blocks, false}, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(coloured);
  const PlaceId red = colour_result_red(coloured, block);
  char *text = red.v == PLACE_NONE.v ? NULL : lie(c, coloured, blocks, red, seed);
  if (text) judge(c, text, tally, &err);
  free(text);
  colour_free(coloured);
}

static void lie_about(const Case *c, uint32_t block, uint64_t seed, bool reduce, Tally *tally) {
  for (uint64_t i = 0; i < LIES; i++) lie_as(c, block, seed * LIES + i, reduce, tally);
}

/* ---- all of it ---- */

static Net *random_program(Heap *heap, uint64_t seed) {
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

/* NULL for one that is refused. */
static Net *random_foreign(Heap *heap, uint64_t seed) {
  CharVec text = {0};
  Err err;
  random_units(heap, seed, &text);
  return net_script(heap, text.at, text.n, &err);
}

typedef struct {
  Tally whole, others, changed, lies;
} Tallies;

static void check_block(const Case *c, uint32_t block, uint64_t seed, Tallies *tallies) {
  char *text = certify(c, block, seed % 4 != 0);
  Err err;
  if (text) {
    judge(c, text, &tallies->whole, &err);
    if (block != NOTE_NONE) claim_others(c, text, &tallies->others);
    change_all(c, text, seed, &tallies->changed);
    free(text);
  }
  if (block != NOTE_NONE && c->answers[block] == ANSWER_VIOLATED)
    lie_about(c, block, seed, seed % 4 != 0, &tallies->lies);
}

static void check_seed(uint64_t seed, Tallies *tallies) {
  Case c = {.heap = heap_new(0)};
  Err err;
  c.net = seed % 2 ? random_program(c.heap, seed) : random_foreign(c.heap, seed);
  if (c.net && c.net->notes->n_blocks <= MOST_BLOCKS && colouring_search(c.heap, c.net, STATES, c.answers, &err)) {
    check_block(&c, NOTE_NONE, seed, tallies);
    for (uint32_t b = 0; b < c.net->notes->n_blocks; b++) check_block(&c, b, seed, tallies);
  }
  net_free(c.net);
  heap_free(c.heap);
}

static void changed_proofs(void) {
  Tallies all = {0};
  for (uint64_t seed = 1; seed <= SEEDS; seed++) check_seed(seed, &all);
  CU_ASSERT_EQUAL(all.whole.rejected + all.whole.malformed, 0);
  CU_ASSERT_EQUAL(all.whole.wrong + all.others.wrong + all.changed.wrong + all.lies.wrong, 0);
  CU_ASSERT_EQUAL(all.lies.held + all.lies.malformed, 0);
  CU_ASSERT_TRUE(all.whole.held > 200 && all.others.held > 200 && all.others.rejected > 100);
  CU_ASSERT_TRUE(all.changed.held > 300 && all.changed.rejected > 3000 && all.changed.malformed > 3000);
  CU_ASSERT_TRUE(all.lies.rejected > 500);
}

/* ---- threads that are nearly alike ---- */

enum { BODY = 4, TWINS = 800 };

static const char *const STATEMENTS[] = {"X := 1",
                                         "Y := 1",
                                         "x := X",
                                         "x := Y",
                                         "f := true",
                                         "f := false",
                                         "g := true",
                                         "await (f = true)",
                                         "await (f = false)",
                                         "await (g = true)",
                                         "atomic { await (f = false); f := true }",
                                         "atomic { await (f = true); f := true }",
                                         "atomic { await (f = true); f := false }",
                                         "if (f = true) { X := 1 }",
                                         "while (f = true) { skip }"};
enum { N_STATEMENTS = sizeof STATEMENTS / sizeof *STATEMENTS };

/* `body` are numbers of statements; the block is from the one to the other. */
static void print_thread(FILE *out, const uint32_t *body, uint32_t from, uint32_t to) {
  for (uint32_t i = 0; i < BODY; i++)
    fprintf(out, "%s%s;%s ", i == from ? "begin " : "", STATEMENTS[body[i]], i == to ? " end;" : "");
  fputs("\n", out);
}

/* Two threads with a block, of which one statement, the begin or the end may differ, and two others. malloc'd. */
static char *nearly_alike(uint64_t seed) {
  char *text;
  size_t length;
  uint32_t body[4][BODY];
  FILE *out = open_memstream(&text, &length);
  if (!out) abort();
  for (uint32_t i = 0; i < 4 * BODY; i++)
    body[i / BODY][i % BODY] = (uint32_t)(hash_word(32 * seed + i) % N_STATEMENTS);
  for (uint32_t i = 0; i < BODY; i++) body[1][i] = body[0][i];
  const uint32_t what = (uint32_t)(hash_word(32 * seed + 20) % (BODY + 2)),
                 from = (uint32_t)(hash_word(32 * seed + 21) % 2);
  const uint32_t to = from + (uint32_t)(hash_word(32 * seed + 22) % (BODY - from));
  if (what < BODY) body[1][what] = (uint32_t)(hash_word(32 * seed + 23) % N_STATEMENTS);
  fputs("bool f, g; int X, Y;\n", out);
  print_thread(out, body[0], from, to);
  fputs("||\n", out);
  print_thread(out, body[1], what == BODY && from < to ? from + 1 : from, what > BODY && to + 1 < BODY ? to + 1 : to);
  fputs("||\n", out);
  print_thread(out, body[2], BODY, BODY);
  fputs("||\n", out);
  print_thread(out, body[3], BODY, BODY);
  fclose(out);
  return text;
}

/* Both blocks are one. */
static void join_blocks(Net *net) {
  Notes *notes = (Notes *)(uintptr_t)net->notes;
  for (uint32_t t = 0; t < net->n_trans; t++) {
    TransNote *note = (TransNote *)(uintptr_t)&notes->transitions[t];
    if (note->begin != NOTE_NONE) note->begin = 0;
    if (note->end != NOTE_NONE) note->end = 0;
  }
  notes->n_blocks = 1;
}

/* The first two threads differ in one thing alone, and only the block of the second one is violated: in what a step
 * touches, how, which value it finds, which it leaves; then in the begin, and in the end, which are taken from the
 * first one or added to it. */
#define ONCE "atomic { await (f = 0); f := 2 }"
static const char *const ALIKE[] = {
    "bool g, h; int X, Y; begin X := 1; X := 2 end || begin Y := 1; Y := 2 end || y := Y || "
    "await (g = true && h = true); x := X || g := true; g := false; h := true",
    "int[3] f; int X; begin " ONCE "; x := X; x := X end || begin " ONCE "; X := 1; X := 2 end || y := X",
    "int[3] f; int X; begin " ONCE
    "; X := 1; X := 2 end || begin atomic { await (f = 1); f := 2 }; X := 1; X := 2 end || "
    "atomic { await (f = 0); f := 1 }; y := X",
    "int[3] f; int X; begin " ONCE
    "; X := 1; X := 2 end || begin atomic { await (f = 0); f := 1 }; X := 1; X := 2 end || await (f = 1); y := X",
    "int X; begin X := 1; X := 2 end || begin X := 1; X := 2 end",
    "int X; begin X := 1; X := 2 end || begin X := 1; X := 2 end"};
enum { N_ALIKE = sizeof ALIKE / sizeof *ALIKE, WITHOUT_BEGIN = N_ALIKE - 2, WITH_END = N_ALIKE - 1 };

/* The same in where a step leads to: the first thread writes once, the second one again and again. */
static const char AGAIN[] = "p0 u0 *\np1 u0\np2 u0\np3 u1 *\np4 u1\np5 u1\np6 u2 *\np7 - *\n"
                            "p0 -> t0\nt0 -> p1\np1 -> t1\np7 -> t1\nt1 -> p2\nt1 -> p7\np1 -> t2\nt2 -> p2\n"
                            "p3 -> t3\nt3 -> p4\np4 -> t4\np7 -> t4\nt4 -> p4\nt4 -> p7\np4 -> t5\nt5 -> p5\n"
                            "p6 -> t6\np7 -> t6\nt6 -> p6\nt6 -> p7\n--begin=t0\n--begin=t3\n";

static void edit_first(Net *net, uint32_t row) {
  for (uint32_t t = 0; t < net->n_trans; t++) {
    TransNote *note = (TransNote *)(uintptr_t)&net->notes->transitions[t];
    if (note->thread != 0) continue;
    if (row == WITHOUT_BEGIN) note->begin = NOTE_NONE;
    if (row == WITH_END && !strcmp(note->text, "X := 1")) note->end = 0;
  }
}

/* The lie is one only if the coloured net without the choice of others does not mark red. */
static void check_alike(Heap *heap, Net *net) {
  Case c = {heap, net, {ANSWER_UNKNOWN}};
  Tally tally = {0};
  Err err;
  CU_ASSERT_TRUE_FATAL(colouring_search(c.heap, c.net, STATES, c.answers, &err));
  CU_ASSERT_EQUAL(c.answers[0], ANSWER_VIOLATED);
  lie_as(&c, 0, LIE_CHOICES, true, &tally);
  CU_ASSERT_EQUAL(tally.rejected, 1);
}

static void alike_but_for_one_thing(void) {
  for (uint32_t i = 0; i < N_ALIKE; i++) {
    SmlCase program = sml_case(ALIKE[i]);
    CU_ASSERT_PTR_NOT_NULL_FATAL(program.net);
    join_blocks(program.net);
    edit_first(program.net, i);
    check_alike(program.heap, program.net);
    sml_case_end(&program);
  }
  Heap *heap = heap_new(0);
  Err err;
  Net *net = net_script(heap, AGAIN, strlen(AGAIN), &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(net);
  join_blocks(net);
  check_alike(heap, net);
  net_free(net);
  heap_free(heap);
}

/* That only the first thread chooses the block is not enough, unless the other one is just like it. */
static void nearly_alike_threads(void) {
  Tally lies = {0};
  for (uint64_t seed = 1; seed <= TWINS; seed++) {
    char *text = nearly_alike(seed);
    SmlCase program = sml_case(text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(program.net);
    Case c = {program.heap, program.net, {ANSWER_UNKNOWN}};
    Err err;
    join_blocks(c.net);
    CU_ASSERT_TRUE_FATAL(colouring_search(c.heap, c.net, STATES, c.answers, &err));
    const uint32_t wrong = lies.wrong;
    if (c.answers[0] == ANSWER_VIOLATED) lie_as(&c, 0, seed * LIES + LIE_CHOICES, true, &lies);
    if (lies.wrong > wrong) puts(text);
    sml_case_end(&program);
    free(text);
  }
  CU_ASSERT_EQUAL(lies.wrong + lies.malformed, 0);
  CU_ASSERT_TRUE(lies.rejected > 20);
}

/* ---- each reason ---- */

/* The first piece of the text is another one; malloc'd. */
static char *replace(const char *text, const char *old, const char *new) {
  const char *at = strstr(text, old);
  char *result = malloc(strlen(text) + strlen(new) + 1);
  if (!at || !result) {
    printf("\n  there is no %s in\n%s", old, text);
    abort();
  }
  sprintf(result, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
  return result;
}

/* A true certificate where `old` is `new`; `expected` is a part of what is said of it. */
static void check_words(const Case *c, const char *old, const char *new, const char *expected) {
  Tally tally = {0};
  Err err = {.text = "holds"};
  char *text = certify(c, NOTE_NONE, true), *changed = replace(text, old, new);
  judge(c, changed, &tally, &err);
  if (!strstr(err.text, expected)) printf("\n  %s\n", err.text);
  CU_ASSERT_PTR_NOT_NULL(strstr(err.text, expected));
  free(changed);
  free(text);
}

/* The places of its net: 1-3 X, 4-8 of T1, 9 and 10 of T2, 11 and 12 of T3. */
static const char WRITTEN[] = "int X; begin X := 1; x := X end || y := X || z := X";

/* Two threads look at one token. */
static const char LOOKED_AT[] = "p0 u0 *\np1 u0\np2 u0\np3 u1 *\np4 u1\np5 - *\n"
                                "p0 -> t0\nt0 -> p1\np1 -> t1\np5 -> t1\nt1 -> p2\nt1 -> p5\n"
                                "p3 -> t2\np5 -> t2\nt2 -> p4\nt2 -> p5\n--begin=t0\n";

static void looked_at_by_two(void) {
  Case c = {.heap = heap_new(0)};
  Err err;
  c.net = net_script(c.heap, LOOKED_AT, strlen(LOOKED_AT), &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(c.net);
  check_words(&c, "\ng 6", "\ng 6", "holds");
  check_words(&c, "\ng 6", "\nr 6", "place 'p5' is read by two threads");
  check_words(&c, "\ng 6", "", "place 'p5' is in no group");
  net_free(c.net);
  heap_free(c.heap);
}

/* One thread puts a token that another one takes. */
static const char HANDED[] = "p0 u0 *\np1 u0\np2 u0\np3 u1 *\np4 u1\np5 -\n"
                             "p0 -> t0\nt0 -> p1\np1 -> t1\nt1 -> p2\nt1 -> p5\n"
                             "p3 -> t2\np5 -> t2\nt2 -> p4\n--begin=t0\n";

static void handed_over(void) {
  Case c = {.heap = heap_new(0)};
  Err err;
  c.net = net_script(c.heap, HANDED, strlen(HANDED), &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(c.net);
  check_words(&c, "\ng 6", "", "place 'p5' is in no group");
  net_free(c.net);
  heap_free(c.heap);
}

static void each_reason(void) {
  SmlCase program = sml_case(WRITTEN);
  const Case c = {program.heap, program.net, {ANSWER_ATOMIC}};
  CU_ASSERT_PTR_NOT_NULL_FATAL(c.net);
  check_words(&c, "block 1", "block 1", "holds");
  check_words(&c, "coloured 17 23", "coloured 17000 23", "expected a number of places from 0 to");
  check_words(&c, "\nt 2 1 11 4", "\nt 0 1 11 4", "expected how many places it takes from");
  check_words(&c, "\nt 2 1 11 4", "\nt 5 1 11 4", "the line before has fewer places than it says");
  check_words(&c, "\nt 2 1 11 4", "\nt 2 1 1 4", "the coloured net: ");
  check_words(&c, "\nr 1 2 3", "\nr 1 2 4", "is private, or of two groups");
  check_words(&c, "\nr 1 2 3", "\nr 1 2 3\ng 3", "is private, or of two groups");
  check_words(&c, "\nr 1 2 3", "\nr 1 2", "is in no group");
  check_words(&c, "\nr 1 2 3", "", "is in no group");
  check_words(&c, "\nr 1 2 3", "\ng 1 2 3", "is not matched"); /* all write: there is more to do */
  check_words(&c, "\nblock 1 12", "", "expected 'block'");
  check_words(&c, "\nblock 1 12", "\nblock 1 12\nblock 1 12", "block 1 is named twice");
  check_words(&c, "\nblock 1 12", "\nblock 1 0", "is not matched");
  check_words(&c, "\nblock 1 12", "\nblock 1 4", "is not matched");
  check_words(&c, "\nu 11", "\nu 13", "place 13 of the coloured net stands for two things");
  check_words(&c, "\nu 11", "\nu", "do not stand for the initial state");
  check_words(&c, "\nu 11", "\nu 11 12", "do not stand for the initial state");
  check_words(&c, "\ni 1 2 3 11 13", "\ni 1 2 11 13", "do not stand for the initial state");
  check_words(&c, "\ni 1 2 3 11 13", "\ni 1 2 3 5 11 13", "do not stand for the initial state");
  check_words(&c, "\ns 6 0 2", "\ns 6 0 8", "do not stand for the initial state");
  check_words(&c, "\ns 7 0 2 8", "\ns 7 0 8", "is not matched");
  check_words(&c, "\ns 7 0 2 8", "\ns 7 0 1", "place 1 of the coloured net stands for two things");
  check_words(&c, "\nz 3 15", "", "is not matched");
  check_words(&c, "\nt 2 4 13 10 16", "\nt 3 4 13 12 10 16", "is not matched"); /* it needs more */
  check_words(&c, "\nt 2 4 13 10 16", "\nt 1 4 10 16", "is not matched");       /* leaves what should be gone */
  check_words(&c, "\nt 2 4 13 10 16", "\nt 2 4 13 10", "is not matched"); /* does not leave what should be there */
  check_words(&c, "\nt 2 4 13 10 16", "\nt 2 4 13 10 16 12", "is not matched");   /* leaves more */
  check_words(&c, "\nt 2 2 16 8 15", "\nt 2 2 16 8 14", "is not matched");        /* there is none */
  check_words(&c, "\nt 2 2 16 8 15", "\nt 2 2 16 5 8 15", "is not matched");      /* leaves two of threads */
  check_words(&c, "\nt 2 2 16 8 15", "\nt 2 2 16 5 15", "is not matched");        /* leads to another thread's place */
  check_words(&c, "\nt 2 10 17 12 17", "\nt 3 10 17 12 12 17", "is not matched"); /* red needs more: red itself */
  check_words(&c, "\nprefix", "\nsuffix", "or 'prefix'");
  check_words(&c, "\nprefix erv 6\ne 1 1 4", "\nprefix erv 0", "the prefix is not complete");
  sml_case_end(&program);
}

/* ---- certificates that a limit has cut ---- */

typedef struct {
  Heap *heap;
  const Net *net;
  AtomicityOptions options;
  Atomicity result;
  Err err;
  bool done; /* the blocks were listed */
} Cutting;

static void check_within(void *argument) {
  Cutting *c = argument;
  c->done = atomicity_check(c->heap, c->net, &c->options, &(AskLimits){0}, &c->result, &c->err);
}

/* Lets that allocation fail; what is written, up to the proof that was cut, must prove just the blocks that are said
 * to be proved. Was one cut? */
static bool check_cut(const Case *c, uint64_t nth, Tally *tally, uint32_t *n_claims) {
  char *text;
  size_t length;
  Cutting cutting = {.heap = c->heap, .net = c->net};
  cutting.options = (AtomicityOptions){.tries = TRY_MOVERS, .colour = {COLOURING_CHAIN, true, NULL}};
  cutting.options.certificate = open_memstream(&text, &length);
  if (!cutting.options.certificate) abort();
  certificate_begin(cutting.options.certificate, c->net);
  heap_fail_at(c->heap, nth);
  heap_try(c->heap, check_within, &cutting);
  heap_fail_at(c->heap, 0);
  fflush(cutting.options.certificate);
  const bool cut = cutting.done && cutting.result.is_cut;
  if (cut) fseek(cutting.options.certificate, cutting.result.cut_at, SEEK_SET);
  certificate_end(cutting.options.certificate);
  fclose(cutting.options.certificate);
  if (cutting.done) {
    Err err = {.text = "holds"};
    CU_ASSERT_EQUAL(judge(c, text, tally, &err), VERDICT_HOLDS);
    *n_claims = 0;
    for (uint32_t i = 0; i < cutting.result.n_blocks; i++) *n_claims += cutting.result.blocks[i].is_proved;
    atomicity_fini(&cutting.result);
  }
  free(text);
  return cut;
}

static void cut_by_memory(void) {
  SmlCase program = sml_case("int[4] N; int X, Y, Z;"
                             "await (N = 2); begin X := 1; X := 2 end || x := X; N := N + 1 || x := X; N := N + 1"
                             "|| begin Y := 1 end || begin Y := 2; Y := 3 end || y := Y || begin Z := 1 end");
  const Case c = {program.heap, program.net, {ANSWER_ATOMIC, ANSWER_ATOMIC, ANSWER_VIOLATED, ANSWER_ATOMIC}};
  Tally tally = {0};
  uint32_t n_cut = 0, n_part = 0, n_claims = 0;
  CU_ASSERT_PTR_NOT_NULL_FATAL(c.net);
  for (uint64_t nth = 1; nth < 100000 && n_claims < 3; nth++) {
    const bool cut = check_cut(&c, nth, &tally, &n_claims);
    n_cut += cut;
    n_part += cut && n_claims;
  }
  CU_ASSERT_EQUAL(n_claims, 3);
  CU_ASSERT_TRUE(n_cut > n_part && n_part > 0);
  CU_ASSERT_EQUAL(tally.wrong, 0);
  net_free(program.net);
  free(program.messages);
  heap_free(program.heap); /* with what was left */
}

void suite_coloured_proofs(void) {
  CU_pSuite suite = CU_add_suite("check/simulation", NULL, NULL);
  CU_ADD_TEST(suite, changed_proofs);
  CU_ADD_TEST(suite, each_reason);
  CU_ADD_TEST(suite, looked_at_by_two);
  CU_ADD_TEST(suite, handed_over);
  CU_ADD_TEST(suite, cut_by_memory);
  CU_ADD_TEST(suite, nearly_alike_threads);
  CU_ADD_TEST(suite, alike_but_for_one_thing);
}
