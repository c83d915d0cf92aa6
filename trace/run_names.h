/* run_names.h: the names of a run, and their numbers.
 *
 * A NameList has the names of one kind, by number. A NameTable finds the number of a name in the list; a list may have
 * several tables, each a space of names of its own (a lock may be called like a variable), and names that are in none.
 * TraceNames has a list for each kind. */
#ifndef TRACE_RUN_NAMES_H
#define TRACE_RUN_NAMES_H

#include "base/arena.h"
#include "base/carry.h"
#include "base/slots.h"
#include "base/vec.h"
#include "trace/numbered.h"
#include "trace/trace.h"

#include <string.h>

enum { NAME_ROOMS = 32 };

/* The names of one kind. Starts and ends as said below; a name lives as long as its list. */
typedef struct {
  Arena arena;
  VEC(const char *) at; /* by number; NUL-terminated */
  char *free;           /* what is left of the block of memory for short names */
  size_t n_free;
  U32Vec gone; /* numbers whose names were forgotten, for the next ones */
  uint64_t n_forgotten;
  char *rooms[NAME_ROOMS]; /* of such names, by their size, each with the next one in it */
} NameList;

/* The list's memory is the heap's, until fini, which leaves an empty list. */
void trace_name_list_init(NameList *list, Heap *heap);
void trace_name_list_fini(NameList *list);

/* Adds a name, which has no NUL, but may be empty; its number is one whose name was forgotten, or else that of the
 * names before it. */
uint32_t trace_name_list_add(NameList *list, const char *name, size_t length);

/* The name, which is in no table any more, is no more; another one may get its number. */
void trace_name_list_forget(NameList *list, uint32_t number);

/* On the way in the list is empty. */
void trace_name_list_carry(NameList *list, Carry *carry);

struct TraceNames {
  Heap *heap;
  NameList list[TRACE_NAME_KINDS];
  bool may_repeat; /* two numbers may have the same name */
};

/* All lists, empty; their memory is the heap's, until fini. */
void trace_names_init(TraceNames *names, Heap *heap);
void trace_names_fini(TraceNames *names);

/* The number of a name that is no longer than a word, in a memo: the word is the name's bytes, the last one in its last
 * byte. What stands there is in the table; what is in the table need not stand there. */
typedef struct {
  uint64_t word;
  uint32_t number;
} NameMemo;

/* From names to their numbers in `list`, which outlives the table. */
typedef struct {
  NameList *list;
  NameMemo *memo;
  uint32_t memo_mask; /* the size of the memo, a power of two, - 1 */
  uint32_t n_names;
  HashSlots slots; /* of `n_hashed` names, those that are not in `numbered` */
  uint32_t n_hashed;
  Numbered *numbered; /* NULL up to some 30,000 names; beyond them the memo, which would be too large, has no name */
} NameTable;

/* An empty table, whatever is in the list, which must live as long; memory of the list's heap. fini leaves the list as
 * it is, and may be called for a table of zeros. */
void trace_name_table_init(NameTable *table, NameList *list);
void trace_name_table_fini(NameTable *table);

/* The number of the name, which is added to the list if it is not in the table. It is not empty, and has no NUL. */
uint32_t trace_name_table_add(NameTable *table, const char *name, size_t length);

/* Of a list that was carried before; on the way in the table is empty. */
void trace_name_table_carry(NameTable *table, Carry *carry);

/* The name with that number leaves the table, if it is there; is it? */
bool trace_name_table_remove(NameTable *table, uint32_t number);

/* The name, 1 to 8 bytes, as the word of a NameMemo. The 8 bytes that end with the name are read. */
static inline uint64_t trace_name_word(const char *name, size_t length) { return numbered_word(name + length, length); }

/* Where in a memo: the name as a decimal number, its letters digits of a sort, the lower 16 bits of it; above them
 * those of its hundreds. Names that are letters and a number, as most are, stand beside those with the numbers next to
 * theirs, and not in each other's place. */
static inline uint32_t trace_name_place(uint64_t word) {
  const uint64_t tens = word & 0x000f000f000f000f, ones = word >> 8 & 0x000f000f000f000f; /* in lanes of 16 bits */
  const uint64_t sums = (tens * 10 + ones) * (1 + (100ull << 16) + (10000ull << 32) + (1000000ull << 48));
  return (uint32_t)(sums >> 48) | (uint32_t)(sums >> 16 & 0xffff0000);
}

/* Where the name stands in the memo, if it does. */
static inline const NameMemo *trace_name_memo(const NameTable *table, uint64_t word) {
  return &table->memo[trace_name_place(word) & table->memo_mask];
}

/* Are there so many names that they are not near? */
static inline bool trace_name_is_far(const NameTable *table) { return table->numbered; }

/* A name that is looked for in a table that is far. */
typedef struct {
  uint32_t *place; /* where its number + 1 is, if it has one; or NULL */
  uint32_t hash;   /* where there is no place */
  uint32_t moves;  /* of the table, when that was looked up */
} NameSought;

/* For the two functions below that are inline. */
uint32_t trace_name_seek_hash(const NameTable *table, const char *name, size_t length);
uint32_t trace_name_add_sought(NameTable *table, const NameSought *sought, const char *name, size_t length);

/* The steps of looking for names of tables that are far, each to be taken for many names, so that their searches need
 * not wait for memory one after another: a step asks for what the next one looks at. The 15 bytes in front of the name
 * are read too. */
static inline NameSought trace_name_seek(const NameTable *table, const char *name, size_t length) {
  NumberedName split;
  NameSought sought = {.moves = table->numbered->moves};
  if (numbered_split(name, length, &split)) sought.place = numbered_find(table->numbered, name, length, &split);
  __builtin_prefetch(sought.place);
  if (!sought.place) sought.hash = trace_name_seek_hash(table, name, length);
  return sought;
}
void trace_name_seek_list(const NameTable *table, const NameSought *sought);
void trace_name_seek_text(const NameTable *table, const NameSought *sought);
/* The last one; as trace_name_table_add. */
static inline uint32_t trace_name_sought(NameTable *table, const NameSought *sought, const char *name, size_t length) {
  if (sought->place && sought->moves == table->numbered->moves && *sought->place) return *sought->place - 1;
  return trace_name_add_sought(table, sought, name, length);
}

/* As trace_name_table_add, of a table that is far. The 15 bytes in front of the name are read too. */
uint32_t trace_name_far(NameTable *table, const char *name, size_t length);

/* As trace_name_table_add, but fast. The 15 bytes in front of the name are read too. */
static inline uint32_t trace_name_number(NameTable *table, const char *name, size_t length) {
  if (trace_name_is_far(table)) return trace_name_far(table, name, length);
  if (length - 1 < 8) {
    const uint64_t word = trace_name_word(name, length);
    const NameMemo *memo = trace_name_memo(table, word);
    if (memo->word == word) return memo->number;
  }
  return trace_name_table_add(table, name, length);
}

#endif
