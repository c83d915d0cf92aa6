/* A set is built from its marked place on. Each transition that takes a token from it must put one back: where none of
 * its places is in the set yet, one of them is chosen, and each that is impossible is taken back. */
#include "petri/net_threads.h"

#include "base/intern.h"
#include "base/vec.h"
#include "petri/xml.h"

#include <string.h>

/* Places that a search adds before it gives up, for each place of the net, and at least. */
enum { STEPS_PER_PLACE = 64, STEPS = 100000 };

/* ---- units of a frozen net ---- */

/* unit[p] is the unit of place p, or UNIT_NONE. The names are the net's, or anybody's that live as long. */
static void set_units(Net *net, const uint32_t *unit, const char *const *names, uint32_t n, bool safe) {
  Arena *arena = &net->arena;
  uint32_t *start = arena_zeroed(arena, (size_t)n + 2, sizeof *start);
  PlaceId *places = arena_zeroed(arena, net->n_places, sizeof *places);
  uint32_t *unit_of = arena_zeroed(arena, net->n_places, sizeof *unit_of);
  for (uint32_t p = 0; p < net->n_places; p++) {
    unit_of[p] = unit[p];
    if (unit[p] != UNIT_NONE) start[unit[p] + 2]++;
  }
  for (uint32_t u = 0; u < n; u++) start[u + 2] += start[u + 1];
  for (uint32_t p = 0; p < net->n_places; p++)
    if (unit[p] != UNIT_NONE) places[start[unit[p] + 1]++] = (PlaceId){p};
  const char **copies = arena_zeroed(arena, n, sizeof *copies);
  for (uint32_t u = 0; u < n; u++) copies[u] = arena_copy(arena, names[u], strlen(names[u]));
  net->n_units = n;
  net->unit_of = n ? unit_of : NULL;
  net->unit_start = start;
  net->unit_places = places;
  net->unit_name = copies;
  net->units_safe = safe;
}

/* ---- from the net ---- */

typedef struct {
  Heap *heap;
  const Net *net;
  uint32_t *unit;       /* per place: of the sets that were found */
  bool *member;         /* per place: of the set at hand */
  uint8_t *taken, *put; /* per transition: members that it takes from, and puts to: 0 or 1 */
  U32Vec members, met;  /* the set, in the order of the choices; transitions that take from it, or put there */
  uint64_t steps;
} Search;

/* A choice: the place that was put in, for which transition, as the how manieth of its places. */
typedef struct {
  uint32_t n_members, n_met, next, trans, at;
  bool is_pre;
} Choice;

typedef VEC(Choice) Choices;

/* Would the place make a transition take two, or put two? */
static bool fits(const Search *s, PlaceId place) {
  const TransList from = net_producers(s->net, place), to = net_consumers(s->net, place);
  if (s->member[place.v] || s->unit[place.v] != UNIT_NONE || s->net->marked[place.v]) return false;
  for (uint32_t i = 0; i < from.n; i++)
    if (s->put[from.at[i].v]) return false;
  for (uint32_t i = 0; i < to.n; i++)
    if (s->taken[to.at[i].v]) return false;
  return true;
}

static void add(Search *s, PlaceId place) {
  const TransList from = net_producers(s->net, place), to = net_consumers(s->net, place);
  s->member[place.v] = true;
  vec_push(s->heap, &s->members, place.v);
  for (uint32_t i = 0; i < from.n; i++) s->put[from.at[i].v] = 1, vec_push(s->heap, &s->met, from.at[i].v);
  for (uint32_t i = 0; i < to.n; i++) s->taken[to.at[i].v] = 1, vec_push(s->heap, &s->met, to.at[i].v);
  s->steps++;
}

static void shrink(Search *s, uint32_t n_members, uint32_t n_met) {
  while (s->members.n > n_members) {
    const PlaceId place = {s->members.at[--s->members.n]};
    const TransList from = net_producers(s->net, place), to = net_consumers(s->net, place);
    s->member[place.v] = false;
    for (uint32_t i = 0; i < from.n; i++) s->put[from.at[i].v] = 0;
    for (uint32_t i = 0; i < to.n; i++) s->taken[to.at[i].v] = 0;
  }
  s->met.n = n_met;
}

/* The next place of the choice's transition that fits is put in. */
static bool choose(Search *s, Choice *choice) {
  const TransId t = {choice->trans};
  const PlaceList places = choice->is_pre ? net_pre(s->net, t) : net_post(s->net, t);
  for (; choice->at < places.n; choice->at++) {
    if (!fits(s, places.at[choice->at])) continue;
    add(s, places.at[choice->at++]);
    return true;
  }
  return false;
}

/* The last choice that can be made in another way is. */
static bool choose_again(Search *s, Choices *choices, uint32_t *next) {
  while (choices->n) {
    Choice *last = &vec_last(choices);
    shrink(s, last->n_members, last->n_met);
    *next = last->next;
    if (choose(s, last)) return true;
    choices->n--;
  }
  return false;
}

/* Does a set from the place exist, and was it found? Then it is in `members`. */
static bool close_set(Search *s, PlaceId first, Choices *choices) {
  const uint64_t most = STEPS + (uint64_t)STEPS_PER_PLACE * s->net->n_places;
  uint32_t next = 0; /* the first of `met` that may be in want of a place */
  s->steps = 0;
  add(s, first);
  while (next < s->met.n) {
    const uint32_t t = s->met.at[next];
    heap_poll(s->heap);
    if (s->taken[t] == s->put[t]) {
      next++;
      continue;
    }
    Choice choice = {s->members.n, s->met.n, next, t, 0, s->put[t] != 0};
    if (s->steps >= most) return false;
    if (choose(s, &choice)) vec_push(s->heap, choices, choice);
    else if (!choose_again(s, choices, &next)) return false;
  }
  return true;
}

static void search_fini(Search *s) {
  heap_release(s->heap, s->member);
  heap_release(s->heap, s->taken);
  heap_release(s->heap, s->put);
  vec_fini(s->heap, &s->members);
  vec_fini(s->heap, &s->met);
}

void net_threads_find(Heap *heap, Net *net) {
  const size_t n = (size_t)net->n_places + 1, n_trans = (size_t)net->n_trans + 1;
  Search s = {.heap = heap, .net = net, .unit = heap_alloc(heap, heap_product(heap, n, sizeof *s.unit))};
  VEC(const char *) names = {0};
  Choices choices = {0};
  s.member = heap_zeroed(heap, n);
  s.taken = heap_zeroed(heap, n_trans);
  s.put = heap_zeroed(heap, n_trans);
  for (uint32_t p = 0; p < net->n_places; p++) s.unit[p] = UNIT_NONE;
  for (uint32_t p = 0; p < net->n_places; p++) {
    if (!net->marked[p] || s.unit[p] != UNIT_NONE) continue;
    const bool found = close_set(&s, (PlaceId){p}, &choices) && s.members.n > 1; /* a place with loops is no thread */
    for (uint32_t i = 0; found && i < s.members.n; i++) s.unit[s.members.at[i]] = names.n;
    if (found) vec_push(heap, &names, net->place_name[p]);
    shrink(&s, 0, 0);
    vec_clear(&choices);
  }
  set_units(net, s.unit, names.at, names.n, true);
  heap_release(heap, s.unit);
  vec_fini(heap, &names);
  vec_fini(heap, &choices);
  search_fini(&s);
}

/* ---- as a text ---- */

static const char SPECIAL[] = " \t\r:\"";

/* As it is, or between quotation marks, or, where others have the name or it has control characters, as "#N". */
static void print_word(const char *name, uint32_t number, FILE *out) {
  const char *at = name;
  while ((unsigned char)*at >= 0x20 && *at != 0x7f) at++;
  if (number && *at) {
    fprintf(out, "#%u", number);
  } else if (*name && *name != '#' && !strpbrk(name, SPECIAL)) {
    fputs(name, out);
  } else {
    putc('"', out);
    for (at = name; *at; at++) fprintf(out, "%s%c", *at == '"' ? "\"" : "", (unsigned char)*at < 0x20 ? '?' : *at);
    putc('"', out);
  }
}

void net_threads_print(const Net *net, FILE *out) {
  Intern names;
  intern_init(&names, net->arena.heap);
  bool *again = heap_zeroed(net->arena.heap, (size_t)net->n_places + 1); /* by number of the name */
  for (uint32_t p = 0; p < net->n_places; p++) {
    bool is_new;
    const uint32_t name = intern_add(&names, net->place_name[p], strlen(net->place_name[p]), &is_new);
    again[name] |= !is_new;
  }
  for (uint32_t u = 0; u < net->n_units; u++) {
    const PlaceList places = net_unit_places(net, u);
    print_word(net->unit_name[u], 0, out);
    putc(':', out);
    for (uint32_t i = 0; i < places.n; i++) {
      const char *name = net->place_name[places.at[i].v];
      putc(' ', out);
      print_word(again[intern_find(&names, name, strlen(name))] ? "\n" : name, places.at[i].v + 1, out);
    }
    putc('\n', out);
  }
  heap_release(net->arena.heap, again);
  intern_fini(&names);
}

/* ---- from a text ---- */

typedef struct {
  Heap *heap;
  Err *err;
  const char *file, *at, *end;
  uint32_t line;
  const Net *net;
  Intern places;  /* their names */
  U32Vec numbers; /* by number there: of the net; UINT32_MAX: several have the name */
  Intern threads;
  CharVec word; /* the last one, NUL-terminated, without the quotation marks */
  uint32_t *unit;
} Reader;

#define FAIL(r, ...) xml_fail((r)->file, (r)->line, (r)->err, __VA_ARGS__)

static char peek(Reader *r) {
  while (r->at < r->end && *r->at && strchr(" \t\r", *r->at)) r->at++;
  return r->at < r->end ? *r->at : '\n';
}

static bool read_quoted(Reader *r) {
  for (r->at++; r->at < r->end && *r->at != '\n'; r->at++) {
    if (*r->at == '"' && (r->at + 1 == r->end || r->at[1] != '"')) {
      r->at++;
      return true;
    }
    if (*r->at == '"') r->at++;
    vec_push(r->heap, &r->word, *r->at);
  }
  return FAIL(r, "expected '\"' at the end of the line");
}

static bool read_word(Reader *r, const char *what) {
  vec_clear(&r->word);
  if (peek(r) == '"' && !read_quoted(r)) return false;
  if (!r->word.n)
    for (; r->at < r->end && *r->at && !strchr(" \t\r:\"\n", *r->at); r->at++) vec_push(r->heap, &r->word, *r->at);
  if (!r->word.n) return FAIL(r, "expected %s", what);
  vec_push(r->heap, &r->word, '\0');
  r->word.n--;
  return strlen(r->word.at) == r->word.n || FAIL(r, "a NUL byte");
}

/* A name, or "#N", the N-th place. */
static bool find_place(Reader *r, uint32_t *place) {
  const uint32_t known = intern_find(&r->places, r->word.at, r->word.n);
  if (known != INTERN_NONE) {
    *place = r->numbers.at[known];
    return *place != UINT32_MAX || FAIL(r, "several places are named '%.200s'; '#N' is the N-th one", r->word.at);
  }
  uint64_t number = 0;
  const char *digit = r->word.at + 1;
  for (; *r->word.at == '#' && *digit >= '0' && *digit <= '9' && number <= NET_MAX_NODES; digit++)
    number = 10 * number + (uint64_t)(*digit - '0');
  if (*r->word.at != '#' || *digit || !number || number > r->net->n_places)
    return FAIL(r, "the net has no place '%.200s'", r->word.at);
  *place = (uint32_t)number - 1;
  return true;
}

static bool read_thread(Reader *r) {
  bool is_new;
  if (!read_word(r, "a thread")) return false;
  const uint32_t thread = intern_add(&r->threads, r->word.at, r->word.n, &is_new);
  if (!is_new) return FAIL(r, "thread '%.200s' comes twice", r->word.at);
  if (peek(r) != ':') return FAIL(r, "expected ':' behind the thread's name");
  for (r->at++; peek(r) != '\n';) {
    uint32_t place = 0;
    if (!read_word(r, "a place") || !find_place(r, &place)) return false;
    if (r->unit[place] != UNIT_NONE) return FAIL(r, "place '%.200s' comes twice", r->net->place_name[place]);
    r->unit[place] = thread;
  }
  return true;
}

static bool read_lines(Reader *r) {
  for (; r->at < r->end; r->at++, r->line++) {
    if (peek(r) == '#')
      while (r->at < r->end && *r->at != '\n') r->at++;
    else if (peek(r) != '\n' && !read_thread(r)) return false;
  }
  return true;
}

static void reader_init(Reader *r) {
  const Net *net = r->net;
  intern_init(&r->places, r->heap);
  intern_init(&r->threads, r->heap);
  r->unit = heap_alloc(r->heap, heap_product(r->heap, (size_t)net->n_places + 1, sizeof *r->unit));
  for (uint32_t p = 0; p < net->n_places; p++) {
    bool is_new;
    const uint32_t name = intern_add(&r->places, net->place_name[p], strlen(net->place_name[p]), &is_new);
    if (is_new) vec_push(r->heap, &r->numbers, p);
    else r->numbers.at[name] = UINT32_MAX;
    r->unit[p] = UNIT_NONE;
  }
}

bool net_threads_read(Heap *heap, const InFile *file, Net *net, Err *err) {
  Reader r = {.heap = heap, .err = err, .file = file->name, .at = file->text, .line = 1, .net = net};
  if (net->notes) return err_set(err, ERR_INPUT, "%.300s: the net has annotations, which say its threads", file->name);
  r.end = r.at + file->length;
  reader_init(&r);
  const bool good = read_lines(&r);
  if (good) set_units(net, r.unit, r.threads.strings.at, r.threads.strings.n, false);
  intern_fini(&r.places);
  intern_fini(&r.threads);
  vec_fini(heap, &r.numbers);
  vec_fini(heap, &r.word);
  heap_release(heap, r.unit);
  return good;
}
