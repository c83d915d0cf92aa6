/* lookup.h: places and transitions as a user names them. */
#ifndef PETRI_LOOKUP_H
#define PETRI_LOOKUP_H

#include "petri/net.h"

#include <stdio.h>

/* The transition with that name; where there is none, "#N" is the N-th one of the file. False, with ERR_INPUT, if there
 * is none, or several of that name. */
bool net_find_trans(const Net *net, const char *name, TransId *trans, Err *err);

/* Likewise the place with the name of that length. */
bool net_find_place(const Net *net, const char *name, size_t length, PlaceId *place, Err *err);

/* Likewise one place, or several with commas between them (a name may have commas itself: the longest one that fits is
 * taken), each of them once. *places is heap-owned. */
bool net_find_places(Heap *heap, const Net *net, const char *names, PlaceId **places, uint32_t *n, Err *err);

/* Prints "'a'", "'a' and 'b'", "'a', 'b' and 'c'": n places by their names, made fit to be shown (base/text.h);
 * `places` as numbers. */
void net_print_places(const Net *net, const uint32_t *places, uint32_t n, FILE *out);

/* Prints 'NAME', likewise. */
void net_print_name(const Net *net, const char *name, FILE *out);

/* Prints "block 'NAME' (line 7)", likewise; without a name its number, from 1. The net has notes. */
void net_print_block(const Net *net, uint32_t block, FILE *out);

#endif
