/* libcausal.h: is this concurrent program causally atomic, serializable, free of deadlocks? The questions of
 * causalcheck and netunfold, for other programs to ask:
 *
 *     CausalOptions options = CAUSAL_OPTIONS;
 *     options.timeout = 10;
 *     CausalResult *result = causal_ask(CAUSAL_ATOMIC, text, strlen(text), &options);
 *     if (causal_verdict(result) == CAUSAL_VIOLATED) puts(causal_output(result, "text", NULL));
 *     causal_free(result);
 *
 * Everything that can go wrong is a value. Nothing ends the process, writes to its streams, reads or writes its files,
 * or touches its signals, and there is no global state: any number of threads may ask at the same time. A result
 * belongs to one thread at a time. Strings are UTF-8. Compile and link with `pkg-config --cflags --libs libcausal`. */
#ifndef LIBCAUSAL_H
#define LIBCAUSAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CAUSAL_API __attribute__((visibility("default")))

/* ---- asking ---- */

/* What is asked of a program, an SML text, or a net, PNML, ll_net, TINA's or TAPAAL's; the content says which. XML
 * needs libxml2 at run time, and CAUSAL_DEADLOCK and formulas need PicoSAT for large nets; neither is loaded before. */
typedef enum {
  CAUSAL_ATOMIC,       /* is each marked block causally atomic? */
  CAUSAL_SERIALIZABLE, /* are all runs serializable? */
  CAUSAL_DEADLOCK,     /* of the net: can nothing happen any more? That counts as violated, in the next two, too: */
  CAUSAL_REACHABLE,    /* can `target` hold, places with commas between them, or a formula (docs/tools/netunfold.md)? */
  CAUSAL_FIREABLE,     /* can the transition `target` fire? */
  CAUSAL_PREFIX,       /* nothing: the complete prefix is wanted; it holds that it is complete */
  CAUSAL_NET           /* nothing: the net is wanted */
} CausalQuestion;

/* The answer. What is not known to hold is never said to. */
typedef enum {
  CAUSAL_UNKNOWN,  /* a limit, or it was stopped: causal_why() */
  CAUSAL_HOLDS,    /* atomic, serializable, no deadlock, no such marking, never fires */
  CAUSAL_VIOLATED, /* the contrary was found, and replayed */
  CAUSAL_REFUSED,  /* the input or the options are not what they should be: causal_diagnostics(), causal_why() */
  CAUSAL_FAULT     /* a self-check failed, a bug of ours */
} CausalVerdict;

/* Ends the questions that it was given to: causal_stop() may be called by any thread and by a signal handler, and the
 * answer is then CAUSAL_UNKNOWN within a fraction of a second. NULL if there is no memory. It must live as long as the
 * questions are being answered, and stays stopped. */
typedef struct CausalStop CausalStop;
CAUSAL_API CausalStop *causal_stop_new(void);
CAUSAL_API void causal_stop(CausalStop *stop);
CAUSAL_API void causal_stop_free(CausalStop *stop); /* NULL is allowed */

/* How a question is answered. Always begin with CAUSAL_OPTIONS, and change what you need; nothing is kept. */
typedef struct {
  size_t size;         /* of this struct, so that later versions may add members */
  const char *name;    /* of the input, for messages; NULL: "<input>". No such file is opened */
  double timeout;      /* seconds; 0: no limit. It takes a thread of the library's own, without signals */
  uint64_t max_memory; /* bytes, of the result, too; 0: no limit */
  uint64_t max_events; /* 0: no limit */
  CausalStop *stop;    /* or NULL */

  /* of programs, as the options of causalcheck (docs/tools/causalcheck.md) */
  const char *const *defines; /* "N=3", n_defines of them; NULL: none */
  size_t n_defines;
  const char *const *warnings; /* "no-NAME", "no-all" */
  size_t n_warnings;
  bool each_access; /* each access to a global is an event (--granularity=access) */
  bool any_number;  /* CAUSAL_ATOMIC: for every N of an 'N * { ... }' that is not defined */

  /* of CAUSAL_ATOMIC and CAUSAL_SERIALIZABLE */
  const char *const *blocks; /* only those of these names, or that begin in these lines */
  size_t n_blocks;
  const char *const *begins, *const *ends; /* transitions of a net without notes: --begin, --end */
  size_t n_begins, n_ends;
  bool allow_empty; /* an input without a marked block holds, and is not refused */

  /* of CAUSAL_REACHABLE and CAUSAL_FIREABLE */
  const char *target;
} CausalOptions;

#ifdef __cplusplus
#define CAUSAL_OPTIONS \
  { sizeof(CausalOptions) }
#else
#define CAUSAL_OPTIONS \
  { .size = sizeof(CausalOptions) }
#endif

/* What came of a question; it holds all that it says, until causal_free(). Where a function below gets NULL, it answers
 * as if memory had run out. */
typedef struct CausalResult CausalResult;

/* Answers the question about the `length` bytes of the text, which may be gone afterwards. `options` may be NULL. NULL
 * only if there is no memory to say so. The stack should have the usual 8 MB. */
CAUSAL_API CausalResult *causal_ask(CausalQuestion question, const char *text, size_t length,
                                    const CausalOptions *options);
CAUSAL_API void causal_free(CausalResult *result);

CAUSAL_API CausalVerdict causal_verdict(const CausalResult *result);

/* Why it is unknown, refused or a fault; "" if there is nothing to say, or the diagnostics say it. */
CAUSAL_API const char *causal_why(const CausalResult *result);

/* ---- what was found ---- */

/* An error, a warning or a note about the text of a program. A note belongs to what is before it. */
typedef enum { CAUSAL_ERROR, CAUSAL_WARNING, CAUSAL_NOTE } CausalLevel;

typedef struct {
  CausalLevel level;
  uint32_t line, column; /* from 1, in bytes; 0: nowhere */
  uint32_t length;       /* bytes to underline */
  const char *message;
  const char *option; /* the name of the warning, or NULL */
} CausalDiagnostic;

/* The *n diagnostics, in their order. */
CAUSAL_API const CausalDiagnostic *causal_diagnostics(CausalResult *result, size_t *n);

/* An event of an example run. What is unknown is NULL or 0. */
typedef struct {
  const char *thread; /* "T1" */
  const char *text;   /* the event as it stands in the source, or the name of the transition */
  const char *words;  /* what it does that matters: "reads Y in between" */
  uint32_t line, column;
  bool in_block; /* it belongs to the block that is not atomic, or to a transaction of the cycle */
} CausalStep;

/* What is said of one block, one cycle, or one question about a net. */
typedef struct {
  CausalVerdict verdict; /* CAUSAL_UNKNOWN, CAUSAL_HOLDS or CAUSAL_VIOLATED */
  const char *rule;      /* stable: "not-causally-atomic" */
  const char *message;   /* one sentence */
  const char *why;       /* another one, on the example; or NULL */
  const char *grounds;   /* how it is known; or NULL */
  uint32_t line, column;
  const CausalStep *steps; /* the example */
  size_t n_steps;
} CausalFinding;

/* The *n findings. NULL, with 0, if there are none, or memory runs out. */
CAUSAL_API const CausalFinding *causal_findings(CausalResult *result, size_t *n);

/* The result in one of the forms "json" (docs/json.md: it has all of it), "text", "sarif", "junit", "mermaid",
 * "shiviz"; the net as "pnml" or "ll_net"; the prefix as "mci", which is binary. A NUL follows, which *length, if it is
 * not NULL, does not count. NULL if there is no such form of this result, or no memory. */
CAUSAL_API const char *causal_output(CausalResult *result, const char *form, size_t *length);

/* ---- the prefix ---- */

#define CAUSAL_NONE UINT32_MAX

/* A finite prefix of the unfolding of a net. Events and conditions have numbers from 0, causes smaller ones. */
typedef struct {
  bool complete; /* what it does not cover cannot be covered */
  uint32_t n_events, n_conditions, n_places, n_transitions;
  const uint32_t *event_transition; /* per event */
  const uint32_t *preset_start;    /* n_events + 1: the preset of e is preset[preset_start[e] .. preset_start[e+1]-1] */
  const uint32_t *preset;          /* conditions */
  const uint32_t *condition_place; /* per condition, */
  const uint32_t *producer;        /* its event; CAUSAL_NONE: it is an initial one */
  const bool *is_cutoff;           /* per event, */
  const uint32_t *corresponding;   /* of a cut-off, the event with the same marking; CAUSAL_NONE: the initial marking */
  const char *const *place_name, *const *transition_name;
} CausalPrefix;

/* The last prefix that was unfolded for a question about a net: CAUSAL_PREFIX always wants one. NULL if there is none,
 * or memory runs out. */
CAUSAL_API const CausalPrefix *causal_prefix(CausalResult *result);

/* "0.1.0" */
CAUSAL_API const char *causal_version(void);

#ifdef __cplusplus
}
#endif

#endif
