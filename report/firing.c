#include "report/firing.h"

#include "base/text.h"
#include "report/net_steps.h"
#include "report/words.h"

/* ---- edges ---- */

/* What the token of a place stands for; NULL: that its thread may go on. */
static const char *token_of(Arena *arena, const Net *net, PlaceId p) {
  if (!net->notes) return text_clean(arena, net->place_name[p.v]);
  const uint32_t object = net->notes->places[p.v].object;
  return object == NOTE_NONE ? NULL : words_object(arena, net->notes, object);
}

/* That a thread takes both steps, with nothing but its own control in between. */
static bool is_order(Story *story, const Net *net, uint32_t from, uint32_t to, PlaceId p) {
  const uint32_t thread = story_step(story, from)->thread;
  const bool control =
      net->notes ? net->notes->places[p.v].role == ROLE_CONTROL : net->n_units && net->unit_of[p.v] != UNIT_NONE;
  return control && thread == story_step(story, to)->thread && !story->threads.at[thread].concurrent;
}

static void take_tokens(Story *story, const Net *net, TransId t, uint32_t step, FindingEdgeKind kind,
                        const uint32_t *producers) {
  const PlaceList pre = net_pre(net, t);
  for (uint32_t i = 0; i < pre.n; i++) {
    const uint32_t producer = producers[pre.at[i].v]; /* + 1 */
    if (producer && !is_order(story, net, producer - 1, step, pre.at[i]))
      story_edge(story, producer - 1, step, kind, token_of(story->arena, net, pre.at[i]), NULL);
  }
}

void firing_edges(Story *story, const Net *net, const TransId *run, uint32_t n, bool ends_chain) {
  uint32_t *producers = arena_zeroed(story->arena, net->n_places, sizeof *producers); /* + 1; 0: from the start */
  for (uint32_t step = 0; step < n; step++) {
    const PlaceList post = net_post(net, run[step]);
    take_tokens(story, net, run[step], step, ends_chain && step + 1 == n ? EDGE_CHAIN : EDGE_OTHER, producers);
    for (uint32_t i = 0; i < post.n; i++) producers[post.at[i].v] = step + 1;
  }
}

/* ---- steps ---- */

static uint32_t unit_in(const Net *net, PlaceList places) {
  for (uint32_t i = 0; i < places.n; i++)
    if (net->unit_of[places.at[i].v] != UNIT_NONE) return net->unit_of[places.at[i].v];
  return UNIT_NONE;
}

/* A thread of the notes, or a unit; UNIT_NONE, which is NOTE_NONE: of none. */
static uint32_t owner_of(const Net *net, TransId t) {
  if (net->notes) return net->notes->transitions[t.v].thread;
  if (!net->n_units) return UNIT_NONE;
  const uint32_t unit = unit_in(net, net_pre(net, t));
  return unit != UNIT_NONE ? unit : unit_in(net, net_post(net, t));
}

static const char *owner_name(Arena *arena, const Net *net, uint32_t owner) {
  if (owner == UNIT_NONE) return "the net";
  return net->notes ? words_thread(arena, net->notes, owner) : text_clean(arena, net->unit_name[owner]);
}

void firing_threads(Story *story, const Net *net) {
  for (uint32_t i = 0; i < story->threads.n; i++) {
    if (story->numbers.at[i] == UNIT_NONE) story->threads.at[i].concurrent = true;
    else if (net->notes) story->threads.at[i].about = net_steps_thread(story->arena, net->notes, story->numbers.at[i]);
  }
}

static void add_steps(Story *story, const Net *net, const TransId *run, uint32_t n, const Values *values) {
  Intern events;
  intern_init(&events, story->arena->heap);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t owner = owner_of(net, run[i]);
    FindingStep step = {.thread = story_thread(story, owner, owner_name(story->arena, net, owner)),
                        .text = text_clean(story->arena, net->trans_name[run[i].v]),
                        .number = (uint64_t)i + 1};
    if (values) net_steps_fill(story->arena, net, run[i], values, i, &events, &step);
    if (!step.place.file) step.place.other = arena_format(story->arena, "transition #%u", run[i].v + 1);
    story_add(story, &step, (StoryTime){.part = i});
  }
  intern_fini(&events);
}

/* What each thread comes to matters. */
static void mark_last_steps(Story *story) {
  uint32_t *met = arena_zeroed(story->arena, story->threads.n, sizeof *met);
  for (uint32_t i = story->steps.n; i-- > 0;) {
    FindingStep *step = story_step(story, i);
    step->matters = !met[step->thread]++;
  }
}

void firing_variables(Story *story, const Net *net, const Values *values, Finding *finding) {
  FindingVariable *variables = arena_zeroed(story->arena, values->n, sizeof *variables);
  for (uint32_t i = 0; i < values->n; i++) {
    const uint32_t owner = values->threads[i];
    variables[i] = values->variables[i];
    if (owner != NOTE_NONE) variables[i].thread = story_thread(story, owner, owner_name(story->arena, net, owner));
  }
  finding->variables = variables;
  finding->n_variables = values->n;
}

void firing_tell(Arena *arena, const Net *net, const TransId *run, uint32_t n, Finding *finding) {
  Story story;
  story_init(&story, arena);
  const Values values = net->notes ? values_of_run(arena, net, run, n) : (Values){0};
  add_steps(&story, net, run, n, net->notes ? &values : NULL);
  if (net->notes) firing_variables(&story, net, &values, finding);
  mark_last_steps(&story);
  firing_threads(&story, net);
  firing_edges(&story, net, run, n, false);
  story_tell(&story, finding);
  story_fini(&story);
}
