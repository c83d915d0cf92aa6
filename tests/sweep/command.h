/* command.h: one command line of a tool, and how it went. */
#ifndef TESTS_SWEEP_COMMAND_H
#define TESTS_SWEEP_COMMAND_H

#include "tests/sweep/faults.h"

#include <stdbool.h>
#include <stddef.h>

enum { MOST_WORDS = 64, MOST_FILES = 8 };

/* As a shell takes it, without quotes: words apart by blanks; <FILE is stdin. */
typedef struct {
  char *text;        /* what the words point into */
  const char *shown; /* the line itself */
  int argc;
  char *argv[MOST_WORDS]; /* NULL behind the last one */
  const char *input;      /* stdin; NULL: nothing is there */
} CommandLine;

typedef struct {
  char *text; /* NUL behind it; NULL: there is no such file */
  size_t length;
} Content;

/* What a run has left behind. */
typedef struct {
  int status; /* as wait() says it */
  uint64_t allocations;
  Content out, err; /* what was printed */
  uint32_t n_files; /* in the folder out/ */
  char *name[MOST_FILES];
  Content file[MOST_FILES];
  bool strays; /* there is something in tmp/, or too much in out/ */
} Outcome;

/* What a run is given to stumble over. */
typedef struct {
  FaultKind kind;
  uint64_t nth;
  size_t room;        /* bytes of address space beyond what is mapped; 0: no limit */
  const char *option; /* one more option, behind the tool's name; or NULL */
} Fault;

/* False if the line is too long, or no tool is called like its first word. */
bool command_parse(CommandLine *command, const char *line);
void command_free(CommandLine *command);

/* Runs it in a process of its own, with out/ and tmp/ empty at first. */
void command_run(const CommandLine *command, const Fault *fault, Outcome *outcome);
void outcome_free(Outcome *outcome);

#endif
