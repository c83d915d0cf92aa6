/* loops.h: loops of the raw log (RAW_LOOP): accesses that are not there one by one.
 *
 * A filter writes a loop that it keeps as words of its own, by itself: of what came before it some may be left out. It
 * may leave out some of its places, too. */
#ifndef DISTIL_LOOPS_H
#define DISTIL_LOOPS_H

#include "distil/log_writer.h"
#include "distil/space.h"

/* n accesses; access i is of place i % period, a plain one. */
typedef struct {
  uint32_t period, n;
  uint64_t first[RAW_PERIODS], step[RAW_PERIODS]; /* by place: its first word, and what is added each time */
} Loop;

/* The word of access i. */
static inline uint64_t loop_word(const Loop *loop, uint32_t i) {
  return loop->first[i % loop->period] + loop->step[i % loop->period] * (i / loop->period);
}

/* The accesses of a place. */
static inline uint32_t loop_rounds(const Loop *loop, uint32_t place) {
  return (loop->n + loop->period - 1 - place) / loop->period;
}

/* How many of `most` accesses, each `far` from the one before, are in memory of this size, in which the first is at
 * `at`. */
static inline uint32_t loop_within(uint64_t at, int64_t far, uint64_t size, uint32_t most) {
  if (at + (uint64_t)far * (most - 1) < size) return most;
  return 1 + (uint32_t)(far > 0 ? (size - 1 - at) / (uint64_t)far : at / (uint64_t)-far);
}

/* How many accesses of a place, of `most` from one to this address on, are to pieces of the same 2^bits bytes, if all
 * are whole pieces. */
static inline uint32_t loop_alike(const Loop *loop, uint32_t place, uint64_t address, uint32_t bits, uint32_t most) {
  const int64_t far = (int64_t)loop->step[place] >> RAW_ADDRESS_SHIFT;
  if ((address | (uint64_t)far) & (raw_plain_size(loop->first[place]) - 1)) return 1;
  return loop_within(address & ((UINT64_C(1) << bits) - 1), far, UINT64_C(1) << bits, most);
}

/* The word is a RAW_LOOP, before it are so many words of its chunk. `loop` is the last one of the chunk before it, of
 * period 0 if there was none, and becomes this one. False: it is none that was recorded. */
bool loop_read(Loop *loop, const uint64_t *word, uint32_t before);

/* As words of its own, at most LOOP_WORDS; how many these are. */
enum { LOOP_WORDS = 1 + 2 * RAW_PERIODS };
uint32_t loop_put(const Loop *loop, uint64_t *to);

/* Is the word the first one of these? How many they are, and what they say. */
static inline bool loop_is_put(uint64_t word) {
  return raw_kind(word) == RAW_LOOP && raw_loop_period(word) >> (RAW_PERIOD_BITS - 1);
}
uint32_t loop_get(Loop *loop, const uint64_t *words);

/* Leaves only those places that have a bit in the mask. */
void loop_keep(Loop *loop, uint32_t places);

/* What the events of a place are in the log: if its accesses are reads or writes alone. */
typedef struct {
  uint32_t op, location;
} LoopPlace;

/* Writes accesses to objects that are kept, and have been accessed in this life, from access i on; the first one that
 * is not written. Accesses are each to one object, of a line that is divided evenly. */
uint32_t loop_write(const Loop *loop, uint32_t i, const RawWords *words, Space *space, Log *log,
                    const LoopPlace *places);

#endif
