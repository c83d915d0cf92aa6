/* firing.h: a firing sequence of a net as the example of a finding, and who puts the tokens that its steps take. */
#ifndef REPORT_FIRING_H
#define REPORT_FIRING_H

#include "petri/net.h"
#include "report/story.h"
#include "report/values.h"

/* Gives the finding the run of `n` transitions, from the initial marking. Its threads are those of the net's notes;
 * else its NUPN units, to which a transition belongs by the first of its input places that is in one, or of its output
 * places; what belongs to none stands in a column "the net". What is not the arena's is the net's. */
void firing_tell(Arena *arena, const Net *net, const TransId *run, uint32_t n, Finding *finding);

/* The edges between the steps of a run that were added to the story one by one, and to nothing else: from the step that
 * puts a token to the one that takes it, unless it is the control of the thread of both. Those to the last step are a
 * chain if `ends_chain`. */
void firing_edges(Story *story, const Net *net, const TransId *run, uint32_t n, bool ends_chain);

/* Says of the story's threads, which are named by their numbers in the notes, or units, what is known of them. */
void firing_threads(Story *story, const Net *net);

/* Gives the finding the variables of a run of a net with notes; a thread that has one is in the story then. */
void firing_variables(Story *story, const Net *net, const Values *values, Finding *finding);

#endif
