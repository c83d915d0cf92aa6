/* explore.h: from the code of a thread to its automaton. */
#ifndef PROGRAM_EXPLORE_H
#define PROGRAM_EXPLORE_H

#include "program/automaton.h"

/* A notice about values that an edge may have. The edge is possible whatever the other threads write; the notice is
 * given where program/doubt.h finds no reason why they would not. */
typedef struct {
  uint32_t edge; /* of Automaton.edges */
  Notice notice; /* NOTICE_WRAPS, NOTICE_DIVIDES */
} Doubt;

/* What is common to all threads of a program. */
typedef struct {
  const Program *program;
  const Share *share; /* per object */
  Granularity granularity;
  NoticeVec *notices;
  U32Vec slot_of_object; /* per object: its slot in the thread under way, or PROGRAM_NONE */
  U32Vec slot_of_local;  /* per local: likewise */
  U32Vec last_touch;     /* per object: scratch of an event */
  VEC(Doubt) doubts;     /* of the thread under way */
  bool *wrapped;         /* per operation of the program: the notice was given */
  bool *divided;         /* likewise */
  bool *strayed;         /* likewise */
  bool *reached;         /* per block: some thread can begin it */
} Exploration;

/* `share` has one per object (program/share.h); it, the program and the notices must live as long. */
void explore_init(Exploration *x, const Program *program, const Share *share, Granularity granularity,
                  NoticeVec *notices);
void explore_fini(Exploration *x);

/* Fills the automaton of a thread, which has been initialised, and the doubts. False after an error, NOTICE_OUTCOMES or
 * NOTICE_STATES: one of the limits of automaton.h. It is not for use then. */
bool explore_thread(Exploration *x, const Flow *flow, uint32_t thread, Automaton *automaton);

#endif
