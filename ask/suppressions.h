/* suppressions.h: what is known of a program and not to be reported again: a file of entries, docs/suppressions.md. */
#ifndef ASK_SUPPRESSIONS_H
#define ASK_SUPPRESSIONS_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

/* What an entry is about. */
typedef enum {
  SUPPRESS_FUNCTION, /* transactions with that label */
  SUPPRESS_PLACE,    /* transactions that begin there, and accesses there */
  SUPPRESS_OBJECT,   /* accesses to that variable */
  SUPPRESS_COMMUTES, /* likewise; but it is no violation that is suppressed: they commute. Or transactions with that
                        label: those commute with each other (ask/commuting.h) */
  SUPPRESS_KINDS
} SuppressKind;

/* An entry. */
typedef struct {
  SuppressKind kind;
  const char *pattern;   /* base/glob.h */
  uint32_t line, column; /* where it begins, from 1 */
  bool used;             /* something in a run has matched; for who asks the entry to say */
} Suppression;

/* A file of them. */
typedef struct {
  const char *name; /* of the file, for messages */
  Arena arena;      /* has the patterns */
  VEC(Suppression) all;
} Suppressions;

/* Reads the file; false, with ERR_INPUT ("file:line:column: ...") or ERR_IO, if that fails. Memory is the heap's until
 * fini. */
bool suppressions_read(Heap *heap, const char *path, Suppressions *suppressions, Err *err);
void suppressions_fini(Heap *heap, Suppressions *suppressions);

/* The word before the colon: "function". */
const char *suppressions_kind(SuppressKind kind);

/* Does the entry match the name, of a transaction, a variable or a place? A place ("src/a.c:12:5:main") is also matched
 * by what it begins with, up to a colon, and from each '/' on. */
bool suppressions_match(const Suppression *entry, const char *name);

#endif
