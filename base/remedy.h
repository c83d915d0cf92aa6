/* remedy.h: what can be done about a message, in the words of whoever runs the program. A library knows what is wrong,
 * but not what the options of a tool are called: the tool gives it the words, which are put behind the message. */
#ifndef BASE_REMEDY_H
#define BASE_REMEDY_H

#include <stddef.h>

/* What is wrong. */
typedef enum {
  REMEDY_NO_BLOCK,       /* a program, or its net, has nothing to be checked */
  REMEDY_NO_TRANSACTION, /* likewise a run */
  REMEDY_NONE_CHOSEN,    /* all of a run's transactions are left out */
  REMEDY_NO_THREADS,     /* a net has no notes, but units, which can be threads */
  REMEDY_NO_UNITS,       /* a net has neither */
  REMEDY_FIXED_NET,      /* a net in which no number of threads is open, where one is wanted */
  REMEDY_FIXED_COUNTS,   /* likewise a program */
  REMEDY_OPEN_COUNT,     /* a number of threads is open, where none may be */
  REMEDY_LOCKS,    /* of a recursive program the locks cannot be respected; the words come before another remedy */
  REMEDY_BUDGET,   /* the budget of a search is used up */
  REMEDY_VARIANTS, /* there are too many colours of an event */
  REMEDIES
} Remedy;

/* The words for each, with what separates them from the message ("; raise --budget"). NULL: there are none. */
typedef struct {
  const char *words[REMEDIES];
} Remedies;

/* "" if there are none; `remedies` may be NULL. */
static inline const char *remedy_words(const Remedies *remedies, Remedy remedy) {
  return remedies && remedies->words[remedy] ? remedies->words[remedy] : "";
}

#endif
