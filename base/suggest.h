/* suggest.h: which of the names that there are somebody may have meant who wrote another one.
 *
 * Two names are as far apart as the least number of single letters to be left out, put in, or replaced, and of pairs of
 * neighbours to be exchanged, that makes the one the other; capital and
 * small ASCII letters count as equal. One is like the other if they are no farther apart than a third of the longer
 * one's letters, and than 3: so names of one or two letters are like those alone that differ in capitals. */
#ifndef BASE_SUGGEST_H
#define BASE_SUGGEST_H

#include <stdint.h>

/* Names with more bytes are like none, and so are those with control characters, or bytes that are no UTF-8. */
enum { SUGGEST_MOST = 80 };

/* The search for the name that was meant. It owns no memory. */
typedef struct {
  const char *wrong;
  uint32_t distance;             /* of `best`, if there is one */
  char best[SUGGEST_MOST + 1];   /* the first of the nearest that were offered, or "" */
  char words[SUGGEST_MOST + 32]; /* of suggest_words */
} Suggestion;

/* `wrong` is NUL-terminated and has to live as long as the suggestion is asked. */
Suggestion suggest_for(const char *wrong);

/* Here is one of the names that there are. "" and `wrong` itself are never suggested. */
void suggest_offer(Suggestion *suggestion, const char *name);

/* "; did you mean 'NAME'?" for the end of a message, or "" if none of the names is like the wrong one; as long as the
 * suggestion lives. */
const char *suggest_words(Suggestion *suggestion);

#endif
