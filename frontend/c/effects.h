/* effects.h: what the functions do that a program calls and does not define: those of the C library, of POSIX and Linux
 * that are known, and those of other libraries of which the user says it. */
#ifndef FRONTEND_C_EFFECTS_H
#define FRONTEND_C_EFFECTS_H

#include "base/err.h"
#include "base/file.h"
#include "base/vec.h"

/* What kind of call it is. */
typedef enum {
  CALL_UNKNOWN,
  CALL_MEMORY,    /* it does no more than its arguments' letters and its result say */
  CALL_BACK,      /* likewise; and it calls those that have a 'c', any number of times */
  CALL_COPY,      /* likewise; what is written to [0] is what [1] points to */
  CALL_ARGUMENTS, /* va_start */
  CALL_HANDLER,   /* [1] is what is done when a signal comes, or points to that */
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
  CALL_TRY_READ_LOCK,
  CALL_TRY_WRITE_LOCK,
  CALL_READ_WRITE_UNLOCK,
  CALL_SEMAPHORE_INIT,
  CALL_SEMAPHORE_WAIT,
  CALL_TRY_SEMAPHORE,
  CALL_SEMAPHORE_POST,
  CALL_SEMAPHORE_VALUE, /* it is asked for; the value is not known */
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
  RESULT_FIRST,   /* an address in what its first argument points into; fresh memory, if that one is NULL */
  RESULT_SECOND,  /* likewise, the second one */
  RESULT_THIRD,   /* likewise, the third one */
  RESULT_ANY,     /* an address in what one of its arguments points into, or of the library's own */
  RESULT_WALK,    /* likewise, or in what is found where an argument points */
  RESULT_LIBRARY, /* the address of something of the library's own, which nobody writes */
  RESULT_STATIC,  /* the address of something of the library's own, which it writes each time */
  RESULT_HIDDEN,  /* an address in what an argument 'T' was */
  RESULT_OWN,     /* the address of something that the calling thread alone has */
  RESULT_SELF,    /* the handle of the calling thread */
  RESULT_KEPT,    /* what the thread has kept by an argument 'p' */
  RESULT_MAP,     /* as mmap: fresh memory, if nobody else maps the same */
  RESULT_BUSY,    /* 0; or EBUSY: it has not got what it has tried to take */
  RESULT_LATE,    /* 0; or ETIMEDOUT: likewise, in time */
  RESULT_FAILED,  /* 0; or -1: likewise */
  RESULT_ZERO     /* 0: what is wrong otherwise is a fault of the program, or a want of memory */
} ResultKind;

/* A row. `arguments` has a letter for each argument, the last one also for all that follow; behind an 'r', 'w', 'b' or
 * 's' may stand how many bytes it is at most, where that is less than all of the object, on all systems:
 *   -      it is not followed: a number, or an address that nothing is done to, or that is freed
 *   r w b  what it points to, from there to the end of the object, is read, written, both
 *   R W B  likewise, and all that addresses there lead to, and those there
 *   e      an address in what the first argument points into is written there
 *   M      there is an address, which moves on in what it leads into; what it leads to is read and written
 *   E      likewise; or it is set into what the first argument points into
 *   n l u  an address is written there: of fresh memory, of the library's own, of something that is not known
 *   m      as getline: there is the address of memory, which is written, and may become fresh memory
 *   a      as getopt: there are addresses, which change places, and may be found in a variable of the family
 *   k K    the addresses that are read there are kept; those that are kept are written there
 *   o i    as many bytes are read, or written, as the next argument says; if that is a constant, addresses in what is
 *          read are kept, and may be written by an 'i'
 *   O I    likewise; the number is the product of the next two
 *   p      it is kept itself, for the calling thread
 *   T      as strtok: it is kept by the family, for all threads; what was kept, or is now, is read and written
 *   s      what it points to is read and written; NULL: then it is something hidden, of the family
 *   S      a stream of zlib or its likes: addresses in it move on in what they lead into; that is read and written, what
 *          the first one leads to is only read; the number behind it says where the address of its state is, which is
 *          made there, and 8 bytes before that the address of a constant text is put
 *   z      NULL, or something constant; anything else would be kept
 *   c      a function, which it calls with addresses of what the other arguments point to, or of the library's own */
typedef struct {
  const char *name;
  CallKind kind;
  ResultKind result;
  const char *arguments;
  const char *family; /* or NULL: it writes what all of this family do: something hidden, which those with a
                         RESULT_STATIC return, and variables of the library; after a '?': it only reads that */
} Effect;

typedef VEC(Effect) EffectVec;

/* The row of that name: one of `more`, or of ours; one of kind CALL_UNKNOWN if there is none. */
const Effect *effect_of(const EffectVec *more, const char *name);

/* What setjmp does, and its likes, where nobody jumps; NULL: it is none of these. */
const Effect *effect_without_jumps(const char *name);

const Effect *effect_unknown(void);

/* The letter of argument number i, and the number behind it; 0: there is none. */
char effect_on(const Effect *effect, uint32_t i);
uint64_t effect_size(const Effect *effect, uint32_t i);

/* The name of a row's family, or NULL. */
const char *effect_family(const Effect *effect);

bool effect_reads_family(const Effect *effect);

/* Does a function that copies copy as many bytes as its argument [2] says, and no less, nor more? */
bool effect_counts_bytes(const Effect *effect);

/* Is anything hidden, apart from the variables? */
bool effect_hides(const char *family);

/* The n-th variable of the library that functions of that family use, as getopt does optarg; NULL: there are no more.
 */
const char *effect_variable(const char *family, uint32_t n);

/* Adds rows of a text: "NAME LETTERS [RESULT]" in a line, with the letters above, and as the result one of `number` (if
 * there is none), `fresh`, `again`, `first`, `second`, `third`, `any`, `library`, `own`, `zero`, or `stop`: it does not
 * return. A '#' begins a comment. The rows are the heap's. False, with ERR_INPUT, at a line that is
 * none or the second of a name, and for a text without rows. */
bool effects_read(Heap *heap, const InFile *file, EffectVec *rows, Err *err);

#endif
