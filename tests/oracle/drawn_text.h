/* drawn_text.h: a text that is made by drawing numbers: the same of a seed on every machine. */
#ifndef TESTS_ORACLE_DRAWN_TEXT_H
#define TESTS_ORACLE_DRAWN_TEXT_H

#include "base/vec.h"

#include <stdbool.h>

/* What is appended to; nothing is owned. */
typedef struct {
  Heap *heap;
  CharVec *text;
  uint64_t seed;
  uint64_t draws; /* so far */
} DrawnText;

/* A number below n > 0. */
uint32_t drawn_number(DrawnText *drawn, uint32_t n);
bool drawn_chance(DrawnText *drawn, uint32_t per_cent);

/* Appends, as printf, up to 199 bytes. */
void drawn_put(DrawnText *drawn, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
