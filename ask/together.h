/* together.h: several formulas about one net, by one search of the reachable markings: what each of them would search
 * for itself is searched once. */
#ifndef ASK_TOGETHER_H
#define ASK_TOGETHER_H

#include "ask/questions.h"

/* Fills in those answers to questions about formulas that are unknown, if there are several, as far as a search finds
 * them that costs little for each that is open. `alone`: they have no search of their own besides; then one formula is
 * searched for, too, and a search for few may take as long as one for some more. A run is a shortest one, and is the heap's; it has not been replayed.
 * The same net and answers give the same ones, unless time or memory is up. Every transition has an input place. */
void together_search(Heap *heap, const Net *net, Answer *answers, uint32_t n, bool alone);

#endif
