/* regions.h: where an event leads, in one word, so that a search can leave out what cannot lead to where it looks.
 *
 * The places are divided into at most 64 regions, as they are mentioned by the transitions one after the other: what
 * belongs together stands together in a net. The regions of an event are those in which it, or a live event that it is
 * a cause of, has conditions.
 *
 * That is kept up to date only from regions_start() on: it costs more than it saves where little is concurrent. */
#ifndef UNFOLD_REGIONS_H
#define UNFOLD_REGIONS_H

#include "unfold/branch.h"

enum { REGIONS = 64 };

/* The regions of places and of live events. */
typedef struct {
  Branch *branch;
  bool started;
  uint8_t *of;        /* per place: its region */
  size_t n_words;     /* of a set of places */
  uint64_t *consumed; /* bitset: the places a condition of which is consumed by some live event */
  uint64_t *leading;  /* once started, per region a bitset: those of them where such an event leads to that region */
  VEC(uint64_t) sets; /* once started, per live event: its regions */
  U32Vec work;        /* scratch */
} Regions;

/* Divides the places. Until regions_start events have no regions, and regions_lead is always true. `branch` outlives
 * the regions; memory is its heap's until fini. Start counts the live events that there are; once. */
void regions_init(Regions *regions, Branch *branch);
void regions_fini(Regions *regions);
void regions_start(Regions *regions);

/* To be told of every new live event. */
void regions_note_event(Regions *regions, uint32_t e);

/* Does the live event lead to one of the regions given? */
static inline bool regions_lead(const Regions *regions, uint32_t e, uint64_t wanted) {
  return !regions->started || regions->sets.at[e] & wanted;
}

/* Word w of a set of places: of all that matter if it is conditions in the regions wanted that are looked for. */
uint64_t regions_word(const Regions *regions, uint64_t wanted, uint32_t w);

/* The regions of a list of places. */
uint64_t regions_of(const Regions *regions, PlaceList places);

#endif
