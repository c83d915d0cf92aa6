/* space.h: which objects the addresses of a run are.
 *
 * An object is a maximal range of bytes that all accesses of the run treat alike: either all of it is accessed, or
 * nothing. So neighbours in one word are different objects, and an access of eight bytes, half of which is also
 * accessed alone, is one to two objects.
 *
 * In a first pass each access is noted (space_note); then space_number makes the objects; in a second pass they are
 * asked for. Memory grows with the addresses that are used, not with the run. What lies in a line that at most one
 * thread has accessed is left out from the start.
 *
 * For each pass there is a filter (sieve.h), whose state is a view of the space. */
#ifndef DISTIL_SPACE_H
#define DISTIL_SPACE_H

#include "distil/source.h"

/* All addresses of a run, and what objects are there. */
typedef struct Space Space;

/* No access has been noted. `source` outlives the space; memory is the heap's until space_free. */
Space *space_new(Heap *heap, Source *source);
void space_free(Space *space);

/* What one thread remembers of its look-ups. */
typedef struct SpaceView SpaceView;
SpaceView *space_view_new(Space *space);
void space_view_free(Space *space, SpaceView *view);

/* First pass: leaves out plain accesses that need not be noted. It shortens the raw log on the way where most of it is
 * local to its thread. */
uint32_t space_pick_new(void *view, const uint64_t *words, uint32_t n, const RawTail *tail, uint64_t *picked);

/* First pass. An access by the thread, of at least one byte; and the memory is free now: who has accessed it so far
 * does not count any more. */
void space_note(Space *space, uint32_t thread, uint64_t address, uint64_t size);
void space_note_free(Space *space, uint64_t address, uint64_t size);

/* Notes the plain accesses in front of the words, and the loops that a filter has put there (loops.h); how many words
 * these are. */
uint32_t space_note_words(Space *space, const RawWords *words);

/* Between the passes. After it an object is kept if in one life of its memory two threads have accessed it, or if
 * `keep_local`. */
void space_number(Space *space, bool keep_local);

/* Second pass: leaves out plain accesses to objects that are not kept, and makes those to one object known. Not with
 * `keep_local`. */
uint32_t space_pick_kept(void *view, const uint64_t *words, uint32_t n, const RawTail *tail, uint64_t *picked);

/* Second pass. The objects of an access are *first .. *last; they count from 1, with gaps. False: none that is kept. */
bool space_find(const Space *space, uint64_t address, uint64_t size, uint32_t *first, uint32_t *last);

/* Where the object begins. It is found sooner if it is near the one that was asked for last. */
uint64_t space_address(const Space *space, uint32_t object);

/* The objects that begin in this memory, likewise, from the page with number *page (0 at first), which becomes that of
 * the next page; false when there are no more pages. There may be none in a page: *first > *last. */
bool space_find_free(const Space *space, uint64_t address, uint64_t size, uint64_t *page, uint32_t *first,
                     uint32_t *last);

/* Memory that is divided into objects of one size, all of them kept. */
typedef struct {
  uint64_t from, size; /* in bytes */
  uint32_t object;     /* the first one */
  bool even;           /* all objects are alive, and their marks go on by one with their addresses */
} SpaceRange;

/* The range around an access of 2^form bytes, at a multiple of that: a page if it is even, and this has been seen, or a
 * line. False: its line is divided otherwise, or not all of it is kept. */
bool space_range(Space *space, uint64_t address, uint32_t form, SpaceRange *range);

/* By object, of the caller: its number in the log and SPACE_ALIVE, if it was accessed in this life; SPACE_LOCAL if it
 * is dropped; 0 at first. */
uint32_t *space_marks(const Space *space);
#define SPACE_LOCAL UINT32_MAX
#define SPACE_ALIVE (UINT32_C(1) << 31)

/* Checks the tables of either pass (for tests): pages are found, what was noted is of whole objects, numbers and
 * addresses agree. False with ERR_CHECK on the first fault. */
bool space_audit(const Space *space, Err *err);

#endif
