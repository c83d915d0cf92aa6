// They are created from the last one on, and joined from the first one on.
// expect: own atomic
// expect: take atomic
#define PLACE(i) (all - 1 - (i))
#define ROUNDS for (n = 0; n < all; n++)
#include "joined_sums.c"
