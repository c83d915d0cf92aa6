/* plain.c: an unfolder of the plainest kind, as a yardstick for what a short run of netunfold costs.
 *
 *     plain NET.ll_net
 *
 * McMillan's algorithm, cut-offs by the size of local configurations, on nets and prefixes that fit in words of 64
 * bits: no options, no checks of the input, nothing but C's library. It prints the numbers of conditions, events and
 * cut-offs. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

typedef uint64_t Set; /* of at most MOST things */

typedef struct Condition {
  int place, producer; /* the event that made it, -1 for none */
  Set concurrent;      /* conditions */
} Condition;

typedef struct Event {
  int transition, size; /* of its local configuration */
  Set preset, history;  /* conditions; events */
  Set marking;          /* places, after the local configuration */
} Event;

static Set pre[MOST], post[MOST], initial; /* of each transition, places */
static int transitions;
static Condition conditions[MOST];
static Event events[MOST], waiting[16 * MOST];
static int condition_count, event_count, waiting_count, cutoffs;

static Set one(int i) { return (Set)1 << i; }

static void fail(const char *why) {
  fprintf(stderr, "plain: %s\n", why);
  exit(3);
}

static void read_net(FILE *file) {
  char line[256], section[3] = "";
  while (fgets(line, sizeof line, file)) {
    int a, b;
    char kind;
    if (line[0] >= 'A' && line[0] <= 'Z') memcpy(section, line, 2);
    else if (!strcmp(section, "PL") && strstr(line, "M1")) initial |= one(atoi(line) - 1);
    else if (!strcmp(section, "TR")) transitions = atoi(line);
    else if (sscanf(line, "%d%c%d", &a, &kind, &b) == 3 && a <= MOST && b <= MOST)
      if (kind == '<') post[a - 1] |= one(b - 1);
      else pre[b - 1] |= one(a - 1);
    else if (line[0] != '\n' && strcmp(section, "PL")) fail("what is this?");
  }
}

/* What the conditions of `set` are places of. */
static Set places_of(Set set) {
  Set places = 0;
  for (int c = 0; c < condition_count; c++)
    if (set & one(c)) places |= one(conditions[c].place);
  return places;
}

/* The conditions at the end of the configuration `history`. */
static Set cut_of(Set history) {
  Set cut = 0;
  for (int c = 0; c < condition_count; c++)
    if (conditions[c].producer < 0 || history & one(conditions[c].producer)) cut |= one(c);
  for (int e = 0; e < event_count; e++)
    if (history & one(e)) cut &= ~events[e].preset;
  return cut;
}

static void propose(int transition, Set preset) {
  if (waiting_count == 16 * MOST) fail("too large");
  Event event = {.transition = transition, .preset = preset};
  for (int c = 0; c < condition_count; c++)
    if (preset & one(c) && conditions[c].producer >= 0)
      event.history |= events[conditions[c].producer].history | one(conditions[c].producer);
  event.size = __builtin_popcountll(event.history) + 1;
  event.marking = places_of(cut_of(event.history) & ~preset) | post[transition];
  waiting[waiting_count++] = event;
}

/* All presets of `transition` that have `chosen`, and of the rest conditions that are in `concurrent`. */
static void choose(int transition, Set chosen, Set concurrent) {
  const Set missing = pre[transition] & ~places_of(chosen);
  if (!missing) propose(transition, chosen);
  for (int c = 0; c < condition_count; c++)
    if (missing && concurrent & one(c) && conditions[c].place == __builtin_ctzll(missing))
      choose(transition, chosen | one(c), concurrent & conditions[c].concurrent);
}

static void add_condition(int place, int producer, Set concurrent) {
  if (condition_count == MOST) fail("too large");
  const int c = condition_count++;
  conditions[c] = (Condition){place, producer, concurrent};
  for (int other = 0; other < c; other++)
    if (concurrent & one(other)) conditions[other].concurrent |= one(c);
  for (int t = 0; t < transitions; t++)
    if (pre[t] & one(place)) choose(t, one(c), concurrent);
}

static void add_conditions(Set places, int producer, Set concurrent) {
  for (; places; places &= places - 1) {
    add_condition(__builtin_ctzll(places), producer, concurrent);
    concurrent |= one(condition_count - 1);
  }
}

static int is_cutoff(const Event *event) {
  if (event->marking == initial) return 1;
  for (int e = 0; e < event_count; e++)
    if (events[e].marking == event->marking && events[e].size < event->size) return 1;
  return 0;
}

static Event take_least(void) {
  int least = 0;
  for (int w = 1; w < waiting_count; w++)
    if (waiting[w].size < waiting[least].size) least = w;
  const Event event = waiting[least];
  waiting[least] = waiting[--waiting_count];
  return event;
}

static void add_event(Event event) {
  if (event_count == MOST) fail("too large");
  const int cutoff = is_cutoff(&event), e = event_count++;
  events[e] = event;
  cutoffs += cutoff;
  if (cutoff) return;
  Set concurrent = ~(Set)0;
  for (int c = 0; c < condition_count; c++)
    if (event.preset & one(c)) concurrent &= conditions[c].concurrent;
  add_conditions(post[event.transition], e, concurrent);
}

int main(int count, char **arguments) {
  FILE *file = count == 2 ? fopen(arguments[1], "r") : NULL;
  if (!file) fail("which net?");
  read_net(file);
  fclose(file);
  add_conditions(initial, -1, 0);
  while (waiting_count) add_event(take_least());
  printf("%d conditions, %d events, %d cut-offs\n", condition_count, event_count, cutoffs);
  return 0;
}
