/* live.h: what is left out for who only monitors the run, and will not have a log.
 *
 * - Inside of a block the same access once more changes nothing, if no other thread has had its stripe since
 *   (live_lose), nor its memory was freed (live_end_era). Of one that is open to readers: if it is so since the same
 *   time.
 * - Nor does the order of accesses inside of a block, as long as the thread takes no stripe that another thread has
 *   had, nor reads what was open before: then all of them could have happened at once. So accesses to one line by the
 *   same code are one event, which grows until then, or until the reader may have seen it (live_end_segment).
 * - A read right before a write of the same changes nothing: what comes before one of them comes before the write, and
 *   what comes after one of them, after the write. So the write takes the place of the read in the log. */
#ifndef RECORD_LIVE_H
#define RECORD_LIVE_H

#include "record/stripe.h"

void live_begin_block(Thread *thread);
static inline void live_end_block(Thread *t) { t->era = 0; }
void live_end_era(Thread *thread);
void live_lose(Thread *thread, uint32_t stripe);

/* The stripe is held. Logs the access, to one line, or adds it to an event of its block, if it is not there. */
void live_log(Thread *thread, bool writes, uintptr_t address, uint32_t log_size, uintptr_t code);
/* The same, if the line is known, no event of it may grow, and there is room in the chunk. */
void live_add(Thread *thread, Line *line, bool writes, uintptr_t address, uint32_t log_size, uintptr_t code);

static inline uint32_t live_place(uint32_t stripe) { return (stripe ^ stripe >> LINES_BITS) % LINES; }

static inline uint64_t live_tag(const Thread *t, uintptr_t address) {
  return (uint64_t)(address >> LINE_BITS) << ERA_BITS | t->era;
}

static inline uint64_t live_bits(uintptr_t address, uint32_t log_size) {
  return ((UINT64_C(1) << (UINT64_C(1) << log_size)) - 1) << (address & ((1u << LINE_BITS) - 1));
}

/* Adds the bytes to the event of this code, if there is one that may still grow. */
static inline bool live_grows(Thread *t, Line *line, bool writes, uint64_t bits, uint64_t key) {
  const uint64_t at = line->open[writes] - t->segment;
  if (at >= CHUNK_WORDS || line->code[writes] != key) return false;
  ((volatile uint64_t *)t->chunk)[at] |= bits;
  line->seen[0] |= bits;
  if (writes) line->seen[1] |= bits;
  return true;
}

/* May the thread access the line as it did before? */
static inline bool live_holds(Thread *t, const Line *line, const Stripe *stripe, bool writes) {
  if ((t->held && t->held != stripe) || t->n_more || t->wanted) return false;
  if (UNLIKELY(!stripe_is_ours(t, stripe))) return !writes && stripe_reads(t, stripe) && t->opened == line->opened;
  t->reading = NULL;
  if (writes) stripe_write(stripe);
  return true;
}

/* Bytes of a line that have not been accessed so in this block; false: more has to be done for them. */
static inline bool live_takes(Thread *t, Line *line, bool writes, uintptr_t address, uint32_t log_size,
                              uintptr_t code) {
  if (UNLIKELY(atomic_load_explicit(&header->live.floor, memory_order_relaxed) > t->clock)) return false;
  if (live_grows(t, line, writes, live_bits(address, log_size), (uint64_t)code << LINE_CODE_SHIFT | log_size))
    return true;
  if (UNLIKELY(t->at > t->late)) return false;
  live_add(t, line, writes, address, log_size, code);
  return true;
}

/* Does what is to be done for the access, if its line is known. The thread is not busy, and in an era. */
static inline __attribute__((always_inline)) bool live_knows(Thread *t, bool writes, uintptr_t address,
                                                             uint32_t log_size, uintptr_t code) {
  const uint32_t stripe = raw_stripe(address), in_line = (uint32_t)address & ((1u << LINE_BITS) - 1);
  Line *line = &t->lines[live_place(stripe)];
  __asm__("" : "+r"(line)); /* it is not computed again from its place */
  if (UNLIKELY(line->tag != live_tag(t, address) || in_line + (1u << log_size) > 1u << LINE_BITS)) return false;
  const uint64_t bits = live_bits(address, log_size);
  t->busy = true;
  atomic_signal_fence(memory_order_seq_cst);
  bool knows = live_holds(t, line, &stripes[stripe], writes);
  if (bits & ~line->seen[writes]) knows = knows && live_takes(t, line, writes, address, log_size, code);
  atomic_signal_fence(memory_order_seq_cst);
  t->busy = false;
  return knows;
}

/* If the thread's last word is the read of the same that this RawKind of write writes, the write takes its place. The
 * stripe was held by nobody else since: who takes it back from another thread logs a clock, and so does who takes it
 * from readers that have come later. */
static inline bool live_replaces(Thread *t, RawKind kind, uintptr_t address, uintptr_t code) {
  const uint64_t place = (uint64_t)t->slot << RAW_REGION_SHIFT | (address & ((UINT64_C(1) << RAW_OFFSET_BITS) - 1))
                                                                     << RAW_ADDRESS_SHIFT;
  const uint64_t codes = ((UINT64_C(1) << RAW_CODE_BITS) - 1) << RAW_KIND_BITS;
  if (t->after_read != t->at || t->region[t->slot] != address >> RAW_OFFSET_BITS) return false;
  if ((t->at[-1] & ~codes) != (place | (kind - RAW_WRITE + RAW_READ)) || code >> RAW_CODE_BITS != t->code) return false;
  *(volatile uint64_t *)&t->at[-1] = place | (code << RAW_KIND_BITS & codes) | kind;
  t->after_read = NULL;
  return true;
}

#endif
