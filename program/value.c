#include "program/value.h"

#include <assert.h>

Value value_unary(ValueOperator operator, Value operand) {
  int64_t result;
  if (!operand.known) return VALUE_UNKNOWN;
  if (operator== VALUE_NOT) return value_of(!operand.number);
  return __builtin_sub_overflow(0, operand.number, &result) ? VALUE_UNKNOWN : value_of(result);
}

static Value logical(ValueOperator operator, Value left, Value right) {
  const bool decisive = operator== VALUE_OR; /* the operand that decides alone */
  if ((left.known && (left.number != 0) == decisive) || (right.known && (right.number != 0) == decisive))
    return value_of(decisive);
  return left.known && right.known ? value_of(!decisive) : VALUE_UNKNOWN;
}

static Value divide(ValueOperator operator, int64_t left, int64_t right, bool *by_zero) {
  if (right == 0) *by_zero = true;
  if (right == 0 || (left == INT64_MIN && right == -1)) return VALUE_UNKNOWN;
  return value_of(operator== VALUE_DIVIDE ? left / right : left % right);
}

Value value_binary(ValueOperator operator, Value left, Value right, bool *by_zero) {
  if (operator== VALUE_AND || operator== VALUE_OR) return logical(operator, left, right);
  const bool divides = operator== VALUE_DIVIDE || operator== VALUE_MODULO;
  if (divides && right.known && !left.known) *by_zero |= right.number == 0;
  if (!left.known || !right.known) return VALUE_UNKNOWN;
  const int64_t a = left.number, b = right.number;
  int64_t result = 0;
  bool overflow = false;
  switch (operator) {
  case VALUE_ADD: overflow = __builtin_add_overflow(a, b, &result); break;
  case VALUE_SUBTRACT: overflow = __builtin_sub_overflow(a, b, &result); break;
  case VALUE_MULTIPLY: overflow = __builtin_mul_overflow(a, b, &result); break;
  case VALUE_LT: result = a < b; break;
  case VALUE_LE: result = a <= b; break;
  case VALUE_GT: result = a > b; break;
  case VALUE_GE: result = a >= b; break;
  case VALUE_EQ: result = a == b; break;
  case VALUE_NE: result = a != b; break;
  case VALUE_DIVIDE:
  case VALUE_MODULO: return divide(operator, a, b, by_zero);
  case VALUE_NEGATE:
  case VALUE_NOT:
  case VALUE_AND:
  case VALUE_OR:
  case VALUE_OPERATORS: assert(operator== VALUE_ADD); return VALUE_UNKNOWN;
  }
  return overflow ? VALUE_UNKNOWN : value_of(result);
}
