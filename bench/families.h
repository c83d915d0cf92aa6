/* families.h: nets of any size that the literature on unfoldings measures with, made here so that a benchmark needs no
 * files.
 *
 *   dme(n)       the ring of n cells of David Dill's circuit for distributed mutual exclusion, gate by gate, for n = 11
 * the net dme11 of McMillan key(n)       the manager of keyboard and screen for n customers of Corbett's collection of
 * Ada programs; n = 4: key_4 rw(n)        n readers and n writers; n = 12: rw_12 acquire1(n)  n threads that get a lock
 * by test-and-set in a loop and then read and write a variable, one of them in a block; with the colours that find out
 * whether that block is causally atomic swap(n)      n tokens that go there and back, all at once: two transitions with
 * n places on either side loops(n)     n places with a token each, which a transition takes and puts back
 *
 * For the sizes named, and n = 30 and 100 of acquire1, the nets are those of the files, arc for arc, transitions in the
 * same order and places up to renaming (tests/unit/test_families.c). Within each file all cells, customers, readers,
 * writers and threads but the one with the block are alike, and other sizes have more or fewer of the same. */
#ifndef BENCH_FAMILIES_H
#define BENCH_FAMILIES_H

#include "petri/net.h"

typedef enum { FAMILY_DME, FAMILY_KEY, FAMILY_RW, FAMILY_ACQUIRE1, FAMILY_SWAP, FAMILY_LOOPS, N_FAMILIES } Family;

const char *family_name(Family family);

/* The net of size n, from 1 (dme: from 2) to FAMILY_MAX. */
enum { FAMILY_MAX = 1000000 };
Net *family_net(Heap *heap, Family family, uint32_t n);

#endif
