/* notice.h: what is to be said about a program when its net is made, for its frontend to put into words. */
#ifndef PROGRAM_NOTICE_H
#define PROGRAM_NOTICE_H

#include "base/vec.h"

/* What a notice says, and which of its numbers mean something. */
typedef enum {
  /* errors, after which there is no net */
  NOTICE_LONG,     /* `op`: with it the thread has more than `limit` operations, its calls inlined */
  NOTICE_DEEP,     /* `op`: this call is nested deeper than `limit` */
  NOTICE_OUTCOMES, /* `op`: its event has more than `limit` combinations of values */
  NOTICE_STATES,   /* `thread`: more than `limit` combinations of program points and values */
  /* warnings */
  NOTICE_WRAPS,     /* `op`: the result `value` is taken modulo `limit`, which makes it `rest` */
  NOTICE_DIVIDES,   /* `op`: a division by zero, at the operator `item` */
  NOTICE_UNHELD,    /* `op`: the lock that it releases may not be held by the thread */
  NOTICE_HELD,      /* `op`: the lock that it acquires may be held by the thread */
  NOTICE_STRAYS,    /* `op`: the value of what it selects by may be `value`, not less than `limit`, or negative */
  NOTICE_UNREACHED, /* `block`: no thread can begin it */
  NOTICE_COUNT
} NoticeKind;

/* One notice. */
typedef struct {
  NoticeKind kind;
  uint32_t number; /* the op, thread or block: a number of the Program */
  uint32_t item;   /* NOTICE_DIVIDES: of Program.items */
  uint32_t limit;
  int64_t value, rest; /* NOTICE_WRAPS; NOTICE_STRAYS: the value */
} Notice;

/* In the order in which they were found; of each operation a kind of warning comes once. Starts as {0}. */
typedef VEC(Notice) NoticeVec;

#endif
