/* Counting says "never two tokens": examples, nets of SML programs, and random nets against their markings. */
#include "petri/safe.h"

#include "base/hash.h"
#include "tests/oracle/reach.h"
#include "tests/oracle/net_script.h"
#include "tests/oracle/random_sml.h"
#include "tests/oracle/random_units.h"
#include "tests/unit/safe_net.h"
#include "tests/unit/sml_case.h"

#include <CUnit/CUnit.h>
#include <string.h>

enum { SKETCHES = 6000, UNIT_NETS = 6000, PROGRAMS = 600, MARKINGS = 20000, WALKS = 6, STEPS = 60 };

/* ---- the token game with any number of tokens ---- */

static bool may_fire(const Net *net, const uint32_t *tokens, TransId t) {
  const PlaceList pre = net_pre(net, t);
  for (uint32_t i = 0; i < pre.n; i++)
    if (!tokens[pre.at[i].v]) return false;
  return true;
}

static void fire(const Net *net, uint32_t *tokens, TransId t) {
  const PlaceList pre = net_pre(net, t), post = net_post(net, t);
  for (uint32_t i = 0; i < pre.n; i++) tokens[pre.at[i].v]--;
  for (uint32_t i = 0; i < post.n; i++) tokens[post.at[i].v]++;
}

/* The first enabled transition from a random one on. */
static TransId pick(const Net *net, const uint32_t *tokens, uint64_t random) {
  for (uint32_t i = 0; i < net->n_trans; i++) {
    const TransId t = {(uint32_t)((random + i) % net->n_trans)};
    if (may_fire(net, tokens, t)) return t;
  }
  return TRANS_NONE;
}

/* Does a walk put a second token on a proved place? */
static bool is_refuted(const Net *net, const bool *proved, uint64_t seed) {
  uint32_t tokens[512] = {0};
  CU_ASSERT_FATAL(net->n_places <= 512);
  for (uint32_t p = 0; p < net->n_places; p++) tokens[p] = net->marked[p];
  for (uint64_t i = 0; i < STEPS && net->n_trans; i++) {
    const TransId t = pick(net, tokens, hash_word(seed * STEPS + i));
    if (t.v == TRANS_NONE.v) return false;
    fire(net, tokens, t);
    for (uint32_t p = 0; p < net->n_places; p++)
      if (proved[p] && tokens[p] > 1) return true;
  }
  return false;
}

/* ---- random nets ---- */

typedef struct {
  uint32_t safe, proved, unsafe, places; /* nets that are 1-safe, and those proved; places proved of others */
} Tally;

/* False if something was proved that is not so. */
static bool check_net(Heap *heap, const Net *net, uint64_t seed, Tally *tally) {
  bool *proved = heap_alloc(heap, net->n_places + 1u);
  const bool all = net_prove_safe(heap, net, proved);
  Reach *reach = reach_explore(heap, net, MARKINGS);
  const bool safe = reach->unsafe_from == REACH_NONE;
  bool good = !all || safe;
  if (!safe && proved[reach->unsafe_place.v]) good = false;
  for (uint64_t i = 0; i < WALKS; i++) good = good && !is_refuted(net, proved, seed * WALKS + i);
  tally->safe += safe;
  tally->unsafe += !safe;
  tally->proved += all;
  for (uint32_t p = 0; p < net->n_places; p++) tally->places += !safe && proved[p];
  reach_free(reach);
  heap_release(heap, proved);
  return good;
}

static void random_sketches(void) {
  Tally tally = {0};
  for (uint64_t seed = 1; seed <= SKETCHES; seed++) {
    Heap *heap = heap_new(0);
    Net *net = safe_net(heap, seed);
    const bool good = check_net(heap, net, seed, &tally);
    if (!good) printf("\nseed %u\n", (unsigned)seed);
    CU_ASSERT_TRUE(good);
    net_free(net);
    heap_free(heap);
  }
  printf("(%u of %u proved; of %u others %u places) ", tally.proved, tally.safe, tally.unsafe, tally.places);
  CU_ASSERT_TRUE(tally.proved > tally.safe / 10 * 8 && tally.unsafe > SKETCHES / 10 && tally.places > tally.unsafe);
}

static void random_units_nets(void) {
  Tally tally = {0};
  for (uint64_t seed = 1; seed <= UNIT_NETS; seed++) {
    Heap *heap = heap_new(0);
    CharVec text = {0};
    Err err;
    random_units(heap, seed, &text);
    Net *net = net_script(heap, text.at, text.n, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(net);
    const bool good = check_net(heap, net, seed, &tally);
    if (!good) printf("\nseed %u:\n%.*s\n", (unsigned)seed, (int)text.n, text.at);
    CU_ASSERT_TRUE(good);
    net_free(net);
    heap_free(heap);
  }
  printf("(%u of %u proved; of %u others %u places) ", tally.proved, tally.safe, tally.unsafe, tally.places);
  CU_ASSERT_TRUE(tally.proved > tally.safe / 10 * 8 && tally.unsafe > UNIT_NETS / 20 && tally.places > tally.unsafe);
}

/* ---- nets of SML programs ---- */

static bool is_proved(Heap *heap, const Net *net) {
  bool *proved = heap_alloc(heap, net->n_places + 1u);
  const bool all = net_prove_safe(heap, net, proved);
  heap_release(heap, proved);
  return all;
}

static void check_program(const char *text, size_t length) {
  static const Granularity granularities[] = {GRANULARITY_STATEMENT, GRANULARITY_ACCESS};
  static const Encoding encodings[] = {ENCODING_COMPACT, ENCODING_PAPER};
  for (uint32_t i = 0; i < 4; i++) {
    SmlCase c = sml_case_with(text, length, granularities[i / 2], encodings[i % 2]);
    const bool good = !c.net || is_proved(c.heap, c.net);
    if (!good) printf("\n%.*s\n", (int)length, text);
    CU_ASSERT_TRUE(good);
    sml_case_end(&c);
  }
}

static void random_programs(void) {
  for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
    Heap *heap = heap_new(0);
    CharVec text = {0};
    random_sml(heap, seed, RANDOM_SMALL, &text);
    check_program(text.at, text.n);
    heap_free(heap);
  }
}

static void programs(void) {
  static const char *const texts[] = {
      "int X; begin X := 1 end",
      /* one thread always holds the lock that it releases, the other one may not */
      "int X; lock l; begin acquire(l); X := 1; release(l) end || if (X = 1) { acquire(l) } release(l)",
      "lock l; begin acquire(l); acquire(l); release(l) end",
      "lock l, m; begin acquire(l); acquire(m); release(l); release(m) end || acquire(m); acquire(l); release(l); release(m)",
      "int[3] X; lock l; 5 * { begin acquire(l); X := X + 1; if (X = 2) { release(l) } else { release(l) } end }",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    SmlCase c = sml_case(texts[i]);
    CU_ASSERT_PTR_NOT_NULL(c.net);
    sml_case_end(&c);
    check_program(texts[i], strlen(texts[i]));
  }
}

/* ---- examples ---- */

/* Of a net given as a script: the proved places, in their order, by the last letters of their names. */
static void expect(const char *script, const char *wanted) {
  Heap *heap = heap_new(0);
  CharVec found = {0};
  Err err;
  Net *net = net_script(heap, script, strlen(script), &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(net);
  bool *proved = heap_alloc(heap, net->n_places + 1u);
  net_prove_safe(heap, net, proved);
  for (uint32_t p = 0; p < net->n_places; p++)
    if (proved[p]) vec_push(heap, &found, net->place_name[p][1]);
  vec_push(heap, &found, '\0');
  if (strcmp(found.at, wanted) != 0) printf("\n%sproved: %s\n", script, found.at);
  CU_ASSERT_STRING_EQUAL(found.at, wanted);
  net_free(net);
  heap_free(heap);
}

static void examples(void) {
  /* a unit whose transition forks */
  expect("pa u *\npb u\npa -> tf\ntf -> pa\ntf -> pb\n--begin=tf\n", "a");
  /* a lock, held by the control place b */
  expect("pa u *\npb u\npl - *\npa -> t0\npl -> t0\nt0 -> pb\npb -> t1\nt1 -> pa\nt1 -> pl\n--begin=t0\n", "abl");
  /* a slot with its complement, filled over and over; without the complement it overflows */
  expect("pa u *\npf -\npe - *\npa -> t0\npe -> t0\nt0 -> pa\nt0 -> pf\npf -> t1\nt1 -> pe\n--begin=t0\n", "afe");
  expect("pa u *\npf -\npe - *\npa -> t0\nt0 -> pa\nt0 -> pf\npf -> t1\nt1 -> pe\n--begin=t0\n", "a");
  /* two marked control places in one unit: each is by itself, and t0 joins them */
  expect("pa u *\npb u *\npc u\npa -> t0\npb -> t0\nt0 -> pc\n--begin=t0\n", "abc");
  /* t1 needs both places of the unit and is dead: what it puts on x does not count */
  expect("pa u *\npb u\npx - *\npa -> t0\nt0 -> pb\npa -> t1\npb -> t1\nt1 -> px\n--begin=t0\n", "abx");
  /* the same where all of it is one unit */
  expect("pa u *\npb u\npc u\npa -> t0\nt0 -> pb\npa -> t1\npb -> t1\nt1 -> pa\nt1 -> pb\nt1 -> pc\n--begin=t0\n",
         "abc");
  /* a message behind a handshake: the right choice of t0's inputs is the acknowledgement */
  expect("pa u *\npb u\npc v *\npd v\npm -\npk - *\npa -> t0\npk -> t0\nt0 -> pb\nt0 -> pm\npb -> t1\nt1 -> pa\n"
         "pc -> t2\npm -> t2\nt2 -> pd\npd -> t3\nt3 -> pc\nt3 -> pk\n--begin=t0\n",
         "abcdmk");
}

void suite_safe(void) {
  CU_pSuite suite = CU_add_suite("petri/safe", NULL, NULL);
  CU_ADD_TEST(suite, examples);
  CU_ADD_TEST(suite, programs);
  CU_ADD_TEST(suite, random_programs);
  CU_ADD_TEST(suite, random_sketches);
  CU_ADD_TEST(suite, random_units_nets);
}
