/* links.h: from which step to which one a causal chain can go by an object: one puts there what the other one takes. */
#ifndef PROVE_LINKS_H
#define PROVE_LINKS_H

#include "prove/known.h"

/* A live step that touches an object, and how. */
typedef struct {
  uint32_t step;
  Touch touch;
} Toucher;

/* The links of a net. `facts` outlive them. */
typedef struct {
  Heap *heap;
  const Known *facts;
  uint32_t *start; /* per object, + 1: its touchers, ascending by step */
  Toucher *touchers;
} Links;

/* Lists for each object the steps that touch it. Memory is the facts' heap's until fini. */
void links_init(Links *links, const Known *facts);
void links_fini(Links *links);

/* The touchers of one object: a piece of Links.touchers. */
typedef struct {
  const Toucher *at;
  uint32_t n;
} ToucherList;

/* Those of the object, ascending by step. */
static inline ToucherList links_touchers(const Links *links, uint32_t object) {
  return (ToucherList){links->touchers + links->start[object], links->start[object + 1] - links->start[object]};
}

/* Both of one object. The token that `earlier` puts is the one that `later` takes: so it has the value that was left,
 * and two that only look have tokens of their own. */
static inline bool links_join(const Touch *earlier, const Touch *later) {
  return earlier->puts && later->takes && earlier->post == later->pre && (earlier->writes || later->writes);
}

/* May a chain of other threads start with step `next` where a thread takes `step`, and nothing comes between? */
bool links_picks_up(const Links *links, uint32_t step, uint32_t next);

/* Is there such a step: may a chain leave the thread at `step`? And may one enter it: does `step` take what a step of
 * another thread, taken while this one stood before `step`, has put? */
bool links_leave(const Links *links, uint32_t step);
bool links_enter(const Links *links, uint32_t step);

#endif
