/* shrink_sml.h: makes a program smaller that shows a fault. */
#ifndef TESTS_ORACLE_SHRINK_SML_H
#define TESTS_ORACLE_SHRINK_SML_H

#include "base/vec.h"

typedef bool StillFails(void *argument, const char *text, size_t length);

/* Takes threads, compound statements and lines out of the program and simplifies others, as long as
 * still_fails(argument, ...) is true, as it must be of the text at first; ends where no single step helps any more. A
 * compound statement is seen only if its parts stand on lines of their own, as random_sml writes them. */
void shrink_sml(Heap *heap, CharVec *text, StillFails *still_fails, void *argument);

#endif
