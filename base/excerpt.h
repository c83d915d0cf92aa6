/* excerpt.h: a line of a source text with a caret below it, as compilers show it. Long lines are cut around the caret,
 * tabs stay aligned; bytes that are no UTF-8 or are control characters are shown as \xNN, never sent to a terminal as
 * they are. */
#ifndef BASE_EXCERPT_H
#define BASE_EXCERPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The line, of `length` bytes without its end, and below it a caret under the column, from 1 and counted in bytes, as
 * long as `underlined` > 0 bytes are wide. A column beyond the line is its end. */
void excerpt_print(const char *line, size_t length, uint32_t column, uint32_t underlined, bool colour, FILE *out);

/* The text, with such bytes shown likewise. */
void excerpt_print_safe(const char *text, size_t length, FILE *out);

#endif
