/* checkpoint.h: a file with all that a monitor knows, written every so often, from which another process goes on.
 *
 * docs/monitoring.md says what is in it. Only a run in a regular file can be gone on with, and only MONITOR_SCG. */
#ifndef ASK_CHECKPOINT_H
#define ASK_CHECKPOINT_H

#include "ask/run_input.h"
#include "serial/monitor.h"

#define CHECKPOINT_EACH 0.001

/* Where it is, and how often it is written. */
typedef struct {
  const char *path, *unfinished; /* where it is, and, until it is whole, is to be */
  double every; /* seconds from the end of one writing to the begin of the next, or more: writing takes no more than a
                   twentieth of the time. Less than CHECKPOINT_EACH: after each batch, whatever that takes */
} CheckpointOptions;

/* What a run's file is known by. */
typedef struct {
  int64_t size, seconds, nanoseconds; /* of its last change */
  uint64_t head;                      /* hash of its first bytes */
} RunIdentity;

/* One run that is monitored so. */
typedef struct {
  Heap *heap;
  CheckpointOptions options;
  const RunSource *source;
  const MonitorOptions *question;
  Monitor *monitor;
  RunInput *input;
  RunIdentity identity; /* of the run when it was opened */
  Carry carry;          /* the way out */
  double next;          /* when it is written next, by clock_seconds() */
  uint64_t n_known;     /* events that were monitored before it was read; 0: it was not there */
  uint64_t n_kept;      /* events that it knows of now; 0: it is not there */
  char why[300];        /* why it could not be written last time; or "" */
} Checkpoint;

/* All that is pointed to must live as long. Nothing is read or written yet; memory is the heap's, until fini. */
void checkpoint_init(Checkpoint *checkpoint, Heap *heap, const CheckpointOptions *options, const RunSource *source,
                     const MonitorOptions *question);
void checkpoint_fini(Checkpoint *checkpoint);

/* The input was just opened, the monitor is new: where there is a checkpoint, both are as they were when it was
 * written. False, with *err, if it cannot be read, is damaged, was written by another version of the program, is of
 * another question or another run; or if none can be written there; or the run is in no regular file. */
bool checkpoint_begin(Checkpoint *checkpoint, RunInput *input, Monitor *monitor, Err *err);

/* A batch was monitored: writes it if it is time to, or if the heap is asked to stop. Where that fails, *why says so,
 * and the one before is still there. */
void checkpoint_step(Checkpoint *checkpoint);

/* The answer is known, and was told: removes it. */
void checkpoint_remove(const Checkpoint *checkpoint);

#endif
