#include "tests/compare.h"

#include "tests/oracle/shrink_sml.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

typedef struct {
  const Comparison *comparison;
  Heap *heap;
  const char *text;
  size_t length;
  Net *nets[2]; /* by encoding; compiled when first needed */
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
      if (diag.items.at[i].level == DIAG_ERROR) why = diag.items.at[i].message;
    fail(task, "sml_compile", why);
  }
  diag_fini(&diag);
  return task->nets[encoding];
}

/* The first net says how many blocks there are. */
static bool check_blocks(Task *task, const Net *net, Answer **answers) {
  const uint32_t n = net->notes ? net->notes->n_blocks : 0;
  if (!task->answers) {
    task->n_blocks = n;
    task->answers = heap_zeroed(task->heap, ((size_t)n + 1) * task->comparison->n_engines * sizeof(Answer));
    *answers = task->answers;
  }
  if (n != task->n_blocks) fail(task, "sml_compile", "the encodings differ in the number of blocks");
  return n == task->n_blocks;
}

static void run_engine(Task *task, uint32_t i) {
  const Engine *engine = task->comparison->engines[i];
  const Net *net = compile(task, engine->encoding);
  Answer *answers = task->answers + (size_t)i * task->n_blocks;
  if (!net || !check_blocks(task, net, &answers)) return;
  for (uint32_t b = 0; b < task->n_blocks; b++) answers[b] = ANSWER_UNKNOWN;
  if (!net->notes || (engine->only_tiny && !task->comparison->tiny)) return;
  Err err;
  const clock_t start = clock();
  if (!engine->run(task->heap, net, answers, &err) && err.kind != ERR_LIMIT) fail(task, engine->name, err.text);
  for (uint32_t b = 0; b < task->n_blocks; b++) task->outcome->undecided[i] += answers[b] == ANSWER_UNKNOWN;
  task->outcome->seconds[i] = (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* Counts what the engines say of block b together, and says so if one calls it atomic and another one violated. */
static void compare_block(Task *task, uint32_t b) {
  Answer all = ANSWER_UNKNOWN;
  uint32_t first = 0;
  for (uint32_t i = 0; i < task->comparison->n_engines; i++) {
    const Answer answer = task->answers[(size_t)i * task->n_blocks + b];
    if (answer == ANSWER_UNKNOWN) continue;
    if (all != ANSWER_UNKNOWN && all != answer) {
      char text[200];
      snprintf(text, sizeof text, "%s says %s, but %s says %s", task->comparison->engines[first]->name,
               answer_name(all), task->comparison->engines[i]->name, answer_name(answer));
      const SrcPos pos = task->nets[task->comparison->engines[i]->encoding]->notes->blocks[b].begin;
      char where[80];
      snprintf(where, sizeof where, "block %u at %u:%u", b + 1, pos.line, pos.column);
      fail(task, where, text);
    }
    if (all == ANSWER_UNKNOWN) all = answer, first = i;
  }
  task->outcome->n[all]++;
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
