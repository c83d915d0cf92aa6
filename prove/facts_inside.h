/* facts_inside.h: facts under construction, for facts.c, bits.c, values.c and kinds.c. */
#ifndef PROVE_FACTS_INSIDE_H
#define PROVE_FACTS_INSIDE_H

#include "prove/facts.h"

static inline uint64_t *facts_held(const Facts *facts, uint32_t control) {
  return facts->held + control * facts->held_words;
}
static inline uint64_t *facts_values(const Facts *facts, uint32_t control) {
  return facts->values + control * facts->value_words;
}

/* Does the step find the values that it needs while a thread, its own or another one, is at the control? */
bool facts_finds_values(const Facts *facts, uint32_t step, uint32_t control);

/* As facts_meet, from the rows. */
bool facts_rows_meet(const Facts *facts, uint32_t control, uint32_t other);

/* ---- bits.c ---- */

/* Finds the objects that are held, of those that have no bit yet. `live` says which steps count; NULL: all. How many
 * are new. */
uint32_t bits_find(Facts *facts, const uint64_t *live);

/* ---- values.c ---- */

/* Finds what is reached and live, and the values, from the start. False if the work was asked to end. */
bool values_find(Facts *facts);

/* ---- kinds.c: last ---- */

void kinds_find(Facts *facts);

#endif
