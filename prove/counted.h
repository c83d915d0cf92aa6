/* counted.h: programs with some threads any number of times. Their net has two of each such thread, and is one of many:
 * a class (prove/classes.h) has some threads that are always there, and some more for each *open* number.
 *
 * The open numbers have numbers of their own, from 0; a tuple has a value for each of them. */
#ifndef PROVE_COUNTED_H
#define PROVE_COUNTED_H

#include "prove/classes.h"

/* Which threads of a net are there any number of times: two of each such group of its notes. */
typedef struct {
  uint32_t n;               /* the open numbers */
  const uint32_t *of_group; /* per group: its open number, or NOTE_NONE: the threads that it has */
} OpenNumbers;

/* How many threads each class has. The arrays are the heap's. */
typedef struct {
  Heap *heap;
  const Classes *classes;
  uint32_t n_open;
  uint32_t *always; /* per class: the threads that are always there */
  uint32_t *times;  /* per class, n_open each: so many more for each one that the open number counts */
} Counted;

#define COUNTED_ANY UINT32_MAX

/* False, with nothing to free, if the two threads of a group do not behave alike, or are not two. The net has notes. */
bool counted_init(Counted *counted, Heap *heap, const Classes *classes, const OpenNumbers *open);
void counted_fini(Counted *counted);

/* The most threads that the class can have, or COUNTED_ANY. */
uint32_t counted_most(const Counted *counted, uint32_t class);

/* The next tuple of n > 0 numbers: the sums ascend, and of one sum the first number that differs. It begins with zeros.
 */
void counted_next(uint32_t *tuple, uint32_t n);

/* The first tuple, as above, with as many threads in each class as `need` says, none more than the most it can have. */
void counted_least(const Counted *counted, const uint32_t *need, uint32_t *tuple);

/* Is `tuple` before `other`, as above? */
bool counted_is_before(const uint32_t *tuple, const uint32_t *other, uint32_t n);

#endif
