/* story.h: the example of a finding, as it is put together: threads, and the events that matter, in any order, and what
 * depends on what. */
#ifndef REPORT_STORY_H
#define REPORT_STORY_H

#include "report/finding.h"

/* Where an event comes in the example: first by part, then by number, then by order. */
typedef struct {
  uint64_t part, number, order;
} StoryTime;

/* A step, and when it happens. */
typedef struct {
  FindingStep step; /* its `thread` is a number of the finding's threads */
  StoryTime time;
  uint32_t added; /* how many were added before */
} StoryStep;

/* An example while it is put together. */
typedef struct {
  Arena *arena;
  VEC(FindingThread) threads;
  U32Vec numbers; /* per thread: how the result calls it */
  VEC(StoryStep) steps;
  VEC(FindingEdge) edges; /* between numbers of adding */
} Story;

/* Nothing has happened yet. What a finding gets of it is the arena's; fini frees the rest. */
void story_init(Story *story, Arena *arena);
void story_fini(Story *story);

/* The finding's number for the result's thread; the first one to be met stands in the first column. `name` is kept, and
 * used if it is new. */
uint32_t story_thread(Story *story, uint32_t number, const char *name);

/* Adds a step; its number is for story_edge. The pointer to it lives until the next one is added. */
uint32_t story_add(Story *story, const FindingStep *step, StoryTime time);
FindingStep *story_step(Story *story, uint32_t number);

/* Does the one come before the other in the example? */
bool story_before(const Story *story, uint32_t a, uint32_t b);

/* `to` depends on `from`, which must come before it: else, and for a step with itself, nothing is added. Between two
 * steps the first edge counts. */
void story_edge(Story *story, uint32_t from, uint32_t to, FindingEdgeKind kind, const char *object, const char *label);

/* The finding has one frame, of that name. */
void story_frame(Arena *arena, const char *name, Finding *finding);

/* Sets the finding's threads, steps, in their order, and edges, with those of each thread's own order. */
void story_tell(Story *story, Finding *finding);

/* The message with a capital. */
const char *story_title(Arena *arena, const char *message);

/* "T1 reads x; T2 writes x in between; T1 writes x afterwards": the words of the steps. Of a long story the middle is
 * left out. */
const char *story_why(Arena *arena, const Finding *finding);

#endif
