/* finding.h: what a tool has to say of its input, in one form for every tool and every output.
 *
 * A tool's answer becomes a Report: findings, a verdict, and members that only data formats show. A writer
 * (report/writers.h) knows nothing but this. All strings are UTF-8, clean (base/text.h) and whole: a writer shortens
 * what it has no room for. Everything belongs to the report's arena or outlives it. */
#ifndef REPORT_FINDING_H
#define REPORT_FINDING_H

#include "base/arena.h"
#include "base/style.h"
#include "base/vec.h"
#include "base/verdict.h"

/* A place of a source text, or of a run. */
typedef struct {
  const char *file;      /* NULL: unknown */
  uint32_t line, column; /* from 1; columns count bytes; 0: unknown */
  const char *function;  /* NULL: unknown */
  const char *other;     /* where there is neither file nor line: what else is known, "event 12"; or NULL */
} Place;

/* What a step is to the block, or the transaction, that is not atomic. */
typedef enum {
  FINDING_BEFORE, /* needed before */
  FINDING_INSIDE, /* of the block itself */
  FINDING_OTHER,  /* of another thread, after something inside */
  FINDING_BACK,   /* inside again, after something of another thread */
  FINDING_ROLES
} FindingRole;

/* What kind of a variable it is whose values are known along an example. */
typedef enum {
  FINDING_VARIABLE, /* shared by all threads */
  FINDING_LOCAL,    /* of one thread */
  FINDING_LOCK,     /* its value is the thread that holds it */
  FINDING_VARIABLE_KINDS
} FindingVariableKind;

/* A variable of an example. */
typedef struct {
  const char *name;
  FindingVariableKind kind;
  uint32_t thread;     /* FINDING_LOCAL: of the finding's threads */
  const char *initial; /* before the first step; NULL: of a lock, which is free */
} FindingVariable;

/* A step gives a variable a value. */
typedef struct {
  uint32_t variable; /* of the finding's variables */
  const char *value; /* "3", "true"; of a lock the name of its holder, or NULL: it is free */
} FindingSet;

/* A step does something to an object. */
typedef struct {
  const char *object; /* "Y" */
  const char *how;    /* "read": a name of vocabulary_verb() */
} FindingAccess;

/* One event of an example run. */
typedef struct {
  uint32_t thread; /* of the finding's threads */
  Place place;
  const char *text;  /* the event as it stands in the source: "Y := 5", or what is known of it: "read Y" */
  const char *words; /* what it does, said of its thread: "writes Y", "reads Y in between"; or "the block begins"; NULL:
                        nothing that matters */
  const char *values;     /* of tracked variables that it changed, after it: "turn = 1, M = true"; NULL: none */
  const FindingSet *sets; /* the same for a program to read, and locks that it takes or gives back */
  uint32_t n_sets;
  const FindingAccess *accesses; /* in the order of the source */
  uint32_t n_accesses;
  const char *part; /* in the chain or cycle that is the violation: "begin", "out", "in", "chain", "back"; NULL: none */
  const Place *stack; /* where its function was called, the innermost first; a place of nothing: not known */
  uint32_t n_stack;
  FindingRole role;
  bool matters;    /* shown even where only what matters is */
  uint32_t frame;  /* from 1: it stands in a block or transaction, around which a picture draws the finding's frame of
                      that number; 0: in none. All steps of a frame are of one thread */
  uint64_t number; /* of the event in the run that it is from, from 1 */
  uint64_t event;  /* steps with the same one are one event of the program, which happens again: alike but for role,
                      part, words, values; 0: the step is the only one */
} FindingStep;

/* What an edge says of its two steps. */
typedef enum {
  EDGE_ORDER, /* program order, or fork and join */
  EDGE_CHAIN, /* of the chain from the block to the others and back, or of the cycle */
  EDGE_OTHER  /* another dependence between threads */
} FindingEdgeKind;

/* Step `to` depends on step `from`, an earlier one. */
typedef struct {
  uint32_t from, to;
  FindingEdgeKind kind;
  const char *object;   /* what it goes through: "Y"; NULL: none, or it is not known */
  const char *label;    /* how: "write → read"; NULL: nothing to say */
  const char *modes[2]; /* what `from` and `to` do to the object: names of vocabulary_verb(); NULL: not known */
} FindingEdge;

/* A thread of a finding. */
typedef struct {
  const char *name;  /* "T1" */
  const char *about; /* "line 10, one of 4 copies", "worker, prog.c:12"; or NULL */
  bool concurrent;   /* not a thread: its steps are in no order of their own */
} FindingThread;

/* Another place that one should look at: a note below the message. */
typedef struct {
  Level level;
  Place place; /* {0}: of the whole */
  const char *message;
  const char *source; /* the line or event at that place, to be shown below; or NULL */
} FindingNote;

/* What the finding is of a verdict. */
typedef enum {
  FINDING_FAIL, /* something is wrong */
  FINDING_PASS, /* something was looked at, and is not */
  FINDING_OPEN, /* that is not known */
  FINDING_KINDS
} FindingKind;

/* Something that was found in the input, with an example if there is one. */
typedef struct {
  const char *rule; /* stable, for suppressions and for SARIF: "not-causally-atomic"; a row of report/rules.c */
  Level level;
  Place place;
  const char
      *message; /* one sentence without a stop at its end: "block 'deposit' of threads T1, T2 is not causally atomic" */
  const char *subject; /* what was looked at, whatever came of it: "block 'deposit' (line 3)"; NULL: the message */
  const char *title; /* of its picture: "Block 'deposit' of threads T1, T2 is not causally atomic"; NULL: the message */
  const char *why;   /* one sentence for the picture's caption: "T1 writes Y; T2 reads Y in between; ..."; or NULL */
  const char
      *grounds; /* by what it is known, for who wants to know more: "unfolded, 12 events"; NULL: nothing to say */
  const char *const *frames; /* the names of the frames: "block 'deposit'"; NULL: no frame is drawn there */
  uint32_t n_frames;
  const char *unit; /* what a frame is, in one word: "block", "transaction"; NULL: "block" */
  const FindingThread *threads;
  uint32_t n_threads;               /* in the order of a picture's columns */
  const FindingVariable *variables; /* whose values are known along the example */
  uint32_t n_variables;
  const FindingNote *notes;
  uint32_t n_notes;
  const FindingStep *steps; /* an example run, in its order; none: there is no example */
  uint32_t n_steps;
  bool no_run;              /* the steps are events that matter; that they can come in this order is not known */
  const FindingEdge *edges; /* ascending in `to`, then in `from` */
  uint32_t n_edges;
  uint32_t count; /* how many such there are, this one included; 0: that is not known, or there is no more to say */
  FindingKind kind;
} Finding;

#endif
