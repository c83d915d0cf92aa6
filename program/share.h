/* share.h: how each object is represented: by places, in the control of the one thread that uses it, or not at all. */
#ifndef PROGRAM_SHARE_H
#define PROGRAM_SHARE_H

#include "program/flow.h"

/* How an object is represented. */
typedef enum {
  SHARE_LOCK,
  SHARE_ABSTRACT, /* not tracked: its places, if any, carry no value */
  SHARE_CONSTANT, /* tracked, but no thread writes it: always the initial value */
  SHARE_FOLDED,   /* tracked and used by one thread alone: a part of that thread's control */
  SHARE_TRACKED   /* its places carry its value */
} Share;

/* What the flow of one written thread does to an object that is no lock, anywhere. */
typedef enum { USE_NONE = 0, USE_READ = 1, USE_WRITE = 2 } ShareUse;

/* Sets uses[0 .. objects - 1] to unions of ShareUse. */
void share_uses(const Program *program, const Flow *flow, uint8_t *uses);

/* Fills share[0 .. objects - 1], and adds to writers[0 .. objects - 1], which were 0, the number of threads that write
 * the object. `flows` has one per written thread; a thread's copies count as threads of their
 * own. With the encoding "paper" nothing is folded. */
void share_decide(const Program *program, const Flow *flows, Encoding encoding, Share *share, uint64_t *writers);

#endif
