/* moves.h: what the threads of a program can do, with fewer tests: of the moves of a local state that differ in nothing
 * but the value that one test asks for, and that have all values that can occur, one is enough, without that test. A
 * condition over five variables of five values has thousands of moves, and a dozen of these. What a move touches stays
 * as it is: only values are left out, and no colouring but the full one looks at them. */
#ifndef COLOUR_MOVES_H
#define COLOUR_MOVES_H

#include "petri/thread_view.h"

#define VALUE_ANY (UINT32_MAX - 1) /* ViewAccess.pre and .post of a test that was dropped */

/* In its local state the transition leads to `to`, as do others for which it stands. */
typedef struct {
  TransId transition; /* the first of them */
  uint32_t to;
  const ViewAccess *accesses; /* of each of them, but for values that are tested; ascending by object, one each */
  uint32_t n_accesses;
} ColourMove;

/* The moves of all local states. */
typedef struct {
  Heap *heap;
  const ThreadView *program;
  U32Vec start; /* per local state, + 1 */
  VEC(ColourMove) moves;
  ViewAccess *accesses; /* of moves that test less */
} ColourMoves;

/* The program must outlive the moves. With `merge` there are fewer of them, as above; else each is one of the
 * program's. */
void moves_init(ColourMoves *moves, Heap *heap, const ThreadView *program, bool merge);
void moves_fini(ColourMoves *moves);

/* `run`, by transitions of moves, becomes a run of the program: in place of each transition one that it stands for, and
 * that tests the values that there are. False with ERR_CHECK if there is none, which would be an error of ours. */
bool moves_settle(const ThreadView *program, TransId *run, uint32_t n, Err *err);

#endif
