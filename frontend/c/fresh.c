/* Whoever else uses that memory has its address from what was stored, passed, or returned later: so what it does
 * depends on that, and on the access, without any event of that one (docs/c.md). */
#include "frontend/c/fresh.h"

/* What is known of the values of a function: those that are the address, or one in the memory, at an offset; those that
 * may be. */
enum { OTHER = 0, MAYBE, DIRECT };

/* Of a call's arguments those behind these are not asked for. */
enum { MOST_ARGUMENTS = 100 };

typedef struct {
  const CModule *module;
  const CFunction *function;
  CharVec kinds;   /* per instruction of the function */
  U32Vec escapes;  /* where others may come to know it */
  bool is_wrapper; /* a return is none: what is asked is what comes before */
} Fresh;

static const CInstruction *instruction(const Fresh *f, uint32_t i) { return &f->module->instructions.at[i]; }

static int kind_of(const Fresh *f, const COperand *o) {
  return o->kind == C_VALUE ? f->kinds.at[o->n - f->function->start] : OTHER;
}

static const CFunction *callee_of(const CModule *module, const CInstruction *i) {
  const COperand *callee = i->kind == C_CALL ? cmodule_operand(module, i, 0) : NULL;
  return callee && callee->kind == C_FUNCTION ? &module->functions.at[callee->n] : NULL;
}

/* ---- where an address goes ---- */

static bool returns_argument(ResultKind result) {
  return result == RESULT_AGAIN || result == RESULT_FIRST || result == RESULT_SECOND || result == RESULT_THIRD ||
         result == RESULT_ANY || result == RESULT_WALK;
}

/* Does a call leave an argument as unknown to others as it was? */
static bool keeps_secret(const CFunction *callee, uint32_t argument) {
  if (!callee || callee->is_defined) return false;
  const CallKind kind = callee->effect->kind;
  const char letter = effect_on(callee->effect, argument);
  const bool does = kind == CALL_MEMORY || kind == CALL_COPY || kind == CALL_LOCK_INIT || kind == CALL_SEMAPHORE_INIT ||
                    kind == CALL_BARRIER_INIT;
  return does && (letter == '-' || letter == 'r' || letter == 'w' || letter == 'b');
}

/* Does the operand n of an instruction, the address, only lead to what it does? */
static bool is_used(const Fresh *f, const CInstruction *i, uint32_t n) {
  switch ((int)i->kind) {
  case C_LOAD: return n == 0;
  case C_STORE: return n == 1;
  case C_UPDATE:
  case C_SWAP:
  case C_FILL: return n == 0;
  case C_COPY: return n < 2;
  case C_COMPARE:
  case C_BRANCH:
  case C_SWITCH: return true;
  case C_RETURN: return f->is_wrapper;
  case C_CALL: return n && keeps_secret(callee_of(f->module, i), n - 1);
  default: return false;
  }
}

/* What the value of an instruction is that has the address, of that kind, as operand n. */
static int derived(const Fresh *f, const CInstruction *i, uint32_t n, int kind) {
  const CFunction *callee = callee_of(f->module, i);
  switch ((int)i->kind) {
  case C_SAME: return i->n_operands == 1 ? kind : MAYBE;
  case C_OFFSET: return n == 0 ? kind : MAYBE;
  case C_MIX:
  case C_MERGE:
  case C_SELECT: return MAYBE;
  case C_CALL: return n && keeps_secret(callee, n - 1) && returns_argument(callee->effect->result) ? MAYBE : OTHER;
  default: return OTHER;
  }
}

static bool is_passed_on(const CInstruction *i) {
  return i->kind == C_SAME || i->kind == C_OFFSET || i->kind == C_MIX || i->kind == C_MERGE || i->kind == C_SELECT;
}

static bool spread_round(Fresh *f) {
  bool changed = false;
  for (uint32_t k = f->function->start; k < f->function->end; k++) {
    const CInstruction *i = instruction(f, k);
    char *known = &f->kinds.at[k - f->function->start];
    for (uint32_t n = 0; n < i->n_operands; n++) {
      const int kind = kind_of(f, cmodule_operand(f->module, i, n));
      const int becomes = kind ? derived(f, i, n, kind) : OTHER;
      if (!becomes || *known == MAYBE || (*known == DIRECT && becomes == DIRECT)) continue;
      *known = (char)(*known ? MAYBE : becomes);
      changed = true;
    }
  }
  return changed;
}

/* From the call that makes it on. */
static void spread(Fresh *f, uint32_t call) {
  Heap *heap = f->module->heap;
  vec_clear(&f->kinds);
  vec_clear(&f->escapes);
  vec_resize_zeroed(heap, &f->kinds, f->function->end - f->function->start);
  f->kinds.at[call - f->function->start] = DIRECT;
  while (spread_round(f)) heap_poll(heap);
  for (uint32_t k = f->function->start; k < f->function->end; k++) {
    const CInstruction *i = instruction(f, k);
    bool escapes = false;
    for (uint32_t n = 0; n < i->n_operands; n++)
      escapes |= kind_of(f, cmodule_operand(f->module, i, n)) && !is_passed_on(i) && !is_used(f, i, n);
    if (escapes) vec_push(heap, &f->escapes, k);
  }
}

/* Can control come from behind an instruction to another one, without the call in between? */
static bool comes(const Fresh *f, uint32_t from, uint32_t to, uint32_t call) {
  const uint32_t start = instruction(f, from)->block, end = instruction(f, to)->block;
  return (start == end && from <= to) || cmodule_comes(f->module, start, end, instruction(f, call)->block);
}

static bool is_known_to_others(const Fresh *f, uint32_t number, uint32_t call) {
  for (uint32_t k = 0; k < f->escapes.n; k++)
    if (comes(f, f->escapes.at[k], number, call)) return true;
  return false;
}

/* ---- calls that make memory ---- */

enum { DEEPEST = 3 };

static bool makes(const CModule *module, uint32_t call, int depth);

/* Is that value of a wrapper NULL, or memory that it has made, and told nobody of? *any becomes true if it is that. */
static bool is_own(Fresh *f, const COperand *value, int depth, bool *any) {
  if (value->kind != C_VALUE) return value->kind == C_INTEGER && !value->number;
  const CInstruction *i = instruction(f, value->n);
  if (depth > DEEPEST) return false;
  if (i->kind == C_MERGE || (i->kind == C_SAME && i->n_operands == 1)) {
    for (uint32_t n = 0; n < i->n_operands; n++)
      if (!is_own(f, cmodule_operand(f->module, i, n), depth + 1, any)) return false;
    return true;
  }
  if (!makes(f->module, value->n, depth + 1)) return false;
  spread(f, value->n);
  *any = true;
  return !f->escapes.n;
}

/* Is that so of all that it returns? */
static bool returns_fresh(const CModule *module, const CFunction *function, int depth) {
  Fresh f = {.module = module, .function = function, .is_wrapper = true};
  bool good = true, any = false;
  for (uint32_t b = function->blocks; b < function->blocks_end && good; b++) {
    const CInstruction *last = &module->instructions.at[module->blocks.at[b].end - 1];
    if (last->kind == C_RETURN) good = last->n_operands && is_own(&f, cmodule_operand(module, last, 0), depth, &any);
  }
  vec_fini(module->heap, &f.kinds);
  vec_fini(module->heap, &f.escapes);
  return good && any;
}

static bool makes(const CModule *module, uint32_t call, int depth) {
  const CFunction *callee = callee_of(module, &module->instructions.at[call]);
  if (!callee) return false;
  return callee->is_defined ? returns_fresh(module, callee, depth) : callee->effect->result == RESULT_FRESH;
}

/* ---- the whole ---- */

/* Is something kept that another thread may be given back, with no event in between? */
static bool keeps_addresses(const CModule *module) {
  for (uint32_t i = 0; i < module->instructions.n; i++) {
    const CFunction *callee = callee_of(module, &module->instructions.at[i]);
    const CInstruction *call = &module->instructions.at[i];
    for (uint32_t n = 1; callee && !callee->is_defined && n < call->n_operands; n++)
      if (effect_on(callee->effect, n - 1) == 'k' || effect_on(callee->effect, n - 1) == 'K') return true;
  }
  return false;
}

/* Does an instruction access what its operand n leads to, and nothing that is found there? */
static bool accesses(const Fresh *f, const CInstruction *i, uint32_t n) {
  const CFunction *callee = callee_of(f->module, i);
  switch ((int)i->kind) {
  case C_LOAD:
  case C_FILL:
  case C_COPY: return n == 0;
  case C_STORE: return n == 1;
  case C_CALL:
    return n && n < MOST_ARGUMENTS && keeps_secret(callee, n - 1) &&
           (callee->effect->kind == CALL_MEMORY || callee->effect->kind == CALL_COPY);
  default: return false;
  }
}

static void find_of(Fresh *f, uint32_t call, CharVec *is_fresh) {
  spread(f, call);
  for (uint32_t k = f->function->start; k < f->function->end; k++) {
    const CInstruction *i = instruction(f, k);
    for (uint32_t n = 0; n < i->n_operands; n++)
      if (accesses(f, i, n) && kind_of(f, cmodule_operand(f->module, i, n)) == DIRECT &&
          !is_known_to_others(f, k, call))
        is_fresh->at[k] = (char)(1 + n);
  }
}

void fresh_find(const CModule *module, CharVec *is_fresh) {
  Fresh f = {.module = module};
  if (keeps_addresses(module)) return;
  for (uint32_t n = 0; n < module->functions.n; n++) {
    f.function = &module->functions.at[n];
    for (uint32_t k = f.function->start; k < f.function->end; k++)
      if (module->instructions.at[k].kind == C_CALL && makes(module, k, 0)) find_of(&f, k, is_fresh);
  }
  vec_fini(module->heap, &f.kinds);
  vec_fini(module->heap, &f.escapes);
}
