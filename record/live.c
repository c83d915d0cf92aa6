/* live.c: what the runtime does for one who reads the log while the program runs (distil/live.h).
 *
 * The reader wants to know of all events up to a clock that they are in the log. So it raises the floor above all
 * clocks, and looks at each thread: one that is not busy will see the floor before its next event, and one that is busy
 * will soon not be. A thread stores `busy` and then loads the floor, without a fence; the reader makes up for that by
 * membarrier(2), which is a fence for all threads that run.
 *
 * A thread that finds no room for its chunk waits in the middle of an event, with its stripe. It is starved then, which
 * the reader does not wait for: the event, too, will have a clock above the floor. */
#include "record/live.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { NAP_NS = 100000, LOOK = 1000 /* naps */ };

_Static_assert(sizeof(Thread) <= RAW_CHUNK, "a thread fits its chunk");

static void nap(void) { syscall(SYS_nanosleep, &(struct timespec){0, NAP_NS}, NULL); }

void live_begin(void) {
  if (!live_is_on()) return;
  syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0);
  if (header->live.debugged) prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
}

Thread *live_thread(void) {
  static _Atomic uint32_t n;
  uint32_t record;
  Thread *t = atomic_fetch_add(&n, 1) < RAW_LIVE_THREADS ? (void *)chunks_map(&record) : NULL;
  if (t) t->shown.record = record;
  else atomic_fetch_add(&header->live.unseen, 1);
  return t;
}

void live_renew(Thread *t) {
  const uint32_t record = t->shown.record, number = t->shown.chunk;
  uint64_t *chunk = t->last;
  memset(t, 0, sizeof *t);
  t->shown.record = record;
  if (!chunk) return;
  memset(chunk, 0, RAW_CHUNK);
  t->shown.chunk = number;
  t->chunk = chunk;
}

void live_show(Thread *t) {
  RawShown *shown = &t->shown;
  shown->number = t->number;
  shown->busy = (uint32_t)offsetof(Thread, busy);
  shown->starved = (uint32_t)offsetof(Thread, starved);
  shown->clock = (uint32_t)offsetof(Thread, clock);
  shown->tid = (uint32_t)offsetof(Thread, tid);
  t->busy = true; /* until it has begun */
  live_announce(shown->record);
  atomic_thread_fence(memory_order_seq_cst);
}

void live_raise(Thread *t) { thread_set_clock(t, header->live.floor); }

/* It may have to wait for the chunk, and others for what it holds. */
Thread *live_prepare(Thread *t) {
  if (!live_is_on() && header->live.recycle) {
    thread_stop();
    return NULL;
  }
  if (t->at > t->late) {
    stripe_release(t);
    thread_next_chunk(t);
  }
  if (header->live.floor > t->clock) live_raise(t);
  return t;
}

/* Of a block that goes on, or begins. */
static void begin_era(Thread *t) {
  if (++t->eras >> ERA_BITS) {
    for (uint32_t i = 0; i < LINES; i++) t->lines[i].tag = 0;
    t->eras = 1;
  }
  t->era = t->eras;
}

void live_end_era(Thread *t) {
  if (t->era) begin_era(t);
}

/* Of what the thread has done in the block before nothing may change any more. */
void live_lose(Thread *t, uint32_t stripe) {
  t->lines[live_place(stripe)].tag = 0;
  live_end_segment(t);
}

void live_begin_block(Thread *t) {
  if (t->lean) begin_era(t);
  t->block_depth = t->depth;
}

/* Makes the read that is the only one of its event, of these bytes, a write of them. Both have the same base of program
 * counters, and the same place. */
static bool overwrite(Thread *t, Line *line, uint64_t bits, uintptr_t code, uint32_t log_size) {
  const uint64_t at = line->open[0] - t->segment, before = line->code[0];
  const uint64_t codes = ((UINT64_C(1) << RAW_CODE_BITS) - 1) << RAW_KIND_BITS;
  if (at >= CHUNK_WORDS || t->chunk[at] != bits || (before & ((1u << LINE_CODE_SHIFT) - 1)) != log_size) return false;
  if (before >> LINE_CODE_SHIFT >> RAW_CODE_BITS != code >> RAW_CODE_BITS) return false;
  line->open[1] = 0;
  line->open[0] = 0; /* a handler may jump out of this */
  *(volatile uint64_t *)&t->chunk[at - 1] =
      (t->chunk[at - 1] & ~(codes | ((1u << RAW_KIND_BITS) - 1))) | (code << RAW_KIND_BITS & codes) | RAW_LINE_WRITE;
  line->code[1] = (uint64_t)code << LINE_CODE_SHIFT | log_size;
  line->open[1] = t->segment + at;
  return true;
}

/* An event of its own, which may grow. */
static void log_new(Thread *t, Line *line, bool writes, uintptr_t address, uint32_t log_size, uintptr_t code) {
  const uintptr_t of_line = address & ~(uintptr_t)((1u << LINE_BITS) - 1);
  line->open[writes] = 0;
  thread_log_with(t, writes ? RAW_LINE_WRITE : RAW_LINE_READ, of_line | log_size, code, live_bits(address, log_size));
  line->code[writes] = (uint64_t)code << LINE_CODE_SHIFT | log_size;
  if (t->chunk) line->open[writes] = t->segment + (uint64_t)(t->at - 1 - t->chunk);
}

void live_add(Thread *t, Line *line, bool writes, uintptr_t address, uint32_t log_size, uintptr_t code) {
  const uint64_t bits = live_bits(address, log_size);
  if (!writes || !overwrite(t, line, bits, code, log_size)) log_new(t, line, writes, address, log_size, code);
  line->seen[0] |= bits;
  if (writes) line->seen[1] |= bits;
}

void live_log(Thread *t, bool writes, uintptr_t address, uint32_t log_size, uintptr_t code) {
  Line *line = &t->lines[live_place(raw_stripe(address))];
  const uint64_t bits = live_bits(address, log_size), tag = live_tag(t, address), opened = t->reading ? t->opened : 0;
  if (opened && (line->tag != tag || line->opened != opened)) live_lose(t, raw_stripe(address));
  if (line->tag != tag) *line = (Line){.tag = tag};
  line->opened = opened;
  if (bits & ~line->seen[writes] && !live_grows(t, line, writes, bits, (uint64_t)code << LINE_CODE_SHIFT | log_size))
    live_add(t, line, writes, address, log_size, code);
}

/* The reader may have been killed. */
static void look_for_reader(void) {
  const uint32_t pid = header->live.on;
  if (!pid || !syscall(SYS_kill, pid, 0) || errno != ESRCH) return;
  header->live.on = 0;
  if (header->live.recycle) header->live.floor = UINT64_MAX;
}

/* Half of the queue is for threads that come at the same time. */
static bool has_room(const RawLive *live) { return live->announced - live->taken < RAW_QUEUE / 2; }

bool live_has_place(void) {
  const RawRing *ring = &header->ring;
  return has_room(&header->live) && ring->count - ring->read < ring->chunks;
}

static bool take_spare(RawLive *live, uint32_t *number) {
  uint32_t i = live->reused;
  while (i != live->spared) {
    const uint32_t chunk = live->spare[i % RAW_SPARE];
    if (!atomic_compare_exchange_weak(&live->reused, &i, i + 1)) continue;
    *number = chunk;
    return true;
  }
  return false;
}

static bool take_chunk(RawLive *live, uint32_t *number) {
  if (!has_room(live)) return false;
  if (live->recycle && take_spare(live, number)) return true;
  if (live->recycle && atomic_fetch_add(&live->made, 1) >= RAW_SPARE) {
    atomic_fetch_sub(&live->made, 1);
    return false;
  }
  *number = atomic_fetch_add(&header->chunks, 1);
  return true;
}

void live_starve(Thread *t, uint32_t naps) {
  t->starved = true;
  if (naps % LOOK == 0) look_for_reader();
  nap();
}

bool live_chunk(Thread *t, uint32_t *number) {
  RawLive *live = &header->live;
  bool taken = false;
  for (uint32_t naps = 1; live_is_on() && !(taken = take_chunk(live, number)); naps++) live_starve(t, naps);
  t->starved = false;
  if (!taken && !live->recycle) *number = atomic_fetch_add(&header->chunks, 1);
  return taken;
}

void live_announce(uint32_t chunk) {
  RawLive *live = &header->live;
  const uint32_t i = atomic_fetch_add(&live->announced, 1) % RAW_QUEUE;
  while (live->queue[i] && live_is_on()) nap();
  live->queue[i] = chunk;
}
