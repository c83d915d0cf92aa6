/* net_steps.h: what the notes of a net say of a thread and of an event, for the steps of an example. */
#ifndef REPORT_NET_STEPS_H
#define REPORT_NET_STEPS_H

#include "base/intern.h"
#include "petri/net.h"
#include "report/values.h"

/* "line 10, one of 4 copies"; NULL: nothing to say, or NOTE_NONE. */
const char *net_steps_thread(Arena *arena, const Notes *notes, uint32_t thread);

/* The source of the transition, or its name where it has none; whole. */
const char *net_steps_text(Arena *arena, const Net *net, TransId t);

/* Sets place, text, accesses, values, sets and event of the step that is number i of the run of `values`: `events`
 * numbers the events of the program. Transitions that differ in values alone are one event. */
void net_steps_fill(Arena *arena, const Net *net, TransId t, const Values *values, uint32_t i, Intern *events,
                    FindingStep *step);

#endif
