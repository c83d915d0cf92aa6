#include "unfold/queue.h"

void queue_init(Queue *queue, Branch *branch, Marks *marks, bool total) {
  *queue = (Queue){.branch = branch, .marks = marks, .total = total};
  erv_init(&queue->order, branch);
  branch->exts.at[0].marking = MARKS_INITIAL;
  vec_push(branch->heap, &queue->first, 0);
}

void queue_fini(Queue *queue) {
  Heap *heap = queue->branch->heap;
  vec_fini(heap, &queue->buckets);
  vec_fini(heap, &queue->first);
  erv_fini(&queue->order);
}

void queue_push(Queue *queue, uint32_t ext, uint32_t size) {
  Ext *const exts = queue->branch->exts.at;
  const uint32_t marking = exts[ext].marking = marks_save(queue->marks);
  if (marking == queue->first.n) vec_push(queue->branch->heap, &queue->first, NONE);
  if (queue->first.at[marking] != NONE) exts[ext].fate = queue->first.at[marking];
  while (queue->buckets.n <= size) vec_push(queue->branch->heap, &queue->buckets, ((Bucket){NONE, NONE}));
  Bucket *const bucket = &queue->buckets.at[size];
  if (bucket->first == NONE) bucket->first = ext;
  else exts[bucket->last].next = ext;
  bucket->last = ext;
  queue->n_waiting++;
}

/* The first one of its marking is live, or it waits too: then it is of the same size. */
static void decide(Queue *queue, uint32_t ext) {
  Ext *const exts = queue->branch->exts.at;
  uint32_t *const first = &queue->first.at[exts[ext].marking];
  if (*first == NONE) *first = ext;
  else if (exts[*first].fate == EXT_LIVE) exts[ext].fate = *first;
  else if (!queue->total) return;
  else if (erv_before(&queue->order, ext, *first)) exts[*first].fate = ext, *first = ext;
  else exts[ext].fate = *first;
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
