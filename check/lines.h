/* lines.h: reading a text of lines of words and decimal numbers, one blank apart, and saying where it is not so. Lines
 * that begin with `c` and a blank, or are a `c` alone, are comments; but not the first line. */
#ifndef CHECK_LINES_H
#define CHECK_LINES_H

#include "base/file.h"
#include "base/vec.h"

#include <stdint.h>

/* Where the reading of the text stands. The text stays the caller's. */
typedef struct {
  const char *name; /* for messages */
  const char *at, *end;
  size_t line; /* the number of the line in which `at` is, from 1 */
} Lines;

/* From the start of the file, which must live as long. */
void lines_init(Lines *lines, const InFile *file);

/* Is the word, whole, what comes next? Then it is passed. */
bool lines_word(Lines *lines, const char *word);

/* Passes a blank and a number from `low` to `high`. False, with ERR_INPUT, if there is none; `what` is its name. */
bool lines_number(Lines *lines, const char *what, uint64_t low, uint64_t high, uint64_t *number, Err *err);

/* The same for a number from 1 to n, as one from 0. */
bool lines_index(Lines *lines, const char *what, uint64_t n, uint32_t *index, Err *err);

/* Does a blank come next? */
static inline bool lines_has_blank(const Lines *lines) { return lines->at < lines->end && *lines->at == ' '; }

/* Any number of these, and the end of the line, which is passed. */
bool lines_list(Lines *lines, Heap *heap, const char *what, uint64_t n, U32Vec *indices, Err *err);

/* Is this the end of the line? False, with ERR_INPUT, if not. */
bool lines_at_end(const Lines *lines, Err *err);

/* From the end of a line to the next one that is no comment. */
void lines_next(Lines *lines);

/* Both. */
bool lines_end(Lines *lines, Err *err);

/* Fills *err with "file:line: expected WHAT, found" what comes next, of kind ERR_INPUT; returns false. */
bool lines_expected(const Lines *lines, const char *what, Err *err);

/* Fills *err with "file:line: unexpected text after LAST", of kind ERR_INPUT; returns false. */
bool lines_more(const Lines *lines, const char *last, Err *err);

#endif
