/* cosets.h: sets of pairwise concurrent live conditions of a branching process, and checks 4 and 5 of
 * docs/certificates.md. */
#ifndef CHECK_COSETS_H
#define CHECK_COSETS_H

#include "check/process.h"

/* Of the conditions chosen: a producer, and how many were chosen before the first of its outputs. */
typedef struct {
  uint32_t producer, before;
} CosetGroup;

/* What is concurrent to the current event, by place. */
typedef struct {
  const Process *process;
  uint32_t *first;        /* per place: the last of its conditions at hand, or PROCESS_NONE */
  uint32_t *n;            /* per place: how many they are */
  U32Vec next;            /* per condition: the one at hand before it, of its place, or PROCESS_NONE */
  uint32_t *seen;         /* per transition: the last event at which it was looked at, or PROCESS_NONE */
  uint32_t *missing;      /* per transition: an input place, the one that had no condition when it was looked at last */
  VEC(uint64_t) places;   /* of the set that is looked for: how many conditions, and the place, ascending */
  U32Vec chosen;          /* conditions of the first places; while a set is looked for */
  VEC(CosetGroup) groups; /* their producers, in the order in which these were first chosen from */
  U32Vec sorted;          /* a whole set, ascending */
} Cosets;

/* Of a process that must live as long and gets no more events; memory of its heap, until fini. */
void cosets_init(Cosets *cosets, const Process *process);
void cosets_fini(Cosets *cosets);

/* Check 4: is every set of concurrent live conditions on the preset of a transition the preset of an event? False, with
 * ERR_CHECK, if not. */
bool cosets_complete(Cosets *cosets, Err *err);

/* Check 5: is there no set of concurrent live conditions, one on each of the places? They are one or more, ascending,
 * none of them twice. False, with ERR_CHECK, if there is such a set. */
bool cosets_uncovered(Cosets *cosets, const PlaceId *places, uint32_t n, Err *err);

#endif
