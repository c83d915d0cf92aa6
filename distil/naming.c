/* naming.c: globals are named after their symbols and members, what is in blocks of the heap after these, all else
 * after its address. */
#include "distil/naming.h"

#include "base/hash.h"
#include "base/intern.h"
#include "base/keys.h"

#include <assert.h>
#include <string.h>

/* The numbers in the log of the parts (syncs.h) of a lock or hand-over, 0 for those that have none yet; and the block
 * that it is in. */
typedef struct {
  U32Vec parts;
  BlockId block;
} Lock;

/* What is in a block. */
typedef enum { A_VARIABLE, A_LOCK, A_HANDOVER } Kind;

struct Naming {
  Heap *heap;
  Places *places;
  const Blocks *blocks;
  Log *log;
  Keys locks;     /* twice the address, and 1 for a hand-over */
  VEC(Lock) lock; /* by the numbers of these */
  Intern symbols;
  VEC(uint64_t) symbol_at; /* by the number of the symbol's name */
  Intern in_blocks;        /* a Kind as a letter, and a name: of what has not that of its block, or with its offset */
  U32Vec number;           /* by the number of this: that in the log */
  Keys block_names;        /* of blocks_name; */
  Keys pieces;             /* such a number, and which 64 bytes of blocks of the name; */
  U32Vec plain;            /* by the numbers of these: for each byte, the number in the log of the variable there whose
                            * name is that of its block, with its offset if it has one; 0: none yet */
  uint64_t asked;          /* the key of the piece that was asked for last, and 1; 0: none was; */
  size_t asked_at;         /* and its number */
  struct {
    BlockId block;
    uint64_t number; /* of its name in block_names */
    int length;      /* 0: none */
    char text[BLOCKS_ROOM];
  } named;          /* the name of a block */
  Keys addresses;   /* of what has no other name */
  U32Vec number_at; /* by the numbers of these: those in the log */
  uint32_t count;
};

Naming *naming_new(Heap *heap, Places *places, const Blocks *blocks, Log *log) {
  Naming *n = heap_zeroed(heap, sizeof *n);
  n->heap = heap;
  n->places = places;
  n->blocks = blocks;
  n->log = log;
  intern_init(&n->symbols, heap);
  intern_init(&n->in_blocks, heap);
  return n;
}

void naming_free(Naming *n) {
  keys_fini(n->heap, &n->locks);
  for (uint32_t i = 0; i < n->lock.n; i++) vec_fini(n->heap, &n->lock.at[i].parts);
  vec_fini(n->heap, &n->lock);
  vec_fini(n->heap, &n->symbol_at);
  intern_fini(&n->symbols);
  intern_fini(&n->in_blocks);
  vec_fini(n->heap, &n->number);
  keys_fini(n->heap, &n->block_names);
  keys_fini(n->heap, &n->pieces);
  vec_fini(n->heap, &n->plain);
  keys_fini(n->heap, &n->addresses);
  vec_fini(n->heap, &n->number_at);
  heap_release(n->heap, n);
}

uint32_t naming_count(const Naming *n) { return n->count; }

/* The text, if no other address has it, or else the text with a number; its length. */
static int print_unique(Naming *n, uint64_t address, char *text, int length, size_t size) {
  for (uint32_t i = 1;; i++) {
    bool is_new;
    int end = length;
    if (i > 1) end += snprintf(text + length, size - (size_t)length, "#%u", i);
    const uint32_t number = intern_add(&n->symbols, text, (size_t)end, &is_new);
    if (is_new) vec_push(n->heap, &n->symbol_at, address);
    if (n->symbol_at.at[number] == address) return end;
  }
}

/* The symbol, and what of it; size: 0 for locks. */
static int print_object(Naming *n, uint64_t address, uint64_t bytes, char *text, size_t size) {
  uint32_t length;
  uint64_t start;
  bool inherited;
  const char *name = places_symbol(n->places, address, &length, &start);
  if (!name) return snprintf(text, size, "0x%llx", (unsigned long long)address);
  if (length > size / 2) length = (uint32_t)(size / 2);
  memcpy(text, name, length);
  const int end = print_unique(n, start, text, (int)length, size);
  const Field field = {address - start, bytes};
  if (places_field(n->places, start, field, text + end, size - (size_t)end - 16, &inherited)) {
    const int all = end + (int)strlen(text + end);
    return inherited ? print_unique(n, address, text, all, size) : all;
  }
  if (address == start) return end;
  return end + snprintf(text + end, size - (size_t)end, "+%llu", (unsigned long long)(address - start));
}

/* The parts of an object after the first one have its name with a number that no symbol has. */
static int print_part(Naming *n, uint64_t address, uint32_t part, char *text, size_t size) {
  const int end = print_object(n, address, 0, text, size - 16);
  for (uint32_t i = part; part; i++) {
    bool is_new;
    const int all = end + snprintf(text + end, size - (size_t)end, "#%u", i);
    intern_add(&n->symbols, text, (size_t)all, &is_new);
    if (!is_new) continue;
    vec_push(n->heap, &n->symbol_at, UINT64_MAX);
    return all;
  }
  return end;
}

static uint32_t add_name(Naming *n, const char *text, int length) {
  log_name(n->log, TRACE_OBJECT_NAME, text, (size_t)length);
  return ++n->count;
}

static void name_block(Naming *n, BlockId block) {
  enum { KEY_SHIFT = 4 }; /* what differs below is not told apart well */
  if (n->named.length && n->named.block.number == block.number && n->named.block.life == block.life) return;
  n->named.length = blocks_print(n->blocks, block, n->named.text, sizeof n->named.text);
  n->named.number = keys_add(n->heap, &n->block_names, blocks_name(n->blocks, block) << KEY_SHIFT, NULL);
  n->named.block = block;
}

/* The name of the block; its length. */
static int print_block(Naming *n, BlockId block, char *text, size_t size) {
  name_block(n, block);
  assert((size_t)n->named.length < size);
  memcpy(text, n->named.text, (size_t)n->named.length + 1);
  return n->named.length;
}

/* "+17", or nothing for 0; its length. */
static int print_offset(uint64_t offset, char *text) {
  char digits[24];
  int n = 0;
  for (uint64_t rest = offset; rest; rest /= 10) digits[n++] = (char)('0' + rest % 10);
  if (n) digits[n++] = '+';
  for (int i = 0; i < n; i++) text[i] = digits[n - 1 - i];
  text[n] = '\0';
  return n;
}

/* What is in a block. A part of it (syncs.h) has its number at the end. *plain: it has the name of the block, and the
 * offset, if there is one. */
static int print_in_block(Naming *n, BlockId block, Field field, uint32_t part, char *text, size_t size, bool *plain) {
  const int end = print_block(n, block, text, size);
  const uint32_t type = blocks_type(n->blocks, block);
  bool inherited = false;
  int all = end;
  if (type != FIELDS_NONE && places_block(n->places, type, field, text + end, size - (size_t)end - 32, &inherited)) {
    all += (int)strlen(text + end);
    *plain = all == end && !field.offset;
  } else {
    all +=
        part && !field.offset ? snprintf(text + end, size - (size_t)end, "+0") : print_offset(field.offset, text + end);
    *plain = true;
  }
  if (inherited) all = print_unique(n, hash_join(hash_bytes(text, (size_t)end), field.offset), text, all, size);
  if (part) all += snprintf(text + all, size - (size_t)all, "#%u", part);
  *plain = *plain && !inherited && !part;
  return all;
}

/* The place of its number, in blocks that are called as this one. */
static uint32_t *plain_number(Naming *n, BlockId block, uint64_t offset) {
  enum { PIECE_BITS = 6, NUMBER_BITS = 34, KEY_SHIFT = 4 };
  name_block(n, block);
  if (n->named.number >> (64 - NUMBER_BITS - KEY_SHIFT)) heap_give_up(n->heap);
  const uint64_t key = (n->named.number << NUMBER_BITS | offset >> PIECE_BITS) << KEY_SHIFT;
  if (n->asked != (key | 1)) {
    n->asked_at = keys_add(n->heap, &n->pieces, key, NULL);
    n->asked = key | 1; /* the key is a multiple */
    vec_resize_zeroed(n->heap, &n->plain, n->pieces.n << PIECE_BITS);
  }
  return &n->plain.at[(n->asked_at << PIECE_BITS) + offset % (1u << PIECE_BITS)];
}

/* It is that of an earlier block of the same name. */
static uint32_t number_in_block(Naming *n, Kind kind, const char *text, int length) {
  char all[2048 + 1];
  bool is_new;
  all[0] = (char)('a' + kind);
  memcpy(all + 1, text, (size_t)length);
  const uint32_t i = intern_add(&n->in_blocks, all, (size_t)length + 1, &is_new);
  if (is_new) vec_push(n->heap, &n->number, add_name(n, text, length));
  return n->number.at[i];
}

/* It may have been in a block meanwhile. */
static uint32_t number_at(Naming *n, uint64_t address, const char *text, int length) {
  bool is_new;
  const uint32_t i = keys_add(n->heap, &n->addresses, address, &is_new);
  if (is_new) vec_push(n->heap, &n->number_at, add_name(n, text, length));
  return n->number_at.at[i];
}

static uint32_t object_in_block(Naming *n, BlockId block, Field field) {
  char text[2048];
  bool plain;
  if (blocks_type(n->blocks, block) == FIELDS_NONE && *plain_number(n, block, field.offset))
    return *plain_number(n, block, field.offset);
  const int length = print_in_block(n, block, field, 0, text, sizeof text, &plain);
  if (!plain) return number_in_block(n, A_VARIABLE, text, length);
  uint32_t *number = plain_number(n, block, field.offset);
  if (!*number) *number = add_name(n, text, length);
  return *number;
}

uint32_t naming_object(Naming *n, uint64_t address, uint64_t size) {
  char text[2048];
  const BlockId block = blocks_find(n->blocks, address);
  if (block.number != BLOCKS_NONE)
    return object_in_block(n, block, (Field){address - blocks_address(n->blocks, block), size});
  const int length = print_object(n, address, size, text, sizeof text);
  return text[0] == '0' ? number_at(n, address, text, length) : add_name(n, text, length);
}

static uint32_t name_lock(Naming *n, uint64_t address, BlockId block, uint32_t part, Kind kind) {
  char text[2048] = "&";
  bool plain;
  if (block.number != BLOCKS_NONE) {
    const Field field = {address - blocks_address(n->blocks, block), 0};
    return number_in_block(n, kind, text, 1 + print_in_block(n, block, field, part, text + 1, sizeof text - 1, &plain));
  }
  return add_name(n, text, 1 + print_part(n, address, part, text + 1, sizeof text - 1));
}

/* What stands in its memory now. */
static Lock *lock_of(Naming *n, uint64_t address, bool handover) {
  bool is_new;
  const uint32_t number = keys_add(n->heap, &n->locks, address * 2 + handover, &is_new);
  vec_resize_zeroed(n->heap, &n->lock, n->locks.n);
  Lock *lock = &n->lock.at[number];
  if (!is_new && (lock->block.number == BLOCKS_NONE || blocks_is(n->blocks, lock->block))) return lock;
  vec_clear(&lock->parts);
  lock->block = blocks_find(n->blocks, address);
  return lock;
}

static uint32_t number_of(Naming *n, uint64_t address, uint32_t part, bool handover) {
  Lock *lock = lock_of(n, address, handover);
  if (part >= lock->parts.n) vec_resize_zeroed(n->heap, &lock->parts, part + 1);
  if (!lock->parts.at[part])
    lock->parts.at[part] = name_lock(n, address, lock->block, part, handover ? A_HANDOVER : A_LOCK);
  return lock->parts.at[part];
}

uint32_t naming_lock(Naming *n, uint64_t address) { return number_of(n, address, 0, false); }

uint32_t naming_handover(Naming *n, uint64_t address, uint32_t part) { return number_of(n, address, part, true); }

void naming_print(Naming *n, uint64_t address, uint64_t size, char *text, size_t room) {
  const BlockId block = blocks_find(n->blocks, address);
  bool plain;
  const uint64_t from = block.number == BLOCKS_NONE ? 0 : blocks_address(n->blocks, block);
  if (from) print_in_block(n, block, (Field){address - from, size}, 0, text, room, &plain);
  else print_object(n, address, size, text, room);
}

void naming_print_thread(Places *places, uint32_t thread, uint64_t function, char *text, size_t room) {
  uint32_t length;
  uint64_t start;
  const char *name = function ? places_symbol(places, function, &length, &start) : NULL;
  snprintf(text, room, name ? "T%u:%.*s" : "T%u", thread, (int)(name ? length : 0), name ? name : "");
}

void naming_thread(Naming *n, uint32_t thread, uint64_t function) {
  char text[512];
  naming_print_thread(n->places, thread, function, text, sizeof text);
  log_name(n->log, TRACE_THREAD_NAME, text, strlen(text));
}
