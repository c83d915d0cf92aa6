/* A marking is one word here: nets have at most 64 places. */
#include "tests/unit/claim_oracle.h"

#include "tests/unit/safe_net.h"

#include <stdlib.h>
#include <string.h>

/* ---- of the net: against all reachable markings ---- */

bool is_covered(const Reach *reach, const uint32_t *places, uint32_t n) {
  for (uint32_t m = 0; m < reach->n_markings; m++) {
    uint32_t k = 0;
    while (k < n && marking_has(reach_marking(reach, m), (PlaceId){places[k]})) k++;
    if (k == n) return true;
  }
  return false;
}

bool can_fire(const Reach *reach, TransId t) {
  const PlaceList pre = net_pre(reach->net, t);
  uint32_t places[SKETCH_PLACES];
  for (uint32_t i = 0; i < pre.n; i++) places[i] = pre.at[i].v;
  return is_covered(reach, places, pre.n);
}

bool is_safe(const Reach *reach) { return reach->complete && reach->unsafe_from == REACH_NONE; }

/* The tokens after a run, counted; a run that cannot be fired has none at all. */
typedef struct {
  uint32_t n;
  TransId steps[256];
  uint32_t tokens[SKETCH_PLACES], most_before; /* the most tokens of a place before the last step */
} Played;

static bool play(const Net *net, Played *played) {
  played->most_before = 0;
  for (uint32_t p = 0; p < net->n_places; p++) played->tokens[p] = net->marked[p];
  for (uint32_t i = 0; i < played->n; i++) {
    const PlaceList pre = net_pre(net, played->steps[i]), post = net_post(net, played->steps[i]);
    for (uint32_t p = 0; p < net->n_places; p++)
      if (played->tokens[p] > played->most_before) played->most_before = played->tokens[p];
    for (uint32_t k = 0; k < pre.n; k++)
      if (played->tokens[pre.at[k].v]-- == 0) return false;
    for (uint32_t k = 0; k < post.n; k++) played->tokens[post.at[k].v]++;
  }
  return true;
}

static bool is_stuck(const Net *net, const Played *played) {
  for (uint32_t t = 0; t < net->n_trans; t++) {
    const PlaceList pre = net_pre(net, (TransId){t});
    uint32_t k = 0;
    while (k < pre.n && played->tokens[pre.at[k].v]) k++;
    if (k == pre.n) return false;
  }
  return true;
}

static bool run_claim_is_true(const Net *net, const Played *played, const Claim *claim, const uint32_t *numbers) {
  for (uint32_t i = 0; claim->kind == CLAIM_COVERS && i < claim->n; i++)
    if (!played->tokens[numbers[i]]) return false;
  if (claim->kind == CLAIM_FIRES) return played->n && played->steps[played->n - 1].v == *numbers;
  if (claim->kind == CLAIM_DEADLOCK) return is_stuck(net, played);
  if (claim->kind == CLAIM_UNSAFE) return played->tokens[*numbers] > 1;
  return true;
}

static bool prefix_claim_is_true(const Reach *reach, const Claim *claim, const uint32_t *numbers) {
  if (claim->kind == CLAIM_COMPLETE) return is_safe(reach);
  if (claim->kind == CLAIM_UNCOVERED) return !is_covered(reach, numbers, claim->n);
  return !can_fire(reach, (TransId){*numbers});
}

/* ---- of a prefix: as nets of its own ---- */

enum { MOST_EVENTS = 2000, MOST_CONDITIONS = 8000, CUTS = 20000 };

/* Conditions are places, events are transitions: those of `live` are no cut-offs; in `all` the others have no outputs.
 */
typedef struct {
  Net *live, *all;
  uint32_t n_events, n_conditions;
  TransId trans[MOST_EVENTS]; /* per event, of `all` */
  uint32_t place[MOST_CONDITIONS];
} Unfolded;

static void add_condition(Unfolded *u, NetBuilder *live, NetBuilder *all, uint32_t place, bool marked) {
  u->place[u->n_conditions++] = place;
  net_add_place(live, "b", marked);
  net_add_place(all, "b", marked);
}

static void add_event(Unfolded *u, const Net *net, NetBuilder *live, NetBuilder *all, const char *line) {
  char *at;
  const TransId t = {(uint32_t)strtoul(line + 2, &at, 10) - 1}, e = net_add_trans(all, "e");
  const PlaceList pre = net_pre(net, t), post = net_post(net, t);
  const bool is_live = line[0] == 'e';
  const TransId f = is_live ? net_add_trans(live, "e") : TRANS_NONE;
  u->trans[u->n_events++] = t;
  for (uint32_t i = 0; i < pre.n; i++) {
    const PlaceId c = {(uint32_t)strtoul(at, &at, 10) - 1};
    net_add_input(all, c, e);
    if (is_live) net_add_input(live, c, f);
  }
  for (uint32_t i = 0; i < post.n; i++) {
    add_condition(u, live, all, post.at[i].v, false);
    if (is_live) net_add_output(live, f, (PlaceId){u->n_conditions - 1});
  }
}

/* Reads the only prefix of the certificate, which was accepted: so no care is taken. */
static void read_unfolded(Heap *heap, const Net *net, const char *text, Unfolded *u) {
  NetBuilder *live = net_builder_new(heap), *all = net_builder_new(heap);
  Err err;
  u->n_events = u->n_conditions = 0;
  for (uint32_t p = 0; p < net->n_places; p++)
    if (net->marked[p]) add_condition(u, live, all, p, true);
  for (const char *line = text; (line = strchr(line, '\n')) && *++line;)
    if ((line[0] == 'e' || line[0] == 'x') && line[1] == ' ') add_event(u, net, live, all, line);
  u->live = net_freeze(live, &err);
  u->all = net_freeze(all, &err);
}

/* The reachable marking that a cut stands for; REACH_NONE if it is none, or if the cut has two conditions of one place.
 */
static uint32_t marking_of_cut(const Reach *reach, const Unfolded *u, const uint64_t *cut) {
  uint64_t marking[1] = {0};
  for (uint32_t c = 0; c < u->n_conditions; c++) {
    if (!bitset_has(cut, c)) continue;
    if (bitset_has(marking, u->place[c])) return REACH_NONE;
    bitset_add(marking, u->place[c]);
  }
  for (uint32_t m = 0; m < reach->n_markings; m++)
    if (*reach_marking(reach, m) == *marking) return m;
  return REACH_NONE;
}

/* Does the cut enable events of just those transitions that its marking enables? */
static bool has_events(const Reach *reach, uint32_t m, const Unfolded *u, const uint64_t *cut) {
  bool enabled[SKETCH_PLACES] = {false};
  for (uint32_t e = 0; e < u->n_events; e++) enabled[u->trans[e].v] |= token_enabled(u->all, cut, (TransId){e});
  for (uint32_t t = 0; t < reach->net->n_trans; t++)
    if (token_enabled(reach->net, reach_marking(reach, m), (TransId){t}) != enabled[t]) return false;
  return true;
}

/* Is it what a complete prefix is: are the reachable markings those of its cuts without cut-offs, and do these have
 * events of all that can fire? */
static bool unfolded_is_complete(Heap *heap, const Reach *reach, const Unfolded *u) {
  Reach *cuts = reach_explore(heap, u->live, CUTS);
  bool *met = heap_zeroed(heap, reach->n_markings), good = cuts->complete;
  for (uint32_t i = 0; i < cuts->n_markings && good; i++) {
    const uint32_t m = marking_of_cut(reach, u, reach_marking(cuts, i));
    good = m != REACH_NONE && has_events(reach, m, u, reach_marking(cuts, i));
    if (good) met[m] = true;
  }
  for (uint32_t m = 0; m < reach->n_markings && good; m++) good = met[m];
  heap_release(heap, met);
  reach_free(cuts);
  return good;
}

bool prefix_is_complete(Heap *heap, const Reach *reach, const char *text) {
  Unfolded *u = heap_alloc(heap, sizeof *u);
  read_unfolded(heap, reach->net, text, u);
  const bool good = is_safe(reach) && unfolded_is_complete(heap, reach, u);
  net_free(u->live);
  net_free(u->all);
  heap_release(heap, u);
  return good;
}

/* ---- of a certificate ---- */

static void read_played(const char *text, Played *played) {
  played->n = 0;
  for (const char *line = text; (line = strchr(line, '\n')) && *++line;) {
    if (line[0] != 's' || line[1] != ' ') continue;
    char *at = (char *)(uintptr_t)line + 1;
    while (*at == ' ') played->steps[played->n++] = (TransId){(uint32_t)strtoul(at, &at, 10) - 1};
  }
}

bool report_is_true(Heap *heap, const Reach *reach, const char *text, const CertificateReport *report) {
  Played played;
  read_played(text, &played);
  const bool fired = play(reach->net, &played) && played.most_before <= 1;
  for (uint32_t i = 0; i < report->claims.n; i++) {
    const Claim *claim = &report->claims.at[i];
    const uint32_t *numbers = report->numbers.at + claim->first;
    const bool of_run = claim->kind < CLAIM_COMPLETE;
    if (of_run ? !fired || claim->size != played.n || !run_claim_is_true(reach->net, &played, claim, numbers)
               : !prefix_claim_is_true(reach, claim, numbers))
      return false;
    if (claim->kind == CLAIM_COMPLETE && !prefix_is_complete(heap, reach, text)) return false;
  }
  return true;
}
