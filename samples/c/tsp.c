/* tsp.c: the travelling salesman, by branch and bound: `tsp [THREADS [CITIES [SEED]]]`; after the program of that name
 * of C. von Praun and T. Gross, "Object race detection" (OOPSLA 2001).
 *
 * A pool holds tours that were begun. A thread takes one from it. If it is still short, the thread puts back all tours
 * that extend it by one city. When few cities are left, it tries all their orders, except those that cannot be shorter
 * than the shortest tour that any thread has found. The pool and the shortest tour have a lock each; the length of the
 * latter is read without it.
 *
 * Transactions: `solve`, taking a tour from the pool and doing all the work on it. Correct: an outdated length is
 * greater than the true one, so it costs time but loses no tour, and a thread that finds a shorter tour compares it
 * again under the lock. Not serializable: a thread reads the length at each step, and another one writes it in between.
 * It is intended that the bound gets better during the search. With few cities one thread does all the work, and the
 * run is serializable. The length of the shortest tour is the same in each run. */
// expect: violated
// run: 5 12
// run: 3 12 7
#include <causal.h>

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_CITIES = 20,
  FEW = 9,                         /* cities that one thread tries all orders of */
  MAX_POOL = MAX_CITIES * MAX_CITIES
};

typedef struct {
  int n, length;
  int rest;         /* the way on is no shorter */
  unsigned visited; /* a bit for each city */
  int cities[MAX_CITIES];
} Tour;

static int n_cities;
static int distances[MAX_CITIES][MAX_CITIES];
static int nearest[MAX_CITIES]; /* the distance of each city to the one next to it */
static pthread_barrier_t barrier;

static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static Tour pool[MAX_POOL]; /* these two are guarded by the lock */
static int n_pool;

static pthread_mutex_t shortest_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int shortest = INT_MAX; /* these two are written with the lock */
static Tour shortest_tour;

static int shortest_so_far(void) { return atomic_load_explicit(&shortest, memory_order_relaxed); }

/* ---- tours ---- */

static bool visits(const Tour *tour, int city) { return tour->visited >> city & 1; }

/* By 1 or, backwards, -1. */
static void step(Tour *tour, int from, int to, int sign) {
  tour->length += sign * distances[from][to];
  tour->rest -= sign * nearest[from];
  tour->visited ^= 1u << to;
}

static void visit(Tour *tour, int city) {
  step(tour, tour->cities[tour->n - 1], city, 1);
  tour->cities[tour->n++] = city;
}

static void unvisit(Tour *tour) {
  const int city = tour->cities[--tour->n];
  step(tour, tour->cities[tour->n - 1], city, -1);
}

static bool is_hopeless(const Tour *tour) { return tour->length + tour->rest >= shortest_so_far(); }

/* ---- the pool; its lock is held ---- */

static void put(const Tour *tour) {
  if (n_pool == MAX_POOL) abort();
  pool[n_pool++] = *tour;
}

static void put_all_ways_on(Tour *tour) {
  for (int city = n_cities - 1; city >= 0; city--) {
    if (visits(tour, city)) continue;
    visit(tour, city);
    put(tour);
    unvisit(tour);
  }
}

/* False: there is no tour left. */
static bool take(Tour *tour) {
  while (n_pool > 0) {
    *tour = pool[--n_pool];
    if (is_hopeless(tour)) continue;
    if (n_cities - tour->n <= FEW) return true;
    put_all_ways_on(tour);
  }
  return false;
}

/* ---- the search ---- */

static void report(const Tour *tour, int length) {
  pthread_mutex_lock(&shortest_lock);
  if (length < shortest_so_far()) {
    atomic_store_explicit(&shortest, length, memory_order_relaxed);
    shortest_tour = *tour;
  }
  pthread_mutex_unlock(&shortest_lock);
}

static void search(Tour *tour) {
  const int n = n_cities;
  if (is_hopeless(tour)) return;
  if (tour->n == n) {
    const int length = tour->length + distances[tour->cities[n - 1]][tour->cities[0]];
    if (length < shortest_so_far()) report(tour, length);
    return;
  }
  for (int city = 0; city < n; city++) {
    if (visits(tour, city)) continue;
    visit(tour, city);
    search(tour);
    unvisit(tour);
  }
}

static bool solve(void) {
  Tour tour;
  ATOMIC_BEGIN("solve");
  pthread_mutex_lock(&pool_lock);
  const bool found = take(&tour);
  pthread_mutex_unlock(&pool_lock);
  if (found) search(&tour);
  ATOMIC_END();
  return found;
}

static void *work(void *argument) {
  (void)argument;
  pthread_barrier_wait(&barrier);
  while (solve()) {}
  return NULL;
}

/* ---- the map ---- */

/* Cities are points of a square. */
static void make_map(unsigned seed) {
  int at[MAX_CITIES][2];
  unsigned state = seed;
  for (int i = 0; i < n_cities; i++)
    for (int axis = 0; axis < 2; axis++) {
      state = state * 1664525 + 1013904223;
      at[i][axis] = (int)(state >> 22);
    }
  for (int i = 0; i < n_cities; i++)
    for (int j = 0; j < n_cities; j++) distances[i][j] = abs(at[i][0] - at[j][0]) + abs(at[i][1] - at[j][1]);
  for (int i = 0; i < n_cities; i++) {
    nearest[i] = INT_MAX;
    for (int j = 0; j < n_cities; j++)
      if (j != i && distances[i][j] < nearest[i]) nearest[i] = distances[i][j];
  }
}

/* The tour that is in city 0 and has seen nothing else. */
static void begin_tour(void) {
  Tour tour = {.n = 1, .visited = 1};
  for (int i = 0; i < n_cities; i++) tour.rest += nearest[i];
  put(&tour);
}

/* The calling thread is the first worker. */
static void solve_all(int n_threads) {
  pthread_t *threads = calloc((size_t)n_threads, sizeof *threads);
  if (!threads) exit(3);
  begin_tour();
  pthread_barrier_init(&barrier, NULL, (unsigned)n_threads);
  for (int i = 1; i < n_threads; i++)
    if (pthread_create(&threads[i], NULL, work, NULL)) exit(3);
  work(NULL);
  for (int i = 1; i < n_threads; i++) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&barrier);
  free(threads);
}

int main(int argc, char **argv) {
  const int n_threads = argc > 1 ? atoi(argv[1]) : 4;
  n_cities = argc > 2 ? atoi(argv[2]) : 12;
  if (argc > 4 || n_threads < 1 || n_cities < 2 || n_cities > MAX_CITIES) {
    fprintf(stderr, "usage: tsp [THREADS [CITIES [SEED]]], at most %d cities\n", MAX_CITIES);
    return 3;
  }
  make_map(argc > 3 ? (unsigned)atoi(argv[3]) : 1);
  solve_all(n_threads);
  printf("%d\n", shortest_so_far());
  return 0;
}
