/* reaching.h: can a program come to a state that it must not come to: a wrong assertion, a deadlock, two threads in
 * blocks at once, or about to access one variable?
 *
 * Each of these is a formula about the markings of the program's net (petri/formula.h), which ask/questions.h answers
 * and proves. A thread has exactly one token on its control places. So, with the control places
 *
 *     failed(a)  behind an assertion a that was wrong       a can fail      iff  failed(a) >= 1
 *     in(b)      of all threads inside the block b          two are in b    iff  in(b) >= 2
 *                                                           one each        iff  in(b) >= 1, in(c) >= 1,
 *                                                                                in(b) + in(c) >= 2
 *     at(x)      of all threads before an access x          x and y race    iff  as with two blocks
 *     over(t)    of thread t at its end, behind a wrong     a deadlock is   iff  no transition is enabled, and for
 *                assertion, or before it was forked                              some t not over(t) >= 1
 *
 * where places are counted once. */
#ifndef ASK_REACHING_H
#define ASK_REACHING_H

#include "ask/questions.h"
#include "prove/never.h"

/* What must not be reached. */
typedef enum {
  REACH_FAILURE,  /* a wrong assertion */
  REACH_DEADLOCK, /* some threads wait for ever, all others are over */
  REACH_MEETING,  /* a thread in one block, another one in another, or in the same one */
  REACH_RACE      /* two threads whose next events access a variable; one writes it, and one is not indivisible */
} ReachKind;

/* Accesses of a variable at a place of the source, of one kind. */
typedef struct {
  SrcPos pos;
  uint32_t object;
  bool writes, sync; /* as in TransNote */
} ReachSite;

/* One such state. All of it is the heap's. */
typedef struct {
  ReachKind kind;
  SrcPos pos;                  /* FAILURE: of the assertion */
  const char *text;            /* FAILURE: its source; MEETING: what was asked, "enter,leave"; RACE: the variable,
                                  or NULL: no two accesses can race */
  ReachSite sites[2];          /* RACE */
  const bool *blocks, *others; /* MEETING: per block of the notes: is it one of the first, or of the second? */
  Formula formula;
  bool proved; /* that it cannot be reached follows from what is known of the threads (prove/never.h) */
  bool lacks;  /* it cannot be reached in the net, which is not the whole program: so it is unknown (ask/gaps.h) */
  bool never;  /* it cannot be reached, and no run even comes to the assertion, or into the one or the other block */
} ReachGoal;

/* What is asked about. */
typedef struct {
  bool assertions, deadlock;
  const char *const *meetings; /* "NAME", or "NAME,NAME": blocks of these names, or that begin in the lines */
  uint32_t n_meetings;
  bool races; /* of each two accesses that different threads may do, if one writes, and one is not indivisible */
} ReachOptions;

/* Is the control place, of a net with notes, one before such an access? */
bool reaching_is_before(const Net *net, PlaceId place, const ReachSite *site);

/* What came of it; answers[i] is about goals[i]. */
typedef struct {
  ReachGoal *goals;
  Answer *answers;
  uint32_t n;
  QuestionResult result; /* of those that are not proved */
  Never *proofs;         /* of the others; NULL: there are none */
  bool brief;            /* as the net is not the whole program, and no limit of events was given, only a search of
                            bounded work was made; so more may be reached in the net */
} Reaching;

/* The net must have notes. A limit makes what is not decided unknown. False, with *err, if there is no such block or no
 * assertion, the net is none that can be unfolded, the notes do not say where its threads are (ERR_INPUT), or an answer
 * did not stand up to its replay (ERR_CHECK). */
bool reaching_check(Heap *heap, const Net *net, const ReachOptions *asked, const QuestionOptions *options,
                    const AskLimits *limits, Reaching *reaching, Err *err);
void reaching_fini(Reaching *reaching);

/* The certificate of the answers, as answer_proof_write (ask/answer_proof.h). Is there anything in it; is the goal? */
bool reaching_has_proof(const Reaching *reaching, const Net *net);
bool reaching_is_certified(const Reaching *reaching, const Net *net, uint32_t goal);
void reaching_write_proof(const Reaching *reaching, const Net *net, UnfoldOrder order, FILE *out);

#endif
