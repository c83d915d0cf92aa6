/* wanted.h: the functions whose calls are transactions, as they were asked for (DistilOptions). */
#ifndef DISTIL_WANTED_H
#define DISTIL_WANTED_H

#include "base/heap.h"
#include "base/options.h"

#include <stdbool.h>
#include <stddef.h>

/* The names, and the functions of which it was asked. */
typedef struct Wanted Wanted;

/* The options `atomic` and `except`, whose text outlives it. Memory is the heap's until wanted_free. */
Wanted *wanted_new(Heap *heap, const OptionList *atomic, const OptionList *except);
void wanted_free(Wanted *wanted); /* NULL is allowed */

/* Is a call of this function a transaction? It is called; `starts`: by nobody, as main and what a thread starts with.
 */
bool wanted_has(Wanted *wanted, const char *name, size_t length, bool starts);

/* The names of which no call was asked, with ", " between, each with what it may stand for; NULL: there are none. The
 * heap's. */
char *wanted_missing(const Wanted *wanted);

#endif
