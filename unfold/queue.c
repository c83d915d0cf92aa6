#include "unfold/queue.h"

static void use_slot(Queue *queue, uint64_t hash, uint32_t ext) {
  const uint32_t mask = queue->n_slots - 1;
  uint32_t i = (uint32_t)hash & mask;
  while (queue->slots[i].ext != NONE) i = (i + 1) & mask;
  queue->slots[i] = (MarkingSlot){hash, ext};
}

static void make_slots(Queue *queue, uint32_t n_slots) {
  Heap *heap = queue->branch->heap;
  MarkingSlot *const old = queue->slots;
  const uint32_t n_old = queue->n_slots;
  queue->slots = heap_alloc(heap, heap_product(heap, n_slots, sizeof *old));
  queue->n_slots = n_slots;
  for (uint32_t i = 0; i < n_slots; i++) queue->slots[i].ext = NONE;
  for (uint32_t i = 0; i < n_old; i++)
    if (old[i].ext != NONE) use_slot(queue, old[i].hash, old[i].ext);
  heap_release(heap, old);
}

static void add_slot(Queue *queue, uint64_t hash, uint32_t ext) {
  if (2 * (queue->n_used + 1) > queue->n_slots) {
    if (queue->n_slots >= BRANCH_MAX) heap_give_up(queue->branch->heap);
    make_slots(queue, 2 * queue->n_slots);
  }
  queue->n_used++;
  use_slot(queue, hash, ext);
}

void queue_init(Queue *queue, Branch *branch, Marks *marks, bool total) {
  *queue = (Queue){.branch = branch, .marks = marks, .total = total};
  make_slots(queue, 1024);
  order_init(&queue->order, branch);
  branch->exts.at[0].hash = marks->effects->initial_hash;
  branch->exts.at[0].marking = marks_save(marks);
  add_slot(queue, branch->exts.at[0].hash, 0);
}

void queue_fini(Queue *queue) {
  Heap *heap = queue->branch->heap;
  vec_fini(heap, &queue->buckets);
  heap_release(heap, queue->slots);
  order_fini(&queue->order);
}

static uint32_t find_current(const Queue *queue, uint64_t hash) {
  const uint32_t mask = queue->n_slots - 1;
  for (uint32_t i = (uint32_t)hash & mask; queue->slots[i].ext != NONE; i = (i + 1) & mask) {
    const MarkingSlot *slot = &queue->slots[i];
    if (slot->hash == hash && marks_is(queue->marks, queue->branch->exts.at[slot->ext].marking)) return slot->ext;
  }
  return NONE;
}

void queue_push(Queue *queue, uint32_t ext, uint32_t size) {
  Ext *const exts = queue->branch->exts.at;
  const uint32_t smaller = find_current(queue, exts[ext].hash);
  if (smaller != NONE) exts[ext].fate = smaller;
  else exts[ext].marking = marks_save(queue->marks);
  while (queue->buckets.n <= size) vec_push(queue->branch->heap, &queue->buckets, ((Bucket){NONE, NONE}));
  Bucket *const bucket = &queue->buckets.at[size];
  if (bucket->first == NONE) bucket->first = ext;
  else exts[bucket->last].next = ext;
  bucket->last = ext;
  queue->n_waiting++;
}

static MarkingSlot *find_saved(const Queue *queue, const Ext *ext) {
  const uint32_t mask = queue->n_slots - 1;
  for (uint32_t i = (uint32_t)ext->hash & mask; queue->slots[i].ext != NONE; i = (i + 1) & mask) {
    MarkingSlot *slot = &queue->slots[i];
    if (slot->hash == ext->hash && marks_equal(queue->marks, queue->branch->exts.at[slot->ext].marking, ext->marking))
      return slot;
  }
  return NULL;
}

/* The one in a slot is live, or it waits too: then it is of the same size. Where it is the greater one it leaves the slot. */
static void decide(Queue *queue, uint32_t ext) {
  Ext *const exts = queue->branch->exts.at;
  MarkingSlot *slot = find_saved(queue, &exts[ext]);
  if (!slot) add_slot(queue, exts[ext].hash, ext);
  else if (exts[slot->ext].fate == EXT_LIVE) exts[ext].fate = slot->ext;
  else if (!queue->total) return;
  else if (order_before(&queue->order, ext, slot->ext)) {
    exts[slot->ext].fate = ext;
    slot->ext = ext;
  } else {
    exts[ext].fate = slot->ext;
  }
}

uint32_t queue_take(Queue *queue) {
  while (queue->size < queue->buckets.n && queue->buckets.at[queue->size].first == NONE) queue->size++;
  if (queue->size == queue->buckets.n) return NONE;
  Bucket *const bucket = &queue->buckets.at[queue->size];
  const uint32_t first = bucket->first;
  *bucket = (Bucket){NONE, NONE};
  for (uint32_t ext = first; ext != NONE; ext = queue->branch->exts.at[ext].next)
    if (queue->branch->exts.at[ext].fate == EXT_WAITING) decide(queue, ext);
  return first;
}
