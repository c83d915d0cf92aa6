/* notes_builder.h: the inside of a NotesBuilder, for net.c alone. */
#ifndef PETRI_NOTES_BUILDER_H
#define PETRI_NOTES_BUILDER_H

#include "base/err.h"
#include "base/vec.h"
#include "petri/notes.h"

/* An access with the transition that makes it. */
typedef struct {
  uint32_t transition;
  Access access;
} PlacedAccess;

struct NotesBuilder {
  Heap *heap;
  Arena *arena; /* of the net to be */
  bool used;
  VEC(const char *) files, functions; /* number 0 may be missing */
  VEC(const char *) counts;
  VEC(NoteThread) threads;
  VEC(NoteObject) objects;
  VEC(NoteBlock) blocks;
  VEC(NoteSlot) slots;
  VEC(NoteState) states;
  VEC(NoteGap) gaps;
  VEC(PlaceNote) places;
  VEC(TransNote) transitions;
  VEC(PlacedAccess) accesses;
};

/* Nothing is noted yet. Strings go to the arena, which outlives the builder; all else is freed by fini. */
void notes_builder_init(NotesBuilder *notes, Arena *arena);
void notes_builder_fini(NotesBuilder *notes);

/* The frozen notes, or NULL with `err` untouched if nothing was noted; false on numbers out of range. */
bool notes_freeze(NotesBuilder *notes, uint32_t n_places, uint32_t n_trans, const bool *marked, const Notes **result,
                  Err *err);

/* Are all numbers in the notes in range? */
bool notes_audit(const Notes *notes, uint32_t n_places, uint32_t n_trans, Err *err);

#endif
