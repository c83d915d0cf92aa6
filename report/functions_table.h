/* functions_table.h: the table of functions that people get to read. */
#ifndef REPORT_FUNCTIONS_TABLE_H
#define REPORT_FUNCTIONS_TABLE_H

#include "report/report.h"
#include "trace/trace.h"

/* A line of it. */
typedef struct {
  const char *name;
  uint64_t calls;
  const char *verdict;
} FunctionsLine;

/* The function's name for people: clean, and never NULL. */
const char *functions_table_name(Arena *arena, const TraceNames *names, uint32_t label);

/* Names for an option that takes some, with commas. Starts as {.arena = arena}; list: NULL while there is none. */
typedef struct {
  Arena *arena;
  const char *list;
} FunctionsNames;

/* Adds the name of the function, if it has one, and one without a comma. */
void functions_table_list(FunctionsNames *to, const TraceNames *names, uint32_t label);

/* Adds its lines to the report. */
void functions_table_add(Report *report, const FunctionsLine *lines, uint32_t n);

#endif
