#include "tests/oracle/colouring.h"

#include "base/intern.h"

#include <string.h>

/* The colour of a place's token, ordered by taint. */
typedef enum { NONE, ACHROMATIC, BLUE, YELLOW } Colour;

/* The chosen occurrence; both NOTE_NONE as long as there is none. */
typedef struct {
  uint32_t thread, block;
} Chosen;

/* A state as a string of bytes: Chosen, then one Colour per place. The interned strings are the queue of the search. */
typedef struct {
  Heap *heap;
  const Net *net;
  Intern states;
  char *now, *next; /* the state that is expanded, and a successor under construction */
  size_t size;      /* of a state */
  Answer *answers;  /* ANSWER_ATOMIC until a violation is found */
  Err *err;
} Search;

static Chosen get_chosen(const char *state) {
  Chosen chosen;
  memcpy(&chosen, state, sizeof chosen);
  return chosen;
}

static char *colours(char *state) { return state + sizeof(Chosen); }

/* The colour that taints most of those taken; NONE if a token is missing. */
static Colour colour_taken(const Search *search, TransId t) {
  const PlaceList pre = net_pre(search->net, t);
  const char *at = colours(search->now);
  Colour most = ACHROMATIC;
  for (uint32_t i = 0; i < pre.n; i++) {
    const Colour colour = (Colour)at[pre.at[i].v];
    if (colour == NONE) return NONE;
    if (colour > most) most = colour;
  }
  return most;
}

/* Adds the state after t, all of whose outputs get the colour `paint`. */
static bool fire(Search *search, TransId t, Colour paint, Chosen chosen) {
  const PlaceList pre = net_pre(search->net, t), post = net_post(search->net, t);
  memcpy(search->next, search->now, search->size);
  memcpy(search->next, &chosen, sizeof chosen);
  char *at = colours(search->next);
  for (uint32_t i = 0; i < pre.n; i++) at[pre.at[i].v] = NONE;
  for (uint32_t i = 0; i < post.n; i++) {
    if (at[post.at[i].v] != NONE)
      return err_set(search->err, ERR_CHECK, "'%.200s' puts a second token on '%.200s'", search->net->trans_name[t.v],
                     search->net->place_name[post.at[i].v]);
    at[post.at[i].v] = (char)paint;
  }
  intern_add(&search->states, search->next, search->size, NULL);
  return true;
}

static bool expand_unchosen(Search *search, TransId t, Chosen none) {
  const TransNote *note = &search->net->notes->transitions[t.v];
  if (!fire(search, t, ACHROMATIC, none)) return false;
  if (note->begin == NOTE_NONE || search->answers[note->begin] == ANSWER_VIOLATED) return true;
  return fire(search, t, BLUE, (Chosen){note->thread, note->begin});
}

static bool expand_chosen(Search *search, TransId t, Chosen chosen, Colour taken) {
  const TransNote *note = &search->net->notes->transitions[t.v];
  if (note->thread != chosen.thread) return fire(search, t, taken == ACHROMATIC ? ACHROMATIC : YELLOW, chosen);
  if (note->end == chosen.block) return true;
  if (taken != YELLOW) return fire(search, t, BLUE, chosen);
  search->answers[chosen.block] = ANSWER_VIOLATED;
  return true;
}

static bool expand_transition(Search *search, TransId t, Chosen chosen) {
  const Colour taken = colour_taken(search, t);
  if (taken == NONE) return true;
  return chosen.block == NOTE_NONE ? expand_unchosen(search, t, chosen) : expand_chosen(search, t, chosen, taken);
}

/* Each transition is tried at the first place that it takes from. */
static bool expand(Search *search) {
  const Net *net = search->net;
  const Chosen chosen = get_chosen(search->now);
  const char *at = colours(search->now);
  for (uint32_t p = 0; p < net->n_places; p++) {
    if (at[p] == NONE) continue;
    const TransList consumers = net_consumers(net, (PlaceId){p});
    for (uint32_t i = 0; i < consumers.n; i++) {
      if (chosen.block != NOTE_NONE && search->answers[chosen.block] == ANSWER_VIOLATED) return true;
      if (net_pre(net, consumers.at[i]).at[0].v == p && !expand_transition(search, consumers.at[i], chosen))
        return false;
    }
  }
  return true;
}

/* False with *err as above; *done is false where the budget did not suffice. */
static bool run_search(Search *search, uint32_t max_states, bool *done) {
  const Chosen none = {NOTE_NONE, NOTE_NONE};
  memcpy(search->now, &none, sizeof none);
  for (uint32_t p = 0; p < search->net->n_places; p++)
    colours(search->now)[p] = (char)(search->net->marked[p] ? ACHROMATIC : NONE);
  intern_add(&search->states, search->now, search->size, NULL);
  *done = true;
  for (uint32_t i = 0; i < search->states.strings.n; i++) {
    if (search->states.strings.n > max_states) {
      *done = false;
      break;
    }
    memcpy(search->now, search->states.strings.at[i], search->size);
    if (!expand(search)) return false;
  }
  return true;
}

bool colouring_search(Heap *heap, const Net *net, uint32_t max_states, Answer *answers, Err *err) {
  if (!answer_check_net(net, err)) return false;
  const uint32_t n_blocks = net->notes->n_blocks;
  Search search = {.heap = heap, .net = net, .size = sizeof(Chosen) + net->n_places, .err = err};
  search.now = heap_alloc(heap, search.size);
  search.next = heap_alloc(heap, search.size);
  search.answers = heap_alloc(heap, n_blocks * sizeof *answers);
  for (uint32_t b = 0; b < n_blocks; b++) search.answers[b] = ANSWER_ATOMIC;
  intern_init(&search.states, heap);
  bool done;
  const bool good = run_search(&search, max_states, &done);
  for (uint32_t b = 0; good && b < n_blocks; b++)
    answers[b] = search.answers[b] == ANSWER_ATOMIC && !done ? ANSWER_UNKNOWN : search.answers[b];
  intern_fini(&search.states);
  heap_release(heap, search.answers);
  heap_release(heap, search.next);
  heap_release(heap, search.now);
  return good;
}
