/* lock_runs_inside.h: what the survey and the reader of a run share, and what the reader hands to lock_run_new(). */
#ifndef PREDICT_LOCKS_LOCK_RUNS_INSIDE_H
#define PREDICT_LOCKS_LOCK_RUNS_INSIDE_H

#include "predict/locks/lock_runs.h"

#include "base/vec.h"
#include "predict/locks/lock_cuts.h"
#include "predict/near_pairs.h"

/* An event of a life, by its index in the run; or, of life LIFE_RELAY + r, the step of relay r. */
typedef struct {
  uint32_t life;
  uint64_t event;
} LifeEvent;

#define LIFE_RELAY ((uint32_t)1 << 31)

/* Events of lives, in the order of the run. */
typedef VEC(LifeEvent) LifeEvents;

/* An edge between lives, as LockEdge is one between threads. */
typedef struct {
  LifeEvent from, to;
  bool conflict;
} LifeEdge;

/* What a thread number stands for, and the last fork or join of it. */
typedef struct {
  uint32_t life; /* + 1, or 0 */
  bool related;
  bool since; /* nothing was done by the thread since then */
  LifeEvent relation;
} Number;

/* Where a block begins (lock_repeats.h): how many steps and labels there were. */
typedef struct {
  uint32_t step, label;
} BlockStart;

enum { REPEATS_PERIOD = 2, REPEATS_STARTS = 3 * REPEATS_PERIOD };

/* A life of a thread number, as it is read. In a survey its steps are the stops alone. */
typedef struct {
  uint32_t number, depth;
  uint32_t transaction; /* of its last event; there was one iff it is not 0 */
  uint64_t last;        /* its last event */
  LifeEvents forks;     /* of it, since then */
  VEC(LockStep) steps;  /* locks and objects as the reader numbers them */
  TransactionLabels labels;
  LifeEvent heard;                   /* the last step of a relay that it waited for; else 0 */
  uint32_t n_kept;                   /* locks that it holds, of those that can matter */
  BlockStart starts[REPEATS_STARTS]; /* of the last blocks, the present one included */
  uint32_t n_starts;
  uint32_t passed; /* stops, as the survey has them, that come before its present event */
} Life;

/* How many lives hold each part of a lock. */
typedef struct {
  uint32_t holders[2];
} SharedLock;

/* A signal, and the last step of a relay that its life had waited for. */
typedef struct {
  LifeEvent at, heard;
} Signal;

/* Signals of a hand-over's group, the last of each life, and whether they were waited for. */
typedef struct {
  VEC(Signal) signals;
  uint64_t round; /* the groups before */
  bool waited, relayed;
  LifeEvent relay; /* if relayed, the step that comes after all of them */
} Handover;

/* Of a life and a hand-over: in which group it signalled last, + 1, and which signal that is. */
typedef struct {
  uint64_t round;
  uint32_t signal;
} Signalled;

/* Of a relay: for each step, the wait that asked for it. */
typedef struct {
  VEC(uint64_t) events;
} Relay;

/* Of a life and a part of a lock: acquired that many times more than released; in a survey, in which stage first. */
typedef struct {
  uint32_t count, stage;
  bool kept; /* the lock can matter */
} Hold;

struct LockReader {
  Heap *heap;
  LockSurvey *known;  /* what was surveyed before; or */
  LockSurvey *noting; /* the survey that is made */
  uint64_t n_events;
  uint64_t hash; /* of them */
  bool invalid;  /* two threads held a lock at once */
  VEC(Life) lives;
  VEC(Number) numbers;
  U32Vec variables; /* by number: that of its object + 1, or 0 */
  uint32_t n_objects;
  U32Vec earlier;           /* in a survey, of each object: what the variable was before a cut, + 1, or 0 */
  uint32_t n_open;          /* transactions */
  uint32_t n_cuts;          /* of those of the survey, that were passed */
  uint32_t first;           /* the first object after the last of them */
  VEC(SharedLock) locks;    /* by number */
  bool handovers;           /* they count; else signals and waits are no events */
  VEC(Handover) groups;     /* by number of the hand-over: the current group */
  Pairs signallers;         /* (life, number of the hand-over) */
  VEC(Signalled) signalled; /* of these */
  VEC(Relay) relays;
  NearPairs pairs;     /* (part of a lock, life) */
  VEC(Hold) holds;     /* of these */
  VEC(LifeEdge) edges; /* in a survey only those that order transactions */
};

/* For the survey: an access, and a section of a part of a lock, that the life has in its present stage, or in those
 * from the first one on to the last. */
void lock_survey_note_access(LockSurvey *survey, uint32_t object, uint32_t life, bool write);
void lock_survey_note_section(LockSurvey *survey, uint32_t lock, uint32_t life, uint32_t first, uint32_t last);

/* The cuts, in a survey as far as they are known. */
LockCuts *lock_survey_cuts(LockSurvey *survey);

/* Can an access of the life, or a part of a lock that it acquires, matter, in that stage? */
bool lock_survey_keeps_access(LockSurvey *survey, uint32_t object, uint32_t life, uint32_t stage, bool write);
bool lock_survey_keeps_lock(LockSurvey *survey, uint32_t lock, uint32_t life, uint32_t stage);

bool lock_survey_has_handovers(const LockSurvey *survey);

/* The life's stops, as steps, ascending; none if it is not known. */
const LockStep *lock_survey_stops(const LockSurvey *survey, uint32_t life, uint32_t *n);

#endif
