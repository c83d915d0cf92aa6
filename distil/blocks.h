/* blocks.h: the blocks of the heap, and what they are called, the same from run to run.
 *
 * A block is called after the place that has allocated it and its size: "queue.c:41:queue_new(48)". Of several of one
 * place, one size and one thread all but the first have a number, from 2 on: "queue.c:41:queue_new(48)#2"; those of
 * other threads than the first have the thread's number before it: "...#T3", "...#T3.2". So a thread that does the same
 * in another run has blocks of the same names there, whatever the others do. From BLOCKS_COUNTED on, the name of a
 * block that was freed is used again, since a program may allocate forever. */
#ifndef DISTIL_BLOCKS_H
#define DISTIL_BLOCKS_H

#include "distil/places.h"

enum { BLOCKS_COUNTED = 1000, BLOCKS_ROOM = 1100 };
#define BLOCKS_NONE UINT32_MAX

/* Those that there are now, and the places that have allocated some. */
typedef struct Blocks Blocks;

/* The places outlive them; memory is the heap's until blocks_close. */
Blocks *blocks_open(Heap *heap, Places *places);
void blocks_close(Blocks *blocks);

/* A block, by its number, which another one gets after its end; and which of these it is. */
typedef struct {
  uint32_t number, life;
} BlockId;

/* The thread has allocated a block of `size` > 0 bytes there. One that begins at the same address ends before. Where
 * nothing is known of the place the block is not known from then on; its number is BLOCKS_NONE. Of the code, return
 * addresses, `from` is what it is called after, and `in` where the allocator was called, which knows its type. */
BlockId blocks_begin(Blocks *blocks, uint32_t thread, uint64_t address, uint64_t size, uint64_t from, uint64_t in);

/* What begins at this address, if anything, is freed. */
void blocks_end(Blocks *blocks, uint64_t address);

/* The block that the address is in; number BLOCKS_NONE: none that is known. */
BlockId blocks_find(const Blocks *blocks, uint64_t address);

/* Has it not ended? */
bool blocks_is(const Blocks *blocks, BlockId block);

uint64_t blocks_address(const Blocks *blocks, BlockId block);

/* Prints the name into text, with room for BLOCKS_ROOM bytes; its length. */
int blocks_print(const Blocks *blocks, BlockId block, char *text, size_t size);

/* The same for blocks of the same name, and for no others; less than 2^60. */
uint64_t blocks_name(const Blocks *blocks, BlockId block);

/* What is in it, for places_block, or FIELDS_NONE. */
uint32_t blocks_type(const Blocks *blocks, BlockId block);

#endif
