#include "frontend/c/module.h"

#include <string.h>

void cmodule_init(CModule *module, Heap *heap) {
  *module = (CModule){.heap = heap};
  arena_init(&module->arena, heap);
}

void cmodule_fini(CModule *module) {
  Heap *heap = module->heap;
  arena_fini(&module->arena);
  vec_fini(heap, &module->lacks);
  vec_fini(heap, &module->files);
  vec_fini(heap, &module->functions);
  vec_fini(heap, &module->globals);
  vec_fini(heap, &module->blocks);
  vec_fini(heap, &module->instructions);
  vec_fini(heap, &module->operands);
  vec_fini(heap, &module->sources);
  vec_fini(heap, &module->successors);
  vec_fini(heap, &module->ways);
  vec_fini(heap, &module->initials);
}

bool cmodule_is_object(const CModule *m, const COperand *operand) {
  while (operand->kind == C_VALUE) {
    const CInstruction *i = &m->instructions.at[operand->n];
    if (i->kind == C_ALLOCATE) return true;
    if (i->kind != C_OFFSET && i->kind != C_SAME) return false;
    operand = cmodule_operand(m, i, 0);
  }
  return operand->kind == C_GLOBAL || operand->kind == C_FUNCTION;
}

bool cmodule_initial(const CModule *module, uint32_t global, uint64_t from, uint64_t to, int64_t *number) {
  const CGlobal *g = &module->globals.at[global];
  *number = 0;
  if (!g->is_defined || g->string || to > g->size) return false;
  for (uint32_t k = 0; k < g->n_initials; k++) {
    const CInitial *it = &module->initials.at[g->initials + k];
    if (it->offset + it->size <= from || it->offset >= to) continue;
    if (it->offset != from || it->size != to - from || it->value.kind != C_INTEGER) return false;
    *number = it->value.number;
  }
  return true;
}

uint32_t cmodule_function(const CModule *module, const char *name) {
  for (uint32_t f = 0; f < module->functions.n; f++)
    if (strcmp(module->functions.at[f].name, name) == 0) return f;
  return C_NONE;
}

/* ---- loops that count ---- */

/* A loop's block in which `counter`, a C_MERGE, is `first` when control comes into the loop, and one more each time it
 * comes back, until it is `end`. */
typedef struct {
  uint32_t block, counter;
  int64_t first, end;
} Counting;

/* It is compared there with a constant, and the loop goes on while it is less; or while it is not that. */
static bool finds_end(const CModule *m, Counting *c) {
  const CBlock *b = &m->blocks.at[c->block];
  const CInstruction *branch = &m->instructions.at[b->end - 1];
  if (branch->kind != C_BRANCH || cmodule_operand(m, branch, 0)->kind != C_VALUE) return false;
  const CInstruction *test = &m->instructions.at[cmodule_operand(m, branch, 0)->n];
  if (test->kind != C_COMPARE || (test->number != C_LESS && test->number != C_BELOW)) return false;
  const COperand *left = cmodule_operand(m, test, 0), *right = cmodule_operand(m, test, 1);
  if (left->kind != C_VALUE || right->kind != C_INTEGER) return false;
  c->counter = left->n;
  c->end = right->number;
  return m->instructions.at[c->counter].kind == C_MERGE && m->instructions.at[c->counter].block == c->block;
}

/* It is a constant where control comes in, which is once, and else one more. */
static bool finds_first(const CModule *m, Counting *c) {
  const CInstruction *merge = &m->instructions.at[c->counter];
  bool comes_in = false;
  for (uint32_t n = 0; n < merge->n_operands; n++) {
    const COperand *o = cmodule_operand(m, merge, n);
    const CInstruction *sum = o->kind == C_VALUE ? &m->instructions.at[o->n] : NULL;
    if (o->kind == C_INTEGER) {
      if (comes_in || m->blocks.at[m->sources.at[merge->operands + n]].repeats) return false;
      comes_in = true;
      c->first = o->number;
    } else if (!sum || sum->kind != C_OFFSET || sum->number != 1 || sum->n_operands != 1 ||
               cmodule_operand(m, sum, 0)->kind != C_VALUE || cmodule_operand(m, sum, 0)->n != c->counter) {
      return false;
    }
  }
  return comes_in && c->first >= 0;
}

/* Between two comings to the counter the block is come to once at most, and only while the loop goes on. */
static bool counts(const CModule *m, const Counting *c, uint32_t block) {
  const uint32_t *to = m->successors.at + m->blocks.at[c->block].successors;
  return block != c->block && !cmodule_reaches(m, to[1], block, c->block) && !cmodule_comes(m, block, block, c->block);
}

uint64_t cmodule_trips(const CModule *m, uint32_t block) {
  if (!m->blocks.at[block].repeats) return 1;
  for (uint32_t b = 0; b < m->blocks.n; b++) {
    Counting c = {.block = b};
    if (m->blocks.at[b].repeats && finds_end(m, &c) && finds_first(m, &c) && counts(m, &c, block) &&
        cmodule_reaches(m, b, block, C_NONE))
      return c.end > c.first ? (uint64_t)(c.end - c.first) : 1;
  }
  return 0;
}
