/* steps.h: reads step files (docs/confirming.md), and says how far a run has followed one. */
#ifndef TOOLS_TRACEREC_STEPS_H
#define TOOLS_TRACEREC_STEPS_H

#include "base/err.h"
#include "record/raw.h"

#include <stdio.h>

/* Reads plan `number`, from 1, of the text, which is NUL-terminated; `name` is for messages. False, with ERR_INPUT
 * ("file:line: what is wrong"), if the text is no step file, or has no such plan; *plan is undefined then. */
bool steps_parse(const char *name, const char *text, uint32_t number, RawPlan *plan, Err *err);

/* Lets a leg be any such event of its thread, whatever its number there; what it is of its transaction stays. */
void steps_loosen(RawPlan *plan);

/* Lets the legs before the first one of another role be on any object, each on the same as all that were to be on its,
 * and the others that name objects on any at all. */
void steps_loosen_objects(RawPlan *plan);

/* Writes a step file of this plan alone. */
void steps_print(const RawPlan *plan, const char *title, FILE *out);

/* After the run: was all loaded that the legs are in? If not, it was another program, and will be next time. */
bool steps_are_loaded(const RawPlan *plan);

/* After the run: what became of the plan, in one sentence. True: all legs were passed. */
bool steps_outcome(const RawPlan *plan, char *text, size_t size);

#endif
