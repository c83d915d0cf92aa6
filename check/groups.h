/* groups.h: places that a certificate calls one object for a causal chain: whoever passes the chain on by one of them
 * touches the group, and so does who takes it. */
#ifndef CHECK_GROUPS_H
#define CHECK_GROUPS_H

#include "check/lines.h"
#include "check/thread_facts.h"

/* What a transition does to a group that it touches. */
typedef struct {
  uint32_t group;
  bool takes, puts;
  bool writes;  /* else: takes one place of it and puts the same one back, */
  PlaceId read; /* this one */
} GroupAccess;

/* Those of one transition: a piece of Groups.accesses. */
typedef struct {
  const GroupAccess *at;
  uint32_t n;
} GroupAccesses;

/* The groups. Arrays are the heap's. */
typedef struct {
  Heap *heap;
  const ThreadFacts *facts;
  uint32_t *group_of;     /* per place, or FACT_NONE */
  U32Vec has_readers;     /* per group */
  U32Vec first_place;     /* per group: a place of it, or FACT_NONE; */
  uint32_t *next_place;   /* per place: the next one of its group, or FACT_NONE */
  uint32_t *access_start; /* per transition, + 1; once judged */
  VEC(GroupAccess) accesses;
} Groups;

/* None yet, of facts that have been judged, and live as long. */
void groups_init(Groups *groups, const ThreadFacts *facts);
void groups_fini(Groups *groups);

/* The next group. False, with ERR_CHECK, for a place that is private or of two groups. */
bool groups_add(Groups *groups, const uint32_t *places, uint32_t n, bool has_readers, Err *err);

/* Reads groups: any number of lines `g` and `r`. False, with *err, if a line has not that form (ERR_INPUT), or cannot
 * be true (in *why, and only there, without the place in the file). */
bool groups_read(Lines *lines, Groups *groups, Err *why, Err *err);

/* Finds the accesses. False, with ERR_CHECK, if a place that several threads touch is private to none and in no group,
 * or is read by two. */
bool groups_judge(Groups *groups, Err *err);

/* What the transition does to groups, once they are judged. */
static inline GroupAccesses groups_accesses(const Groups *groups, TransId t) {
  const uint32_t from = groups->access_start[t.v];
  return (GroupAccesses){groups->accesses.at + from, groups->access_start[t.v + 1] - from};
}

/* Does the transition write the group, and take all tokens that there are on it? */
bool groups_clears(const Groups *groups, TransId t, const GroupAccess *access);

#endif
