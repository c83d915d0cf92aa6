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
#include <sys/types.h>

/* The raw log: a temporary file beside the output, or where temporary files are. */
typedef struct {
  char path[PATH_MAX];
  int file;
} RawFile;

/* The program that is to be run, and where its log goes. Nothing here is owned. */
typedef struct {
  const char *out; /* of the log; "-": stdout, and then what the program prints goes to stderr; NULL: there is none */
  const RawHeader *header;
  const uint8_t *table; /* of header->choice, if it has one */
  char **program;       /* and its arguments; NULL after them */
  const char *prints;   /* where what it prints goes, stdout and stderr; NULL: as above */
  double limit;         /* seconds after which it is killed, or by the second signal; 0: never */
  /* NULL, or called when the raw log is there and the program does not run yet; and when it does. */
  bool (*opened)(void *argument, const RawFile *raw, Err *err);
  void (*started)(void *argument, pid_t program);
  void *argument;
} Recording;

/* Makes the raw log, runs the program, and waits for it, or for that which is recorded in its place. *status is as
 * waitpid says. From here on signals are not obeyed. */
bool recording_run(const Recording *recording, RawFile *raw, int *status, Err *err);

/* The same of one run of several: after it signals are obeyed as before. */
bool recording_run_one(const Recording *recording, RawFile *raw, int *status, Err *err);

/* Of the last run: was the program killed because of the limit, and did a signal come that was to end it, or tracerec?
 */
bool recording_was_ended(void);
bool recording_was_interrupted(void);

/* Says of a run that could not even be started whether that is so: then the exit code says all. */
bool recording_is_void(const Recording *recording, int status);

/* Ends as the program ended: with its exit code, or by its signal. */
int recording_end(int status);

#endif
