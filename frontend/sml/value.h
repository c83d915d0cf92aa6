/* value.h: arithmetic with values that may be unknown.
 *
 * A known value is a 64-bit integer; a truth value is 0 or 1, and as a truth value anything but 0 is true. What has an
 * unknown operand is unknown, except `false && x` and `true || x`. Too large for 64 bits, or divided by zero: unknown.
 * Division and remainder round towards zero, as in C. */
#ifndef FRONTEND_SML_VALUE_H
#define FRONTEND_SML_VALUE_H

#include "frontend/sml/ast.h"

typedef struct {
  bool known;
  int64_t number; /* if known */
} Value;

#define VALUE_UNKNOWN ((Value){false, 0})

static inline Value value_of(int64_t number) { return (Value){true, number}; }

/* One operand: EXPR_NEGATE and EXPR_NOT. */
Value value_unary(ExprKind kind, Value operand);

/* Two operands: EXPR_ADD and all behind it. *by_zero becomes true if the right operand of a division is known to be
 * 0; else it is left alone. */
Value value_binary(ExprKind kind, Value left, Value right, bool *by_zero);

#endif
