/* play_program.h: the runs of programs, event by event, as those of recorded threads are (predict/play.h). */
#ifndef PREDICT_PUSHDOWN_PLAY_PROGRAM_H
#define PREDICT_PUSHDOWN_PLAY_PROGRAM_H

#include "petri/net.h"
#include "predict/play.h"
#include "predict/pushdown/pushdown.h"

/* Plays what was predicted of a program. *cycle, with room for as many visits as the prediction has, becomes the cycle
 * in it. Threads are called as in causalcheck: T1, T2. */
void play_program(Play *play, Heap *heap, const PushdownPrediction *prediction, Cycle *cycle);

/* Plays a firing sequence of a net with notes. */
void play_net(Play *play, Heap *heap, const Net *net, const TransId *run, uint32_t n_run);

#endif
