/* summing.h: what many answers come to together: counts, what was found in several inputs, and the verdict. */
#ifndef REPORT_SUMMING_H
#define REPORT_SUMMING_H

#include "base/intern.h"
#include "report/result_line.h"

/* How often a verdict came. */
typedef struct {
  uint32_t name; /* of Summing.names */
  ExitCode exit;
  uint64_t n;
} VerdictCount;

/* What was found with one rule at one place; or, where no place is known, with one message. Numbers are of
 * Summing.names; INTERN_NONE: none. */
typedef struct {
  uint32_t rule, level, message, file, function, example; /* example: the first input's path */
  uint32_t line, column;
  uint64_t inputs;
  uint64_t last; /* the last of them: its number, from 1 */
} FindingGroup;

/* The sum so far. */
typedef struct {
  Heap *heap;
  Intern names;
  VEC(VerdictCount) verdicts;
  VEC(FindingGroup) groups;
  Intern keys; /* of the groups, by number */
  CharVec key; /* of the one that is looked for */
  uint64_t n;  /* inputs */
} Summing;

/* Nothing so far. Memory is the heap's, until fini. */
void summing_init(Summing *sum, Heap *heap);
void summing_fini(Summing *sum);

/* One more input. */
void summing_add(Summing *sum, const LineReader *reader, const ResultLine *line);

/* The same in two steps, for an input that has several lines: what each of them found; and then the answer. */
void summing_add_findings(Summing *sum, const LineReader *reader, const ResultLine *line);
void summing_add_answer(Summing *sum, const char *verdict, ExitCode exit);

/* Which of two exit codes is that of both together. */
ExitCode summing_worse(ExitCode a, ExitCode b);

/* The exit code of all together: that of a violation if there is one; else of a failed self-check, else of an error,
 * else of what is unknown, `missing` inputs and none at all included. */
ExitCode summing_exit_code(const Summing *sum, bool missing);

/* ---- as text ---- */

/* The head of the table, and the row of an input. */
void summing_write_head(FILE *out);
void summing_write_row(Heap *heap, const ResultLine *line, bool colour, FILE *out);
void summing_write_missing(Heap *heap, const char *path, FILE *out); /* of an input that has no result */

/* The counts, of so many inputs that there should be, the groups, most inputs first, and the verdict; quiet: that
 * alone. */
void summing_write(const Summing *sum, uint64_t of, bool quiet, bool colour, FILE *out);

#endif
