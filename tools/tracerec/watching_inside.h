/* watching_inside.h: what the files of watching.h share: the run as it is known so far. */
#ifndef TOOLS_TRACEREC_WATCHING_INSIDE_H
#define TOOLS_TRACEREC_WATCHING_INSIDE_H

#include "base/keys.h"
#include "distil/atoms.h"
#include "distil/blocks.h"
#include "distil/live.h"
#include "distil/parts.h"
#include "distil/places.h"
#include "distil/source.h"
#include "distil/stacks.h"
#include "serial/monitor.h"
#include "tools/tracerec/watching.h"

#include <pthread.h>
#include <stdatomic.h>

enum { BATCH = 1024, RECENT = 1024, WRITTEN = 64 };

/* In a location: the access was put aside, and its number is that of the event after it. */
#define ASIDE (UINT32_C(1) << 30)
#define NOT_ASIDE (ASIDE - 1)

enum { LABEL_CODE = 1 << 30 };

/* What is left by a return, or by a jump over it. */
typedef struct {
  uint64_t frame, code, serial;
  uint32_t label; /* of a transaction, from 1; 0: it is none */
  bool block;     /* ATOMIC_BEGIN, not a function */
  bool written;   /* its begin was fed */
} Frame;

/* Accesses to a line that were put aside; 32 bytes, since there may be many. */
typedef struct {
  uint64_t line;  /* its address; in the low bits the logarithm of the size of each, and ASIDE_WRITES */
  uint64_t bytes; /* of it, a bit for each; 0: it does not count */
  uint32_t location;
  uint32_t since; /* events from the begin of the transaction to it */
  uint32_t next;  /* 1 + that of the next one in the bucket */
} Aside;

/* What was put aside of a line by a transaction. */
typedef struct {
  uint64_t line;     /* its address */
  uint64_t bytes[2]; /* that were accessed, and written */
  uint32_t transaction;
} Noted;

/* What a thread does. */
typedef struct {
  VEC(Frame) frames;
  uint32_t unwritten, open; /* transactions among them whose begin was not fed, and was */
  VEC(Aside) aside;
  uint64_t *buckets; /* by stripe: `transaction`, and 1 + the last one; NULL: there was no need for it yet */
  uint32_t indexed;  /* of what was put aside: what is in the buckets */
  Noted *noted;      /* what was put aside lately, by line; NULL: nothing was yet */
  uint32_t transaction;
  uint64_t base;     /* number of its first event */
  uint64_t function; /* that it started with */
  bool reads;        /* an atomic read was put aside: */
  bool overtaken;    /* another thread has changed the variable since; */
  uint32_t idle;     /* private accesses since; */
  uint64_t outer;    /* and the innermost call of a transaction then, whose begin had not been fed */
  RawEvent read;
} Course;

/* Of a program counter: the transaction that a call of its function is. */
typedef struct {
  uint64_t code;
  uint32_t label;
  bool asked;
} Code;

typedef struct {
  uint64_t code;
  uint32_t location;
} Located;

/* Bytes of a line that a thread has written, and no other thread has come to since. */
typedef struct {
  uint64_t line, bytes;
  uint64_t run; /* in which that was */
} Written;

/* All that is known of the run so far. */
struct Watching {
  Heap *heap;
  const WatchOptions *options;
  int raw;
  pid_t program;
  pthread_t thread;
  bool started, recorded;
  bool is_part; /* not all accesses are recorded */
  uint32_t lost[RAW_LOST], full;
  atomic_bool ended;
  Live *live;
  Source *source;
  const RawHeader *header;
  Monitor *monitor;
  Parts *parts;
  Places *places, *symbols; /* of the modules at the first event; and now */
  uint32_t module_bytes;    /* of the header, then */
  Blocks *blocks;
  Stacks *stacks;
  Atoms *atoms;
  Keys guards;   /* addresses of what is done once */
  Keys asked;    /* codes of which it was asked whether they are the program's own; */
  VEC(bool) own; /* by their numbers */
  Keys codes;
  VEC(Code) code; /* by their numbers */
  Located recent[RECENT];
  U32Vec called;            /* by name in options->atomic: has there been a call of it? */
  U32Vec names;             /* of labels, by number: an index of RawHeader.name_at; or LABEL_CODE and a code */
  VEC(Course) courses;      /* by thread */
  uint32_t n_open, n_reads; /* transactions that are open, outermost ones; threads with a read put aside */
  uint64_t quiet;           /* the last event at which none was open */
  uint64_t serial;          /* of frames */
  uint64_t *seen;           /* bits of stripes that are known to be shared */
  TraceEvent batch[BATCH];
  uint32_t n;
  Written written[WRITTEN]; /* by line */
  uint64_t runs;            /* of words that were taken without anything else of any thread in between */
  uint64_t fed, n_transactions;
  bool found, wrong; /* wrong: what was found is no violation */
  const char *why;   /* of what was missed; or NULL */
  double start, cpu;
};

enum { WATCHING_THREADS = 1 << 20 };

#endif
