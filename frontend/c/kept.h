/* kept.h: memory that hangs in objects that are told apart, as the nodes of lists in the buckets of a table do.
 *
 * Objects that calls allocate are *kept* if their addresses are stored nowhere but in objects that are told apart,
 * their keepers, and in each other; and if no address comes from what hangs in one keeper into what hangs in another
 * one. Then each of them hangs in one keeper, or in none yet, for as long as it is there. So they have the instances of
 * all keepers: one of them stands for all that hang in that instance of a keeper.
 *
 * Values that may lead to them are in *classes*: what is loaded, computed, merged, passed, and returned is in the class
 * of what it comes from, and what is stored in the class of where it is stored. All that a class leads to hangs in the
 * keeper that one address says, its *spot*. docs/c.md says why. */
#ifndef FRONTEND_C_KEPT_H
#define FRONTEND_C_KEPT_H

#include "frontend/c/foci_inside.h"

/* The address of a keeper, an operand in a context. */
typedef struct {
  uint32_t context;
  COperand operand;
} KeptSpot;

struct Kept {
  Foci *foci;
  Points *points;
  Heap *heap;
  Dominators dominators;
  U32Vec above;   /* per node of the points: one of its class, at last the first one, which is its own */
  U32Vec spot_of; /* per node that is the first of its class: 1 + a number of `spots`; 0: there is none */
  VEC(KeptSpot) spots;
  CharVec is_back; /* per object that is told apart: do addresses of it, in keepers and in what they keep, lead back? */
  CharVec is_member;   /* per node: it comes from there, and leads to keepers */
  VEC(int32_t) shifts; /* per node, and whether it may lead to a keeper: kept_stray.c */
  CharVec are_dirty;
  bool has_dropped; /* something is not kept, or does not lead back, after all, in this round */
  bool asks;        /* members are sought: nothing is dropped */
  bool has_found;   /* something was, in this round */
};

/* Where an address goes: operand `from` of an instruction `use` of a context. */
typedef struct {
  CSpot value; /* it becomes that value; its context C_NONE: it is stored */
  uint32_t context, use;
  const COperand *from; /* NULL: the value is one of memory that the call has made */
  const COperand *slot; /* where it is stored */
  bool is_copy;         /* what lies at the address `from` is copied to the address `slot` */
} KeptFlow;

/* Finds what is kept: sets CObject.is_kept, and Foci.kept if anything is. Objects that are told apart are known. */
void kept_find(Foci *foci);
void kept_fini(Foci *foci);

/* Does a set of targets lead to something that is kept? To nothing else? */
bool kept_has(const Points *points, U32Vec set);
bool kept_has_all(const Points *points, U32Vec set);

/* What hangs in an object, as a number of Points.objects, is a keeper's: is something stored there that is kept? */
bool kept_is_keeper(const Points *points, uint32_t object);

/* What an operand of an instruction leads to, which may be something that is kept, or is a member. */
CIdentity kept_identity(Foci *foci, uint32_t context, uint32_t number, const COperand *operand);

/* ---- kept_sites.c ---- */

/* What may be kept, as far as addresses in memory say, and what functions of the library do with them. */
void kept_find_sites(Kept *k);

/* Drops those that are found elsewhere, until there are none; those that a set leads to; all whose addresses are in
 * what a set leads to, also of keepers. */
void kept_drop_elsewhere(Kept *k);
void kept_drop(Kept *k, U32Vec set);
void kept_drop_contents(Kept *k, U32Vec set);

/* Are such addresses there? */
bool kept_has_contents(const Kept *k, U32Vec set);

/* Is an address in the keeper that the spot of a value's class leads to? */
bool kept_is_its_spot(Kept *k, uint32_t context, const COperand *value, const COperand *address);

/* ---- kept_stray.c ---- */

/* Drops what may be accessed by an address that has left the element it is counted from. */
void kept_check_strays(Kept *k);

/* ---- kept_back.c ---- */

/* Which addresses of keepers may lead back, as far as globals say that have some at the start; none, unless `any`. */
void kept_find_backs(Kept *k, bool any);
bool kept_leads_back(const Kept *k, U32Vec set);
void kept_drop_back(Kept *k, uint32_t object);
void kept_drop_backs(Kept *k, U32Vec set);

void kept_find_members(Kept *k);
bool kept_is_member(const Kept *k, uint32_t context, const COperand *operand);

/* Does a set lead to nothing but keepers and what they keep? To some of these? */
bool kept_is_pure(const Points *points, U32Vec set);
bool kept_has_some(const Points *points, U32Vec set);

/* ---- kept_flows.c ---- */

/* Calls back for each flow of an address that may lead to something kept, or is a member, for each store of one that
 * leads back, and for copies of such; drops what flows in another way. */
typedef void EachFlow(Kept *k, const KeptFlow *flow);
void kept_each_flow(Kept *k, EachFlow *each);

/* Does a call run functions of the program alone? */
bool kept_runs_program(Kept *k, uint32_t context, uint32_t call);

#endif
