#include "program/value.h"

#include <CUnit/CUnit.h>

/* A value or, for "unknown", this number. */
#define U (-999)

static Value value(int64_t n) { return n == U ? VALUE_UNKNOWN : value_of(n); }
static int64_t number(Value v) { return v.known ? v.number : U; }

static int64_t binary(ValueOperator kind, int64_t left, int64_t right) {
  bool by_zero = false;
  const int64_t result = number(value_binary(kind, value(left), value(right), &by_zero));
  CU_ASSERT_FALSE(by_zero);
  return result;
}

static void arithmetic(void) {
  CU_ASSERT_EQUAL(binary(VALUE_ADD, 2, 3), 5);
  CU_ASSERT_EQUAL(binary(VALUE_SUBTRACT, 2, 3), -1);
  CU_ASSERT_EQUAL(binary(VALUE_MULTIPLY, -2, 3), -6);
  CU_ASSERT_EQUAL(binary(VALUE_DIVIDE, -7, 2), -3);
  CU_ASSERT_EQUAL(binary(VALUE_MODULO, -7, 2), -1);
  CU_ASSERT_EQUAL(number(value_unary(VALUE_NEGATE, value(5))), -5);
  CU_ASSERT_EQUAL(number(value_unary(VALUE_NOT, value(5))), 0);
  CU_ASSERT_EQUAL(number(value_unary(VALUE_NOT, value(0))), 1);
}

static void what_does_not_fit_is_unknown(void) {
  CU_ASSERT_EQUAL(binary(VALUE_ADD, INT64_MAX, 1), U);
  CU_ASSERT_EQUAL(binary(VALUE_SUBTRACT, INT64_MIN, 1), U);
  CU_ASSERT_EQUAL(binary(VALUE_MULTIPLY, INT64_MAX, 2), U);
  CU_ASSERT_EQUAL(binary(VALUE_DIVIDE, INT64_MIN, -1), U);
  CU_ASSERT_EQUAL(binary(VALUE_MODULO, INT64_MIN, -1), U);
  CU_ASSERT_EQUAL(number(value_unary(VALUE_NEGATE, value(INT64_MIN))), U);
  CU_ASSERT_EQUAL(binary(VALUE_ADD, INT64_MAX, 0), INT64_MAX);
}

static void an_unknown_operand_makes_the_result_unknown(void) {
  for (ValueOperator kind = VALUE_ADD; kind <= VALUE_NE; kind++) {
    CU_ASSERT_EQUAL(binary(kind, U, 1), U);
    CU_ASSERT_EQUAL(binary(kind, 1, U), U);
    CU_ASSERT_EQUAL(binary(kind, U, U), U);
  }
  CU_ASSERT_EQUAL(number(value_unary(VALUE_NOT, value(U))), U);
  CU_ASSERT_EQUAL(number(value_unary(VALUE_NEGATE, value(U))), U);
}

static void one_operand_may_decide(void) {
  static const int64_t operands[] = {0, 1, U}, and_table[] = {0, 0, 0, 0, 1, U, 0, U, U},
                       or_table[] = {0, 1, U, 1, 1, 1, U, 1, U};
  for (int i = 0; i < 9; i++) {
    CU_ASSERT_EQUAL(binary(VALUE_AND, operands[i / 3], operands[i % 3]), and_table[i]);
    CU_ASSERT_EQUAL(binary(VALUE_OR, operands[i / 3], operands[i % 3]), or_table[i]);
  }
  CU_ASSERT_EQUAL(binary(VALUE_AND, 5, -3), 1);
}

static void comparisons(void) {
  static const bool expected[][3] = {{true, false, false}, {true, true, false},  {false, false, true},
                                     {false, true, true},  {false, true, false}, {true, false, true}};
  for (int i = 0; i < 6; i++)
    for (int64_t left = 1; left <= 3; left++)
      CU_ASSERT_EQUAL(binary((ValueOperator)(VALUE_LT + i), left, 2), expected[i][left - 1]);
}

static void division_by_zero_is_noticed(void) {
  for (int i = 0; i < 2; i++) {
    bool by_zero = false;
    CU_ASSERT_FALSE(value_binary(i ? VALUE_DIVIDE : VALUE_MODULO, value(1), value(0), &by_zero).known);
    CU_ASSERT_TRUE(by_zero);
    by_zero = false;
    CU_ASSERT_FALSE(value_binary(i ? VALUE_DIVIDE : VALUE_MODULO, value(U), value(0), &by_zero).known);
    CU_ASSERT_TRUE(by_zero);
  }
}

void suite_value(void) {
  CU_pSuite suite = CU_add_suite("value", NULL, NULL);
  CU_ADD_TEST(suite, arithmetic);
  CU_ADD_TEST(suite, what_does_not_fit_is_unknown);
  CU_ADD_TEST(suite, an_unknown_operand_makes_the_result_unknown);
  CU_ADD_TEST(suite, one_operand_may_decide);
  CU_ADD_TEST(suite, comparisons);
  CU_ADD_TEST(suite, division_by_zero_is_noticed);
}
