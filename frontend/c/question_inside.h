/* question_inside.h: what the files of question share. */
#ifndef FRONTEND_C_QUESTION_INSIDE_H
#define FRONTEND_C_QUESTION_INSIDE_H

#include "frontend/c/linear.h"
#include "frontend/c/question.h"

/* The moment of a value: that of one of the deeds, or the only one; or when the thread that does the deed was created;
 * or when a store was done in the first round of its loop, by the store's number; or in the round in which another loop
 * was at one of the first five moments. */
enum { MOMENT_ONCE = 2, MOMENT_CREATED = 3, MOMENT_STORED = 5, MOMENT_FILLED = 1 << 30 };

/* A value that is further from what it is computed of is not known. */
enum { QUESTION_DEEPEST = 40, QUESTION_MOST_ASKED = 1 << 22 };

typedef enum {
  UNKNOWN_WORD,     /* LINEAR_WORD */
  UNKNOWN_VALUE,    /* of an instruction, as a number with a sign */
  UNKNOWN_NATURAL,  /* likewise, as one without */
  UNKNOWN_CARRIED,  /* likewise, where it has wrapped */
  UNKNOWN_STEPS,    /* how often a constant was added to its first value, but for what has wrapped */
  UNKNOWN_WRAPPED,  /* likewise, where it is not what the operands say */
  UNKNOWN_STORED,   /* what a store stores, which is done once */
  UNKNOWN_ROUNDS,   /* how often a block was gone back to since its loop was begun */
  UNKNOWN_TURNS,    /* half of that */
  UNKNOWN_QUOTIENT, /* of a sum by a number, without its rest */
  UNKNOWN_FLOOR,    /* likewise, the next one below */
  UNKNOWN_PRODUCT,  /* of two sums */
  UNKNOWN_ADDRESS   /* of the global `number` */
} UnknownKind;

typedef struct {
  UnknownKind kind;
  uint32_t moment, context, number; /* number: an instruction, or a block */
  LinearSum of, by;                 /* UNKNOWN_QUOTIENT, UNKNOWN_FLOOR, UNKNOWN_PRODUCT */
  bool is_vague;                    /* more is known of it in more detail */
  uint32_t serial;                  /* none has had that one in this case */
} Unknown;

/* What is one of several cases. */
typedef enum {
  CHOICE_COMING,  /* by which way a block is come to */
  CHOICE_SELECT,  /* what a C_SELECT takes */
  CHOICE_WRAP,    /* whether the result of an instruction wraps */
  CHOICE_SIGN,    /* of the operands */
  CHOICE_NATURAL, /* whether a number without a sign is another one than with it */
  CHOICE_CARRY,   /* whether a number without a sign wraps, or what a truth value is that becomes one */
  CHOICE_HALF,    /* which factor of a product that wraps has more than half of the bits */
  CHOICE_UNEQUAL, /* which of two numbers that are not the same is less */
  CHOICE_PAST,    /* whether what counts has come to what it is compared with */
  CHOICE_TURN,    /* whether a number of rounds is odd */
  CHOICE_ORDER,   /* of the factors of two products */
  CHOICE_CREATED, /* which of the two threads was created first */
  CHOICE_CHANGED, /* whether another store was done, too */
  CHOICE_ROUND,   /* whether a loop goes round once */
  CHOICE_BEGUN,   /* whether a loop has gone round at all */
  CHOICE_STEPS    /* in which rounds of a loop something more is added */
} ChoiceKind;

typedef struct {
  ChoiceKind kind;
  uint32_t moment, context, number;
  uint32_t option, n; /* the case that is tried, of so many */
  uint32_t said;      /* its conditions have been added: as number so many; 0: not yet */
  bool matters;       /* they were, in a case that has been tried with this option */
  bool is_passed;     /* they are not impossible */
} Choice;

/* At a moment a loop is in the round of the same number as another one at another moment. */
typedef struct {
  uint32_t moment, other_moment;
  Loop loop, other;
} Along;

/* The waits before a block, once they were counted. */
typedef struct {
  uint32_t moment, context, block, head;
  bool is_known;
  LinearSum waits;
} Count;

/* Which choices are made for what is said: none; those for values that are the same whichever way control comes; all
 * but by which way a value came that is computed once; all. What needs others is not said, or a value of which nothing
 * is known. */
typedef enum { DETAIL_NONE, DETAIL_COMMON, DETAIL_SOME, DETAIL_ALL, DETAIL_COUNT } Detail;

typedef struct {
  const Deeds *d;
  Heap *heap;
  uint32_t threads[2];    /* that do the deeds */
  bool is_recursive;      /* what creates them is a function that calls itself */
  LinearRows least, zero; /* the conditions of this case */
  VEC(Unknown) unknowns;
  VEC(Choice) choices;
  VEC(Count) counts;
  VEC(Along) along;
  const Barrier *barrier;                     /* that is counted */
  uint32_t last;                              /* the choice that was made last */
  uint32_t depth, checks, most, said, serial; /* most: checks are made, no more */
  uint32_t asked;                             /* values, one within the other */
  bool refuted;                               /* this case cannot be */
  Detail detail;
  bool is_common;                /* what is said now is the same whichever way control comes */
  bool is_long;                  /* what is said now needs a choice that is not to be made */
  bool varies, varies_created;   /* there was a choice that may come out otherwise at another moment; or for another
                                    thread, when that was created */
  uint32_t passed[DETAIL_COUNT]; /* of each detail: what was said was not impossible, with so many choices, and one
                                    more; 0: that is not known */
} Question;

/* Is what is computed of other numbers to be left open? It takes too long. */
static inline bool question_is_deep(const Question *q) {
  return q->depth >= QUESTION_DEEPEST || q->asked >= QUESTION_MOST_ASKED;
}

/* Where an address leads to. */
typedef struct {
  LinearSum at;   /* bytes behind the beginning of the object */
  uint32_t table; /* the object that its beginning was loaded from, if it was, and from where there it is known; else
                     C_NONE */
  LinearSum slot; /* where there */
  bool is_made;   /* the object is one that a call makes again and again: the block that it made last, at... */
  uint32_t made;  /* ...that moment */
} Where;

/* ---- conditions: question.c ---- */

/* Says what is asked of two threads, as conditions, in the case that it is now. */
typedef void QuestionSay(Question *q, const void *what);

/* Is it shown that what is said cannot be, in any case? */
bool question_never(const Deeds *d, const uint32_t threads[2], QuestionSay *say, const void *what);

/* The operand of an instruction that leads to where it does the deed; NULL: there is none. */
const COperand *question_address(const Question *q, const Deed *deed);

/* The bytes of a deed. False: it is not known which ones of the object. */
bool question_bytes(Question *q, uint32_t moment, const Deed *deed, Where *where);

/* Where it begins; how far it goes may be unknown. */
bool question_begins(Question *q, uint32_t moment, const Deed *deed, Where *where);

/* Adds that two deeds have a byte in common, if it is known of both how far they go. */
void question_overlap(Question *q, const Where *a, const Deed *of_a, const Where *b, const Deed *of_b);

/* Adds the branches that control has passed on its way to an instruction, in the function and in those that it was
 * called from; and before the thread was created. */
void question_add_ways(Question *q, uint32_t moment, uint32_t context, uint32_t number);

/* Is the context, or one that it runs from, one of a function that calls itself? */
bool question_is_recursive(const Deeds *d, uint32_t context);

/* Adds "sum >= 0", "sum = 0", and "a <= b + more". */
void question_least(Question *q, const LinearSum *sum);
void question_zero(Question *q, const LinearSum *sum);
void question_most(Question *q, const LinearSum *a, const LinearSum *b, int64_t more);

/* Adds "low <= sum <= high". */
void question_between(Question *q, const LinearSum *sum, int64_t low, int64_t high);

/* Is a choice of that kind made now? */
bool question_may_choose(const Question *q, ChoiceKind kind, uint32_t moment);

/* Which case of n it is now. *is_new: its conditions are to be added, and then question_check() called. */
uint32_t question_choose(Question *q, Choice choice, bool *is_new);
void question_check(Question *q);

/* What is said from here on, up to question_end, is as if it were not said if it needs a choice that is not to be made:
 * then that is false. */
typedef struct {
  uint32_t least, zero, unknowns, choices, said;
  bool refuted, is_long;
} Saying;

Saying question_begin(Question *q);
bool question_end(Question *q, const Saying *saying);

/* The number of that unknown; C_NONE: it is not there. */
uint32_t question_find(const Question *q, const Unknown *unknown);

/* Likewise, and it is there then. *is_new: it was not yet. */
uint32_t question_unknown(Question *q, const Unknown *unknown, bool *is_new);

/* MOMENT_ONCE, if the instruction is done once; else the moment. */
uint32_t question_moment(const Question *q, uint32_t moment, uint32_t context, uint32_t number);

static inline const CInstruction *question_at(const Question *q, uint32_t i) {
  return &q->d->module->instructions.at[i];
}

static inline const COperand *question_operand(const Question *q, const CInstruction *i, uint32_t n) {
  return cmodule_operand(q->d->module, i, n);
}

/* ---- numbers: question_number.c ---- */

/* 2 to that power, which is less than 63. */
static inline int64_t question_power(uint64_t bits) { return (int64_t)1 << bits; }

/* Makes a sum that an instruction computes one of so many bits with a sign: it fits, or does not. */
bool question_fit(Question *q, uint32_t moment, uint32_t context, uint32_t number, uint64_t bits, LinearSum *sum);

/* Is it a value of which no more is known, as a number with a sign or without? */
bool question_is_opaque(const Question *q, const LinearSum *sum);

/* What a C_SAME makes of its operand, the sum: bits are taken off. */
bool question_convert(Question *q, uint32_t moment, uint32_t context, uint32_t number, LinearSum *sum);

/* What a C_MIX computes. */
bool question_mixed(Question *q, uint32_t moment, uint32_t context, uint32_t number, LinearSum *sum);

/* The product of two sums that are not constant, which does not wrap. */
bool question_multiply(Question *q, const LinearSum *a, const LinearSum *b, LinearSum *sum);

/* Of numbers that are not negative: the product, which does not wrap; the quotient, and it times the divisor, which is
 * greater than 0. */
void question_times(Question *q, const LinearSum *a, const LinearSum *b, LinearSum *sum);
void question_quotient(Question *q, const LinearSum *a, const LinearSum *b, LinearSum *quotient, LinearSum *whole);

/* The quotient of any sum by a number greater than 0, or the next number below it. */
bool question_floor(Question *q, const LinearSum *a, int64_t by, LinearSum *sum);

/* ---- numbers without a sign: question_natural.c ---- */

/* Says of an instruction's value, of which nothing is known now, whether more would be. */
void question_be_vague(Question *q, uint32_t moment, uint32_t context, uint32_t number, const LinearSum *sum,
                       bool is_vague);

/* Are no choices made now for that sum, as more would be known of it in more detail? Then what is said is too long. */
bool question_is_vague(Question *q, const LinearSum *sum);

/* Adds what LINEAR_WORD is: 2^64, or any other number that is as large. */
void question_add_word(Question *q);

/* The value of an operand of so many bits as a number without a sign. False: nothing is known. */
bool question_natural(Question *q, uint32_t moment, uint32_t context, const COperand *operand, uint64_t bits,
                      LinearSum *sum);

/* Makes of what an instruction computes as a number without a sign the one with a sign, or the other way round. */
bool question_signed(Question *q, uint32_t moment, uint32_t context, uint32_t number, uint64_t bits, LinearSum *sum);
bool question_unsigned(Question *q, uint32_t moment, uint32_t context, uint32_t number, uint64_t bits, LinearSum *sum);

/* Does the instruction compute a number without a sign? Then the one with a sign is found from that. */
bool question_is_natural(const Question *q, uint32_t number);
bool question_computes_natural(Question *q, uint32_t moment, uint32_t context, uint32_t number, LinearSum *sum);

/* ---- values: question_value.c ---- */

/* How many bits a number has; 0: that is not known. A truth value is none. */
uint64_t question_bits(const Question *q, const COperand *operand);

/* Is it the first argument of `main`, which is not negative (C: 5.1.2.2.1p2)? */
bool question_is_argc(const Question *q, uint32_t context, uint32_t number);

/* What an instruction computes, of which no more is known. At the only moment, what is computed more often is none. */
bool question_opaque(Question *q, UnknownKind kind, uint32_t moment, uint32_t context, uint32_t number, LinearSum *sum);

/* As question_choose, of a case of that kind, of n. */
uint32_t question_case(Question *q, ChoiceKind kind, uint32_t moment, uint32_t context, uint32_t number, uint32_t n,
                       bool *is_new);

/* Likewise, of one unknown, or of two. */
uint32_t question_case_of(Question *q, ChoiceKind kind, uint32_t first, uint32_t second, uint32_t n, bool *is_new);

/* Adds that relation of two sums. */
void question_relation(Question *q, const LinearSum *a, const LinearSum *b, CRelation relation);

/* The value of an operand as a number with a sign. False: nothing is known. */
bool question_value(Question *q, uint32_t moment, uint32_t context, const COperand *operand, LinearSum *sum);

/* Likewise, of an instruction; but what is known of no operand is not known. */
bool question_computed(Question *q, uint32_t moment, uint32_t context, uint32_t number, LinearSum *sum);

/* Is an operand a constant, or the address of a global? Sets it. */
bool question_is_number(Question *q, uint32_t context, const COperand *operand, LinearSum *sum);

/* Is it a truth value, perhaps with more bits? */
bool question_is_truth(const Question *q, const COperand *operand);

/* Is the value of an instruction that of an operand, which may be of another context, and another moment? Sets those.
 * False: all may be changed. */
bool question_from(Question *q, uint32_t *moment, uint32_t *context, uint32_t number, const COperand **operand);

/* Adds that an operand is true, or false. */
void question_truth(Question *q, uint32_t moment, uint32_t context, const COperand *operand, bool truth);

/* How often a block that heads a loop was gone back to. */
bool question_rounds(Question *q, uint32_t moment, uint32_t context, uint32_t head, LinearSum *sum);

/* Adds what the branches say that control has passed on its way to a block, from the block `above` on: C_NONE: from
 * the function's entry. */
void question_pass(Question *q, uint32_t moment, uint32_t context, uint32_t block, uint32_t above);

/* Does the block head a loop? */
bool question_is_head(const Question *q, uint32_t block);

/* What a parameter was given: the operand, in which context, at which moment. What a call of a function of the program
 * returns. */
bool question_given(const Question *q, uint32_t *moment, uint32_t *context, uint32_t number, const COperand **operand);
bool question_returned(const Question *q, uint32_t *context, uint32_t call, const COperand **operand);

/* Which operand a C_MERGE that heads no loop takes: by the way that its block was come to. */
bool question_coming(Question *q, uint32_t moment, uint32_t context, uint32_t number, const COperand **operand);

/* Which operand a C_SELECT takes; NULL: that is not known, or not asked. */
const COperand *question_selected(Question *q, uint32_t moment, uint32_t context, uint32_t number);

/* Adds what a C_OFFSET of an address goes on by. */
bool question_move(Question *q, uint32_t moment, uint32_t context, const CInstruction *i, LinearSum *at);

/* ---- loops: question_loop.c ---- */

/* How often the loop of that head has gone round where control leaves it to that block, if that is one number. */
bool question_all_rounds(const Question *q, uint32_t context, uint32_t head, uint32_t to, int64_t *rounds);

/* Is the value of a C_MERGE one that goes on by the same number in each round? Sets *sum to what goes on, and what it
 * begins with. */
bool question_finds_step(const Question *q, uint32_t number, uint32_t *sum, const COperand **first);

/* The value of a C_MERGE that goes on from round to round of a loop that its block heads, as a number with a sign. */
bool question_counted(Question *q, uint32_t moment, uint32_t context, uint32_t number, LinearSum *sum);

/* Is an operand of an instruction in the loop of that head the same in all its rounds: computed before the loop, or
 * once in a run, or before the thread was created, or of such operands? */
bool question_is_steady(Question *q, uint32_t moment, uint32_t context, uint32_t head, const COperand *operand);

/* Has the loop gone round at all? One case or the other. If not, nothing that its rounds compute at their end may have
 * been computed, and so be said: a divisor may be 0. */
bool question_has_gone_round(Question *q, uint32_t moment, uint32_t context, uint32_t head);

/* The one operand of a C_MERGE that comes from outside of the loop, and the one of all that come back; NULL: there are
 * several. */
void question_find_ways(const Question *q, const CInstruction *i, const COperand **first, const COperand **back);

/* Which operand one of two C_MERGEs takes that change their places in each round of a loop; NULL: that is not known. */
const COperand *question_swapped(Question *q, uint32_t moment, uint32_t context, uint32_t number);

/* ---- numbers that go on in loops by what is not constant: question_stride.c ---- */

/* Is it a C_MERGE that something is added to in each round of the loop that its block heads, as a number without a
 * sign?
 */
bool question_is_stride(const Question *q, uint32_t number);

/* Its value as a number with a sign, or without. False: as such nothing is added to it; or what is added is not known
 * in all rounds, or it may wrap. */
bool question_stride(Question *q, uint32_t moment, uint32_t context, uint32_t number, bool is_signed, LinearSum *sum);

/* ---- addresses: question_where.c ---- */

/* Where in an object the address leads, if it leads there at all. False: nothing is known. */
bool question_where(Question *q, uint32_t moment, uint32_t context, const COperand *operand, uint32_t object,
                    Where *where);

/* ---- numbers that each thread has for itself: question_ticket.c ---- */

/* Adds that the unknown, which is new, is another number than those that other threads have of the same counter, if it
 * gives each number once. */
void question_tickets(Question *q, uint32_t unknown);

/* ---- threads that are created: question_created.c ---- */

/* When and where a thread was created. */
typedef struct {
  uint32_t moment, context, call;
} Creation;

/* The creation of the thread that runs a context, at a moment. False: nobody creates it, or it is not known which one
 * is meant. */
bool question_creation(const Question *q, uint32_t moment, uint32_t context, Creation *creation);

/* Adds that two threads that one call creates are two. */
void question_add_creations(Question *q);

/* Adds that a deed at that moment is not one that was done before the thread of the other deed was created, as far as
 * that is seen from the loop that creates it. */
void question_add_later(Question *q, uint32_t moment, uint32_t context, uint32_t number);

/* The loop each round of which does the instruction once at most, if it is begun once in a run. */
Loop question_loop_of(const Deeds *d, uint32_t context, uint32_t number);

/* The block to which the test of its head leaves a loop that is begun once, if nothing else leads there; else C_NONE.
 */
uint32_t question_exit_of(const Deeds *d, uint32_t head);

/* May control come from the one instruction to the other one, in one call of their function, within a round of the
 * loop? */
bool question_comes_within(const Deeds *d, uint32_t head, uint32_t from, uint32_t to);

/* Is the instruction done in each round of the loop that control goes on from to another one? */
bool question_in_each_round(const Deeds *d, uint32_t head, uint32_t number);

/* A comparison says, in each round of a loop that control goes on from, that what counts from *first on by *step is not
 * equal to its operand `end`, which is the same in all rounds. False: it does not, or that is not known. */
bool question_counts_to(Question *q, uint32_t moment, uint32_t context, uint32_t comparison, uint32_t *end,
                        LinearSum *first, int64_t *step);

/* Is it the same loop? */
static inline bool question_same_loop(const Loop *a, const Loop *b) {
  return a->head != C_NONE && a->head == b->head && a->context == b->context;
}

/* The loop is in the round of the same number at that moment as the other one at another moment. */
void question_go_along(Question *q, uint32_t moment, const Loop *loop, uint32_t other_moment, const Loop *other);

/* How often the loop has gone round at a moment. */
static inline bool question_rounds_of(Question *q, uint32_t moment, const Loop *loop, LinearSum *rounds) {
  return loop->head != C_NONE && question_rounds(q, moment, loop->context, loop->head, rounds);
}

/* Adds that two places are in one block of memory of that object. */
void question_same_block(Question *q, uint32_t object, const Where *a, const Where *b);

/* ---- what is passed by memory: question_passed.c ---- */

/* What a load finds: an operand, in which context, at which moment; or 0. */
typedef struct {
  const COperand *operand;
  uint32_t context, moment;
  bool is_zero;
} Source;

/* False: nothing is known. */
bool question_passed(Question *q, uint32_t moment, uint32_t context, uint32_t load, Source *source);

/* ---- threads that are all waited for: question_joined.c ---- */

/* Adds that a deed at that moment that is done in a loop of joins is not behind the join of the thread of the other
 * deed. */
void question_add_joins(Question *q, uint32_t moment, const Deed *deed);

/* ---- barriers: question_round.c ---- */

/* How often the thread has waited at the barrier q->barrier before it does an instruction. False: that is not known. */
bool question_waits(Question *q, uint32_t moment, uint32_t context, uint32_t number, LinearSum *sum);

#endif
