#include "report/vocabulary.h"

#include "petri/notes.h"
#include "trace/trace.h"

#include <assert.h>

_Static_assert((int)ACCESS_READ == TRACE_READ && (int)ACCESS_WRITE == TRACE_WRITE &&
                   (int)ACCESS_ACQUIRE == TRACE_ACQUIRE && (int)ACCESS_RELEASE == TRACE_RELEASE,
               "ORDER AccessMode");

const Verb *vocabulary_verb(uint32_t op) {
  static const Verb VERBS[] = {{"read", "reads", "read"},
                               {"write", "writes", "written"},
                               {"acquire", "acquires", "acquired"},
                               {"release", "releases", "released"},
                               {"fork", "forks", "forked"},
                               {"join", "joins", "joined"},
                               {"begin", "begins", "begun"},
                               {"end", "ends", "ended"},
                               {"start", "starts", "started"},
                               {"exit", "exits", "exited"},
                               {"free", "frees", "freed"},
                               {"update", "updates", "updated"},
                               {"shared acquire", "takes a share of", "taken a share of"},
                               {"shared release", "gives back a share of", "given back a share of"},
                               {"try", "gets", "got"},
                               {"shared try", "gets a share of", "got a share of"},
                               {"signal", "signals", "signalled"},
                               {"wait", "waits for", "waited for"}}; /* ORDER TraceOp */
  _Static_assert(sizeof VERBS / sizeof *VERBS == TRACE_OPS, "ORDER TraceOp");
  assert(op < TRACE_OPS);
  return &VERBS[op];
}

const char *vocabulary_verdict(Asked asked, Verdict verdict) {
  static const char *const NAMES[][VERDICT_KINDS] = {{"unknown", "atomic", "violated"},
                                                     {"unknown", "serializable", "violated"},
                                                     {"unknown", "atomic", "possibly not atomic"},
                                                     {"unknown", "none", "predicted"},
                                                     {"unknown", "none likely", "predicted"},
                                                     {"unknown", "none", "found"},
                                                     {"unknown", "holds", "violated"}}; /* ORDER Asked, ORDER Verdict */
  _Static_assert(sizeof NAMES / sizeof *NAMES == ASKED_KINDS, "ORDER Asked");
  assert((unsigned)asked < ASKED_KINDS && (unsigned)verdict < VERDICT_KINDS);
  return NAMES[asked][verdict];
}

const char *vocabulary_ignored(Sync sync, bool has_handovers) {
  const bool handovers = has_handovers && !sync_has_handovers(sync);
  if (sync_has_locks(sync)) return handovers ? "note: hand-overs were ignored" : NULL;
  return handovers ? "note: locks and hand-overs were ignored" : "note: locks were ignored";
}
