/* Certificates of what was unfolded with some threads alone (docs/certificates.md, "Parts"): a false claim is never
 * accepted. That true ones are is seen by differential testing (tests/engines.c), too. */
#include "ask/atomicity.h"
#include "base/hash.h"
#include "check/certificate_judge.h"
#include "petri/subnet.h"
#include "prove/prove.h"
#include "tests/oracle/colouring.h"
#include "tests/oracle/net_script.h"
#include "tests/oracle/random_protocol.h"
#include "tests/oracle/random_sml.h"
#include "tests/oracle/random_units.h"
#include "tests/unit/sml_case.h"
#include "unfold/certificate_write.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 30000, SEEDS = 300, CHANGES = 30, MOST_BLOCKS = 32, MOST_THREADS = 6 };

/* A net, and what is true of it: of the whole, and of each part, by its set of threads. */
typedef struct {
  Heap *heap;
  Net *net;
  Answer answers[MOST_BLOCKS], parts[1 << MOST_THREADS][MOST_BLOCKS];
} Case;

typedef struct {
  uint32_t held, rejected, malformed;
  uint32_t wrong; /* certificates accepted with a claim that is not true */
} Tally;

static uint32_t n_threads(const Case *c) { return c->net->notes->n_threads; }
static uint32_t n_blocks(const Case *c) { return c->net->notes->n_blocks; }

/* A block that is violated, but not by these threads alone. */
static bool hides(const Case *c, uint32_t block, uint32_t threads) {
  return c->answers[block] == ANSWER_VIOLATED && c->parts[threads][block] == ANSWER_ATOMIC;
}

static bool is_false(const Case *c, const Claim *claim, const uint32_t *numbers) {
  uint32_t threads = 0;
  if (claim->kind == CLAIM_ATOMIC) return c->answers[*numbers] == ANSWER_VIOLATED;
  if (claim->kind != CLAIM_SLICE) return false;
  for (uint32_t i = 1; i < claim->n; i++) threads |= 1u << numbers[i];
  return hides(c, *numbers, threads);
}

static Verdict judge(const Case *c, const char *text, Tally *tally, Err *err) {
  CertificateReport report;
  const InFile file = {(char *)(uintptr_t)text, strlen(text), "proof"};
  const Verdict verdict = certificate_judge(c->heap, c->net, &file, &report, err);
  bool wrong = false;
  for (uint32_t i = 0; verdict == VERDICT_HOLDS && i < report.claims.n; i++)
    wrong = wrong || is_false(c, &report.claims.at[i], report.numbers.at + report.claims.at[i].first);
  certificate_judge_report_fini(&report);
  tally->held += verdict == VERDICT_HOLDS;
  tally->rejected += verdict == VERDICT_VIOLATED;
  tally->malformed += verdict == VERDICT_UNKNOWN;
  tally->wrong += wrong;
  return verdict;
}

/* ---- cases ---- */

static uint32_t list_threads(uint32_t set, uint32_t *threads) {
  uint32_t n = 0;
  for (uint32_t i = 0; set >> i; i++)
    if (set >> i & 1) threads[n++] = i;
  return n;
}

static bool search_parts(Case *c) {
  Err err;
  bool good = colouring_search(c->heap, c->net, STATES, c->answers, &err);
  for (uint32_t set = 0; good && set < 1u << n_threads(c); set++) {
    uint32_t threads[MOST_THREADS];
    Subnet part;
    subnet_init(&part, c->heap, c->net, threads, list_threads(set, threads));
    good = colouring_search(c->heap, part.net, STATES, c->parts[set], &err);
    subnet_fini(&part);
  }
  return good;
}

static Net *random_net(Heap *heap, uint64_t seed) {
  CharVec text = {0};
  Diag diag;
  Err err;
  if (seed % 5 == 0) {
    random_units(heap, seed, &text);
    return net_script(heap, text.at, text.n, &err);
  }
  if (seed % 2) random_protocol(heap, seed, &text);
  else random_sml(heap, seed, seed % 3 ? RANDOM_WIDE : RANDOM_SMALL, &text);
  diag_init(&diag, heap, "random.sml", text.at, text.n);
  Net *net = sml_compile(heap, &(SmlOptions){.encoding = seed % 7 ? ENCODING_COMPACT : ENCODING_PAPER}, &diag);
  diag_fini(&diag);
  return net;
}

/* ---- true certificates, and changed ones ---- */

/* malloc'd */
static char *certify(const Case *c, unsigned tries) {
  char *text;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  if (!out) abort();
  const AtomicityOptions options = {.tries = tries, .colour = {COLOURING_CHAIN, true, NULL}, .certificate = out};
  Atomicity result;
  Err err;
  certificate_begin(out, c->net);
  if (atomicity_check(c->heap, c->net, &options, &(AskLimits){.max_events = 20000}, &result, &err))
    atomicity_fini(&result);
  certificate_end(out);
  fclose(out);
  return text;
}

/* A number of a line is another one, or is left out, or has another one behind it; or the line is left out. Most lines
 * that are changed are those of slices and parts. malloc'd. */
static char *change(const char *text, uint64_t seed) {
  static const char *const WORDS[] = {"\nslice ", "\npart ", "\nproof ", "\na ", "\nk", "\nblock ", "\nb ", "\n"};
  const char *word = WORDS[seed % 8], *at = strstr(text, word);
  uint32_t n = 0;
  char *changed = malloc(strlen(text) + 20);
  if (!at) at = strchr(strchr(text, '\n') + 1, '\n'), word = "\n";
  for (const char *next = at; (next = strstr(next + 1, word)) && next[1];) n++;
  for (uint64_t skip = hash_word(seed) % (n + 1); skip; skip--) at = strstr(at + 1, word);
  const char *end = strchr(++at, '\n');
  if (!changed) abort();
  if (hash_word(seed + 1) % 6 == 0) {
    sprintf(changed, "%.*s%s", (int)(at - text), text, *end ? end + 1 : end);
    return changed;
  }
  n = 0;
  for (const char *blank = at; blank < end; blank++) n += *blank == ' ';
  for (uint64_t skip = n ? hash_word(seed + 2) % n : 0; at < end; at++)
    if (*at == ' ' && !skip--) break;
  const size_t length = *at == ' ' ? strcspn(at + 1, " \n") + 1 : 0;
  char number[12] = "";
  const uint64_t how = hash_word(seed + 3) % 4;
  if (how) snprintf(number, sizeof number, " %u", (unsigned)(1 + hash_word(seed + 4) % 5));
  const size_t kept = how == 3 ? length : 0;
  sprintf(changed, "%.*s%s%s", (int)(at + kept - text), text, length ? number : "", at + length);
  return changed;
}

static void change_all(const Case *c, const char *text, uint64_t seed, Tally *tally) {
  for (uint64_t i = 0; i < CHANGES; i++) {
    char *changed = change(text, seed * CHANGES + i);
    const uint32_t wrong = tally->wrong;
    Err err;
    if (i % 3 == 0) {
      char *more = change(changed, hash_word(seed * CHANGES + i));
      free(changed);
      changed = more;
    }
    judge(c, changed, tally, &err);
    if (tally->wrong > wrong) printf("\n  seed %llu, change %llu\n", (unsigned long long)seed, (unsigned long long)i);
    free(changed);
  }
}

/* ---- each set of threads is claimed to be enough for each block ---- */

static bool starts_claim(const char *line) {
  static const char *const WORDS[] = {"movers ", "environment ", "pairs ", "slice ", "end\n"};
  bool any = false;
  for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) any = any || !strncmp(line, WORDS[i], strlen(WORDS[i]));
  return any;
}

/* The facts, without claims; malloc'd, or NULL if there are none. */
static char *find_facts(const Case *c, bool pairs) {
  char *text;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  if (!out) abort();
  certificate_begin(out, c->net);
  prove_free(prove_net(c->heap, c->net,
                       &(ProveOptions){.environment = pairs, .pairs = pairs, .slice = true, .certificate = out}));
  certificate_end(out);
  fclose(out);
  char *to = text;
  for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
    const size_t n = strcspn(line, "\n") + 1;
    if (starts_claim(line)) continue;
    memmove(to, line, n);
    to += n;
  }
  *to = '\0';
  if (strstr(text, "\nproof ")) return text;
  free(text);
  return NULL;
}

static void print_set(FILE *out, const char *word, uint32_t set) {
  fputs(word, out);
  for (uint32_t i = 0; set >> i; i++)
    if (set >> i & 1) fprintf(out, " %u", i + 1);
  fputc('\n', out);
}

static void print_slice(FILE *out, uint32_t block, uint32_t set) {
  char word[32];
  snprintf(word, sizeof word, "slice %u", block + 1);
  print_set(out, word, set);
}

typedef struct {
  Tally whole, changed, false_slices, true_slices, false_parts;
} Tallies;

static void claim_slices(const Case *c, const char *facts, Tallies *tallies) {
  for (uint32_t b = 0; b < n_blocks(c); b++)
    for (uint32_t set = 0; set < 1u << n_threads(c); set++) {
      char *text;
      size_t length;
      Err err;
      FILE *out = open_memstream(&text, &length);
      if (!out) abort();
      fputs(facts, out);
      print_slice(out, b, set);
      certificate_end(out);
      fclose(out);
      judge(c, text, hides(c, b, set) ? &tallies->false_slices : &tallies->true_slices, &err);
      free(text);
    }
}

/* ---- a block that is violated, but not by some threads alone, with a true proof of the latter ---- */

enum { LIE_SLICE, LIE_WHOLE, LIE_BLOCK, LIE_NOTHING, LIES };

static void print_lie(const Case *c, FILE *out, int lie, uint32_t block, uint32_t set) {
  const uint32_t all = (1u << n_threads(c)) - 1;
  if (lie == LIE_SLICE) print_slice(out, block, set);
  if (lie == LIE_WHOLE) print_slice(out, block, all);
  if (lie == LIE_BLOCK)
    for (uint32_t b = 0; b < n_blocks(c); b++) print_slice(out, b, b == block ? all : set);
}

/* The part, and a proof that the block is atomic in it. False if the unfolding is too large. */
static bool print_part(const Case *c, FILE *out, uint32_t block, uint32_t set) {
  uint32_t threads[MOST_THREADS];
  bool blocks[MOST_BLOCKS] = {false}, good;
  Subnet part;
  Err err;
  blocks[block] = true;
  subnet_init(&part, c->heap, c->net, threads, list_threads(set, threads));
  Coloured *coloured = colour_net(c->heap, part.net, &(ColourOptions){COLOURING_CHAIN, true, blocks, false}, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(coloured);
  print_set(out, "part", set);
  good = colour_certify(coloured, blocks, part.place, out, &err);
  if (good && colour_result_red(coloured, block).v != PLACE_NONE.v) {
    Prefix *prefix = unfold(c->heap, colour_result_net(coloured), &(UnfoldOptions){.max_events = 20000}, &err);
    good = prefix && prefix->status == UNFOLD_COMPLETE;
    if (good) certificate_prefix(out, prefix, UNFOLD_ERV);
    prefix_free(prefix);
  }
  colour_free(coloured);
  subnet_fini(&part);
  return good;
}

static void lie_about(const Case *c, const char *facts, uint32_t block, uint32_t set, Tally *tally) {
  for (int lie = 0; lie < LIES; lie++) {
    char *text;
    size_t length;
    Err err;
    FILE *out = open_memstream(&text, &length);
    if (!out) abort();
    fputs(facts, out);
    print_lie(c, out, lie, block, set);
    const bool good = print_part(c, out, block, set);
    certificate_end(out);
    fclose(out);
    if (good) judge(c, text, tally, &err);
    free(text);
  }
}

static void lie_about_all(const Case *c, const char *facts, Tally *tally) {
  for (uint32_t b = 0; b < n_blocks(c); b++)
    for (uint32_t set = 0; set + 1 < 1u << n_threads(c); set++)
      if (hides(c, b, set)) lie_about(c, facts, b, set, tally);
}

/* ---- all of it ---- */

static void check_case(const Case *c, uint64_t seed, Tallies *tallies) {
  Err err;
  char *text = certify(c, seed % 3 ? TRY_SLICE : TRY_MOVERS | TRY_PAIRS | TRY_SLICE), *facts = find_facts(c, seed % 2);
  judge(c, text, &tallies->whole, &err);
  if (strstr(text, "\nslice ")) change_all(c, text, seed, &tallies->changed);
  if (facts) claim_slices(c, facts, tallies);
  if (facts && seed % 4 == 0) lie_about_all(c, facts, &tallies->false_parts);
  free(text);
  free(facts);
}

static void check_seed(uint64_t seed, Tallies *tallies) {
  Heap *heap = heap_new(0);
  Case *c = heap_zeroed(heap, sizeof *c);
  c->heap = heap;
  c->net = random_net(heap, seed);
  if (c->net && n_blocks(c) <= MOST_BLOCKS && n_threads(c) <= MOST_THREADS && search_parts(c))
    check_case(c, seed, tallies);
  net_free(c->net);
  heap_release(heap, c);
  heap_free(heap);
}

static void false_slices(void) {
  Tallies t = {0};
  for (uint64_t seed = 1; seed <= SEEDS; seed++) check_seed(seed, &t);
  CU_ASSERT_EQUAL(t.whole.rejected + t.whole.malformed + t.whole.wrong, 0);
  CU_ASSERT_EQUAL(t.false_slices.held + t.false_slices.malformed, 0);
  CU_ASSERT_EQUAL(t.false_parts.held + t.false_parts.malformed, 0);
  CU_ASSERT_EQUAL(t.true_slices.malformed + t.true_slices.wrong + t.changed.wrong, 0);
  CU_ASSERT_TRUE(t.false_slices.rejected > 500 && t.false_parts.rejected > 500);
  CU_ASSERT_TRUE(t.true_slices.held > 1000 && t.true_slices.rejected > 1000);
  CU_ASSERT_TRUE(t.changed.held > 500 && t.changed.rejected > 1000 && t.changed.malformed > 500);
  if (getenv("SHOW"))
    printf("\n%u whole; slices: %u false refused; true: %u held, %u refused; parts: %u refused; changed: %u held, %u "
           "refused, %u malformed\n",
           t.whole.held, t.false_slices.rejected, t.true_slices.held, t.true_slices.rejected, t.false_parts.rejected,
           t.changed.held, t.changed.rejected, t.changed.malformed);
}

/* ---- each reason ---- */

/* The facts about a program, then the claim; `expected` is a part of what is said of it. */
static void check_words(const char *program, const char *claim, const char *expected) {
  SmlCase c = sml_case(program);
  CU_ASSERT_PTR_NOT_NULL_FATAL(c.net);
  const Case at = {.heap = c.heap, .net = c.net};
  char *facts = find_facts(&at, false), *text;
  size_t length;
  CertificateReport report;
  Err err = {.text = "holds"};
  FILE *out = open_memstream(&text, &length);
  if (!out || !facts) abort();
  fprintf(out, "%s%s", facts, claim);
  certificate_end(out);
  fclose(out);
  const InFile file = {text, length, "proof"};
  certificate_judge(c.heap, c.net, &file, &report, &err);
  if (!strstr(err.text, expected)) printf("\n  %s\n", err.text);
  CU_ASSERT_PTR_NOT_NULL(strstr(err.text, expected));
  certificate_judge_report_fini(&report);
  free(text);
  free(facts);
  sml_case_end(&c);
}

#define ENABLED "bool F; int X; begin X := 1; X := 2 end || await (F); t := X || F := true || skip"
#define LOCKED \
  "int X; lock l; begin acquire(l); X := 1; release(l); X := 2 end || x := X || acquire(l); y := 1; release(l) || y := 2"
/* F is held, but T3 looks at it while it is */
#define LOOKED_AT "bool F; int X; begin X := 1; X := 2 end || F := true; F := false || await (F); x := X || skip"
static void each_reason(void) {
  check_words(ENABLED, "slice 1 1 2 3\n", "holds");
  check_words(ENABLED, "slice 1 1 2\n", "is changed by 'T3.1 F := true', which is left out");
  check_words(ENABLED, "slice 1 1 3\n", "a chain through a thread that is left out may come back into block 1");
  check_words(ENABLED, "slice 1 2 3\n", "'T1.1 begin', of a thread that is left out, begins block 1");
  check_words(ENABLED, "slice 1\n", "begins block 1");
  check_words(ENABLED, "slice 1 5\n", "expected a thread from 1 to 4, found '5'");
  check_words(ENABLED, "slice 2 1\n", "expected a block, which can only be 1, found '2'");
  check_words(LOCKED, "slice 1 1 2\n", "holds");
  check_words(LOOKED_AT, "slice 1 1 2 3\n", "holds");
  check_words(LOOKED_AT, "slice 1 1 3\n", "which is left out");
  check_words(ENABLED, "part 1 2 3\n", "a part of a net proves nothing where no block is sliced");
  check_words(ENABLED, "slice 1 1 2 3\npart 1 2 5\n", "expected a thread from 1 to 4, found '5'");
  check_words(ENABLED, "slice 1 1 2 3\npart 1 2 3\nprefix\n", "expected 'proof', found 'prefix'");
}

void suite_slice_proofs(void) {
  CU_pSuite suite = CU_add_suite("check/slice_judge", NULL, NULL);
  CU_ADD_TEST(suite, false_slices);
  CU_ADD_TEST(suite, each_reason);
}
