/* effects.h: what the functions do that a program calls and does not define: those of the C library and of POSIX
 * threads that are known. docs/c.md has the same table, with the manuals' sections. */
#ifndef FRONTEND_C_EFFECTS_H
#define FRONTEND_C_EFFECTS_H

#include <stdint.h>

/* What kind of call it is. */
typedef enum {
  CALL_UNKNOWN,
  CALL_MEMORY, /* it does no more than its arguments' letters and its result say */
  CALL_LOCK,
  CALL_TRY_LOCK,
  CALL_UNLOCK,
  CALL_LOCK_INIT,
  CALL_CREATE,
  CALL_JOIN,
  CALL_ONCE,
  CALL_WAIT, /* for a condition, [0], with the lock [1] */
  CALL_SIGNAL,
  CALL_READ_LOCK,
  CALL_WRITE_LOCK,
  CALL_READ_WRITE_UNLOCK,
  CALL_SEMAPHORE_INIT,
  CALL_SEMAPHORE_WAIT,
  CALL_SEMAPHORE_POST,
  CALL_BARRIER_INIT,
  CALL_BARRIER_WAIT,
  CALL_BEGIN, /* of a marked block */
  CALL_END,
  CALL_STOP,     /* it does not return: the process ends */
  CALL_LAST_STEP /* likewise: the thread ends */
} CallKind;

/* What it returns. */
typedef enum {
  RESULT_NUMBER,
  RESULT_FRESH,   /* memory that nobody else knows */
  RESULT_AGAIN,   /* that, with what its first argument points to in it; or the first argument itself */
  RESULT_FIRST,   /* an address in what its first argument points into */
  RESULT_LIBRARY, /* the address of something of the library's own */
  RESULT_OWN,     /* the address of something that the calling thread alone has */
  RESULT_ZERO     /* 0: what is wrong otherwise is a fault of the program, or a want of memory */
} ResultKind;

/* A row. `arguments` has a letter for each argument, the last one also for all that follow: '-' it is not followed, 'r'
 * what it points to, from there to the end of the object, is read, 'w' written, 'b' both, 'e' an address in what the
 * first argument points into is written there. */
typedef struct {
  const char *name;
  CallKind kind;
  ResultKind result;
  const char *arguments;
} Effect;

/* The row of that name; one of kind CALL_UNKNOWN if there is none. */
const Effect *effect_of(const char *name);

/* The letter of argument number i. */
char effect_on(const Effect *effect, uint32_t i);

#endif
