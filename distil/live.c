/* live.c: the reader's part of RawLive. A thread's words come from the copies of its chunk that were announced, in
 * their order, and then from the chunk itself, in which it writes meanwhile. That one is looked at first, and then
 * again for announcements: if it was not announced by then, it was not being cleared while it was looked at. */
#include "distil/live.h"

#include "base/bitset.h"
#include "base/vec.h"
#include "distil/source.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define TAKEN UINT32_MAX /* in the queue, behind one that is still to come */

enum {
  CHUNK_WORDS = RAW_CHUNK / sizeof(uint64_t),
  NAP_NS = 20000,
  PATIENCE = 50, /* naps before a look whether the thread is still there */
  ROUND = 2000   /* naps before nothing can be said */
};

typedef struct {
  char *record; /* its RawShown; NULL: the number is nobody's so far, or it was forgotten */
  const volatile uint64_t *own;
  U32Vec copies; /* announced, and not yet read, from `next` on */
  uint32_t next;
  uint32_t count; /* copies that were read; */
  uint32_t at;    /* word of the next one, or of the own chunk, that is read next */
  uint64_t clock; /* after the words that were read */
  uint64_t *buffer;
  bool gone; /* the process has it no more, or it has ended */
} Reading;

struct Live {
  Heap *heap;
  int file;
  RawHeader *header;
  VEC(Reading) threads;
  U32Vec there;    /* numbers of those that have a record */
  uint64_t floor;  /* of this round */
  uint64_t *early; /* by place of the ring: its copy was read, and an older one was not */
  bool missed;
};

static void *map(const Live *l, uint32_t chunk, size_t chunks, int protection) {
  void *at = mmap(NULL, chunks * RAW_CHUNK, protection, MAP_SHARED, l->file, (off_t)chunk * RAW_CHUNK);
  return at == MAP_FAILED ? NULL : at;
}

Live *live_open(Heap *heap, int file, bool recycle, bool debugged, Err *err) {
  Live *l = heap_zeroed(heap, sizeof *l);
  l->heap = heap;
  l->file = file;
  l->header = map(l, 0, RAW_FIRST, PROT_READ | PROT_WRITE);
  if (!l->header) {
    err_set(err, ERR_IO, "the raw log cannot be mapped: %s", strerror(errno));
    heap_release(heap, l);
    return NULL;
  }
  if (l->header->ring.chunks) l->early = heap_zeroed(heap, bitset_words(l->header->ring.chunks) * sizeof *l->early);
  l->header->live.recycle = recycle;
  l->header->live.debugged = debugged;
  l->header->live.on = (uint32_t)getpid();
  return l;
}

static void unmap(Reading *r) {
  if (r->record) munmap(r->record, RAW_CHUNK);
  if (r->own) munmap((void *)(uintptr_t)r->own, RAW_CHUNK);
  r->record = NULL;
  r->own = NULL;
}

void live_close(Live *l) {
  if (!l) return;
  l->header->live.on = 0;
  if (l->header->live.recycle) l->header->live.floor = UINT64_MAX; /* each thread sees to it that it records no more */
  for (uint32_t i = 0; i < l->threads.n; i++) {
    unmap(&l->threads.at[i]);
    vec_fini(l->heap, &l->threads.at[i].copies);
    heap_release(l->heap, l->threads.at[i].buffer);
  }
  munmap(l->header, (size_t)RAW_FIRST * RAW_CHUNK);
  vec_fini(l->heap, &l->threads);
  vec_fini(l->heap, &l->there);
  heap_release(l->heap, l->early);
  heap_release(l->heap, l);
}

const RawHeader *live_header(const Live *l) { return l->header; }

uint32_t live_threads(const Live *l) { return l->threads.n; }

const uint32_t *live_there(const Live *l, uint32_t *n) {
  *n = l->there.n;
  return l->there.at;
}

const char *live_missed(const Live *l) {
  if (l->header->full) return strerror((int)l->header->full);
  if (l->header->live.unseen) return "there are too many threads";
  return l->missed ? "a part of the raw log could not be read" : NULL;
}

bool live_is_behind(const Live *l) { return l->header->live.announced != l->header->live.taken; }

/* --- copies that were read --- */

/* The runtime writes over them in the order in which it has made them. */
static void give_back_in_ring(Live *l, uint32_t place) {
  RawRing *ring = &l->header->ring;
  bitset_add(l->early, place);
  for (uint32_t next; bitset_has(l->early, next = (uint32_t)(ring->read % ring->chunks)); ring->read++)
    bitset_remove(l->early, next);
}

/* The reader has all of it. */
static void give_back(Live *l, uint32_t chunk) {
  RawLive *live = &l->header->live;
  const RawRing *ring = &l->header->ring;
  if (chunk - ring->first < ring->chunks) give_back_in_ring(l, chunk - ring->first);
  if (!live->recycle) return;
  live->spare[live->spared % RAW_SPARE] = chunk;
  live->spared++;
}

/* --- announcements --- */

static Reading *reading_of(Live *l, uint32_t number) {
  if (number >= l->threads.n) vec_resize_zeroed(l->heap, &l->threads, number + 1);
  return &l->threads.at[number];
}

static void add_thread(Live *l, char *record) {
  const RawShown *shown = (const void *)record;
  Reading *r = reading_of(l, shown->number);
  r->record = record;
  r->at = 1;
  r->own = shown->chunk ? map(l, shown->chunk, 1, PROT_READ) : NULL;
  if (!r->own) l->missed = true;
  vec_push(l->heap, &l->there, shown->number);
}

/* Of what a thread leaves there may be all that was in its own chunk: then it was forgotten. */
static void add_copy(Live *l, uint32_t number, uint32_t chunk) {
  Reading *r = reading_of(l, number);
  if (r->record) vec_push(l->heap, &r->copies, chunk);
  else give_back(l, chunk);
}

/* A thread's record, or a copy of its chunk. */
static void take(Live *l, uint32_t chunk) {
  uint64_t first;
  const bool there = pread(l->file, &first, sizeof first, (off_t)chunk * RAW_CHUNK) == (ssize_t)sizeof first;
  const uint32_t number = (uint32_t)first;
  char *record = there && !number ? map(l, chunk, 1, PROT_READ | PROT_WRITE) : NULL;
  if (!there || number > RAW_MAX_THREADS || (!number && !record)) l->missed = true;
  else if (record) add_thread(l, record);
  else add_copy(l, number - 1, chunk);
}

/* All that are there by now. A number may come later than the next ones: its thread was interrupted. */
static void take_announced(Live *l) {
  RawLive *live = &l->header->live;
  const uint32_t announced = live->announced;
  for (uint32_t i = live->taken; i != announced; i++) {
    _Atomic uint32_t *slot = &live->queue[i % RAW_QUEUE];
    const uint32_t chunk = *slot;
    if (chunk && chunk != TAKEN) take(l, chunk);
    if (chunk) *slot = TAKEN;
  }
  while (live->taken != announced && live->queue[live->taken % RAW_QUEUE]) live->queue[live->taken++ % RAW_QUEUE] = 0;
}

/* --- rounds --- */

static uint64_t clock_of(const Reading *r) {
  return *(const volatile uint64_t *)(const void *)(r->record + ((const RawShown *)(const void *)r->record)->clock);
}

static bool is_in_event(const Reading *r) {
  const RawShown *shown = (const void *)r->record;
  return *(const volatile bool *)(r->record + shown->busy) && !*(const volatile bool *)(r->record + shown->starved);
}

/* Has the process no such thread any more? One that has not begun has no number yet. */
static bool is_gone(const Live *l, const Reading *r) {
  char path[64];
  const RawShown *shown = (const void *)r->record;
  const int tid = *(const volatile int *)(const void *)(r->record + shown->tid);
  snprintf(path, sizeof path, "/proc/%u/task/%d", (unsigned)l->header->pid, tid);
  return tid && access(path, F_OK);
}

static uint64_t raise_floor(Live *l) {
  uint64_t most = l->floor;
  for (uint32_t i = 0; i < l->there.n; i++) {
    const uint64_t clock = clock_of(&l->threads.at[l->there.at[i]]);
    if (clock > most) most = clock;
  }
  raw_raise(&l->header->live.floor, most + 1);
  syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0);
  return most + 1;
}

/* Waits until the thread is in no event that began before the floor was raised. */
static bool await(Live *l, Reading *r) {
  for (uint32_t naps = 1; !r->gone && is_in_event(r); naps++) {
    if (naps > ROUND) return false;
    nanosleep(&(struct timespec){0, NAP_NS}, NULL);
    if (naps % PATIENCE == 0 && is_gone(l, r)) r->gone = true;
  }
  return true;
}

bool live_round(Live *l, bool ended, uint64_t *floor) {
  *floor = l->floor = ended ? UINT64_MAX : raise_floor(l);
  take_announced(l);
  for (uint32_t i = 0; i < l->there.n; i++) {
    Reading *r = &l->threads.at[l->there.at[i]];
    if (ended) r->gone = true;
    if (!await(l, r)) return false;
  }
  take_announced(l);
  return true;
}

/* --- words --- */

/* Behind the event or state of the buffer that begins at the word. */
static uint32_t behind(Reading *r, uint32_t n) {
  const uint32_t kind = raw_kind(r->buffer[n]);
  if (kind == RAW_CLOCK) r->clock = r->buffer[n] >> RAW_KIND_BITS;
  return n + raw_has_second(kind) + 1u;
}

/* What is left of the oldest copy that was announced. */
static uint32_t read_copy(Live *l, Reading *r) {
  const uint32_t chunk = r->copies.at[r->next++], from = r->at;
  const size_t size = (CHUNK_WORDS - from) * sizeof(uint64_t);
  const off_t at = (off_t)chunk * RAW_CHUNK + (off_t)(from * sizeof(uint64_t));
  uint32_t n = 0;
  if (pread(l->file, r->buffer, size, at) != (ssize_t)size) l->missed = true;
  else
    while (n < CHUNK_WORDS - from && r->buffer[n]) n = behind(r, n);
  if (n > CHUNK_WORDS - from) n = CHUNK_WORDS - from; /* the process died before the event was whole */
  give_back(l, chunk);
  if (r->next == r->copies.n) r->next = 0, vec_clear(&r->copies);
  r->count++;
  r->at = 1;
  return n;
}

/* Whole events. What comes after a clock that is not below the floor may still change: a range that was written be
 * taken back (record/stripe.c), a read be replaced by the write after it, and bytes come to an event of a line. It does
 * not once the thread has seen a floor above its clock. */
static uint32_t read_own(const Live *l, Reading *r) {
  uint32_t n = 0;
  if (!r->own || (uint32_t)(r->own[0] >> 32) != r->count) return 0;
  const uint64_t floor = r->gone ? UINT64_MAX : l->floor;
  for (const uint32_t room = CHUNK_WORDS - r->at; n < room && r->clock < floor; n = behind(r, n)) {
    r->buffer[n] = r->own[r->at + n];
    if (!r->buffer[n]) break;
    if (!raw_has_second(raw_kind(r->buffer[n]))) continue;
    r->buffer[n + 1] = n + 1 < room ? r->own[r->at + n + 1] : 0;
    if (!r->buffer[n + 1]) break;
  }
  return n;
}

const uint64_t *live_words(Live *l, uint32_t thread, uint32_t *n, bool *fresh) {
  Reading *r = &l->threads.at[thread];
  if (!r->record) return NULL;
  if (!r->buffer) r->buffer = heap_alloc(l->heap, RAW_CHUNK);
  for (;;) {
    *fresh = r->at == 1;
    if (r->copies.n) {
      *n = read_copy(l, r);
      if (*n) return r->buffer;
      continue;
    }
    *n = read_own(l, r);
    take_announced(l);
    r = &l->threads.at[thread]; /* there may be more of them */
    if (r->copies.n) continue;
    r->at += *n;
    return *n ? r->buffer : NULL;
  }
}

void live_forget(Live *l, uint32_t thread) {
  Reading *r = &l->threads.at[thread];
  if (!r->record) return;
  ((RawShown *)(void *)r->record)->over = 1;
  while (r->next < r->copies.n) give_back(l, r->copies.at[r->next++]);
  unmap(r);
  vec_fini(l->heap, &r->copies);
  heap_release(l->heap, r->buffer);
  r->buffer = NULL;
  for (uint32_t i = 0; i < l->there.n; i++)
    if (l->there.at[i] == thread) l->there.at[i--] = l->there.at[--l->there.n];
}
