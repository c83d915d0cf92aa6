#include "report/story.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void story_init(Story *story, Arena *arena) { *story = (Story){.arena = arena}; }

void story_fini(Story *story) {
  Heap *heap = story->arena->heap;
  vec_fini(heap, &story->threads);
  vec_fini(heap, &story->numbers);
  vec_fini(heap, &story->steps);
  vec_fini(heap, &story->edges);
}

uint32_t story_thread(Story *story, uint32_t number, const char *name) {
  uint32_t i = 0;
  while (i < story->numbers.n && story->numbers.at[i] != number) i++;
  if (i < story->numbers.n) return i;
  vec_push(story->arena->heap, &story->numbers, number);
  vec_push(story->arena->heap, &story->threads, (FindingThread){.name = name});
  return i;
}

uint32_t story_add(Story *story, const FindingStep *step, StoryTime time) {
  assert(step->thread < story->threads.n && step->text);
  const uint32_t added = story->steps.n;
  vec_push(story->arena->heap, &story->steps, ((StoryStep){*step, time, added}));
  return added;
}

FindingStep *story_step(Story *story, uint32_t number) { return &story->steps.at[number].step; }

static int compare_times(const StoryStep *a, const StoryStep *b) {
  if (a->time.part != b->time.part) return a->time.part < b->time.part ? -1 : 1;
  if (a->time.number != b->time.number) return a->time.number < b->time.number ? -1 : 1;
  if (a->time.order != b->time.order) return a->time.order < b->time.order ? -1 : 1;
  return (a->added > b->added) - (a->added < b->added);
}

bool story_before(const Story *story, uint32_t a, uint32_t b) {
  return compare_times(&story->steps.at[a], &story->steps.at[b]) < 0;
}

void story_edge(Story *story, uint32_t from, uint32_t to, FindingEdgeKind kind, const char *object, const char *label) {
  assert(from < story->steps.n && to < story->steps.n);
  if (!story_before(story, from, to)) return;
  vec_push(story->arena->heap, &story->edges,
           ((FindingEdge){.from = from, .to = to, .kind = kind, .object = object, .label = label}));
}

/* ---- putting it in order ---- */

static int compare_steps(const void *a, const void *b) { return compare_times(a, b); }

static int compare_edges(const void *a, const void *b) {
  const FindingEdge *x = a, *y = b;
  if (x->to != y->to) return x->to < y->to ? -1 : 1;
  if (x->from != y->from) return x->from < y->from ? -1 : 1;
  return (x->kind == EDGE_ORDER) - (y->kind == EDGE_ORDER);
}

/* From numbers of adding to places in the order. */
static void renumber(Story *story) {
  uint32_t *place = arena_zeroed(story->arena, story->steps.n, sizeof *place);
  for (uint32_t i = 0; i < story->steps.n; i++) place[story->steps.at[i].added] = i;
  for (uint32_t i = 0; i < story->edges.n; i++) {
    story->edges.at[i].from = place[story->edges.at[i].from];
    story->edges.at[i].to = place[story->edges.at[i].to];
  }
}

static void add_thread_orders(Story *story) {
  /* per thread: its last step so far + 1 */
  uint32_t *last = arena_zeroed(story->arena, story->threads.n, sizeof *last);
  for (uint32_t i = 0; i < story->steps.n; i++) {
    const uint32_t thread = story->steps.at[i].step.thread;
    uint32_t *before = &last[thread];
    if (*before && !story->threads.at[thread].concurrent)
      vec_push(story->arena->heap, &story->edges, ((FindingEdge){.from = *before - 1, .to = i, .kind = EDGE_ORDER}));
    *before = i + 1;
  }
}

static uint32_t sort_edges(Story *story, FindingEdge *to) {
  uint32_t n = 0;
  if (story->edges.n) qsort(story->edges.at, story->edges.n, sizeof *story->edges.at, compare_edges);
  for (uint32_t i = 0; i < story->edges.n; i++) {
    const FindingEdge *edge = &story->edges.at[i];
    if (n == 0 || to[n - 1].from != edge->from || to[n - 1].to != edge->to) to[n++] = *edge;
  }
  return n;
}

void story_tell(Story *story, Finding *finding) {
  Arena *arena = story->arena;
  if (story->steps.n) qsort(story->steps.at, story->steps.n, sizeof *story->steps.at, compare_steps);
  renumber(story);
  add_thread_orders(story);
  FindingThread *threads = arena_zeroed(arena, story->threads.n, sizeof *threads);
  FindingStep *steps = arena_zeroed(arena, story->steps.n, sizeof *steps);
  FindingEdge *edges = arena_zeroed(arena, story->edges.n, sizeof *edges);
  for (uint32_t i = 0; i < story->threads.n; i++) threads[i] = story->threads.at[i];
  for (uint32_t i = 0; i < story->steps.n; i++) steps[i] = story->steps.at[i].step;
  finding->threads = threads;
  finding->n_threads = story->threads.n;
  finding->steps = steps;
  finding->n_steps = story->steps.n;
  finding->edges = edges;
  finding->n_edges = sort_edges(story, edges);
}

void story_frame(Arena *arena, const char *name, Finding *finding) {
  const char **frames = arena_zeroed(arena, 1, sizeof *frames);
  frames[0] = name;
  finding->frames = frames;
  finding->n_frames = 1;
}

const char *story_title(Arena *arena, const char *message) {
  char *title = arena_copy(arena, message, strlen(message));
  if (title[0] >= 'a' && title[0] <= 'z') title[0] = (char)(title[0] - 'a' + 'A');
  return title;
}

const char *story_why(Arena *arena, const Finding *finding) {
  enum { FIRST = 4, LAST = 2 };
  uint32_t told = 0, n = 0;
  const char *sentence = NULL;
  for (uint32_t i = 0; i < finding->n_steps; i++) n += finding->steps[i].words != NULL;
  for (uint32_t i = 0; i < finding->n_steps; i++) {
    const FindingStep *step = &finding->steps[i];
    if (!step->words) continue;
    told++;
    const bool gap = n > FIRST + LAST + 1 && told > FIRST && told <= n - LAST;
    if (gap && told == FIRST + 1) sentence = arena_format(arena, "%s; …", sentence);
    if (gap) continue;
    sentence = arena_format(arena, "%s%s%s %s", sentence ? sentence : "", sentence ? "; " : "",
                            finding->threads[step->thread].name, step->words);
  }
  return sentence ? arena_format(arena, "%s.", sentence) : NULL;
}
