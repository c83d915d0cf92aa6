/* recording.h: runs a program that is recorded, and keeps its raw log safe from signals.
 *
 * Signals: while the program runs, those that are sent to tracerec are passed on to it, but for those from the
 * terminal, which it has got by itself. When it has ended they are not obeyed any more, and that is said: the log is
 * the only trace of the run, and is to be written. */
#ifndef TOOLS_TRACEREC_RECORDING_H
#define TOOLS_TRACEREC_RECORDING_H

#include "base/err.h"
#include "record/raw.h"

#include <limits.h>
#include <stdbool.h>

/* The raw log: a temporary file beside the output, or where temporary files are. */
typedef struct {
  char path[PATH_MAX];
  int file;
} RawFile;

/* The program that is to be run, and where its log goes. Nothing here is owned. */
typedef struct {
  const char *out; /* of the log; "-": stdout, and then what the program prints goes to stderr */
  const RawHeader *header;
  char **program; /* and its arguments; NULL after them */
} Recording;

/* Makes the raw log, runs the program, and waits for it, or for that which is recorded in its place. *status is as
 * waitpid says. From here on signals are not obeyed. */
bool recording_run(const Recording *recording, RawFile *raw, int *status, Err *err);

/* Says of a run that could not even be started whether that is so: then the exit code says all. */
bool recording_is_void(const Recording *recording, int status);

/* Ends as the program ended: with its exit code, or by its signal. */
int recording_end(int status);

#endif
