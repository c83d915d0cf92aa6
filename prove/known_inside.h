/* known_inside.h: facts under construction, for known.c, bits.c, counters.c, values.c and kinds.c. */
#ifndef PROVE_KNOWN_INSIDE_H
#define PROVE_KNOWN_INSIDE_H

#include "prove/known.h"

/* The row of a control: its bits, held_words of them; its values, value_words of them. */
static inline uint64_t *known_held(const Known *facts, uint32_t control) {
  return facts->held + control * facts->held_words;
}
static inline uint64_t *known_values(const Known *facts, uint32_t control) {
  return facts->values + control * facts->value_words;
}

/* Does the step find the values that it needs while a thread, its own or another one, is at the control? The second one
 * is of another one alone, and counts. */
bool known_finds_values(const Known *facts, uint32_t step, uint32_t control);
bool known_finds_beside(const Known *facts, uint32_t step, uint32_t control);

/* As known_meet_alone, from the rows. */
bool known_rows_meet(const Known *facts, uint32_t control, uint32_t other);

/* Per object: the classes that touch it. Each list, and the whole, is the caller's. */
U32Vec *known_users(const Known *facts);

/* ---- bits.c ---- */

/* Finds the objects that are held, of those that have no bit yet. `live` says which steps count; NULL: all. How many
 * are new. */
uint32_t bits_find(Known *facts, const uint64_t *live);

/* ---- counters.c ---- */

/* Finds the counters, of objects that are none yet, by the steps that are live; and the largest weights of the others,
 * by the controls that are reached. How many are new or have become smaller. */
uint32_t counters_find(Known *facts);

/* ---- values.c ---- */

/* Finds what is reached and live, and the values, from the start. False if the work was asked to end. */
bool values_find(Known *facts);

/* ---- kinds.c: last ---- */

/* Sorts the reached controls into kinds of equal bits and values, and makes room for what known_meet finds of two
 * kinds, where they are few enough. */
void kinds_find(Known *facts);

#endif
