/* answer.h: what an oracle, or an engine under test, says of one marked block. */
#ifndef TESTS_ORACLE_ANSWER_H
#define TESTS_ORACLE_ANSWER_H

#include "petri/net.h"

typedef enum {
  ANSWER_ATOMIC,   /* proved: everything was searched */
  ANSWER_VIOLATED, /* an instance was found */
  ANSWER_UNKNOWN   /* none was found, but the search was cut */
} Answer;

/* "atomic", "violated", "unknown". */
const char *answer_name(Answer answer);

/* The oracles need a net with notes in which every transition takes a token; false with *err for others. */
bool answer_check_net(const Net *net, Err *err);

#endif
