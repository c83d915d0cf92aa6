/* telling.h: what is told of a run that is watched. */
#ifndef TOOLS_TRACEREC_TELLING_H
#define TOOLS_TRACEREC_TELLING_H

#include "ask/monitoring.h"
#include "tools/tracerec/watching.h"

#include <stdbool.h>

/* Does the cycle not depend on what may have been done to a lock? */
bool telling_is_sound(const Watching *watching, const MonitorFinding *finding);
/* The first violation, and its judgement, on stderr. Watching.wrong: it is none. */
void telling_violation(Watching *watching);
/* The report on stderr; what that takes is the heap's. */
void telling_report(Heap *heap, const Watching *watching, const RunReport *report);

#endif
