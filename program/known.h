/* known.h: what a thread alone knows at each point of its program, for the notes of the net. */
#ifndef PROGRAM_KNOWN_H
#define PROGRAM_KNOWN_H

#include "petri/notes.h"
#include "program/automaton.h"

/* Adds to the notes the slots of a thread, and a state for each combination of their values that occurs. Returns, per
 * state of the automaton, the number of its state in the notes, or NULL if the thread has no slots; the caller's, of
 * the automaton's heap. */
uint32_t *known_note(NotesBuilder *notes, const Automaton *automaton);

#endif
