/* Each net is written as rules, one for each transition of one component, in the order of the transitions: "places
 * taken > places filled". A place is created where it is mentioned first. What stands before its name:
 *
 *     (nothing)  the place of component i, for which the rule is      .   the only one of that name
 *     #          that of component j, for rules about two             *   those of all components
 *     <          that of the component before (and of 0: the last)    =   it is taken and filled again
 */
#include "bench/families.h"

#include "base/vec.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  char text[12];
  PlaceId *at; /* per component, or PLACE_NONE */
} Name;

typedef struct {
  Heap *heap;
  NetBuilder *net;
  VEC(Name) names;
  uint32_t n; /* components: 0 .. n - 1 */
} Maker;

static Name *find_name(Maker *maker, const char *text, size_t length) {
  for (uint32_t i = 0; i < maker->names.n; i++) {
    Name *name = &maker->names.at[i];
    if (strlen(name->text) == length && memcmp(name->text, text, length) == 0) return name;
  }
  Name name = {.at = heap_alloc(maker->heap, maker->n * sizeof *name.at)};
  assert(length < sizeof name.text);
  memcpy(name.text, text, length);
  for (uint32_t i = 0; i < maker->n; i++) name.at[i] = PLACE_NONE;
  vec_push(maker->heap, &maker->names, name);
  return &vec_last(&maker->names);
}

static PlaceId place_of(Maker *maker, Name *name, uint32_t component) {
  char text[32];
  snprintf(text, sizeof text, "%s.%u", name->text, (unsigned)component);
  if (name->at[component].v == PLACE_NONE.v) name->at[component] = net_add_place(maker->net, text, false);
  return name->at[component];
}

/* The places of one word, prefixes and name; *stays is for '='. Range: from *first, the number returned. */
typedef struct {
  Name *name;
  uint32_t first, n;
  bool stays;
} Word;

static Word read_word(Maker *maker, const char *text, size_t length, uint32_t i, uint32_t j) {
  Word word = {.first = i, .n = 1};
  for (; strchr("=#.<*", *text); text++, length--) {
    if (*text == '=') word.stays = true;
    else if (*text == '#') word.first = j;
    else if (*text == '.') word.first = 0;
    else if (*text == '<') word.first = (word.first + maker->n - 1) % maker->n;
    else word.first = 0, word.n = maker->n;
  }
  word.name = find_name(maker, text, length);
  return word;
}

typedef enum { TAKE, FILL, MARK } Use;

static void use_places(Maker *maker, Word word, Use use, TransId t) {
  for (uint32_t i = word.first; i < word.first + word.n; i++) {
    const PlaceId place = place_of(maker, word.name, i);
    if (use == MARK) net_set_marked(maker->net, place, true);
    if (use == TAKE) net_add_input(maker->net, place, t);
    if (use == FILL || word.stays) net_add_output(maker->net, t, place);
  }
}

/* The words of a list, up to its end or '>'; returns what follows. */
static const char *use_list(Maker *maker, const char *list, Use use, TransId t, uint32_t i, uint32_t j) {
  for (list += strspn(list, " "); *list && *list != '>'; list += strspn(list, " ")) {
    const size_t length = strcspn(list, " ");
    use_places(maker, read_word(maker, list, length, i, j), use, t);
    list += length;
  }
  return *list ? list + 1 : list;
}

static void mark(Maker *maker, const char *list, uint32_t i) { use_list(maker, list, MARK, TRANS_NONE, i, 0); }

static void rule(Maker *maker, const char *text, uint32_t i, uint32_t j) {
  const TransId t = net_add_trans(maker->net, text);
  use_list(maker, use_list(maker, text, TAKE, t, i, j), FILL, t, i, j);
}

static void rules(Maker *maker, const char *const *texts, uint32_t i) {
  for (; *texts; texts++) rule(maker, *texts, i, 0);
}

/* ---- dme ---- */

/* A gate's output is a pair of places, x and -x, for each gate that reads it; x1 and x2 are the second and third copy.
 * A gate changes all copies at once. `token` is the arbiter's. */
static const char *const GATES[] = {"=UA0 UR0 > -UR0",
                                    "=-UA0 -UR0 > UR0",
                                    "=UR0 -A0 token > A0",
                                    "=<REQ0 -B0 token > B0",
                                    "=-UR0 A0 > -A0 token",
                                    "=<-REQ0 B0 > -B0 token",
                                    "=A0 =<-ACK0 -C0 -C1 > C0 C1",
                                    "=-A0 C0 C1 > -C0 -C1",
                                    "=<ACK0 C0 C1 > -C0 -C1",
                                    "=B0 =-UA1 -D0 -D1 > D0 D1",
                                    "=-B0 D0 D1 > -D0 -D1",
                                    "=UA1 D0 D1 > -D0 -D1",
                                    "=-C0 =-D0 G0 G1 > -G0 -G1",
                                    "=C0 -G0 -G1 > G0 G1",
                                    "=D0 -G0 -G1 > G0 G1",
                                    "=C1 =I0 -E0 -E1 > E0 E1",
                                    "=-C1 =-I0 E0 E1 > -E0 -E1",
                                    "=D1 =I1 -F0 -F1 > F0 F1",
                                    "=-D1 =-I1 F0 F1 > -F0 -F1",
                                    "=G0 =J0 -H0 -H1 > H0 H1",
                                    "=-G0 =-J0 H0 H1 > -H0 -H1",
                                    "=G1 =-H0 -K0 -K1 > K0 K1",
                                    "=-G1 K0 K1 > -K0 -K1",
                                    "=H0 K0 K1 > -K0 -K1",
                                    "=H1 =-J1 -I0 -I1 > I0 I1",
                                    "=-H1 I0 I1 > -I0 -I1",
                                    "=J1 I0 I1 > -I0 -I1",
                                    "=K0 =M0 -L0 > L0",
                                    "=-K0 L0 > -L0",
                                    "=-M0 L0 > -L0",
                                    "=-ACK1 =-L0 J0 J1 > -J0 -J1",
                                    "=L0 -J0 -J1 > J0 J1",
                                    "=ACK1 -J0 -J1 > J0 J1",
                                    "=K1 =N0 -REQ0 > REQ0",
                                    "=-K1 REQ0 > -REQ0",
                                    "=-N0 REQ0 > -REQ0",
                                    "=-E0 =-M1 -N0 -N1 -N2 > N0 N1 N2",
                                    "=E0 N0 N1 N2 > -N0 -N1 -N2",
                                    "=M1 N0 N1 N2 > -N0 -N1 -N2",
                                    "=-F0 =-N1 -M0 -M1 -M2 > M0 M1 M2",
                                    "=F0 M0 M1 M2 > -M0 -M1 -M2",
                                    "=N1 M0 M1 M2 > -M0 -M1 -M2",
                                    "=E1 =M2 -UA0 -UA1 > UA0 UA1",
                                    "=-E1 UA0 UA1 > -UA0 -UA1",
                                    "=-M2 UA0 UA1 > -UA0 -UA1",
                                    "=F1 =N2 <-ACK0 <-ACK1 > <ACK0 <ACK1",
                                    "=-F1 <ACK0 <ACK1 > <-ACK0 <-ACK1",
                                    "=-N2 <ACK0 <ACK1 > <-ACK0 <-ACK1",
                                    NULL};

static const char LOW[] = "-A0 -B0 -C0 -C1 -D0 -D1 -E0 -E1 -F0 -F1 -G0 -G1 -H0 -H1 -I0 -I1 -J0 -J1 -K0 -K1 -L0 "
                          "-UR0 -UA0 -UA1 -REQ0 -ACK0 -ACK1 token";

/* First it is chosen which cell has the token of the ring. */
static void make_dme(Maker *maker, uint32_t n) {
  maker->n = n;
  mark(maker, ".choice", 0);
  for (uint32_t cell = 0; cell < n; cell++) mark(maker, LOW, cell);
  for (uint32_t owner = 0; owner < n; owner++) {
    const TransId t = net_add_trans(maker->net, "choose");
    use_list(maker, ".choice", TAKE, t, 0, 0);
    for (uint32_t cell = 0; cell < n; cell++)
      use_list(maker, cell == owner ? "M0 M1 M2 -N0 -N1 -N2" : "N0 N1 N2 -M0 -M1 -M2", FILL, t, cell, 0);
  }
  for (uint32_t cell = n; cell-- > 0;) rules(maker, GATES, cell);
}

/* ---- key ---- */

/* The letters are the tasks: c a customer, s, d, k, l the others, and a (with go) the start of all. Numbers are those
 * of the published net; of what there is for each customer, those of the first. */
static const char *const KEY_START[] = {".d1 > .d2", ".k1 > .k2", ".l1 > .l2", NULL};
static const char *const KEY_CUSTOMER[] = {"c1 go > c2 <go",     "=.s2 c2 > c3",
                                           "=.s2 c3 > c4",       ".k2 c4 > .k3 c5",
                                           "=.s2 c5 > c6",       "=.s2 c6 > c7",
                                           ".l2 c7 > l3 c8",     ".l9 c7 > l10 c8",
                                           "l3 c8 > .l2 c17",    "l10 c8 > .l9 c9",
                                           "=.s2 c9 > c10",      "=.s2 c10 > c11",
                                           "=.s2 c11 > c12",     ".k3 c12 > .k2 c16",
                                           ".k3 c12 > .k2 c13",  ".s2 c13 > .s3 c14",
                                           ".k2 c14 > .k5 c15",  ".k3 c14 > .k5 c15",
                                           ".l2 c15 > .l19 c16", ".l8 c15 > .l19 c16",
                                           ".l9 c15 > .l19 c16", "=.s2 c17 > c43",
                                           "=.s2 c17 > c18",     ".d55 c18 > d59 c19",
                                           ".d55 c18 > d56 c19", "d19 c19 > .d55 c43",
                                           "d19 c19 > .d55 c18", "d12 c19 > .d13 c20",
                                           "=.s2 c20 > c21",     "=.s2 c21 > c43",
                                           ".k3 c43 > .k2 c44",  "=.s2 c44 > c45",
                                           "=.s2 c45 > c2",      NULL};
static const char *const KEY_SERVE[] = {"=.s2 d56 > d8", "=.s2 d59 > d19", NULL};
static const char *const KEY_LOCK[] = {".l2 .d2 > .l7 .d3", ".l9 .d2 > .l14 .d3", ".l7 .d3 > .l8 .d53",
                                       ".l14 .d3 > .l8 .d53", NULL};
static const char *const KEY_LOCKS[] = {".l2 d8 > .l7 d9",   ".l9 d8 > .l14 d9",  ".l7 d9 > .l8 d10",
                                        ".l14 d9 > .l8 d10", ".l8 d10 > .l9 d11", NULL};
static const char *const KEY_END[] = {".l8 .d53 > .l2 .d54", ".a2 .d54 > .d55 go", NULL};

/* Customers are 1 .. n; nobody waits for the go of 0. */
static void make_key(Maker *maker, uint32_t n) {
  maker->n = n + 1;
  mark(maker, ".s1 .d1 .k1 .l1 .a1", 0);
  for (uint32_t c = 1; c <= n; c++) mark(maker, "c1", c);
  rules(maker, KEY_START, 0);
  for (uint32_t c = 1; c <= n; c++) rules(maker, KEY_CUSTOMER, c);
  rule(maker, ".a1 .s1 > .a2 .s2", 0, 0);
  for (uint32_t c = 1; c <= n; c++) rule(maker, "=.s2 d11 > d12", c, 0);
  for (uint32_t c = 1; c <= n; c++) rules(maker, KEY_SERVE, c);
  rules(maker, KEY_LOCK, 0);
  for (uint32_t c = 1; c <= n; c++) rules(maker, KEY_LOCKS, c);
  rules(maker, KEY_END, n);
}

/* ---- rw ---- */

static const char *const RW_CONTROL[] = {"=.a0 .P1 > .P2", ".a1 .P1 > .a0 .P2", ".a0 .P3 > .a1 .P1",
                                         "=.a1 .P3 > .P1", ".P2 > count",       NULL};

/* Place `count` of number j: j readers read, and nobody writes. */
static void make_rw(Maker *maker, uint32_t n) {
  maker->n = n + 1;
  mark(maker, ".P3 .a0", 0);
  for (uint32_t i = 0; i < n; i++) mark(maker, "widle wstart wend ridle rstart rend", i);
  for (uint32_t w = 0; w < n; w++) rule(maker, "=wend .writing wbusy > #count widle", w, 0);
  for (uint32_t r = 0; r < n; r++)
    for (uint32_t j = 1; j <= n; j++) rule(maker, "=rend #count rbusy > #<count ridle", r, j);
  for (uint32_t r = 0; r < n; r++)
    for (uint32_t j = 1; j <= n; j++) rule(maker, "=rstart #<count ridle > #count rbusy", r, j);
  for (uint32_t w = 0; w < n; w++) rule(maker, "=wstart #count widle > .writing wbusy", w, 0);
  rules(maker, RW_CONTROL, 0);
}

/* ---- acquire1 ---- */

/* The control places end with the colour of the thread, A, Y or (in the chosen block) B. D and M are the variables, a
 * copy for each thread, with the colours of the last write and the highest since; M's value stands before them. */
static const char *const SPIN[] = {"*M0YY tryA > *M1YY readY", "*M0AA tryY > *M1YY readY", "*M0YY tryY > *M1YY readY",
                                   "=M1YY tryA > tryY",        "=tryY *M1AA > *M1YY",      NULL};
static const char *const BEGIN[] = {"beginA > readA", ".N beginA > readB", NULL};
static const char *const RELEASE[] = {
    "=M0AA freeA > tryA",       "=M0YY freeA > tryY",       "*M0AA freeY > *M0YY tryY",
    "=M0YY freeY > tryY",       "*M1AA freeA > *M0AA tryA", "*M1YY freeA > *M0YY tryY",
    "*M1AA freeY > *M0YY tryY", "*M1YY freeY > *M0YY tryY", NULL};

/* One of the copies is enough for an access that changes no colours. */
static void access_data(Maker *maker, uint32_t thread, bool writes, char colour) {
  static const char *const PAIRS[] = {"AA", "AB", "AY", "BB", "BY", "YY"};
  const char *const from = writes ? "write" : "read", *const to = writes ? colour == 'B' ? "end" : "free" : "write";
  for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++) {
    const char last = PAIRS[i][0], highest = PAIRS[i][1], taken = writes ? highest : last;
    const bool red = colour == 'B' && taken == 'Y';
    const char new = colour == 'B' || taken == 'A' ? colour : 'Y';
    const char last_after = writes ? new : last, highest_after = writes || new > highest ? new : highest;
    char text[80];
    if (red) snprintf(text, sizeof text, "=D%s %sB > .red", PAIRS[i], from);
    else if (last_after == last && highest_after == highest)
      snprintf(text, sizeof text, "=D%s %s%c > %s%c", PAIRS[i], from, colour, to, new);
    else
      snprintf(text, sizeof text, "*D%s %s%c > *D%c%c %s%c", PAIRS[i], from, colour, last_after, highest_after, to,
               new);
    rule(maker, text, thread, 0);
  }
}

static void make_thread(Maker *maker, uint32_t thread) {
  const bool has_block = thread == 0;
  rule(maker, has_block ? "*M0AA tryA > *M1AA beginA" : "*M0AA tryA > *M1AA readA", thread, 0);
  rules(maker, SPIN, thread);
  if (has_block) rules(maker, BEGIN, thread);
  for (int writes = 0; writes <= 1; writes++)
    for (const char *colour = has_block ? "AYB" : "AY"; *colour; colour++) access_data(maker, thread, writes, *colour);
  rules(maker, RELEASE, thread);
}

static void make_acquire1(Maker *maker, uint32_t n) {
  maker->n = n;
  mark(maker, ".N *M0AA *DAA *tryA", 0);
  for (uint32_t thread = 0; thread < n; thread++) make_thread(maker, thread);
}

/* ---- swap and loops ---- */

static void make_swap(Maker *maker, uint32_t n) {
  maker->n = n;
  mark(maker, "*here", 0);
  rule(maker, "*here > *there", 0, 0);
  rule(maker, "*there > *here", 0, 0);
}

static void make_loops(Maker *maker, uint32_t n) {
  maker->n = n;
  mark(maker, "*p", 0);
  for (uint32_t i = 0; i < n; i++) rule(maker, "=p", i, 0);
}

/* ---- all ---- */

static const struct {
  const char *name;
  void (*make)(Maker *maker, uint32_t n);
} FAMILIES[] = {
    [FAMILY_DME] = {"dme", make_dme},    [FAMILY_KEY] = {"key", make_key},
    [FAMILY_RW] = {"rw", make_rw},       [FAMILY_ACQUIRE1] = {"acquire1", make_acquire1},
    [FAMILY_SWAP] = {"swap", make_swap}, [FAMILY_LOOPS] = {"loops", make_loops},
};

const char *family_name(Family family) { return FAMILIES[family].name; }

Net *family_net(Heap *heap, Family family, uint32_t n) {
  Maker maker = {.heap = heap, .net = net_builder_new(heap)};
  Err err;
  assert(n >= 1 && n <= FAMILY_MAX);
  FAMILIES[family].make(&maker, n);
  for (uint32_t i = 0; i < maker.names.n; i++) heap_release(heap, maker.names.at[i].at);
  vec_fini(heap, &maker.names);
  return net_freeze(maker.net, &err);
}
