/* list_head.h: lists that are circles of links, which lie in the nodes, and one in the bucket. */
#include "two.h"

#include <stdlib.h>

typedef struct Link {
  struct Link *next, *prev;
} Link;

#define ENTRY(link_, type, member) ((type *)((char *)(link_)-offsetof(type, member)))

static inline void link_init(Link *head) { head->next = head->prev = head; }

static inline void link_between(Link *it, Link *before, Link *after) {
  after->prev = it;
  it->next = after;
  it->prev = before;
  before->next = it;
}

static inline void link_add(Link *it, Link *head) { link_between(it, head, head->next); }

static inline void link_remove(Link *it) {
  it->next->prev = it->prev;
  it->prev->next = it->next;
}
