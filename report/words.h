/* words.h: what happens in a witness, in plain words; for the text and for the picture. All strings are clean, and
 * names that are too long to be read are shortened. */
#ifndef REPORT_WORDS_H
#define REPORT_WORDS_H

#include "check/witness.h"
#include "petri/net.h"
#include "report/finding.h"

/* A position of the net's source. */
Place words_place(Arena *arena, const Notes *notes, SrcPos pos);

/* Was the net made of a program with functions, in files whose lines tell more than the events do? Not of no net. */
bool words_have_files(const Net *net);

/* "block 'deposit'", "block"; without a name and a position "block 2". */
const char *words_block(Arena *arena, const Notes *notes, uint32_t block);

/* "T1"; the source of the transition, or its name where it has none; "Y". */
const char *words_thread(Arena *arena, const Notes *notes, uint32_t thread);
const char *words_event(Arena *arena, const Net *net, TransId t);
const char *words_object(Arena *arena, const Notes *notes, uint32_t object);

/* "reads Y", "reads and writes Y", "acquires l": what the step does with the object. `mode` where the notes do not say.
 */
const char *words_access(Arena *arena, const Notes *notes, TransId t, uint32_t object, AccessMode mode);

/* What a step of the chain does, said of its thread: "writes Y", "reads Y in between", "writes Y again"; NULL for a
 * step through which the chain only passes, and for one that is not on it. */
const char *words_step(Arena *arena, const Net *net, const Witness *witness, uint32_t step);

#endif
