/* model_check.h: is every run of a program serializable? Explores the markings of its net together with the summarized
 * conflict graph, which is a finite automaton (A. Farzan, P. Madhusudan, "Monitoring atomicity in concurrent programs",
 * CAV 2008, section 4).
 *
 * A transaction is an occurrence of a marked block, nested ones belong to the outermost; every other event is a
 * transaction of its own. Two events conflict if they access the same variable and one of them writes it. Locks and
 * values only say what can happen. */
#ifndef SERIAL_MODEL_CHECK_H
#define SERIAL_MODEL_CHECK_H

#include "petri/net.h"

/* How the exploration ended. */
typedef enum {
  MODEL_SERIALIZABLE, /* all runs are */
  MODEL_VIOLATED,     /* `run` is not */
  MODEL_LIMIT,        /* max_states was reached */
  MODEL_CANCELLED     /* the heap was asked to stop */
} ModelStatus;

/* Kept up to date while it runs. */
typedef struct {
  uint64_t states; /* met: a marking with a graph each */
  uint64_t left;   /* of those, not yet looked at */
} ModelCounts;

/* What is checked, and how far. What it points to stays the caller's. */
typedef struct {
  const bool *blocks;  /* per block of the notes: is it a transaction? NULL: all are */
  uint64_t max_states; /* 0: no limit */
  ModelCounts *counts; /* may be NULL */
  void (*progress)(void *argument, const ModelCounts *counts); /* may be NULL; called some ten times a second */
  void *progress_argument;
} ModelOptions;

/* The outcome. */
typedef struct {
  ModelStatus status;
  ModelCounts counts;
  TransId *run; /* MODEL_VIOLATED: a shortest run that is not serializable; the heap's, to be released */
  uint32_t n_run;
} ModelResult;

/* The net must have notes. False, with ERR_INPUT, if it is not 1-safe, has a marked block that begins inside itself, or
 * has a place of several threads of which the notes do not say how its events access it. */
bool model_check(Heap *heap, const Net *net, const ModelOptions *options, ModelResult *result, Err *err);

#endif
