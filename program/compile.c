#include "program/compile.h"

#include "program/doubt.h"
#include "program/explore.h"
#include "program/held.h"
#include "program/lower.h"
#include "program/reduce.h"

#include <string.h>

typedef struct {
  Heap *heap;
  const Program *program;
  const CompileOptions *options;
  NoticeVec *notices;
  Share *share;      /* per object */
  uint64_t *writers; /* per object: how many threads write it */
  Flow *flows;       /* per written thread */
  ThreadCode *codes; /* likewise */
  Exploration exploration;
} Compiler;

static void *array(Compiler *c, uint32_t n, size_t size) {
  return heap_zeroed(c->heap, heap_product(c->heap, n, size));
}

static void compiler_init(Compiler *c) {
  const uint32_t n = c->program->threads.n;
  c->flows = array(c, n, sizeof *c->flows);
  c->codes = array(c, n, sizeof *c->codes);
  c->share = array(c, c->program->objects.n, sizeof *c->share);
  c->writers = array(c, c->program->objects.n, sizeof *c->writers);
  for (uint32_t i = 0; i < n; i++) {
    flow_init(&c->flows[i], c->heap);
    c->codes[i].flow = &c->flows[i];
    automaton_init(&c->codes[i].automaton, c->heap);
  }
  explore_init(&c->exploration, c->program, c->share, c->options->granularity, c->notices);
}

static void compiler_fini(Compiler *c) {
  for (uint32_t i = 0; i < c->program->threads.n; i++) {
    flow_fini(&c->flows[i]);
    automaton_fini(&c->codes[i].automaton);
    vec_fini(c->heap, &c->codes[i].held);
  }
  explore_fini(&c->exploration);
  heap_release(c->heap, c->flows);
  heap_release(c->heap, c->codes);
  heap_release(c->heap, c->share);
  heap_release(c->heap, c->writers);
}

static bool build_flows(Compiler *c) {
  bool good = true;
  for (uint32_t i = 0; i < c->program->threads.n && good; i++)
    good = flow_build(&c->flows[i], c->program, &c->program->threads.at[i], c->notices);
  return good;
}

/* Which locks of a thread need a `held` place; and what the locks say about its values. */
static void find_held(Compiler *c, ThreadCode *code, bool *needs_place, bool *warned) {
  const uint32_t n = c->program->objects.n;
  bool *holds = array(c, code->automaton.states.n, sizeof *holds);
  if (n) memset(needs_place, 0, n);
  held_analyse(c->program, code->flow, &code->automaton, needs_place, holds, warned, c->notices);
  for (uint32_t i = 0; i < n; i++)
    if (needs_place[i]) vec_push(c->heap, &code->held, i);
  doubt_settle(&c->exploration, code->flow, &code->automaton, holds, c->writers);
  heap_release(c->heap, holds);
}

/* An edge becomes a transition of each copy of its thread. */
static bool within(const Compiler *c, uint64_t transitions, Err *err) {
  const uint32_t most = c->options->most;
  if (!most || transitions <= most) return true;
  return err_set(err, ERR_LIMIT, "the net is too large: more than %u transitions", most);
}

static bool explore_threads(Compiler *c, Err *err) {
  bool *needs_place = array(c, c->program->objects.n, sizeof *needs_place);
  bool *warned = array(c, c->program->ops.n, sizeof *warned);
  uint64_t transitions = 0;
  bool good = true;
  for (uint32_t i = 0; i < c->program->threads.n && good; i++) {
    ThreadCode *code = &c->codes[i];
    good = explore_thread(&c->exploration, code->flow, i, &code->automaton);
    if (good) find_held(c, code, needs_place, warned);
    if (good && c->options->reduce) reduce_automaton(&code->automaton, c->program, code->flow);
    transitions += (uint64_t)code->automaton.edges.n * c->program->threads.at[i].count;
    good = good && within(c, transitions, err);
  }
  heap_release(c->heap, needs_place);
  heap_release(c->heap, warned);
  return good;
}

static void note_unreached(Compiler *c) {
  for (uint32_t i = 0; i < c->program->blocks.n; i++)
    if (!c->exploration.reached[i]) vec_push(c->heap, c->notices, ((Notice){.kind = NOTICE_UNREACHED, .number = i}));
}

Net *compile_program(const Program *program, const CompileOptions *options, NoticeVec *notices, Err *err) {
  Compiler compiler = {.heap = program->heap, .program = program, .options = options, .notices = notices};
  Compiler *c = &compiler;
  Net *net = NULL;
  if (!program_audit(program, err)) return NULL;
  compiler_init(c);
  if (build_flows(c)) {
    share_decide(program, c->flows, options->encoding, c->share, c->writers);
    if (explore_threads(c, err)) {
      note_unreached(c);
      net = lower_program(program, c->share, c->codes, options->encoding, err);
    }
  }
  compiler_fini(c);
  return net;
}
