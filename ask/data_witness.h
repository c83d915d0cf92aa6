/* data_witness.h: a witness that goes through data rather than locks, where there is one. */
#ifndef ASK_DATA_WITNESS_H
#define ASK_DATA_WITNESS_H

#include "ask/atomicity_inside.h"

/* Block i of the result has been found violated by a witness whose chain goes through a lock: with the threads of that
 * witness alone, looks for one whose chain does not, and takes it instead. It may cost a few thousand events, which
 * are not counted, and finds none if they do not suffice. False: the run of the question has failed. Not to be called
 * while an unfolding is under way. */
bool data_witness_find(Question *q, uint32_t i);

#endif
