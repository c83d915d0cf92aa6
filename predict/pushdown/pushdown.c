#include "predict/pushdown/pushdown.h"

#include "predict/combine.h"
#include "predict/pushdown/relations.h"
#include "program/labels.h"
#include "serial/monitor.h"

#include <assert.h>
#include <string.h>

/* Which thread a player is. */
typedef struct {
  uint32_t written, thread;
} Copy;

typedef struct {
  Heap *heap;
  PredictOptions limits;
  const Program *program;
  Control control;
  Relations relations;
  bool *objects;              /* per object: threads can conflict about it */
  ThreadProfiles *profiles;   /* per written thread */
  CombinePlayer *written;     /* likewise */
  VEC(CombinePlayer) players; /* copies have the same relations */
  VEC(Copy) copies;           /* likewise */
  Word *words;                /* per visit */
  const char **files;         /* per file of the program: its name, in the prediction's arena */
  PushdownPrediction *out;
} Predictor;

/* ---- which objects count ---- */

typedef struct {
  uint64_t users; /* threads */
  bool written;
  uint32_t last; /* 1 + the written thread that was counted last */
} Usage;

static void count_access(const Predictor *p, uint32_t thread, const ControlNode *node, Usage *usage) {
  if (node->kind != CONTROL_ACCESS) return;
  Usage *u = &usage[node->object];
  u->written |= node->write;
  if (u->last == thread + 1) return;
  u->users += p->program->threads.at[thread].count;
  u->last = thread + 1;
}

/* Used by two threads or more, and written. */
static void find_objects(Predictor *p) {
  Usage *usage = heap_zeroed(p->heap, p->program->objects.n * sizeof *usage);
  for (uint32_t t = 0; t < p->program->threads.n; t++) {
    if (!p->program->threads.at[t].count) continue;
    relations_reach(&p->relations, p->control.threads.at[t]);
    for (uint32_t i = 0; i < p->relations.nodes.n; i++)
      count_access(p, t, &p->control.nodes.at[p->relations.nodes.at[i]], usage);
  }
  for (uint32_t i = 0; i < p->program->objects.n; i++) p->objects[i] = usage[i].users > 1 && usage[i].written;
  heap_release(p->heap, usage);
}

/* ---- the players ---- */

/* As many copies as a shortest cycle can go through: one that is split, and one for each access by which one can be
 * entered. Were two others entered by the same one, what is between could be left out, for what conflicts with the
 * one conflicts with the other. */
static void add_copies(Predictor *p, uint32_t written) {
  assert(p->players.n == p->copies.n);
  const uint64_t count = p->program->threads.at[written].count;
  for (uint32_t i = 0; i < count && i <= p->profiles[written].n; i++) {
    const Copy copy = {written, p->out->n_threads + i};
    vec_push(p->heap, &p->copies, copy);
    vec_push(p->heap, &p->players, p->written[written]);
    vec_last(&p->players).name = copy.thread;
  }
  p->out->n_threads += (uint32_t)count;
}

static void make_players(Predictor *p) {
  for (uint32_t t = 0; t < p->program->threads.n; t++) {
    p->profiles[t] = relations_find(&p->relations, p->control.threads.at[t], p->objects, p->program->objects.n);
    p->written[t] = combine_player(p->heap, &p->profiles[t]);
    add_copies(p, t);
  }
}

static void release_players(Predictor *p) {
  for (uint32_t t = 0; t < p->program->threads.n; t++) {
    combine_player_release(p->heap, &p->written[t]);
    relations_release(p->heap, &p->profiles[t]);
  }
  vec_fini(p->heap, &p->players);
  vec_fini(p->heap, &p->copies);
}

/* ---- words ---- */

static WordAccess access_of(const ThreadProfiles *profiles, uint32_t access) {
  return (WordAccess){profiles->accesses[access].object, profiles->accesses[access].write};
}

/* A word with the accesses `in` and `out` of a visit, as Word.first and .second; `out` first if it is split. */
static bool find_word(const Predictor *p, const CombineVisit *visit, bool split, Word *word) {
  const uint32_t thread = p->copies.at[visit->player].written, proc = p->control.threads.at[thread];
  const WordAccess in = access_of(&p->profiles[thread], visit->in), out = access_of(&p->profiles[thread], visit->out);
  if (split) return word_find(p->heap, &p->control, proc, (WordGoal){WORD_SPLIT, out, in}, PUSHDOWN_MAX_STEPS, word);
  const bool found = word_find(p->heap, &p->control, proc, (WordGoal){WORD_ORDER, in, out}, PUSHDOWN_MAX_STEPS, word);
  const uint32_t max = found ? word->steps.n - 1 : PUSHDOWN_MAX_STEPS;
  Word other = {0};
  if (!word_find(p->heap, &p->control, proc, (WordGoal){WORD_TOGETHER, out, in}, max, &other)) return found;
  word_fini(p->heap, word);
  *word = other;
  word->first = other.second;
  word->second = other.first;
  return true;
}

/* ---- the schedule ---- */

static void add_access(Predictor *p, const ControlNode *node) {
  const ProgramPlace place = p->program->items.at[node->item].place;
  const PushdownAccess access = {.object = node->object,
                                 .write = node->write,
                                 .file = p->files[place.file],
                                 .line = place.line,
                                 .column = place.column};
  vec_push(p->heap, &p->out->accesses, access);
}

static const char *keep(const Predictor *p, const char *name) { return arena_copy(&p->out->arena, name, strlen(name)); }

static ProgramPlace place_of(const Predictor *p, const ControlNode *node) {
  return node->item == CONTROL_NONE ? p->program->ops.at[node->op].place : p->program->items.at[node->item].place;
}

static const char *text_of(Predictor *p, const ControlNode *node) {
  const ProgramOp *op = &p->program->ops.at[node->op];
  if (node->item != CONTROL_NONE) return labels_read(&p->program->items.at[node->item], &p->out->arena);
  return keep(p, node->negated ? op->otherwise_text : op->text);
}

/* The access that is added next, in the step that is added next, is one of the two. */
static void note_visit(const PushdownPrediction *out, PushdownVisit *visit, bool in, bool leaves) {
  if (in) {
    visit->in = out->accesses.n;
    visit->in_step = out->steps.n;
  }
  if (leaves) {
    visit->out = out->accesses.n;
    visit->out_step = out->steps.n;
  }
}

/* The step number i of the visit's word. */
static void add_step(Predictor *p, uint32_t visit, uint32_t i) {
  const Word *word = &p->words[visit];
  assert(i < word->steps.n);
  const WordStep *from = &word->steps.at[i];
  const ControlNode *node = &p->control.nodes.at[from->node];
  PushdownVisit *v = &p->out->visits.at[visit];
  const ProgramPlace place = place_of(p, node);
  const PushdownStep step = {.thread = v->thread,
                             .op = from->op,
                             .file = p->files[place.file],
                             .line = place.line,
                             .column = place.column,
                             .text = text_of(p, node),
                             .accesses = p->out->accesses.n,
                             .n_accesses = from->n_accesses};
  for (uint32_t k = from->accesses; k < from->accesses + from->n_accesses; k++) {
    note_visit(p->out, v, k == (visit ? word->first : word->second), k == (visit ? word->second : word->first));
    add_access(p, &p->control.nodes.at[word->accesses.at[k]]);
  }
  vec_push(p->heap, &p->out->steps, step);
}

/* Visit 0 up to its first access; the other threads; the rest of visit 0. */
static void make_schedule(Predictor *p, uint32_t n) {
  const Word *word = &p->words[0];
  assert(n >= 2 && word->first < word->accesses.n && word->second < word->accesses.n);
  uint32_t at = 0;
  while (word->steps.at[at].accesses + word->steps.at[at].n_accesses <= word->first) add_step(p, 0, at++);
  add_step(p, 0, at++);
  for (uint32_t visit = 1; visit < n; visit++)
    for (uint32_t i = 0; i < p->words[visit].steps.n; i++) add_step(p, visit, i);
  while (at < word->steps.n) add_step(p, 0, at++);
}

static void fail_long(Predictor *p) {
  p->out->verdict = VERDICT_UNKNOWN;
  p->out->why = arena_format(&p->out->arena, "there is a cycle, but a thread takes more than %d steps to do its part",
                             PUSHDOWN_MAX_STEPS);
}

static void write_down(Predictor *p, const CombineCycle *cycle) {
  assert(cycle->n >= 2 && p->out->visits.n == 0);
  bool good = true;
  p->words = heap_zeroed(p->heap, cycle->n * sizeof *p->words);
  for (uint32_t i = 0; i < cycle->n && good; i++) {
    vec_push(p->heap, &p->out->visits, ((PushdownVisit){.thread = p->copies.at[cycle->visits[i].player].thread}));
    good = find_word(p, &cycle->visits[i], i == 0, &p->words[i]);
  }
  if (good) make_schedule(p, cycle->n);
  else vec_clear(&p->out->visits), fail_long(p);
  for (uint32_t i = 0; i < cycle->n; i++) word_fini(p->heap, &p->words[i]);
  heap_release(p->heap, p->words);
}

/* ---- the test of the run ---- */

typedef struct {
  Heap *heap;
  const PushdownPrediction *prediction;
  PushdownRun *run;
  uint32_t step;
} Telling;

static void add_event(Telling *t, TraceOp op, uint32_t object, uint32_t line, uint32_t access) {
  const PushdownStep *step = &t->prediction->steps.at[t->step];
  vec_push(t->heap, &t->run->events, ((TraceEvent){step->thread, object, line, (uint8_t)op}));
  vec_push(t->heap, &t->run->steps, t->step);
  vec_push(t->heap, &t->run->accesses, access);
}

static void add_events(Telling *t) {
  const PushdownStep *step = &t->prediction->steps.at[t->step];
  const bool several = step->n_accesses > 1;
  if (step->op == WORD_BEGIN || several) add_event(t, TRACE_BEGIN, TRACE_NONE, step->line, TRACE_NONE);
  for (uint32_t i = step->accesses; i < step->accesses + step->n_accesses; i++) {
    const PushdownAccess *access = &t->prediction->accesses.at[i];
    add_event(t, access->write ? TRACE_WRITE : TRACE_READ, access->object, access->line, i);
  }
  if (step->op == WORD_END || several) add_event(t, TRACE_END, TRACE_NONE, step->line, TRACE_NONE);
}

void pushdown_run_init(PushdownRun *run, Heap *heap, const PushdownPrediction *prediction) {
  *run = (PushdownRun){0};
  Telling telling = {heap, prediction, run, 0};
  for (; telling.step < prediction->steps.n; telling.step++) add_events(&telling);
}

void pushdown_run_fini(PushdownRun *run, Heap *heap) {
  vec_fini(heap, &run->events);
  vec_fini(heap, &run->steps);
  vec_fini(heap, &run->accesses);
}

static bool is_violated(Heap *heap, const PushdownPrediction *prediction, Err *err) {
  PushdownRun run;
  Monitor *monitor = monitor_new(heap, &(MonitorOptions){.engine = MONITOR_CG});
  pushdown_run_init(&run, heap, prediction);
  bool violated = monitor_feed(monitor, run.events.at, run.events.n);
  if (monitor_finish(monitor)) violated = true;
  monitor_free(monitor);
  pushdown_run_fini(&run, heap);
  return violated || err_set(err, ERR_CHECK, "the run that was predicted is serializable");
}

/* ---- all of it ---- */

static bool predict_control(Predictor *p, Err *err) {
  uint32_t n;
  find_objects(p);
  make_players(p);
  Combine *combine = combine_new(p->heap, p->players.at, p->players.n, NULL, &p->limits);
  p->out->verdict = combine_run(combine);
  const CombineCycle *cycles = combine_cycles(combine, &n);
  if (p->out->verdict == VERDICT_VIOLATED) write_down(p, cycles);
  else if (p->out->verdict == VERDICT_UNKNOWN) p->out->why = "the budget was used up before a cycle was found";
  combine_free(combine);
  release_players(p);
  return p->out->verdict != VERDICT_VIOLATED || is_violated(p->heap, p->out, err);
}

static void take_names(Predictor *p) {
  const Program *program = p->program;
  PushdownPrediction *out = p->out;
  out->n_objects = program->objects.n;
  out->objects = arena_zeroed(&out->arena, out->n_objects, sizeof *out->objects);
  p->files = arena_zeroed(&out->arena, program->files.n, sizeof *p->files);
  for (uint32_t i = 0; i < out->n_objects; i++) out->objects[i] = keep(p, program->objects.at[i].name);
  for (uint32_t i = 0; i < program->files.n; i++) p->files[i] = keep(p, program->files.at[i]);
}

static bool predict(Predictor *p, Err *err) {
  const uint32_t n = p->program->threads.n;
  p->objects = heap_zeroed(p->heap, p->program->objects.n);
  p->profiles = heap_zeroed(p->heap, heap_product(p->heap, n, sizeof *p->profiles));
  p->written = heap_zeroed(p->heap, heap_product(p->heap, n, sizeof *p->written));
  relations_init(&p->relations, p->heap, &p->control);
  take_names(p);
  const bool good = predict_control(p, err);
  relations_fini(&p->relations);
  heap_release(p->heap, p->objects);
  heap_release(p->heap, p->profiles);
  heap_release(p->heap, p->written);
  return good;
}

bool pushdown_predict(Heap *heap, const Program *program, Granularity granularity, const PredictOptions *limits,
                      PushdownPrediction *prediction, Err *err) {
  PushdownPrediction out = {0};
  Predictor predictor = {.heap = heap, .program = program, .limits = *limits, .out = &out}, *p = &predictor;
  predictor.limits.all = false;
  arena_init(&out.arena, heap);
  control_init(&p->control, heap);
  control_build(&p->control, program, granularity);
  const bool good = predict(p, err);
  control_fini(&p->control);
  if (good) *prediction = out;
  else pushdown_prediction_fini(heap, &out);
  return good;
}

void pushdown_prediction_fini(Heap *heap, PushdownPrediction *prediction) {
  arena_fini(&prediction->arena);
  vec_fini(heap, &prediction->visits);
  vec_fini(heap, &prediction->steps);
  vec_fini(heap, &prediction->accesses);
}
