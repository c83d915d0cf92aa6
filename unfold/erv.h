/* erv.h: the order of Esparza, Roemer and Vogler between two configurations of the same size. */
#ifndef UNFOLD_ERV_H
#define UNFOLD_ERV_H

#include "unfold/branch.h"

/* An event that one of the two configurations has and the other has not. */
typedef struct {
  uint32_t depth, trans;
  int32_t side; /* 1: the first has it, -1: the second */
} OrderItem;

/* What comparisons work with. */
typedef struct {
  const Branch *branch;
  VEC(OrderItem) items; /* scratch, as all that follows */
  U32Vec todo;          /* live events known to be in one of them, whose causes were not yet looked at */
  uint32_t n_single;    /* how many of those are not known to be in both */
  VEC(uint8_t) sides;   /* per live event: a bit for each configuration known to have it; zero between calls */
  int32_t *balance;     /* per transition: occurrences in the first less those in the second; zero between calls */
} Order;

/* `branch` outlives the order; memory is its heap's until fini. */
void erv_init(Order *order, const Branch *branch);
void erv_fini(Order *order);

/* Does the local configuration of extension a come before that of b, of the same size? */
bool erv_before(Order *order, uint32_t a, uint32_t b);

#endif
