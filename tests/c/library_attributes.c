// Attributes, the time of a lock that gives up, and the number of a semaphore are read and written.
// expect: attribute violated
// expect: time violated
// expect: number violated
// expect: own atomic
// race: 25 45
// race: 26 45
// race: 29 46
// race: 30 46
#include "two.h"

#include <semaphore.h>
#include <time.h>

static pthread_attr_t attribute;
static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static struct timespec until;
static sem_t semaphore;

static void first(void) {
  size_t size;
  int n, m;
  sem_init(&semaphore, 0, 0);
  ATOMIC_BEGIN("attribute");
  pthread_attr_setstacksize(&attribute, 100000);
  pthread_attr_getstacksize(&attribute, &size);
  ATOMIC_END();
  ATOMIC_BEGIN("time");
  pthread_mutex_timedlock(&left, &until);
  pthread_mutex_timedlock(&right, &until);
  ATOMIC_END();
  ATOMIC_BEGIN("number");
  sem_getvalue(&semaphore, &n);
  sem_getvalue(&semaphore, &m);
  ATOMIC_END();
  pthread_attr_t own;
  ATOMIC_BEGIN("own");
  pthread_attr_init(&own);
  pthread_attr_setstacksize(&own, 100000);
  sem_getvalue(&semaphore, &n);
  ATOMIC_END();
}

static void second(void) {
  pthread_attr_init(&attribute);
  until.tv_sec = 1;
  sem_post(&semaphore);
}
