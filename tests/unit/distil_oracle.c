/* distil_oracle.c: nothing here is clever. Two neighbouring bytes are of one object if each access has both or neither;
 * who has accessed memory is remembered for each byte. */
#include "tests/unit/distil_oracle.h"

#include "record/raw.h"
#include "trace/trace.h"

#include <stdlib.h>

typedef struct {
  uint64_t address;
  uint32_t owner; /* who accessed it in this life, thread + 1 */
  bool begins;    /* this byte and the one before are different objects */
  bool used;
  bool shared;      /* two threads have accessed it in some life */
  bool kept, alive; /* of an object, at its first byte */
} Byte;

typedef struct {
  uint32_t label;
  bool written;
} Block;

typedef struct {
  Heap *heap;
  VEC(Byte) bytes;     /* of all areas, in order of address */
  VEC(Block) * blocks; /* by thread; those that are open */
  ExpectedVec *events;
} Oracle;

static bool is_access(const Deed *d) {
  return d->kind == RAW_READ || d->kind == RAW_WRITE || d->kind == RAW_UPDATE ||
         (d->kind >= RAW_ATOMIC_READ && d->kind <= RAW_ATOMIC_UPDATE);
}

static bool has(const Deed *d, uint64_t address) { return d->address <= address && address < d->address + d->size; }

/* Of one thread by `order`. */
static int compare_deeds(const void *a, const void *b) {
  const Deed *x = a, *y = b;
  if (x->clock != y->clock) return x->clock < y->clock ? -1 : 1;
  if (x->thread != y->thread) return x->thread < y->thread ? -1 : 1;
  return (x->order > y->order) - (x->order < y->order);
}

/* ---- objects ---- */

static void list_bytes(Oracle *o, const Area *areas, uint32_t n_areas) {
  for (uint32_t a = 0; a < n_areas; a++)
    for (uint32_t i = 0; i < areas[a].size; i++) {
      const Byte byte = {.address = areas[a].at + i, .begins = !i};
      vec_push(o->heap, &o->bytes, byte);
    }
}

/* The first byte that is not below the address. */
static uint32_t find(const Oracle *o, uint64_t address) {
  uint32_t low = 0, high = o->bytes.n;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (o->bytes.at[middle].address < address) low = middle + 1;
    else high = middle;
  }
  return low;
}

static void cut(Oracle *o, const Deed *d) {
  for (uint32_t i = find(o, d->address - 1); i < o->bytes.n && o->bytes.at[i].address <= d->address + d->size; i++) {
    if (has(d, o->bytes.at[i].address)) o->bytes.at[i].used = true;
    if (has(d, o->bytes.at[i].address) != has(d, o->bytes.at[i].address - 1)) o->bytes.at[i].begins = true;
  }
}

static void use(Oracle *o, const Deed *d) {
  for (uint32_t i = find(o, d->address); i < o->bytes.n && has(d, o->bytes.at[i].address); i++) {
    Byte *byte = &o->bytes.at[i];
    if (!byte->owner) byte->owner = d->thread + 1;
    else if (byte->owner != d->thread + 1) byte->shared = true;
  }
}

/* Of 8 bytes all are freed, or none. */
static void forget(Oracle *o, const Deed *d) {
  for (uint32_t i = 0; i < o->bytes.n; i++)
    if (has(d, o->bytes.at[i].address))
      for (uint32_t k = i & ~7u; k < (i & ~7u) + 8; k++) o->bytes.at[k].owner = 0;
}

static uint32_t keep(Oracle *o, bool keep_local) {
  uint32_t first = 0, n = 0;
  for (uint32_t i = 0; i < o->bytes.n; i++) {
    if (o->bytes.at[i].begins) first = i;
    if (!o->bytes.at[i].used || o->bytes.at[first].kept || !(o->bytes.at[i].shared || keep_local)) continue;
    o->bytes.at[first].kept = true;
    n++;
  }
  return n;
}

/* ---- events ---- */

static void put(Oracle *o, uint32_t thread, uint32_t op, uint64_t object) {
  const Expected event = {object, thread, op};
  vec_push(o->heap, o->events, event);
}

/* A block is in the log if an event of its thread is in it. */
static void put_in_blocks(Oracle *o, uint32_t thread, uint32_t op, uint64_t object) {
  for (uint32_t i = 0; i < o->blocks[thread].n; i++) {
    Block *block = &o->blocks[thread].at[i];
    if (!block->written) put(o, thread, TRACE_BEGIN, block->label);
    block->written = true;
  }
  put(o, thread, op, object);
}

static void begin_block(Oracle *o, const Deed *d) {
  const Block block = {(uint32_t)d->size, false};
  vec_push(o->heap, &o->blocks[d->thread], block);
}

static void end_block(Oracle *o, uint32_t thread) {
  if (!o->blocks[thread].n) return;
  if (vec_last(&o->blocks[thread]).written) put(o, thread, TRACE_END, 0);
  o->blocks[thread].n--;
}

static void put_access(Oracle *o, const Deed *d) {
  for (uint32_t i = find(o, d->address); i < o->bytes.n && has(d, o->bytes.at[i].address); i++) {
    Byte *byte = &o->bytes.at[i];
    if (!byte->begins || !byte->kept) continue;
    byte->alive = true;
    switch (d->kind) {
    case RAW_UPDATE:
      put_in_blocks(o, d->thread, TRACE_READ, byte->address);
      put_in_blocks(o, d->thread, TRACE_WRITE, byte->address);
      break;
    case RAW_ATOMIC_UPDATE: put_in_blocks(o, d->thread, TRACE_UPDATE, byte->address); break;
    case RAW_READ:
    case RAW_ATOMIC_READ: put_in_blocks(o, d->thread, TRACE_READ, byte->address); break;
    default: put_in_blocks(o, d->thread, TRACE_WRITE, byte->address); break;
    }
  }
}

static void put_free(Oracle *o, const Deed *d) {
  for (uint32_t i = 0; i < o->bytes.n; i++) {
    Byte *byte = &o->bytes.at[i];
    if (!has(d, byte->address) || !byte->begins || !byte->kept || !byte->alive) continue;
    byte->alive = false;
    put_in_blocks(o, d->thread, TRACE_FREE, byte->address);
  }
}

static void put_deed(Oracle *o, const Deed *d) {
  switch (d->kind) {
  case RAW_FREE: put_free(o, d); break;
  case RAW_ACQUIRE: put_in_blocks(o, d->thread, TRACE_ACQUIRE, d->address); break;
  case RAW_TRY: put_in_blocks(o, d->thread, TRACE_TRY, d->address); break;
  case RAW_RELEASE: put_in_blocks(o, d->thread, TRACE_RELEASE, d->address); break;
  case RAW_FORK: put_in_blocks(o, d->thread, TRACE_FORK, d->size); break;
  case RAW_JOIN: put_in_blocks(o, d->thread, TRACE_JOIN, d->size); break;
  case RAW_START: put(o, d->thread, TRACE_START, 0); break;
  case RAW_BEGIN: begin_block(o, d); break;
  case RAW_END: end_block(o, d->thread); break;
  case RAW_EXIT:
    while (o->blocks[d->thread].n) end_block(o, d->thread);
    put(o, d->thread, TRACE_EXIT, 0);
    break;
  default: put_access(o, d); break;
  }
}

uint32_t distil_oracle(Heap *heap, DeedVec *deeds, const Area *areas, uint32_t n_areas, bool keep_local,
                       ExpectedVec *events) {
  uint32_t n_threads = 0;
  Oracle o = {.heap = heap, .events = events};
  for (uint32_t i = 0; i < deeds->n; i++)
    if (deeds->at[i].thread >= n_threads) n_threads = deeds->at[i].thread + 1;
  o.blocks = heap_zeroed(heap, (n_threads + 1) * sizeof *o.blocks);
  list_bytes(&o, areas, n_areas);
  qsort(deeds->at, deeds->n, sizeof *deeds->at, compare_deeds);
  for (uint32_t i = 0; i < deeds->n; i++) {
    if (is_access(&deeds->at[i])) cut(&o, &deeds->at[i]), use(&o, &deeds->at[i]);
    if (deeds->at[i].kind == RAW_FREE) forget(&o, &deeds->at[i]);
  }
  const uint32_t n_objects = keep(&o, keep_local);
  for (uint32_t i = 0; i < deeds->n; i++) put_deed(&o, &deeds->at[i]);
  for (uint32_t i = 0; i < n_threads; i++) vec_fini(heap, &o.blocks[i]);
  heap_release(heap, o.blocks);
  vec_fini(heap, &o.bytes);
  return n_objects;
}
