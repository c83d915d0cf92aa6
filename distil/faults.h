/* faults.h: what is wrong with a recorded program, or with what is left of it, in words for its user. */
#ifndef DISTIL_FAULTS_H
#define DISTIL_FAULTS_H

#include "base/vec.h"
#include "distil/places.h"

#include <stdint.h>

/* Adds a line to a NUL-terminated text, which is empty at first. */
void fault_warn(Heap *heap, CharVec *text, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A mistake in the marks of a program: how often, and where first. All zero: none yet. */
typedef struct {
  uint32_t n;
  char first[1024]; /* "'deposit' at bank.c:12:3:main by T1, it began again" */
} Fault;

/* Once more, by the code before this address. `label`: of the block, or NULL; `how`: what is said last. */
void fault_note(Fault *fault, Places *places, uint64_t code, uint32_t thread, const char *label, const char *how);

/* A line about it, if there was one. */
void fault_report(Heap *heap, const Fault *fault, const char *what, CharVec *text);

#endif
