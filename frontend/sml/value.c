#include "frontend/sml/value.h"

#include <assert.h>

Value value_unary(ExprKind kind, Value operand) {
  int64_t result;
  if (!operand.known) return VALUE_UNKNOWN;
  if (kind == EXPR_NOT) return value_of(!operand.number);
  return __builtin_sub_overflow(0, operand.number, &result) ? VALUE_UNKNOWN : value_of(result);
}

static Value logical(ExprKind kind, Value left, Value right) {
  const bool decisive = kind == EXPR_OR; /* the operand that decides alone */
  if ((left.known && (left.number != 0) == decisive) || (right.known && (right.number != 0) == decisive))
    return value_of(decisive);
  return left.known && right.known ? value_of(!decisive) : VALUE_UNKNOWN;
}

static Value divide(ExprKind kind, int64_t left, int64_t right, bool *by_zero) {
  if (right == 0) *by_zero = true;
  if (right == 0 || (left == INT64_MIN && right == -1)) return VALUE_UNKNOWN;
  return value_of(kind == EXPR_DIVIDE ? left / right : left % right);
}

Value value_binary(ExprKind kind, Value left, Value right, bool *by_zero) {
  if (kind == EXPR_AND || kind == EXPR_OR) return logical(kind, left, right);
  if ((kind == EXPR_DIVIDE || kind == EXPR_MODULO) && right.known && !left.known) *by_zero |= right.number == 0;
  if (!left.known || !right.known) return VALUE_UNKNOWN;
  const int64_t a = left.number, b = right.number;
  int64_t result = 0;
  bool overflow = false;
  switch (kind) {
    case EXPR_ADD: overflow = __builtin_add_overflow(a, b, &result); break;
    case EXPR_SUBTRACT: overflow = __builtin_sub_overflow(a, b, &result); break;
    case EXPR_MULTIPLY: overflow = __builtin_mul_overflow(a, b, &result); break;
    case EXPR_LT: result = a < b; break;
    case EXPR_LE: result = a <= b; break;
    case EXPR_GT: result = a > b; break;
    case EXPR_GE: result = a >= b; break;
    case EXPR_EQ: result = a == b; break;
    case EXPR_NE: result = a != b; break;
    case EXPR_DIVIDE:
    case EXPR_MODULO: return divide(kind, a, b, by_zero);
    case EXPR_LITERAL:
    case EXPR_NAME:
    case EXPR_NONDET:
    case EXPR_NEGATE:
    case EXPR_NOT:
    case EXPR_AND:
    case EXPR_OR: assert(kind == EXPR_ADD); return VALUE_UNKNOWN;
  }
  return overflow ? VALUE_UNKNOWN : value_of(result);
}
