/* naming.h: the names of objects, locks and threads in the log: what is known of an address, and a number for each. */
#ifndef DISTIL_NAMING_H
#define DISTIL_NAMING_H

#include "distil/blocks.h"
#include "distil/log_writer.h"
#include "distil/places.h"

/* What has a name so far. */
typedef struct Naming Naming;

/* Names go to the log, which may be NULL where nothing is named. Places, blocks and log outlive it; memory is the
 * heap's until naming_free. */
Naming *naming_new(Heap *heap, Places *places, const Blocks *blocks, Log *log);
void naming_free(Naming *naming);

/* The number in the log, from 1, of an object of so many bytes that begins there, which gets one now, and its name. In
 * a block of the heap it may be that of an earlier object, in a block that has ended. */
uint32_t naming_object(Naming *naming, uint64_t address, uint64_t size);

/* The number of the lock at the address, or of the part of a hand-over there (syncs.h); it gets one when it is first
 * asked for. In another block of the heap it is another one. */
uint32_t naming_lock(Naming *naming, uint64_t address);
uint32_t naming_handover(Naming *naming, uint64_t address, uint32_t part);

/* Names the thread after its first function, 0 if that is not known. */
void naming_thread(Naming *naming, uint32_t thread, uint64_t function);

/* Prints what naming_object would name an object there, and naming_thread a thread, with or without a log. */
void naming_print(Naming *naming, uint64_t address, uint64_t size, char *text, size_t room);
void naming_print_thread(Places *places, uint32_t thread, uint64_t function, char *text, size_t room);

/* Numbers given out: of objects, locks and hand-overs. */
uint32_t naming_count(const Naming *naming);

#endif
