/* Both texts are drawn with the same numbers. Where the plain one has several parts for one of the other, the numbers
 * are drawn again for each: the state of DrawnText is kept and put back. */
#include "tests/oracle/random_rich.h"

#include "base/hash.h"
#include "tests/oracle/drawn_text.h"

#define NO_VALUE UINT32_MAX

typedef struct {
  DrawnText out;
  bool plain;
  uint32_t n;                 /* elements of each array, and copies of the first thread */
  uint32_t n_values;          /* of an element of A; 0: abstracted */
  uint32_t self;              /* the copy under way, in the plain text */
  uint32_t k;                 /* in the plain text: the value that the index has in the choice under way, or NO_VALUE */
  bool has_k;                 /* the thread has the local k */
  bool may_choose;            /* an index may be computed here */
  bool abstract;              /* the index under way is x, not k */
  bool held[4];               /* L[...], m, s, R */
  uint32_t most;              /* what the semaphore s counts to */
  uint32_t n_threads, thread; /* `thread`: the one under way, in the plain text */
  bool has_sync;              /* there are a semaphore and a reader-writer lock */
  bool is_forked;             /* the last thread is, by others */
  bool starts_late;           /* in the plain text: the thread under way is forked */
  uint32_t tidy;              /* per cent */
  uint32_t n_blocks, depth;
  int budget;
} Gen;

static uint32_t number(Gen *gen, uint32_t n) { return drawn_number(&gen->out, n); }
static bool chance(Gen *gen, uint32_t per_cent) { return drawn_chance(&gen->out, per_cent); }
#define PUT(...) drawn_put(&gen->out, __VA_ARGS__)
static void indent(Gen *gen) { PUT("%*s", 2 * (int)gen->depth, ""); }

/* ---- names ---- */

/* "[self]" or "0", and so on; with `chooses` perhaps "[k]". */
static void put_index(Gen *gen, bool chooses) {
  const uint32_t kind = number(gen, 8), constant = number(gen, gen->n), next = (gen->self + 1) % gen->n;
  if (chooses && gen->may_choose && kind < 6) {
    if (!gen->plain) PUT("[%s]", gen->abstract ? "x" : "k");
    else PUT("%u", gen->k);
  } else if (kind < 4) {
    if (gen->plain) PUT("%u", gen->self);
    else PUT("[self]");
  } else if (kind < 6) {
    if (gen->plain) PUT("%u", next);
    else PUT("[(self + 1) %% %u]", gen->n);
  } else {
    PUT(gen->plain ? "%u" : "[%u]", constant);
  }
}

/* A variable that is shared. */
static void put_shared(Gen *gen) {
  const uint32_t kind = number(gen, 8);
  if (kind == 0) PUT("F");
  else if (kind < 3) PUT("X");
  else PUT("A"), put_index(gen, true);
}

static void put_self(Gen *gen) {
  if (gen->plain) PUT("%u", gen->self);
  else PUT("self");
}

static void put_value(Gen *gen) {
  switch (number(gen, 8)) {
  case 0: PUT("nondet"); break;
  case 1: put_shared(gen), PUT(" + 1"); break;
  case 2: put_self(gen); break;
  case 3:
  case 4:
  case 5: put_shared(gen); break;
  default: PUT("%u", number(gen, 2));
  }
}

/* ---- statements ---- */

static void put_statements(Gen *gen, uint32_t most);

static void put_to(Gen *gen) {
  if (chance(gen, 30)) PUT(gen->has_k ? "k := " : "x := ");
  else put_shared(gen), PUT(" := ");
  put_value(gen);
}

/* As put_to, or an await; both with indices that are not known. In the plain text the choice is part of the event. */
static void put_chosen(Gen *gen) {
  const bool waits = chance(gen, 20);
  const DrawnText at = gen->out;
  gen->may_choose = true;
  gen->abstract = !gen->has_k;
  if (gen->plain) PUT("atomic { ");
  for (gen->k = 0; gen->k < (gen->plain ? gen->n : 1); gen->k++) {
    gen->out.draws = at.draws;
    if (gen->plain && gen->abstract && gen->k + 1 == gen->n) PUT("{ ");
    else if (gen->plain) PUT("if (%s = %u) { ", gen->abstract ? "x" : "k", gen->k);
    if (waits) PUT("await (A"), put_index(gen, true), PUT(" != %u)", number(gen, 2));
    else PUT("A"), put_index(gen, true), PUT(" := "), put_value(gen);
    if (gen->plain) PUT(gen->k + 1 < gen->n ? " } else " : " }");
  }
  if (gen->plain) PUT(gen->abstract ? " }" : " else { await (false) } }");
  gen->may_choose = false;
}

static void put_simple(Gen *gen) {
  indent(gen);
  if (chance(gen, 30)) put_chosen(gen);
  else put_to(gen);
  PUT(";\n");
}

/* In the plain text a test, one of whose outcomes is for ever. */
static void put_assert(Gen *gen) {
  indent(gen);
  PUT(gen->plain ? "if (" : "assert(");
  put_shared(gen);
  PUT(" != %u", number(gen, 2));
  PUT(gen->plain ? ") { } else { await (false) }\n" : ");\n");
}

static void put_body(Gen *gen, uint32_t most) {
  gen->depth++;
  put_statements(gen, most);
  gen->depth--;
}

static void put_close(Gen *gen, const char *text) {
  indent(gen);
  PUT("%s\n", text);
}

static void put_test(Gen *gen) {
  if (chance(gen, 30)) put_self(gen);
  else put_shared(gen);
  PUT(" = %u", number(gen, 2));
}

static void put_if(Gen *gen) {
  indent(gen);
  PUT(chance(gen, 30) ? "while (" : "if (");
  put_test(gen);
  PUT(") {\n");
  put_body(gen, 2);
  put_close(gen, "}");
}

static void put_block(Gen *gen) {
  indent(gen);
  PUT("begin:B%u\n", ++gen->n_blocks);
  put_body(gen, 4);
  put_close(gen, "end;");
}

/* "acquire(L[self]);" and so on. Where an index is not known, the plain text asks for it in an event of its own. */
static void put_lock_line(Gen *gen, const char *word, bool one, bool chosen) {
  const uint64_t draws = gen->out.draws;
  indent(gen);
  gen->may_choose = chosen;
  gen->abstract = !gen->has_k;
  const bool choice = gen->plain && chosen && !one;
  for (gen->k = 0; gen->k < (choice ? gen->n : 1); gen->k++) {
    gen->out.draws = draws;
    if (choice && gen->abstract && gen->k + 1 == gen->n) PUT("{ ");
    else if (choice) PUT("if (%s = %u) { ", gen->abstract ? "x" : "k", gen->k);
    PUT("%s(", word);
    if (one) PUT("m");
    else PUT("L"), put_index(gen, true);
    PUT(")");
    if (choice) PUT(gen->k + 1 < gen->n ? " } else " : " }");
  }
  if (choice && !gen->abstract) PUT(" else { await (false) }");
  PUT(";\n");
  gen->may_choose = false;
}

/* "p(s);" or "v(s);" */
static void put_semaphore(Gen *gen, char word) {
  indent(gen);
  if (!gen->plain) PUT("%c(s);\n", word);
  else if (word == 'p') PUT("atomic { await (s > 0); s := s - 1 };\n");
  else PUT("atomic { await (s < %u); s := s + 1 };\n", gen->most);
}

/* "rdlock(R);" and so on. In the plain text W is true while there is a writer, R3 while thread 3 reads, and h is what
 * the thread holds: 1 to read, 2 to write. */
static void put_rwlock(Gen *gen, const char *word) {
  indent(gen);
  if (!gen->plain) {
    PUT("%s(R);\n", word);
  } else if (word[0] == 'u') {
    PUT("atomic { await (h != 0); if (h = 1) { R%u := false } else { W := false }; h := 0 };\n", gen->thread);
  } else {
    PUT("atomic { await (h = 0); await (!W); ");
    for (uint32_t i = 0; i < gen->n_threads && word[0] == 'w'; i++) PUT("await (!R%u); ", i);
    if (word[0] == 'w') PUT("W := true; h := 2 };\n");
    else PUT("R%u := true; h := 1 };\n", gen->thread);
  }
}

typedef enum { LOCK_OF_ARRAY, LOCK, SEMAPHORE, RWLOCK } Guard;

/* Most of it under a lock, or what else keeps others out. */
static void put_locked(Gen *gen, bool only_block) {
  const Guard guard = (Guard)number(gen, gen->has_sync ? 4 : 2);
  if (gen->held[guard] && !chance(gen, 5)) {
    put_simple(gen);
    return;
  }
  const bool chosen = chance(gen, 20), writes = chance(gen, 60);
  const uint64_t draws = gen->out.draws;
  if (guard <= LOCK) put_lock_line(gen, "acquire", guard == LOCK, chosen);
  else if (guard == SEMAPHORE) put_semaphore(gen, 'p');
  else put_rwlock(gen, writes ? "wrlock" : "rdlock");
  gen->held[guard] = true;
  if (only_block) put_block(gen);
  else put_statements(gen, 3);
  gen->held[guard] = false;
  if (chance(gen, 5)) return; /* forgotten */
  const uint64_t after = gen->out.draws;
  gen->out.draws = draws;
  if (guard <= LOCK) put_lock_line(gen, "release", guard == LOCK, chosen);
  else if (guard == SEMAPHORE) put_semaphore(gen, 'v');
  else put_rwlock(gen, "unlock");
  gen->out.draws = after;
}

/* "fork t;" or "join t;", of the last thread. */
static void put_fork(Gen *gen, bool joins) {
  indent(gen);
  if (!gen->plain) PUT(joins ? "join t;\n" : "fork t;\n");
  else PUT(joins ? "await (T = 2);\n" : "atomic { await (T = 0); T := 1 };\n");
}

/* One of a pair alone. */
static void put_signal(Gen *gen) {
  if (chance(gen, 20)) put_rwlock(gen, "unlock");
  else put_semaphore(gen, chance(gen, 50) ? 'p' : 'v');
}

static void put_statement(Gen *gen) {
  gen->budget--;
  if (gen->is_forked && chance(gen, 20)) put_fork(gen, chance(gen, 50));
  else if (gen->has_sync && chance(gen, 5)) put_signal(gen);
  else if (chance(gen, 8)) put_assert(gen);
  else if (chance(gen, 10 + gen->tidy / 3)) put_locked(gen, chance(gen, gen->tidy));
  else if (gen->depth < 4 && gen->budget > 0 && chance(gen, 25)) put_if(gen);
  else if (gen->depth < 4 && gen->budget > 0 && chance(gen, 15)) put_block(gen);
  else put_simple(gen);
}

static void put_statements(Gen *gen, uint32_t most) {
  const uint32_t n = 1 + number(gen, most);
  for (uint32_t i = 0; i < n && (i == 0 || gen->budget > 0); i++) put_statement(gen);
}

/* ---- the program ---- */

static void put_thread(Gen *gen, int budget) {
  const uint32_t n_blocks = gen->n_blocks;
  gen->budget = budget;
  for (int i = 0; i < 4; i++) gen->held[i] = false;
  gen->has_k = chance(gen, 50);
  indent(gen);
  if (gen->has_k) PUT("local int[%u] k;\n", gen->n + (chance(gen, 50) ? 1 : 0));
  if (gen->plain && gen->has_sync) PUT("local int[3] h;\n");
  if (gen->starts_late) PUT("await (T = 1);\n");
  if (!gen->has_k) PUT("x := nondet;\n");
  put_statements(gen, 4);
  while (gen->budget > 0 && chance(gen, 70)) put_statement(gen);
  if (gen->n_blocks == n_blocks && chance(gen, 80)) put_block(gen);
}

/* n copies of a thread. */
static void put_copies(Gen *gen) {
  const uint64_t draws = gen->out.draws;
  const uint32_t n_blocks = gen->n_blocks;
  if (!gen->plain) PUT("%u * {\n", gen->n);
  for (gen->self = 0; gen->self < (gen->plain ? gen->n : 1); gen->self++) {
    gen->out.draws = draws;
    gen->n_blocks = n_blocks;
    gen->thread = gen->self;
    if (gen->self) PUT("||\n");
    gen->depth = 1;
    put_thread(gen, gen->n == 2 ? 7 : 4);
  }
  gen->self = gen->depth = 0;
  if (!gen->plain) PUT("}\n");
}

static void put_array(Gen *gen, const char *type, const char *name) {
  PUT("%s %s", type, name);
  if (!gen->plain) PUT("[%u]", gen->n);
  for (uint32_t i = 0; gen->plain && i < gen->n; i++) PUT(i ? ", %s%u" : "%.0s%u", name, i);
  PUT(";\n");
}

/* The last thread, which perhaps runs only if it is forked. */
static void put_last(Gen *gen) {
  const bool named = gen->is_forked;
  gen->is_forked = false; /* it does not fork itself */
  if (named && !gen->plain) PUT("thread t {\n");
  gen->depth = 1;
  gen->starts_late = named && gen->plain;
  put_thread(gen, 6);
  if (gen->starts_late) put_close(gen, "T := 2;");
  if (named && !gen->plain) PUT("}\n");
}

/* A semaphore s and a reader-writer lock R. */
static void put_sync(Gen *gen) {
  const uint32_t initial = number(gen, 3), most = initial + (initial < 2 ? chance(gen, 40) : 0);
  gen->most = most ? most : 1;
  if (gen->plain) PUT("int[%u] s := %u;\nbool W", gen->most + 1, initial);
  else if (gen->most == initial || !most) PUT("sem s = %u;\nrwlock R", initial);
  else PUT("sem[%u] s = %u;\nrwlock R", gen->most, initial);
  for (uint32_t i = 0; gen->plain && i < gen->n_threads; i++) PUT(", R%u", i);
  PUT(";\n");
}

void random_rich(Heap *heap, uint64_t seed, bool plain, CharVec *text) {
  static const char *const TYPES[] = {"int", "bool", "int[3]"};
  Gen generator = {.out = {heap, text, hash_word(seed * 2 + ((uint64_t)1 << 42)), 0}, .plain = plain, .k = NO_VALUE};
  Gen *gen = &generator;
  gen->tidy = chance(gen, 60) ? 40 + number(gen, 60) : 0;
  gen->n = chance(gen, 80) ? 2 : 3;
  put_array(gen, TYPES[number(gen, 3)], "A");
  put_array(gen, "lock", "L");
  PUT("int X;\nbool F;\nlock m;\n");
  gen->n_threads = gen->n + (gen->n == 2 && chance(gen, 60));
  gen->has_sync = chance(gen, 50);
  if (gen->has_sync) put_sync(gen);
  gen->is_forked = gen->n_threads > gen->n && chance(gen, 40);
  if (gen->is_forked && gen->plain) PUT("int[3] T;\n");
  put_copies(gen);
  gen->thread = gen->n;
  if (gen->n_threads > gen->n) PUT("||\n"), put_last(gen);
}
