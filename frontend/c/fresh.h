/* fresh.h: accesses to memory that its thread has just made, and that nobody else can know of yet. */
#ifndef FRONTEND_C_FRESH_H
#define FRONTEND_C_FRESH_H

#include "frontend/c/module.h"

/* Sets is_fresh[i] of the instructions of a module, which is all 0: 1 + n if what i does to what its operand n leads to
 * is to fresh memory whose address no other thread has: it comes from a call in the same function that makes memory,
 * and has been stored, passed on, or returned on no way from there. Nothing is, if the library may keep addresses and
 * give them to other threads. */
void fresh_find(const CModule *module, CharVec *is_fresh);

#endif
