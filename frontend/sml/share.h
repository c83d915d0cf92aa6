/* share.h: how each global is represented: by places, in the control of the one thread that uses it, or not at all. */
#ifndef FRONTEND_SML_SHARE_H
#define FRONTEND_SML_SHARE_H

#include "frontend/sml/flow.h"

typedef enum {
  SHARE_LOCK,
  SHARE_ABSTRACT, /* an `int`: its places, if any, carry no value */
  SHARE_CONSTANT, /* tracked, but no thread writes it: always the initial value */
  SHARE_FOLDED,   /* tracked and used by one thread alone: a part of that thread's control */
  SHARE_TRACKED   /* its places carry its value */
} Share;

/* What the flow of one written thread does to a global, anywhere. */
typedef enum { USE_NONE = 0, USE_READ = 1, USE_WRITE = 2 } Use;

/* Sets uses[0 .. globals - 1] to unions of Use. */
void share_uses(const Ast *ast, const Symbols *symbols, const Flow *flow, uint8_t *uses);

/* Fills share[0 .. globals - 1]. `flows` has one per written thread; a thread's copies count as threads of their
 * own. With the encoding "paper" nothing is folded. */
void share_decide(const Ast *ast, const Symbols *symbols, const Flow *flows, Encoding encoding, Share *share);

#endif
