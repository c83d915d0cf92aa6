/* Which values are the same number in a context, whenever control comes there. A number goes from unknown to one, and
 * from one to any, and never back. */
#include "frontend/c/points_inside.h"

/* A number that fits in so many bits without its sign; any other one is any. */
CNumber points_one_number(int64_t value, uint64_t bits) {
  const uint64_t most = bits > 32 ? 32 : bits;
  if (value < 0 || !bits || value >= (int64_t)1 << (most - 1)) return number_any();
  return (CNumber){NUMBER_ONE, value};
}

CNumber number_of(const Points *p, uint32_t context, const COperand *operand) {
  if (operand->kind == C_VALUE) return p->numbers.at[node_of(p, context, operand->n)];
  return operand->kind == C_INTEGER ? points_one_number(operand->number, 64) : number_any();
}

void number_add(Points *p, uint32_t node, CNumber number) {
  CNumber *known = &p->numbers.at[node];
  if (number.kind == NUMBER_NONE || known->kind == NUMBER_ANY) return;
  if (known->kind == NUMBER_ONE && number.kind == NUMBER_ONE && known->value == number.value) return;
  *known = known->kind == NUMBER_NONE ? number : number_any();
  points_wake_users(p, node);
}

bool points_known(const Points *p, uint32_t context, const COperand *operand, int64_t *number) {
  const CNumber known = number_of(p, context, operand);
  *number = known.value;
  return known.kind == NUMBER_ONE;
}

bool points_number(const Points *p, uint32_t context, const CInstruction *i, uint32_t n, int64_t *number) {
  return points_known(p, context, cmodule_operand(p->module, i, n), number);
}

static CNumber computed(int64_t a, int64_t b, const CInstruction *i) {
  switch ((CMix)i->number) {
  case C_MIX_ADD: return points_one_number(a + b, i->size);
  case C_MIX_SUBTRACT: return points_one_number(a - b, i->size);
  case C_MIX_MULTIPLY: return points_one_number(a * b, i->size);
  case C_MIX_DIVIDE: return b ? points_one_number(a / b, i->size) : number_any();
  case C_MIX_REMAINDER: return b ? points_one_number(a % b, i->size) : number_any();
  case C_MIX_AND: return points_one_number(a & b, i->size);
  case C_MIX_XOR: return points_one_number(a ^ b, i->size);
  case C_MIX_SHIFT: return b < 63 ? points_one_number(a >> b, i->size) : number_any();
  case C_MIX_SOMEHOW: break;
  }
  return number_any();
}

static CNumber compared(int64_t a, int64_t b, const CInstruction *i) {
  switch ((CRelation)i->number) {
  case C_EQUAL: return points_one_number(a == b, 8);
  case C_UNEQUAL: return points_one_number(a != b, 8);
  case C_BELOW:
  case C_LESS: return points_one_number(a < b, 8);
  case C_BELOW_EQUAL:
  case C_LESS_EQUAL: return points_one_number(a <= b, 8);
  case C_ABOVE:
  case C_GREATER: return points_one_number(a > b, 8);
  case C_ABOVE_EQUAL:
  case C_GREATER_EQUAL: return points_one_number(a >= b, 8);
  case C_OTHERWISE: break;
  }
  return number_any();
}

/* Of two numbers. */
static CNumber number_of_two(const Points *p, uint32_t context, const CInstruction *i) {
  const CNumber a = number_of(p, context, cmodule_operand(p->module, i, 0));
  const CNumber b = number_of(p, context, cmodule_operand(p->module, i, 1));
  if (a.kind == NUMBER_ANY || b.kind == NUMBER_ANY) return number_any();
  if (a.kind == NUMBER_NONE || b.kind == NUMBER_NONE) return (CNumber){NUMBER_NONE, 0};
  return i->kind == C_COMPARE ? compared(a.value, b.value, i) : computed(a.value, b.value, i);
}

/* [0] and `number` more, or as it is. */
static CNumber number_of_one(const Points *p, uint32_t context, const CInstruction *i) {
  const CNumber a = number_of(p, context, cmodule_operand(p->module, i, 0));
  if (i->n_operands != 1) return number_any();
  if (a.kind != NUMBER_ONE) return a;
  if (i->kind == C_OFFSET) return points_one_number(a.value + i->number, i->size);
  return i->number ? a.value <= 1 ? a : number_any() : points_one_number(a.value, i->size);
}

bool points_takes(const Points *p, uint32_t context, const CInstruction *i, uint32_t n) {
  if (i->kind == C_MERGE) return reach_comes(p, context, p->module->sources.at[i->operands + n], i->block);
  return n && number_may_be(number_of(p, context, cmodule_operand(p->module, i, 0)), n == 1);
}

static CNumber number_loaded(const Points *p, uint32_t context, uint32_t node) {
  const CContext *c = &p->contexts.at[context];
  if (!p->known_loads || c->before == C_NONE) return number_any();
  const CNumber found = p->known_loads->numbers[p->known_loads->points->contexts.at[c->before].base + (node - c->base)];
  return found.kind == NUMBER_ONE ? found : number_any();
}

void number_solve(Points *p, uint32_t context, const CInstruction *i, uint32_t node) {
  switch ((int)i->kind) {
  case C_PARAMETER: break; /* from the calls */
  case C_CALL: break;      /* from the returns; solve_foreign */
  case C_MERGE:
  case C_SELECT:
    for (uint32_t n = 0; n < i->n_operands; n++)
      if (points_takes(p, context, i, n)) number_add(p, node, number_of(p, context, cmodule_operand(p->module, i, n)));
    break;
  case C_SAME:
  case C_OFFSET: number_add(p, node, number_of_one(p, context, i)); break;
  case C_MIX: number_add(p, node, i->number == C_MIX_SOMEHOW ? number_any() : number_of_two(p, context, i)); break;
  case C_COMPARE: number_add(p, node, number_of_two(p, context, i)); break;
  case C_LOAD: number_add(p, node, number_loaded(p, context, node)); break;
  default: number_add(p, node, number_any()); break;
  }
}
