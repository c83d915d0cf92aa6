#include "petri/lookup.h"

#include "base/suggest.h"
#include "base/text.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *kind; /* for messages */
  const char *const *names;
  uint32_t n;
} Named;

/* The names are not sorted: this is for the few that a user types. */
typedef enum { MATCH_NONE, MATCH_ONE, MATCH_SEVERAL } Match;

static Match match(const Named *named, const char *name, size_t length, uint32_t *found) {
  uint32_t n_matches = 0;
  for (uint32_t i = 0; i < named->n; i++) {
    if (strncmp(named->names[i], name, length) != 0 || named->names[i][length]) continue;
    *found = i;
    n_matches++;
  }
  if (n_matches) return n_matches == 1 ? MATCH_ONE : MATCH_SEVERAL;
  if (length < 2 || name[0] != '#' || name[1] < '1' || name[1] > '9') return MATCH_NONE;
  char *end;
  const unsigned long long number = strtoull(name + 1, &end, 10);
  if (end != name + length || number > named->n) return MATCH_NONE;
  *found = (uint32_t)(number - 1);
  return MATCH_ONE;
}

static bool unknown(const Named *named, const char *name, int shown, Err *err) {
  char wrong[256];
  snprintf(wrong, sizeof wrong, "%.*s", shown, name);
  Suggestion meant = suggest_for(wrong);
  for (uint32_t i = 0; i < named->n; i++) suggest_offer(&meant, named->names[i]);
  return err_set(err, ERR_INPUT, "the net has no %s '%s'%s", named->kind, wrong, suggest_words(&meant));
}

static bool complain(const Named *named, Match matched, const char *name, size_t length, Err *err) {
  const int shown = length < 200 ? (int)length : 200;
  if (matched == MATCH_NONE) return unknown(named, name, shown, err);
  return err_set(err, ERR_INPUT, "several %ss are named '%.*s'; '#N' is the N-th one of the file", named->kind, shown,
                 name);
}

bool net_find_trans(const Net *net, const char *name, TransId *trans, Err *err) {
  const Named named = {"transition", net->trans_name, net->n_trans};
  uint32_t found = 0;
  const Match matched = match(&named, name, strlen(name), &found);
  if (matched != MATCH_ONE) return complain(&named, matched, name, strlen(name), err);
  *trans = (TransId){found};
  return true;
}

bool net_find_place(const Net *net, const char *name, size_t length, PlaceId *place, Err *err) {
  const Named named = {"place", net->place_name, net->n_places};
  uint32_t found = 0;
  const Match matched = match(&named, name, length, &found);
  if (matched != MATCH_ONE) return complain(&named, matched, name, length, err);
  *place = (PlaceId){found};
  return true;
}

/* The longest part of the list, up to a comma or to its end, that names a place; that is its length, 0 if none does. */
static bool find_first(const Named *named, const char *list, uint32_t *found, size_t *length, Err *err) {
  Match matched = MATCH_NONE;
  for (size_t n = strlen(list); n > 0 && matched == MATCH_NONE; n--) {
    if (list[n] && list[n] != ',') continue;
    matched = match(named, list, n, found);
    *length = n;
  }
  return matched == MATCH_ONE ||
         complain(named, matched, list, matched == MATCH_NONE ? strcspn(list, ",") : *length, err);
}

bool net_find_places(Heap *heap, const Net *net, const char *names, PlaceId **places, uint32_t *n, Err *err) {
  const Named named = {"place", net->place_name, net->n_places};
  bool *named_before = heap_zeroed(heap, net->n_places);
  VEC(PlaceId) list = {0};
  uint32_t found = 0;
  size_t length = 0;
  bool good;
  for (const char *at = names; (good = find_first(&named, at, &found, &length, err)); at += length + 1) {
    if (!named_before[found]) vec_push(heap, &list, (PlaceId){found});
    named_before[found] = true;
    if (!at[length]) break;
  }
  heap_release(heap, named_before);
  if (!good) return vec_fini(heap, &list), false;
  *places = list.at;
  *n = list.n;
  return true;
}

void net_print_name(const Net *net, const char *name, FILE *out) {
  Arena arena;
  arena_init(&arena, net->arena.heap);
  fprintf(out, "'%s'", text_clean(&arena, name));
  arena_fini(&arena);
}

void net_print_places(const Net *net, const uint32_t *places, uint32_t n, FILE *out) {
  for (uint32_t i = 0; i < n; i++) {
    if (i) fputs(i + 1 < n ? ", " : " and ", out);
    net_print_name(net, net->place_name[places[i]], out);
  }
}

void net_print_block(const Net *net, uint32_t block, FILE *out) {
  const NoteBlock *it = &net->notes->blocks[block];
  fputs("block ", out);
  if (it->name) net_print_name(net, it->name, out);
  else fprintf(out, "%u", block + 1);
  if (it->begin.line) fprintf(out, " (line %u)", it->begin.line);
}
