#include "tests/oracle/colouring.h"
#include "tests/oracle/definition.h"

#include <CUnit/CUnit.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- nets from scripts ---- */

/* A script is a program as a word per event: "rX" reads X, "wX" writes it, "+L" acquires and "-L" releases L, "(0"
 * begins block 0 and ")0" ends it, "." does nothing, "||" parts threads, "*" sends a thread back to its first event,
 * and "?" lets it skip the next one. The net is that of Figure 4 of the paper, a copy of each variable per thread. */
enum { MAX_THREADS = 4, N_NAMES = 26 };

typedef struct {
  NetBuilder *builder;
  uint32_t n_threads;
  PlaceId copy[N_NAMES][MAX_THREADS]; /* of a variable, or copy[.][0]: a lock */
  bool has_places[N_NAMES];
  uint32_t object[N_NAMES], n_blocks;
} Script;

static void add_self_loop(Script *script, PlaceId p, TransId t) {
  net_add_input(script->builder, p, t);
  net_add_output(script->builder, t, p);
}

static void ensure_object(Script *script, char letter, bool is_lock) {
  const uint32_t i = (uint32_t)(letter - 'A');
  if (script->has_places[i]) return;
  script->has_places[i] = true;
  const char name[] = {letter, '\0'};
  NotesBuilder *notes = net_builder_notes(script->builder);
  script->object[i] = notes_add_object(notes, name, is_lock ? OBJECT_LOCK : OBJECT_VARIABLE, 0);
  for (uint32_t k = 0; k < (is_lock ? 1 : script->n_threads); k++)
    script->copy[i][k] = net_add_place(script->builder, name, true);
}

static void add_access(Script *script, uint32_t thread, const char *word, TransId t) {
  const bool is_lock = *word == '+' || *word == '-';
  const uint32_t i = (uint32_t)(word[1] - 'A');
  ensure_object(script, word[1], is_lock);
  const PlaceId *copy = script->copy[i];
  if (*word == '+') net_add_input(script->builder, copy[0], t);
  if (*word == '-') net_add_output(script->builder, t, copy[0]);
  if (*word == 'r') add_self_loop(script, copy[thread], t);
  for (uint32_t k = 0; *word == 'w' && k < script->n_threads; k++) add_self_loop(script, copy[k], t);
  const AccessMode mode = *word == '+'   ? ACCESS_ACQUIRE
                          : *word == '-' ? ACCESS_RELEASE
                          : *word == 'r' ? ACCESS_READ
                                         : ACCESS_WRITE;
  notes_add_access(net_builder_notes(script->builder), t.v, (Access){script->object[i], mode});
}

/* Adds the event `word` of the thread from one place to the other. */
static void add_event(Script *script, uint32_t thread, const char *word, PlaceId from, PlaceId to) {
  const TransId t = net_add_trans(script->builder, word);
  net_add_input(script->builder, from, t);
  net_add_output(script->builder, t, to);
  TransNote note = {thread, {0}, word, NOTE_NONE, NOTE_NONE, false};
  if (*word == '(') note.begin = (uint32_t)(word[1] - '0');
  if (*word == ')') note.end = (uint32_t)(word[1] - '0');
  if (isupper((unsigned char)word[1])) add_access(script, thread, word, t);
  notes_set_trans(net_builder_notes(script->builder), t.v, note);
}

static void add_thread(Script *script, uint32_t thread, char *text) {
  notes_add_thread(net_builder_notes(script->builder), "T", thread, (SrcPos){0});
  const PlaceId first = net_add_place(script->builder, "first", true);
  PlaceId at = first;
  bool optional = false;
  char *rest = text;
  for (char *word; (word = strtok_r(rest, " ", &rest));) {
    if (*word == '*') {
      add_event(script, thread, word, at, first);
    } else if (*word == '?') {
      optional = true;
    } else {
      const PlaceId next = net_add_place(script->builder, "point", false);
      add_event(script, thread, word, at, next);
      if (optional) add_event(script, thread, ".", at, next);
      optional = false;
      at = next;
    }
  }
}

static Net *script_net(Heap *heap, const char *text) {
  char copy[512];
  snprintf(copy, sizeof copy, "%s", text);
  Script script = {.builder = net_builder_new(heap), .n_threads = 1};
  for (const char *at = text; (at = strstr(at, "||")); at += 2) script.n_threads++;
  for (const char *at = text; (at = strchr(at, '(')); at++)
    if ((uint32_t)(at[1] - '0') + 1 > script.n_blocks) script.n_blocks = (uint32_t)(at[1] - '0') + 1;
  for (uint32_t b = 0; b < script.n_blocks; b++)
    notes_add_block(net_builder_notes(script.builder), NULL, (SrcPos){0}, (SrcPos){0});
  char *thread = copy;
  for (uint32_t i = 0; i < script.n_threads; i++) {
    char *end = strstr(thread, "||");
    if (end) *end = '\0';
    add_thread(&script, i, thread);
    thread = end + 2;
  }
  Err err;
  return net_freeze(script.builder, &err);
}

/* ---- verdicts ---- */

static const DefinitionLimits WIDE = {100, 200000};

/* What the answers look like: a letter per block. */
static void write_letters(const Answer *answers, uint32_t n, char *letters) {
  for (uint32_t b = 0; b < n; b++) letters[b] = answer_name(answers[b])[0];
  letters[n] = '\0';
}

/* Both oracles must say `expected`, one of a (atomic), v (violated), u (unknown) per block; of a loop the definition
 * says u where the colouring says a. */
static void expect(const char *text, const char *expected) {
  Heap *heap = heap_new(0);
  Net *net = script_net(heap, text);
  Answer answers[8];
  char letters[9] = "", loose[9];
  Err err;
  CU_ASSERT_TRUE_FATAL(net && net_audit(net, &err) && strlen(expected) == net->notes->n_blocks);
  CU_ASSERT_TRUE(colouring_search(heap, net, 1000000, answers, &err));
  write_letters(answers, net->notes->n_blocks, letters);
  CU_ASSERT_STRING_EQUAL(letters, expected);
  const bool loops = strchr(text, '*') != NULL;
  const DefinitionLimits narrow = {12, 20000};
  CU_ASSERT_TRUE(definition_search(heap, net, loops ? narrow : WIDE, answers, &err));
  write_letters(answers, net->notes->n_blocks, letters);
  snprintf(loose, sizeof loose, "%s", expected);
  for (char *at = loose; *at; at++) *at = loops && *at == 'a' ? 'u' : *at;
  CU_ASSERT_STRING_EQUAL(letters, loose);
  if (strcmp(letters, loose) != 0) printf("\n  %s: %s, not %s\n", text, letters, loose);
  net_free(net);
  heap_free(heap);
}

static void papers_programs(void) {
  expect("(0 +L wY wY -L )0 || rY", "v");                       /* Figure 5(a) */
  expect("(0 +L wY wY -L )0 || +L rY -L", "a");                 /* Figure 5(b) */
  expect("rX || (0 wX wY )0 || rY", "a");                       /* Figure 7 */
  expect("(0 wX rT )0 || rX wY || (1 wZ rY )1 || rZ wT", "aa"); /* Figure 1 */
}

static void smallest_blocks(void) {
  expect("(0 )0 || wX", "a");
  expect("(0 wX )0 || wX wX", "a");
  expect("(0 wX wX )0 || wX", "v");
  expect("(0 wX wX )0 || rX", "v");
  expect("(0 rX rX )0 || rX", "a"); /* reads commute */
  expect("(0 rX rX )0 || wX", "v");
  expect("(0 rX wX )0 || rX", "a");
  expect("(0 wX rX )0 || rX", "a");
  expect("(0 rX wX )0 || wX", "v");
  expect("(0 wX wY )0 || rX", "a");
  expect("(0 wX wY )0 || rX rY", "v"); /* rY after rX by program order, wY after rY */
  expect("(0 wX rY )0 || rX rY", "a");
}

static void chains_through_several_threads(void) {
  expect("(0 wX rY )0 || rX wZ || rZ wY", "v");
  expect("(0 wX rY )0 || rX wZ || wZ wY", "v");
  expect("(0 wX rY )0 || rX rZ || rZ wY", "a");
  expect("(0 wX rY )0 || rX wZ || wY rZ", "a");
}

static void locks_order_and_protect(void) {
  expect("(0 +L -L +L -L )0 || +L -L", "v");
  expect("+L (0 wX wX )0 -L || +L wX -L", "a");
  expect("+L (0 wX wX )0 -L || ? +L wX", "v");
  expect("(0 +L wX -L +M wX -M )0 || +L wX -L", "v");
  expect("(0 +L wX -L )0 (1 +L wX -L )1 || +L wX -L", "aa");
  expect("+L (0 wX -L wY )0 || +L rX rY -L", "v");
}

static void the_end_is_no_part(void) {
  expect("(0 wX )0 wX || wX", "a");
  expect("wX (0 wX )0 || wX", "a");
  expect("(0 wX (1 wX )1 )0 || wX", "va");
  expect("(0 (1 wX )1 wX )0 || wX", "va");
  expect("(0 (1 wX wX )1 )0 || wX", "vv");
  expect("(0 wX )0 (1 wX )1 || wX", "aa");
}

static void an_unfinished_block_counts(void) {
  expect("(0 wX wX || wX", "v");
  expect("(0 wX wX +L +L )0 || wX", "v");
}

static void blocks_in_loops(void) {
  expect("(0 wX )0 * || wX *", "a");
  expect("(0 wX wX )0 * || wX", "v");
  expect("(0 +L wX -L )0 * || +L wX -L *", "a");
  expect("(0 * || wX", "a"); /* the block begins again and again and never ends; no access in it */
  expect("(0 wX * || wX", "v");
}

static void a_second_begin_closes_nothing(void) {
  expect("(0 wX (0 wX || wX", "v");
  expect("(0 wX (0 )0 wX || wX", "a"); /* the end closes both */
  expect("(0 wX )0 (0 wX || wX", "a");
}

static void one_block_in_several_threads(void) {
  expect("(0 rX wX )0 || (0 rX wX )0", "v");
  expect("(0 rX )0 || (0 wX wY )0", "a");
  expect("(0 rX rX )0 || (0 wX )0", "v");
}

/* ---- limits and bad nets ---- */

static void a_cut_search_is_unknown(void) {
  Heap *heap = heap_new(0);
  Net *net = script_net(heap, "(0 +L wX -L )0 || +L wX -L || (1 wY wY )1 wZ || wY");
  Answer answers[2];
  Err err;
  for (uint32_t budget = 1; budget < 5; budget++) {
    CU_ASSERT_TRUE(colouring_search(heap, net, budget, answers, &err));
    CU_ASSERT_EQUAL(answers[0], ANSWER_UNKNOWN);
    CU_ASSERT_TRUE(definition_search(heap, net, (DefinitionLimits){100, budget}, answers, &err));
    CU_ASSERT_EQUAL(answers[0], ANSWER_UNKNOWN);
    CU_ASSERT_TRUE(definition_search(heap, net, (DefinitionLimits){budget, 100000}, answers, &err));
    CU_ASSERT_EQUAL(answers[0], ANSWER_UNKNOWN);
  }
  CU_ASSERT_TRUE(definition_search(heap, net, (DefinitionLimits){7, 100000}, answers, &err));
  CU_ASSERT_EQUAL(answers[0], ANSWER_UNKNOWN);
  CU_ASSERT_EQUAL(answers[1], ANSWER_VIOLATED); /* found before the cut */
  net_free(net);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void refused(Heap *heap, Net *net, const char *why) {
  Answer answer = ANSWER_VIOLATED;
  Err err;
  CU_ASSERT_PTR_NOT_NULL_FATAL(net);
  CU_ASSERT_FALSE(colouring_search(heap, net, 1000, &answer, &err));
  CU_ASSERT_PTR_NOT_NULL(strstr(err.text, why));
  CU_ASSERT_FALSE(definition_search(heap, net, WIDE, &answer, &err));
  CU_ASSERT_PTR_NOT_NULL(strstr(err.text, why));
  CU_ASSERT_EQUAL(answer, ANSWER_VIOLATED);
  net_free(net);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
}

static void bad_nets_are_refused(void) {
  Heap *heap = heap_new(0);
  Err err;
  NetBuilder *plain = net_builder_new(heap);
  net_add_place(plain, "p", true);
  refused(heap, net_freeze(plain, &err), "notes");
  NetBuilder *source = net_builder_new(heap);
  net_add_output(source, net_add_trans(source, "spring"), net_add_place(source, "p", false));
  notes_set_file(net_builder_notes(source), "x");
  refused(heap, net_freeze(source, &err), "spring");
  refused(heap, script_net(heap, "-L || -L"), "second token");
  heap_free(heap);
}

void suite_oracle(void);
void suite_oracle(void) {
  CU_pSuite suite = CU_add_suite("oracles", NULL, NULL);
  CU_ADD_TEST(suite, papers_programs);
  CU_ADD_TEST(suite, smallest_blocks);
  CU_ADD_TEST(suite, chains_through_several_threads);
  CU_ADD_TEST(suite, locks_order_and_protect);
  CU_ADD_TEST(suite, the_end_is_no_part);
  CU_ADD_TEST(suite, an_unfinished_block_counts);
  CU_ADD_TEST(suite, blocks_in_loops);
  CU_ADD_TEST(suite, a_second_begin_closes_nothing);
  CU_ADD_TEST(suite, one_block_in_several_threads);
  CU_ADD_TEST(suite, a_cut_search_is_unknown);
  CU_ADD_TEST(suite, bad_nets_are_refused);
}
