#include "tests/compare.h"

#include "tests/oracle/reach.h"
#include "tests/oracle/net_script.h"
#include "tests/oracle/sequential.h"
#include "tests/oracle/shrink_sml.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

typedef struct {
  const Comparison *comparison;
  Heap *heap;
  const char *text;
  size_t length;
  Net *nets[2]; /* by encoding; compiled when first needed. A net of another tool is the first of them */
  uint32_t n_blocks;
  Answer *answers; /* n_blocks per engine */
  Outcome *outcome;
} Task;

static void fail(Task *task, const char *what, const char *why) {
  if (!task->outcome->agreed) return;
  task->outcome->agreed = false;
  snprintf(task->outcome->text, sizeof task->outcome->text, "%s: %s", what, why);
}

/* Silences no warnings and keeps none: only errors count. */
static const Net *compile(Task *task, Encoding encoding) {
  if (task->nets[encoding]) return task->nets[encoding];
  Diag diag;
  diag_init(&diag, task->heap, "random.sml", task->text, task->length);
  const SmlOptions options = {.granularity = task->comparison->granularity, .encoding = encoding};
  task->nets[encoding] = sml_compile(task->heap, &options, &diag);
  if (!task->nets[encoding]) {
    task->outcome->legal = false;
    const char *why = "no net, and no error";
    for (uint32_t i = diag.items.n; i-- > 0;)
      if (diag.items.at[i].level == LEVEL_ERROR) why = diag.items.at[i].message;
    fail(task, "sml_compile", why);
  }
  diag_fini(&diag);
  return task->nets[encoding];
}

/* How many markings of a net of another tool are looked at to see that it is 1-safe; the random ones have far fewer. */
enum { MAX_MARKINGS = 20000 };

static bool is_safe(Heap *heap, const Net *net) {
  Reach *reach = reach_explore(heap, net, MAX_MARKINGS);
  const bool safe = reach->unsafe_from == REACH_NONE;
  reach_free(reach);
  return safe;
}

static const Net *read_net(Task *task) {
  if (task->nets[0]) return task->nets[0];
  Err err;
  task->nets[0] = net_script(task->heap, task->text, task->length, &err);
  if (!task->nets[0]) {
    task->outcome->legal = false;
    fail(task, "net_script", err.text);
  } else if (!units_are_sequential(task->nets[0])) {
    task->outcome->kind = NET_REFUSED;
  } else if (!is_safe(task->heap, task->nets[0])) {
    task->outcome->kind = NET_UNSAFE;
  }
  return task->nets[0];
}

/* The net that the engine is given, or NULL if there is none for it. */
static const Net *net_for(Task *task, const Engine *engine) {
  const Comparison *comparison = task->comparison;
  if (engine->only_tiny && !comparison->tiny) return NULL;
  if (comparison->input == INPUT_SML) return engine->takes & OF_PROGRAMS ? compile(task, engine->encoding) : NULL;
  if (!(engine->takes & OF_NETS)) return NULL;
  const Net *net = read_net(task);
  return task->outcome->kind == NET_GOOD || engine->takes & REFUSES ? net : NULL;
}

/* The first net says how many blocks there are; of none of them anything is known. */
static bool check_blocks(Task *task, const Net *net) {
  const uint32_t n = net->notes ? net->notes->n_blocks : 0;
  if (!task->answers) {
    const size_t n_answers = (size_t)n * task->comparison->n_engines;
    task->n_blocks = n;
    task->answers = heap_alloc(task->heap, (n_answers + 1) * sizeof(Answer));
    for (size_t i = 0; i < n_answers; i++) task->answers[i] = ANSWER_UNKNOWN;
  }
  if (n != task->n_blocks) fail(task, "sml_compile", "the encodings differ in the number of blocks");
  return n == task->n_blocks;
}

static bool any_atomic(const Task *task, const Answer *answers) {
  for (uint32_t b = 0; b < task->n_blocks; b++)
    if (answers[b] == ANSWER_ATOMIC) return true;
  return false;
}

/* Are the answers, or is the lack of them, what the kind of the net allows? */
static void check_answers(Task *task, const Engine *engine, const Answer *answers, bool answered, const Err *err) {
  switch (task->outcome->kind) {
  case NET_GOOD:
    if (!answered && err->kind != ERR_LIMIT) fail(task, engine->name, err->text);
    break;
  case NET_REFUSED:
    if (answered || err->kind != ERR_INPUT)
      fail(task, engine->name, answered ? "takes units that are not sequential" : err->text);
    break;
  case NET_UNSAFE:
    if (answered && any_atomic(task, answers))
      fail(task, engine->name, "calls a block of a net atomic that is not 1-safe");
    if (!answered && err->kind == ERR_CHECK) fail(task, engine->name, err->text);
    break;
  }
}

static void run_engine(Task *task, uint32_t i) {
  const Engine *engine = task->comparison->engines[i];
  const Net *net = net_for(task, engine);
  if (!net || !check_blocks(task, net) || !net->notes) return;
  Answer *answers = task->answers + (size_t)i * task->n_blocks;
  Err err;
  const clock_t start = clock();
  const bool answered = engine->run(task->heap, net, answers, &err);
  check_answers(task, engine, answers, answered, &err);
  for (uint32_t b = 0; b < task->n_blocks; b++) {
    task->outcome->undecided[i] += answers[b] == ANSWER_UNKNOWN;
    if (task->outcome->kind != NET_GOOD) answers[b] = ANSWER_UNKNOWN; /* whatever it is: there is nothing to compare */
  }
  task->outcome->seconds[i] = (double)(clock() - start) / CLOCKS_PER_SEC;
}

static void name_block(const Task *task, const Engine *engine, uint32_t b, char *name, size_t room) {
  if (task->comparison->input == INPUT_NET) {
    snprintf(name, room, "block %u, '%.40s'", b + 1, task->nets[0]->notes->blocks[b].name);
  } else {
    const SrcPos pos = task->nets[engine->encoding]->notes->blocks[b].begin;
    snprintf(name, room, "block %u at %u:%u", b + 1, pos.line, pos.column);
  }
}

/* Counts what the engines say of block b together, and says so if one calls it atomic and another one violated. */
static void compare_block(Task *task, uint32_t b) {
  Answer all = ANSWER_UNKNOWN;
  uint32_t first = 0;
  for (uint32_t i = 0; i < task->comparison->n_engines; i++) {
    const Engine *engine = task->comparison->engines[i];
    const Answer answer = task->answers[(size_t)i * task->n_blocks + b];
    if (answer == ANSWER_UNKNOWN) continue;
    if (all != ANSWER_UNKNOWN && all != answer) {
      char text[200], name[80];
      snprintf(text, sizeof text, "%s says %s, but %s says %s", task->comparison->engines[first]->name,
               answer_name(all), engine->name, answer_name(answer));
      name_block(task, engine, b, name, sizeof name);
      fail(task, name, text);
    }
    if (all == ANSWER_UNKNOWN) all = answer, first = i;
  }
  if (task->outcome->kind == NET_GOOD) task->outcome->n[all]++;
}

static void run_task(void *argument) {
  Task *task = argument;
  for (uint32_t i = 0; i < task->comparison->n_engines && task->outcome->agreed; i++) run_engine(task, i);
  for (uint32_t b = 0; task->outcome->legal && b < task->n_blocks; b++) compare_block(task, b);
}

Outcome compare_engines(const Comparison *comparison, const char *text, size_t length) {
  Outcome outcome = {.agreed = true, .legal = true};
  Task task = {.comparison = comparison, .heap = heap_new(0), .text = text, .length = length, .outcome = &outcome};
  if (!task.heap || !heap_try(task.heap, run_task, &task)) fail(&task, "memory", "used up");
  heap_free(task.heap);
  return outcome;
}

static bool still_disagree(void *argument, const char *text, size_t length) {
  const Outcome outcome = compare_engines(argument, text, length);
  return outcome.legal && !outcome.agreed;
}

void compare_shrink(const Comparison *comparison, Heap *heap, CharVec *text) {
  Comparison copy = *comparison;
  shrink_sml(heap, text, still_disagree, &copy);
}
