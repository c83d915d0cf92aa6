/* value.h: arithmetic with values that may be unknown.
 *
 * A known value is a 64-bit integer; a truth value is 0 or 1, and as a truth value anything but 0 is true. What has an
 * unknown operand is unknown, except `false && x` and `true || x`. Too large for 64 bits, or divided by zero: unknown.
 * Division and remainder round towards zero, as in C. */
#ifndef PROGRAM_VALUE_H
#define PROGRAM_VALUE_H

#include <stdbool.h>
#include <stdint.h>

/* Up to VALUE_NOT they have one operand, from VALUE_ADD on two. */
typedef enum {
  VALUE_NEGATE,
  VALUE_NOT,
  VALUE_ADD,
  VALUE_SUBTRACT,
  VALUE_MULTIPLY,
  VALUE_DIVIDE,
  VALUE_MODULO,
  VALUE_LT,
  VALUE_LE,
  VALUE_GT,
  VALUE_GE,
  VALUE_EQ,
  VALUE_NE,
  VALUE_AND,
  VALUE_OR,
  VALUE_OPERATORS
} ValueOperator;

/* How many operands the operator takes: 1 or 2. */
static inline uint32_t value_operands(ValueOperator operator) { return operator<= VALUE_NOT ? 1 : 2; }

/* A value, or that it is unknown. */
typedef struct {
  bool known;
  int64_t number; /* if known */
} Value;

#define VALUE_UNKNOWN ((Value){false, 0})

/* A known value. */
static inline Value value_of(int64_t number) { return (Value){true, number}; }

/* One operand: VALUE_NEGATE and VALUE_NOT. */
Value value_unary(ValueOperator operator, Value operand);

/* Two operands: VALUE_ADD and all after it. *by_zero becomes true if the right operand of a division is known to be
 * 0; else it is left alone. */
Value value_binary(ValueOperator operator, Value left, Value right, bool *by_zero);

#endif
