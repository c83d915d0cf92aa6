/* elevator.c: lifts in a building: `elevator [LIFTS [FLOORS [PEOPLE [SEED]]]]`; after the program of that name of C.
 * von Praun and T. Gross, "Object race detection" (OOPSLA 2001).
 *
 * The main thread is the people, who press the button for up or down on their floors. Each lift is a thread. It claims
 * the nearest call that no other lift has claimed, goes there, and takes the people waiting there to their floors; on
 * the way it takes on people who go in its direction from floors that are not claimed. One lock guards everything that
 * lifts and people share.
 *
 * Transactions: `press_button`, and `answer_call`, a lift's whole trip. Correct: there is no race, a call has one lift
 * at a time, and everyone is served. Not serializable, as must be expected where several things move at once: a trip
 * claims its call in one critical section and serves it in others. In between, after the claim, which saw no call of
 * theirs, and before the trip passes their floor, people come and other lifts claim their calls. To make this happen in
 * each run, the lift that is called first waits on its way until the second person has joined the first one. The number
 * of people served is the same in each run. */
// expect: violated
// run: 1 8 200
// run: 3 8 40
#include <causal.h>

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_FLOORS = 1000 };

typedef enum { DOWN, UP } Direction;

typedef struct {
  int floor;
  Direction direction;
} Call;

typedef struct {
  int waiting[2];  /* people, by direction */
  bool claimed[2]; /* by a lift that is on its way */
} Floor;

typedef struct {
  pthread_t thread;
  unsigned random;
  int floor;
  int aboard;
  int leaving[MAX_FLOORS]; /* of those aboard, by the floor where they leave */
} Lift;

static int n_floors, n_people;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Floor floors[MAX_FLOORS]; /* these two are guarded by the lock */
static int n_served;
static bool any_claimed;
static sem_t is_called, has_joined; /* the first lift, the second person */

/* From 0 to n - 1. */
static int random_below(unsigned *state, int n) {
  *state = *state * 1664525 + 1013904223;
  return (int)((unsigned long long)(*state >> 8) * (unsigned)n >> 24);
}

static void pass_time(void) { nanosleep(&(struct timespec){.tv_nsec = 10000}, NULL); }

/* ---- calls; the lock is held ---- */

static bool claim(int floor, Call *call) {
  if (floor < 0 || floor >= n_floors) return false;
  for (Direction d = DOWN; d <= UP; d++)
    if (floors[floor].waiting[d] && !floors[floor].claimed[d]) {
      floors[floor].claimed[d] = true;
      *call = (Call){floor, d};
      return true;
    }
  return false;
}

static bool claim_nearest(int floor, Call *call) {
  for (int distance = 0; distance < n_floors; distance++)
    if (claim(floor - distance, call) || claim(floor + distance, call)) return true;
  return false;
}

static int take_people(Call call) {
  Floor *floor = &floors[call.floor];
  const int n = floor->waiting[call.direction];
  if (n) floor->waiting[call.direction] = 0;
  return n;
}

/* ---- lifts ---- */

/* They press the buttons for their floors, which lie ahead. */
static void come_aboard(Lift *lift, Direction direction, int n) {
  for (lift->aboard += n; n > 0; n--) {
    const int ahead = direction == UP ? n_floors - 1 - lift->floor : lift->floor;
    const int distance = 1 + random_below(&lift->random, ahead);
    lift->leaving[lift->floor + (direction == UP ? distance : -distance)]++;
  }
}

static void let_off(Lift *lift) {
  const int n = lift->leaving[lift->floor];
  if (!n) return;
  lift->aboard -= n;
  lift->leaving[lift->floor] = 0;
  pthread_mutex_lock(&lock);
  n_served += n;
  pthread_mutex_unlock(&lock);
}

static void move(Lift *lift, Direction direction) {
  lift->floor += direction == UP ? 1 : -1;
  pass_time();
}

/* Takes on whoever waits there, if no other lift will. */
static void stop_by(Lift *lift, Direction direction) {
  const Call here = {lift->floor, direction};
  pthread_mutex_lock(&lock);
  const int n = floors[here.floor].claimed[direction] ? 0 : take_people(here);
  pthread_mutex_unlock(&lock);
  come_aboard(lift, direction, n);
}

static void serve(Lift *lift, Call call) {
  while (lift->floor != call.floor) move(lift, lift->floor < call.floor ? UP : DOWN);
  pthread_mutex_lock(&lock);
  const int n = take_people(call);
  floors[call.floor].claimed[call.direction] = false;
  pthread_mutex_unlock(&lock);
  come_aboard(lift, call.direction, n);
  while (lift->aboard) {
    move(lift, call.direction);
    let_off(lift);
    stop_by(lift, call.direction);
  }
}

static void await_second(void) {
  sem_post(&is_called);
  sem_wait(&has_joined);
}

/* False: there is none. */
static bool answer_call(Lift *lift) {
  Call call;
  ATOMIC_BEGIN("answer_call");
  pthread_mutex_lock(&lock);
  const bool called = claim_nearest(lift->floor, &call), first = called && !any_claimed;
  if (called) any_claimed = true;
  pthread_mutex_unlock(&lock);
  if (first && n_people > 1) await_second();
  if (called) serve(lift, call);
  ATOMIC_END();
  return called;
}

static bool all_are_served(void) {
  pthread_mutex_lock(&lock);
  const bool all = n_served == n_people;
  pthread_mutex_unlock(&lock);
  return all;
}

static void *run_lift(void *argument) {
  Lift *lift = argument;
  while (!all_are_served())
    if (!answer_call(lift)) pass_time();
  return NULL;
}

/* ---- people ---- */

static void press_button(Call call) {
  ATOMIC_BEGIN("press_button");
  pthread_mutex_lock(&lock);
  floors[call.floor].waiting[call.direction]++;
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
}

static Call random_call(unsigned *random) {
  const int floor = random_below(random, n_floors);
  return (Call){floor, floor == 0 ? UP : floor == n_floors - 1 ? DOWN : random_below(random, 2) ? UP : DOWN};
}

static void join(Call call) {
  sem_wait(&is_called);
  press_button(call);
  sem_post(&has_joined);
}

static void send_people(unsigned *random) {
  Call call = {0, UP};
  for (int i = 0; i < n_people; i++) {
    if (i != 1) call = random_call(random);
    if (i == 1) join(call);
    else press_button(call);
    pass_time();
  }
}

static void run_building(int n_lifts, unsigned seed) {
  Lift *lifts = calloc((size_t)n_lifts, sizeof *lifts);
  unsigned random = seed;
  if (!lifts || sem_init(&is_called, 0, 0) || sem_init(&has_joined, 0, 0)) exit(3);
  for (int i = 0; i < n_lifts; i++) {
    lifts[i].random = seed + (unsigned)i + 1;
    lifts[i].floor = random_below(&random, n_floors);
    if (pthread_create(&lifts[i].thread, NULL, run_lift, &lifts[i])) exit(3);
  }
  send_people(&random);
  for (int i = 0; i < n_lifts; i++) pthread_join(lifts[i].thread, NULL);
  free(lifts);
}

int main(int argc, char **argv) {
  const int n_lifts = argc > 1 ? atoi(argv[1]) : 3;
  n_floors = argc > 2 ? atoi(argv[2]) : 8;
  n_people = argc > 3 ? atoi(argv[3]) : 100;
  if (argc > 5 || n_lifts < 1 || n_floors < 2 || n_floors > MAX_FLOORS || n_people < 0) {
    fprintf(stderr, "usage: elevator [LIFTS [FLOORS [PEOPLE [SEED]]]], at most %d floors\n", MAX_FLOORS);
    return 3;
  }
  run_building(n_lifts, argc > 4 ? (unsigned)atoi(argv[4]) : 1);
  printf("%d people served\n", n_served);
  return 0;
}
