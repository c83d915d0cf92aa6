/* random.c: random SEED: prints a C program that ends soon in all its runs, for tests/refine.sh: threads that take
 * locks, also two in turns, and a recursive one again, keep in variables whether they hold one, look at flags, call
 * functions, through pointers too, and those in structures, go round loops, and use arrays, structures with a lock of
 * their own, in arrays and in memory, one by one or all at once, locks of several numbers, copies, and atomic
 * variables. One lock is made by hand, well or badly. What is done is marked as blocks b0, b1, ... With -DPOOL=9 arrays
 * with locks are longer, and no more of them is used but by loops over all. Some programs are C11's. Every third
 * program has phases instead, with barriers between them, in which the threads go through their parts of arrays, or of
 * what they take for theirs.
 *
 * No run waits for ever: locks are taken in the order of their levels, and given back by who has taken them. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state;

static uint32_t below(uint32_t n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33) % n;
}

enum { FUNCTIONS = 4, LEVELS = 8 };

static int levels[FUNCTIONS]; /* no lock below is taken in the function */
static int n_blocks, n_kept, deepest;
static uint32_t stripes;  /* how the lock of a number is found */
static uint32_t by_hand;  /* how the lock is made that is no lock of the library */
static bool spoils;       /* nodes of lists are taken elsewhere */
static uint32_t careless; /* one access of so many heeds no lock; 1: each */
static bool recursive;    /* the lock m2 may be taken again by who has it */
static bool hooks;        /* functions are called through pointers in structures, too */
static bool modern;       /* threads, mutexes, and conditions are C11's */

/* What may be done where a statement stands. */
typedef struct {
  int level;  /* no lock below is taken */
  int depth;  /* of nesting */
  int caller; /* functions below this number may be called */
  int held;   /* the level of the last lock that was taken; -1: there is none */
} Where;

static void indent(Where w) { printf("%*s", 2 * w.depth + 2, ""); }

static void statements(Where w, uint32_t most);

static const char *object(void) {
  static const char *const OBJECTS[] = {"(&objects[0])",
                                        "(&objects[1])",
                                        "(&objects[me % 2])",
                                        "(&objects[choose(2)])",
                                        "heap",
                                        "o",
                                        "o",
                                        "(&pool[choose(3)])",
                                        "(&pool[me])",
                                        "made[choose(3)]",
                                        "chosen",
                                        "(&pool[i0])"};
  return OBJECTS[below(12)];
}

/* A variable: one that belongs to the lock that is held, or any. */
static void variable(Where w) {
  if (below(careless)) {
    if (w.held < 0) printf(below(2) ? "array[me]" : "sum");
    else if (w.held < 3) printf("g%d", w.held);
    else if (w.held < 5) printf(w.held == 3 ? "sum" : "array[3]");
    else if (w.held < LEVELS - 1) printf("pair[%d].a", w.held - 5);
    else if (w.held < LEVELS) printf("locked->x");
    else if (w.held == LEVELS) printf("%s->x", below(2) ? "from" : "to");
    else if (w.held == LEVELS + 1) printf("pool[choose(3)].%s", below(2) ? "x" : "y");
    else printf("counts[s]");
    return;
  }
  switch (below(10)) {
  case 9: printf("counts[choose(4)]"); break;
  case 0: printf("array[%u]", below(4)); break;
  case 1: printf("array[me]"); break;
  case 2: printf("array[choose(4)]"); break;
  case 3: printf("%s->x", object()); break;
  case 4: printf("%s->y", object()); break;
  default: printf("g%u", below(3)); break;
  }
}

static const char *bucket(void) {
  static const char *const BUCKETS[] = {"&buckets[choose(3)]", "&buckets[i0]", "&buckets[me]", "queues[choose(2)]"};
  return BUCKETS[below(4)];
}

/* What is done to the list of a bucket; those behind the ninth take its nodes elsewhere. */
static void list_step(void) {
  static const char *const STEPS[] = {
      "for (Node *n = holder->list; n && most--; n = n->next) n->value++;",
      "for (Node *n = holder->list; n && most--; n = n->next) sum += n->value;",
      "holder->list = made_node(holder->list, choose(3));",
      "{ Node *n = malloc(sizeof *n); n->next = holder->list; n->value = 0; holder->list = n; n->value++; }",
      "{ Node **at = &holder->list, *n = *at; if (n) *at = n->next; }",
      "for (Node **at = &holder->list, *n; (n = *at) && most--; at = &n->next) n->value++;",
      "{ Node *n = last_node(holder); if (n) n->value++; }",
      "{ Node *n = made_node(NULL, 1); n->value++; if (choose(2)) { n->next = holder->list; holder->list = n; } }",
      "{ Node *n = holder->list, *m = n ? n->next : NULL; if (m) { holder->list = m; n->next = m->next; m->next = n; } }",
      "{ Node *n = holder->list; if (n) { holder->list = n->next; n->next = buckets[i0].list; buckets[i0].list = n; } }",
      "{ Node *n = made_node(NULL, 1); for (int k = 0; k < 2; k++) { Object *to = &buckets[choose(3)]; to->list = n; } }",
      "{ Node *n = holder->list; if (n) n->next = queues[choose(2)]->list; }",
      "some_node = holder->list;",
      "{ Node *n = some_node; if (n) n->value++; }"};
  puts(STEPS[below(spoils ? 14 : 9)]);
}

static void access(Where w) {
  static const char *const COPIES[] = {
      "pair[0] = pair[1];", "pair[1] = pair[0];",         "memset(&pair[0], 0, sizeof *pair);",
      "pair[1].b = g0;",    "if (pair[0].c) g0++;",       "strcpy(text[0], text[1]);",
      "text[1][0] = 'b';",  "g1 += (int)strlen(text[0]);"};
  const uint32_t kind = below(careless) ? 6 + below(14) : below(20);
  if (kind < 2) {
    printf("%s\n", COPIES[below(8)]);
  } else if (kind < 3) {
    printf("{ Object *holder = %s; int most = 5; ", bucket());
    list_step();
    indent(w);
    puts("}");
  } else if (kind < 4) {
    printf("flag%u = %u;\n", below(2), below(3));
  } else if (kind < 5) {
    printf("atomic_fetch_%s(&counter, %u);\n", below(2) ? "add" : "sub", 1 + below(2));
  } else if (kind < 6) {
    printf("chosen = %s;\n", below(2) ? "&objects[1]" : "heap");
  } else if (kind < 9) {
    variable(w);
    puts("++;");
  } else if (kind < 14) {
    variable(w);
    printf(" = %u;\n", below(3));
  } else {
    printf("sum += ");
    variable(w);
    puts(";");
  }
}

static void body(Where w, int level, int held) {
  statements((Where){level, w.depth + 1, w.caller, held}, 3);
  indent(w);
}

/* Takes the locks of two objects of one array, in its order. */
static void both(Where w) {
  puts("{ Object *from = &pool[choose(3)], *to = &pool[choose(3)];");
  indent(w);
  puts("Object *low = from < to ? from : to, *high = from < to ? to : from;");
  indent(w);
  puts("pthread_mutex_lock(&low->lock); if (low != high) pthread_mutex_lock(&high->lock);");
  indent(w);
  puts("from->x--; to->x++;");
  body(w, LEVELS, LEVELS);
  puts("if (low != high) pthread_mutex_unlock(&high->lock); pthread_mutex_unlock(&low->lock); }");
}

/* Takes the locks of all objects of an array; or, by some loops, of some. */
static void all(Where w) {
  static const char *const LOOPS[] = {"for (int a = 0; a < POOL; a++)",
                                      "for (int a = 0; a <= POOL - 1; a++)",
                                      "for (unsigned a = 0; a != POOL; a++)",
                                      "for (size_t a = 0; a < sizeof pool / sizeof *pool; a++)",
                                      "for (int a = POOL - 1; a >= 0; a--)",
                                      "for (int a = 1; a < POOL; a++)",
                                      "for (int a = 0; a < POOL; a += 2)",
                                      "for (int a = 0; a < 2; a++)",
                                      "for (int a = 0; a < POOL; a++) if (a != 1)"};
  const uint32_t some = below(4) ? 0 : 5 + below(4);
  printf("{ ");
  if (!some && !below(4)) printf("for (Object *a = pool; a < pool + POOL; a++) pthread_mutex_lock(&a->lock);\n");
  else printf("%s pthread_mutex_lock(&pool[a].lock);\n", LOOPS[some ? some : below(4)]);
  indent(w);
  printf("%s sum += pool[a].x;\n", LOOPS[below(9)]);
  body(w, LEVELS, LEVELS + 1);
  printf("%s pthread_mutex_unlock(&pool[a].lock); }\n", LOOPS[some ? some : below(5)]);
}

/* Takes the lock of an object that has a list. */
static void listed(Where w) {
  printf("{ Object *holder = %s, *locked = %s; int most = 5;\n", bucket(), below(careless) ? "holder" : bucket());
  indent(w);
  puts("pthread_mutex_lock(&locked->lock);");
  for (uint32_t i = 0, n = 1 + below(3); i < n; i++) indent(w), list_step();
  if (below(2)) body(w, LEVELS, LEVELS - 1), list_step(), indent(w);
  puts("pthread_mutex_unlock(&locked->lock); }");
}

/* Takes the lock of one of several numbers; mostly the one that all threads take for it. */
static void one_of_several(Where w) {
  static const char *const STRIPES[] = {"s / 2", "s % 3", "s & 1", "s >> 1"};
  const char *stripe = STRIPES[below(careless) ? stripes : below(4)];
  puts("{ const int s = choose(4);");
  indent(w);
  printf("pthread_mutex_lock(&stripes[%s]);\n", stripe);
  indent(w);
  puts("counts[s]++;");
  body(w, LEVELS, LEVELS + 2);
  printf("pthread_mutex_unlock(&stripes[%s]); }\n", stripe);
}

enum { HANDS = 12 };

/* Locks that are made by hand; those behind the sixth keep out nobody, or not all. */
static const char *const TAKE_BY_HAND[HANDS] = {
    "while (atomic_exchange(&spin, 1)) sched_yield();",
    "{ const unsigned mine = atomic_fetch_add(&next, 1); while (atomic_load(&serving) != mine) sched_yield(); }",
    "wait_for(take_number());",
    "enter(&places[0]);",
    "while (swap_old(&spin, 0, 1) == 1) sched_yield();",
    "patient(&spin);",
    "read_enter();",
    "enter(&places[1]);",
    "for (unsigned n = 0, mine = atomic_fetch_add(&late, 1); n < 9 && atomic_load(&served) != mine; n++) sched_yield();",
    "while (atomic_exchange(&spin, 0)) sched_yield();",
    "while (swap_old(&spin, 0, 1) == 2) sched_yield();",
    "enter(&places[2]);"};
static const char *const GIVE_BY_HAND[HANDS] = {"atomic_store(&spin, 0);",
                                                "atomic_fetch_add(&serving, 1);",
                                                "go_on();",
                                                "leave(&places[0]);",
                                                "atomic_store(&spin, 0);",
                                                "atomic_store(&spin, 0);",
                                                "read_leave();",
                                                "leave(&places[1]);",
                                                "atomic_fetch_add(&served, 1);",
                                                "atomic_store(&spin, 0);",
                                                "atomic_store(&spin, 0);",
                                                "leave(&places[2]);"};

/* Takes a lock of that level, and gives it back. */
static void critical(Where w, int level) {
  static const char *const TAKE[LEVELS] = {"pthread_mutex_lock(&m0);",    "pthread_mutex_lock(&m1);",
                                           "pthread_mutex_lock(&m2);",    "pthread_rwlock_rdlock(&rw);",
                                           "pthread_rwlock_wrlock(&rw);", "sem_wait(&semaphore);"};
  static const char *const GIVE[LEVELS] = {"pthread_mutex_unlock(&m0);",  "pthread_mutex_unlock(&m1);",
                                           "pthread_mutex_unlock(&m2);",  "pthread_rwlock_unlock(&rw);",
                                           "pthread_rwlock_unlock(&rw);", "sem_post(&semaphore);"};
  if (level == LEVELS - 1 && !below(3)) {
    both(w);
  } else if (level == LEVELS - 1 && !below(4)) {
    all(w);
  } else if (level == LEVELS - 1 && !below(4)) {
    one_of_several(w);
  } else if (level == LEVELS - 1) {
    printf("{ Object *locked = %s;\n", object());
    indent(w);
    puts("pthread_mutex_lock(&locked->lock);");
    if (below(2)) indent(w), puts("locked->x++;");
    body(w, LEVELS, LEVELS - 1);
    puts("pthread_mutex_unlock(&locked->lock); }");
  } else {
    const uint32_t hand = below(careless) ? by_hand : below(HANDS);
    puts(level == 6 ? TAKE_BY_HAND[hand] : TAKE[level]);
    body(w, level == 3 ? 5 : level + 1, level);
    puts(level == 6 ? GIVE_BY_HAND[hand] : GIVE[level]);
  }
}

static void attempt(Where w) {
  const uint32_t m = below(3);
  printf("if (pthread_mutex_trylock(&m%u) == 0) {\n", m);
  body(w, LEVELS, (int)m);
  printf("pthread_mutex_unlock(&m%u);\n", m);
  indent(w);
  puts("}");
}

/* ---- values that are kept ---- */

/* Whether the lock of that level is held, in a variable of number k, is asked twice, with something in between. */
static void held_if(Where w, int level, int k, const char *holds) {
  const Where inside = {level + 1, w.depth + 1, w.caller, level}, outside = {level + 1, w.depth, w.caller, w.held};
  indent(w);
  printf("if (%s%d%s) {\n", *holds == '!' ? "!kept" : "kept", k, *holds == '!' ? "" : holds);
  statements(inside, 2);
  indent(w);
  puts("}");
  if (below(2)) statements(outside, 1);
  indent(w);
  printf("if (%s%d%s) pthread_mutex_unlock(&m%d);\n", *holds == '!' ? "!kept" : "kept", k, *holds == '!' ? "" : holds,
         level);
}

/* A lock that is taken, or not, and what says so. */
static void kept(Where w) {
  const int level = w.level + (int)below((uint32_t)(3 - w.level)), k = n_kept++;
  const Where before = {level + 1, w.depth, w.caller, w.held};
  switch (below(5)) {
  case 0:
    printf("int kept%d = 0; if (choose(2)) { pthread_mutex_lock(&m%d); kept%d = 1; }\n", k, level, k);
    held_if(w, level, k, " == 1");
    break;
  case 1:
    printf("const int kept%d = pthread_mutex_trylock(&m%d);\n", k, level);
    if (below(2)) statements(before, 1);
    held_if(w, level, k, "!");
    break;
  case 2:
    printf("const int kept%d = choose(4); if (kept%d > 1) pthread_mutex_lock(&m%d);\n", k, k, level);
    held_if(w, level, k, " > 1");
    break;
  case 3:
    printf("const int kept%d = take(&m%d, choose(2));\n", k, level);
    held_if(w, level, k, " >= 0");
    break;
  default:
    printf("bool kept%d = false; take_to(&m%d, &kept%d);\n", k, level, k);
    held_if(w, level, k, "");
    break;
  }
}

/* Who has the lock m2 takes it again, mostly. */
static void again(Where w) {
  if (below(3)) {
    puts("pthread_mutex_lock(&m2);");
    body(w, w.level, 2);
    puts("pthread_mutex_unlock(&m2);");
  } else {
    puts("if (!pthread_mutex_trylock(&m2)) {");
    body(w, w.level, 2);
    puts("pthread_mutex_unlock(&m2);");
    indent(w);
    puts("}");
  }
}

/* Two locks, in turns: an attempt that fails gives back what it has. */
static void back_off(Where w) {
  const uint32_t a = (uint32_t)w.level + below((uint32_t)(3 - w.level)),
                 b = (uint32_t)w.level + (a - (uint32_t)w.level + 1) % (uint32_t)(3 - w.level);
  if (below(2))
    printf("for (;;) { pthread_mutex_lock(&m%u); if (!pthread_mutex_trylock(&m%u)) break; pthread_mutex_unlock(&m%u); "
           "sched_yield(); }\n",
           a, b, a);
  else
    printf("pthread_mutex_lock(&m%u); while (pthread_mutex_trylock(&m%u)) { pthread_mutex_unlock(&m%u); sched_yield(); "
           "pthread_mutex_lock(&m%u); }\n",
           a, b, a, a);
  statements((Where){LEVELS, w.depth + 1, w.caller, (int)a}, 3);
  indent(w);
  printf("pthread_mutex_unlock(&m%u); pthread_mutex_unlock(&m%u);\n", a, b);
}

/* What was read is asked for after something else. */
static void remembered(Where w) {
  const int k = n_kept++;
  static const char *const READ[] = {"flag0", "flag1", "atomic_fetch_sub(&counter, 1)", "swap(&spare, 0, 1)"};
  printf("const int kept%d = %s;\n", k, READ[below(4)]);
  statements((Where){w.level, w.depth + 1, w.caller, w.held}, 1);
  indent(w);
  printf("switch (kept%d) {\n", k);
  for (uint32_t n = 0; n < 2; n++) {
    indent(w);
    printf("case %u: {\n", n);
    statements((Where){w.level, w.depth + 1, w.caller, w.held}, 1);
    indent(w);
    puts("} break;");
  }
  indent(w);
  puts("}");
}

static void condition(Where w) {
  switch (below(careless) ? 4 + below(2) : below(8)) {
  case 6: printf("atomic_fetch_%s(&counter, 1) == %u", below(2) ? "add" : "sub", below(3)); break;
  case 7: printf("atomic_load(&counter) > %u", below(3)); break;
  case 0: printf("flag%u", below(2)); break;
  case 1: printf("!flag%u", below(2)); break;
  case 2: printf("flag%u == %u", below(2), below(3)); break;
  case 3: printf("swap(&spare, 0, 1)"); break;
  case 4: variable(w); break;
  default: printf("choose(2)"); break;
  }
}

static void branch(Where w) {
  printf("if (");
  condition(w);
  puts(") {");
  body(w, w.level, w.held);
  if (below(2)) {
    puts("} else {");
    body(w, w.level, w.held);
  }
  puts("}");
}

static void loop(Where w) {
  if (below(3)) printf("for (int i%d = 0; i%d < %u; i%d++) {\n", w.depth, w.depth, 1 + below(3), w.depth);
  else puts("while (choose(2)) {");
  body(w, w.level, w.held);
  puts("}");
}

static void call(Where w) {
  const int f = w.caller > 0 ? (int)below((uint32_t)w.caller) : 0;
  if (w.caller > 0 && levels[f] >= w.level) {
    if (hooks && below(2))
      printf(below(2) ? "hooks[%d].run(me, hooks[%d].o);\n" : "use_hook(&hooks[%d], me); hooks[%d].o = o;\n", f, f);
    else if (below(4)) printf("f%d(me, %s);\n", f, object());
    else printf("(choose(2) ? f%d : nothing)(me, %s);\n", f, object());
  } else {
    access(w);
  }
}

static void statement(Where w) {
  const uint32_t kind = w.depth < deepest ? below(17) : 0, n_locks = (uint32_t)(LEVELS - w.level);
  indent(w);
  if (recursive && w.held == 2 && !below(4)) again(w);
  else if (kind < 5) access(w);
  else if (kind < 8 && w.level < LEVELS) critical(w, w.level + (int)below(n_locks));
  else if (kind < 9) attempt(w);
  else if (kind < 10) branch(w);
  else if (kind < 11) call(w);
  else if (kind < 12) loop(w);
  else if (kind < 13 && w.level < 3) kept(w);
  else if (kind < 14 && w.level < 2) back_off(w);
  else if (kind >= 15 && w.level < LEVELS) listed(w);
  else remembered(w);
}

static void statements(Where w, uint32_t most) {
  for (uint32_t i = 0, n = 1 + below(most); i < n; i++) statement(w);
}

static void function(int number) {
  levels[number] = (int)below(LEVELS + 1);
  printf("static void f%d(long me, Object *o) {\n  int sum = 0, i0 = choose(3);\n", number);
  statements((Where){levels[number], 0, number, -1}, 3);
  if (!below(4) && levels[number] == LEVELS) printf("  if (choose(2)) f%d(me, o);\n", number);
  puts("  keep = sum;\n}\n");
}

static void blocks(const char *head) {
  printf("%s {\n  Object *o = &objects[me %% 2];\n  int sum = 0, i0 = choose(3);\n", head);
  for (uint32_t i = 0, n = 1 + below(2); i < n; i++) {
    if (!below(3)) statements((Where){0, 0, FUNCTIONS, -1}, 2);
    printf("  ATOMIC_BEGIN(\"b%d\");\n", n_blocks++);
    statements((Where){0, 0, FUNCTIONS, -1}, 3);
    puts("  ATOMIC_END();");
  }
  puts("  keep = sum;\n}\n");
}

/* ---- phases ---- */

enum { MOST_PHASES = 3 };

/* What all threads have in common: is a phase done several times, and is there a barrier behind it, or in each turn? */
static bool has_phases, takes_turns[MOST_PHASES], has_barrier[MOST_PHASES];
static uint32_t n_phases;

/* What belongs to the thread `me`, for the most part. */
static void part(void) {
  const uint32_t d = below(8) ? 0 : 1, e = below(8) ? 0 : 1;
  switch (below(7)) {
  case 0: printf("for (int i = me * 8 + %u; i < me * 8 + 8 + %u; i++)", d, e); break;
  case 1: printf("for (int i = me * length / 3; i < (me + 1) * length / 3 + %u; i++)", e); break;
  case 2: printf("for (int i = me + %u; i < length; i += %u)", d, 3 - e); break;
  case 3: printf("for (int i = range[me].from; i < range[%s].to; i++)", e ? "(me + 1) % 3" : "me"); break;
  case 4: printf("for (unsigned i = me * 8u; i < (me + 1) * 8u + %u; i += %u)", d, 1 + below(2)); break;
  case 5: printf("for (int i = range[me].from, end = i + 8 < length ? i + 8 : length + %u; i < end; i++)", d); break;
  default: printf("for (int i = 23; i >= me * 8 + %u && i < me * 8 + 9; i--)", d); break;
  }
}

static void element(bool turns, uint32_t shift) {
  switch (below(turns ? 7 : 5)) {
  case 0:
  case 1: printf("cells[i + %u]", shift); break;
  case 2: printf("table[i][%u]", shift); break;
  case 3: printf("table[i + %u][i %% 2]", shift); break;
  case 4: printf("flat[i / 8][i %% 8 + %u]", shift % 2); break;
  default: printf("pages[(turn + %u) %% 2][i + %u]", below(2), shift); break;
  }
}

static void part_statement(bool turns) {
  printf("    ");
  if (below(4)) part();
  else printf("for (int i = 0; i < length; i++)");
  if (!below(4)) printf(" if (i %% 2 == (me + %u) %% 2)", below(2));
  printf(" ");
  if (below(2)) {
    element(turns, 0);
    printf(" %s ", below(2) ? "=" : "+=");
    if (below(2)) printf("i;\n");
    else element(turns, below(3)), puts(";");
  } else {
    printf("sum += ");
    element(turns, below(3));
    puts(";");
  }
}

static void phases(const char *head) {
  printf("%s {\n  int sum = 0;\n", head);
  for (uint32_t p = 0; p < n_phases; p++) {
    if (takes_turns[p]) printf("  for (int turn = 0; turn < turns; turn++) {\n");
    printf("    ATOMIC_BEGIN(\"b%d\");\n", n_blocks++);
    for (uint32_t i = 0, n = 1 + below(2); i < n; i++) part_statement(takes_turns[p]);
    puts("    ATOMIC_END();");
    if (has_barrier[p]) puts("    pthread_barrier_wait(&barrier);");
    if (takes_turns[p]) puts("  }");
  }
  puts("  keep = sum;\n}\n");
}

static void choose_phases(void) {
  has_phases = !below(3);
  n_phases = 1 + below(MOST_PHASES);
  for (uint32_t p = 0; p < n_phases; p++) {
    takes_turns[p] = !below(3);
    has_barrier[p] = below(5) != 0;
  }
}

static const char PHASES_HEAD[] =
    "static int cells[40], flat[6][10], pages[2][40], *table[40], length, turns;\nstatic pthread_barrier_t barrier;\n"
    "static struct { int from, to; } range[3];\n\n"
    "static void prepare(int argc) {\n  length = argc * 24;\n  turns = argc * 3;\n"
    "  pthread_barrier_init(&barrier, NULL, 3);\n"
    "  for (int i = 0; i < 40; i++) table[i] = calloc(40, sizeof(int));\n"
    "  range[0].to = range[1].from = 8;\n  range[1].to = range[2].from = 16;\n  range[2].to = 24;\n}\n";

static const char HEAD[] =
    "#include <causal.h>\n#include <pthread.h>\n#include <sched.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n"
    "#include <stdbool.h>\n#include <stdlib.h>\n#include <string.h>\n\n"
    "typedef struct Node { struct Node *next; int value; } Node;\n"
    "typedef struct { pthread_mutex_t lock; int x, y; Node *list; } Object;\n"
    "static Object objects[2] = {{.lock = PTHREAD_MUTEX_INITIALIZER}, {.lock = PTHREAD_MUTEX_INITIALIZER}};\n"
    "#ifndef POOL\n#define POOL 3\n#endif\nstatic Object pool[POOL], *made[3], buckets[POOL], *queues[2];\n"
    "static pthread_mutex_t stripes[POOL];\nstatic int counts[2 * POOL - 2];\n"
    "static Node *some_node;\nstatic Object *heap, *chosen = &objects[0];\nstatic int array[4], g0, g1, g2, flag0, flag1;\n"
    "static struct { int a, b, c; } pair[2];\nstatic char text[2][12];\nstatic atomic_int counter = 2, spin, spare;\n"
    "static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER, m2;\n"
    "static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;\nstatic sem_t semaphore;\n"
    "static _Thread_local unsigned dice;\nstatic _Thread_local int keep;\n\n"
    "static int choose(int n) {\n  dice = dice * 1103515245u + 12345u;\n  return (int)(dice >> 16) % n;\n}\n\n"
    "static bool swap(atomic_int *at, int from, int to) {\n  return atomic_compare_exchange_strong(at, &from, to);\n}\n\n"
    "static void nothing(long me, Object *o) {\n  (void)me, (void)o;\n}\n\n"
    "static Node *made_node(Node *next, int value) {\n  Node *n = malloc(sizeof *n);\n  n->next = next;\n"
    "  n->value = value;\n  return n;\n}\n\n"
    "static void fill_lists(void) {\n  for (int i = 0; i < 3; i++) {\n    Object *b = &buckets[i];\n"
    "    pthread_mutex_lock(&b->lock);\n    b->list = made_node(b->list, i);\n    pthread_mutex_unlock(&b->lock);\n"
    "    Object *q = queues[i % 2];\n    pthread_mutex_lock(&q->lock);\n    q->list = made_node(q->list, i);\n"
    "    pthread_mutex_unlock(&q->lock);\n  }\n}\n\n"
    "static Node *last_node(Object *o) {\n  Node *n = o->list;\n"
    "  for (int i = 0; n && n->next && i < 5; i++) n = n->next;\n  return n;\n}\n\n"
    "static int take(pthread_mutex_t *lock, int tries) {\n  if (!tries) pthread_mutex_lock(lock);\n"
    "  else if (pthread_mutex_trylock(lock)) return -1;\n  return 0;\n}\n\n"
    "static int places[3] = {1, 2, 1}, readers;\nstatic atomic_uint next, serving, late, served;\n"
    "static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;\n"
    "static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;\n\n"
    "static void enter(int *places) {\n  pthread_mutex_lock(&inner);\n"
    "  while (*places <= 0) pthread_cond_wait(&changed, &inner);\n  --*places;\n  pthread_mutex_unlock(&inner);\n}\n\n"
    "static void leave(int *places) {\n  pthread_mutex_lock(&inner);\n  ++*places;\n"
    "  pthread_cond_broadcast(&changed);\n  pthread_mutex_unlock(&inner);\n}\n\n"
    "static void read_enter(void) {\n  pthread_mutex_lock(&inner);\n  if (++readers == 1) {\n"
    "    while (places[2] == 0) pthread_cond_wait(&changed, &inner);\n    places[2] = 0;\n  }\n"
    "  pthread_mutex_unlock(&inner);\n}\n\n"
    "static void read_leave(void) {\n  pthread_mutex_lock(&inner);\n  if (--readers == 0) {\n    places[2] = 1;\n"
    "    pthread_cond_broadcast(&changed);\n  }\n  pthread_mutex_unlock(&inner);\n}\n\n"
    "static int swap_old(atomic_int *at, int from, int to) {\n  atomic_compare_exchange_strong(at, &from, to);\n"
    "  return from;\n}\n\n"
    "static void patient(atomic_int *at) {\n  for (;;) {\n    while (atomic_load(at)) sched_yield();\n"
    "    if (!atomic_exchange(at, 1)) return;\n  }\n}\n\n"
    "static unsigned take_number(void) {\n  return atomic_fetch_add(&next, 1);\n}\n\n"
    "static void wait_for(unsigned mine) {\n  while (atomic_load(&serving) != mine) sched_yield();\n}\n\n"
    "static void go_on(void) {\n  atomic_store(&serving, atomic_load(&serving) + 1);\n}\n\n"
    "static void take_to(pthread_mutex_t *lock, bool *has) {\n  if (choose(2)) return;\n"
    "  pthread_mutex_lock(lock);\n  *has = true;\n}\n";

static const char MODERN[] =
    "#include <pthread.h>\n#include <threads.h>\n#define pthread_mutex_t mtx_t\n#define pthread_cond_t cnd_t\n"
    "#define pthread_t thrd_t\n#define PTHREAD_MUTEX_INITIALIZER {0}\n#define PTHREAD_COND_INITIALIZER {0}\n"
    "#define pthread_mutex_init(lock, kind) mtx_init(lock, (int)(long)(kind))\n#define pthread_mutex_lock mtx_lock\n"
    "#define pthread_mutex_trylock mtx_trylock\n#define pthread_mutex_unlock mtx_unlock\n"
    "#define pthread_cond_wait cnd_wait\n#define pthread_cond_broadcast cnd_broadcast\n"
    "#define pthread_create(thread, unused, run, me) thrd_create(thread, run, me)\n#define pthread_join thrd_join\n";

static const char HOOKS_HEAD[] =
    "typedef struct { void (*run)(long me, Object *o); Object *o; } Hook;\nstatic Hook hooks[4];\n\n"
    "static void use_hook(const Hook *h, long me) {\n  h->run(me, h->o);\n}\n\n";

/* The lock m2. */
static void main_begins(void) {
  const char *kind = modern && recursive ? "mtx_recursive" : modern ? "mtx_plain" : recursive ? "&kind" : "NULL";
  puts("int main(int argc, char **argv) {\n  pthread_t threads[2];");
  if (recursive && !modern)
    puts("  pthread_mutexattr_t kind;\n  pthread_mutexattr_init(&kind);\n"
         "  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);");
  printf("  pthread_mutex_init(&m2, %s);\n", kind);
}

static void main_ends(bool loops, uint32_t kinds) {
  for (int f = 0; f < FUNCTIONS && hooks; f++)
    printf("  hooks[%d] = (Hook){f%d, %s};\n", f, f, f % 2 ? "heap" : "chosen");
  if (loops) {
    puts("  for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, thread1, (void *)(i + 1));");
  } else {
    puts("  pthread_create(&threads[0], NULL, thread1, (void *)1);");
    printf("  pthread_create(&threads[1], NULL, thread%u, (void *)2);\n", kinds);
  }
  puts("  work0(0);\n  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);\n  return 0;\n}");
}

static void whole(void) {
  const uint32_t kinds = 1 + below(2), loops = below(2);
  if (modern) puts(MODERN);
  puts(HEAD);
  if (hooks) puts(HOOKS_HEAD);
  if (has_phases) puts(PHASES_HEAD);
  for (int f = 0; f < FUNCTIONS; f++) function(f);
  for (uint32_t k = 0; k <= kinds; k++) {
    char head[64];
    snprintf(head, sizeof head, "static void work%u(long me)", k);
    if (has_phases) phases(head);
    else blocks(head);
  }
  for (uint32_t k = 1; k <= kinds; k++)
    printf("static %sthread%u(void *me) {\n  dice = %u + (unsigned)(long)me;\n  work%u((long)me);\n  return 0;\n}\n\n",
           modern ? "int " : "void *", k, below(1000), k);
  main_begins();
  printf("  sem_init(&semaphore, 0, %u);\n"
         "  for (int i = 0; i < 3; i++) {\n    made[i] = malloc(sizeof *heap);\n"
         "    pthread_mutex_init(&made[i]->lock, NULL);\n    made[i]->x = made[i]->y = 0;\n  }\n"
         "  heap = malloc(sizeof *heap);\n  pthread_mutex_init(&heap->lock, NULL);\n  heap->x = heap->y = 0;\n"
         "  for (int i = 0; i < 2; i++) {\n    queues[i] = calloc(1, sizeof *heap);\n"
         "    pthread_mutex_init(&queues[i]->lock, NULL);\n  }\n  fill_lists();\n"
         "  dice = %u;\n",
         1 + below(2), below(1000));
  if (has_phases) puts("  prepare(argc);");
  main_ends(kinds == 1 && loops, kinds);
}

/* Every second program has none of these. */
static void choose_kinds(uint64_t seed) {
  if (seed % 2) return;
  recursive = below(2);
  hooks = below(2);
  modern = !below(3);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fputs("usage: random SEED\n", stderr);
    return 3;
  }
  const uint64_t seed = strtoull(argv[1], NULL, 10);
  state = seed * 2654435761u + 12345;
  for (int i = 0; i < 8; i++) below(2);
  deepest = 1 + (int)below(3);
  careless = below(3) ? 16 : 1;
  spoils = !below(4);
  stripes = below(4);
  by_hand = below(HANDS);
  choose_kinds(seed);
  choose_phases();
  whole();
  return 0;
}
