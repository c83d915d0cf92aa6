/* unit_notes.h: a net of another tool as a program: its NUPN units are the threads, and the user names the transitions
 * that begin and end the blocks. */
#ifndef PETRI_UNIT_NOTES_H
#define PETRI_UNIT_NOTES_H

#include "petri/net.h"

/* Names of transitions. Each begin is a block of its own; an end ends the one block that begins in its unit. */
typedef struct {
  const char *const *begins;
  uint32_t n_begins;
  const char *const *ends;
  uint32_t n_ends;
} BlockMarks;

/* Gives the net notes: a thread per unit, whose places are its control; a transition belongs to the unit of its first
 * input place that is in one. Fails, with ERR_INPUT, if the net has notes or no units; if a name is unknown or not
 * unique; if a begin belongs to no unit, or the unit of an end has no block or several. Whether
 * the units are sequential is left to petri/sequential.h. */
bool net_add_unit_notes(Net *net, const BlockMarks *marks, Err *err);

#endif
