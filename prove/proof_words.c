#include "prove/proof_words.h"

/* More locks, or variables, than these are counted, not named. */
enum { MOST_NAMED = 4 };

static char *add_name(Arena *arena, char *so_far, uint32_t n, const char *name, bool as_lock) {
  return arena_format(arena, "%s%s%s%s", so_far, !n ? "" : as_lock ? "; " : ", ", name, as_lock ? " as a lock" : "");
}

/* "l0, l1; M as a lock": locks first. */
static char *name_locks(Arena *arena, const Known *facts, const uint64_t *inside, uint32_t *n) {
  char *names = arena_copy(arena, "", 0);
  *n = 0;
  for (int as_lock = 0; as_lock <= 1; as_lock++)
    for (uint32_t bit = 0; bit < facts->n_bits; bit++) {
      const ClassObject *object = &facts->classes->objects[facts->bit_object[bit]];
      if (!bitset_has(inside, bit) || object->is_token == as_lock) continue;
      if (*n < MOST_NAMED) names = add_name(arena, names, *n, object->name, as_lock);
      ++*n;
    }
  return *n > MOST_NAMED ? arena_format(arena, "%s and %u more", names, *n - MOST_NAMED) : names;
}

const char *proof_words_alone(Arena *arena, const Known *facts, ProofKind kind, const uint64_t *inside) {
  const char *copies = classes_have_copies(facts->classes) ? ", for any number of copies" : "";
  if (kind == PROVED_NOT) return "";
  if (kind == PROVED_BY_ENVIRONMENT)
    return arena_format(arena, "the environment: no chain through other threads comes back%s", copies);
  uint32_t n;
  const char *names = name_locks(arena, facts, inside, &n);
  return n ? arena_format(arena, "two-phase locking (%s)%s", names, copies)
           : arena_format(arena, "reduction: its steps can be moved together%s", copies);
}

/* "readers, F and 2 more" */
static const char *name_objects(Arena *arena, const Known *facts, const uint64_t *objects) {
  char *names = arena_copy(arena, "", 0);
  uint32_t n = 0;
  for (uint32_t o = 0; o < facts->classes->n_objects; o++) {
    if (!bitset_has(objects, o)) continue;
    if (n < MOST_NAMED) names = add_name(arena, names, n, facts->classes->objects[o].name, false);
    n++;
  }
  return n > MOST_NAMED ? arena_format(arena, "%s and %u more", names, n - MOST_NAMED) : names;
}

static const char *name_counters(Arena *arena, const Known *facts) {
  uint64_t *counted = arena_zeroed(arena, bitset_words(facts->classes->n_objects) + 1, sizeof *counted);
  for (uint32_t i = 0; i < facts->counters.n; i++) bitset_add(counted, facts->counters.at[i].object);
  return name_objects(arena, facts, counted);
}

/* Counters are of the threads that are there. */
const char *proof_words_with_pairs(Arena *arena, const Known *facts, const uint64_t *followed) {
  const char *pairs = name_objects(arena, facts, followed), *counters = name_counters(arena, facts);
  if (*counters && *pairs) return arena_format(arena, "pairs of threads (%s), and counting (%s)", pairs, counters);
  if (*counters) return arena_format(arena, "counting (%s)", counters);
  if (!*pairs) return proof_words_alone(arena, facts, PROVED_BY_ENVIRONMENT, NULL);
  return arena_format(arena, "pairs of threads (%s)%s", pairs,
                      classes_have_copies(facts->classes) ? ", for any number of copies" : "");
}
