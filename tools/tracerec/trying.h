/* trying.h: one run of several, of a program that is run again and again: it is recorded, its log is made, and looked
 * at. */
#ifndef TOOLS_TRACEREC_TRYING_H
#define TOOLS_TRACEREC_TRYING_H

#include "ask/monitoring.h"
#include "base/heap.h"
#include "base/options.h"
#include "distil/hanging.h"
#include "record/raw.h"

/* What is run, and where it all goes. Nothing is owned. */
typedef struct {
  char **program;           /* and its arguments; NULL after them */
  const char *log, *prints; /* files; what the program prints goes to the second one */
  OptionList atomic, except;
  double limit; /* seconds after which the program is ended; 0: never */
  bool quiet;   /* nothing is said of what the log may lack: it was said before */
} Trying;

/* What became of it. */
typedef struct {
  int status;            /* as waitpid says */
  bool ended;            /* it has reached the limit */
  bool interrupted;      /* somebody has sent a signal that ends programs */
  uint64_t transactions; /* in the log */
  Hanging hanging;       /* where it has reached the limit: who waited for whom; the caller's */
} Tried;

/* Runs it with this header, which is then as the run has left it. False, with *err: it cannot be run, nothing of it was
 * recorded, or the log cannot be written. Then what it printed does not
 * stay; the raw log never does. */
bool trying_run(Heap *heap, const Trying *trying, RawHeader *header, Tried *tried, Err *err);

/* Monitors a log, which may have no transactions, up to the first violation. *result is to be given back with
 * monitoring_fini, whatever comes. */
bool trying_monitor(Heap *heap, const char *log, MonitoringResult *result, Err *err);

/* "the program ended with exit code 0", on stdout; and lines about who waits for whom, each after so many spaces. */
void trying_print_status(const Tried *tried);
void trying_print_hanging(const Tried *tried, int indent);

/* A program and its arguments, or other words, on stdout, for a shell: each after a space. */
void trying_print_words(char *const *words);

#endif
