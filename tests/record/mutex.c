/* Each way to lock a mutex; a recursive one is one lock.
 * count 1: acq\(&plain\)\|mutex.c:2[0-9]:.*plain_lock
 * count 1: ^T1:work\|acq\(&deep\)
 * count 1: ^T1:work\|rel\(&deep\)
 * count 1: ^T1:work\|acq\(&plain\)
 * count 1: ^T1:work\|try\(&plain\)
 * count 2: ^T1:work\|rel\(&plain\)
 * count 1: ^T1:work\|try\(&checked\)
 * count 1: ^T1:work\|rel\(&checked\)
 * has: r\(shared\)
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, deep, checked;
static int shared;

static void plain_lock(void) {
  pthread_mutex_lock(&plain);
  shared++;
  pthread_mutex_unlock(&plain);
}

static void *work(void *argument) {
  (void)argument;
  struct timespec soon;
  pthread_mutex_lock(&deep);
  printf("%d\n", pthread_mutex_trylock(&deep));
  pthread_mutex_lock(&deep);
  shared++;
  for (int i = 0; i < 3; i++) pthread_mutex_unlock(&deep);
  printf("%d\n", pthread_mutex_unlock(&checked));
  clock_gettime(CLOCK_REALTIME, &soon);
  printf("%d\n", pthread_mutex_timedlock(&checked, &soon));
  printf("%d\n", pthread_mutex_lock(&checked) == EDEADLK);
  pthread_mutex_unlock(&checked);
  printf("%d\n", pthread_mutex_trylock(&plain));
  pthread_mutex_unlock(&plain);
  plain_lock();
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&deep, &attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checked, &attributes);
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  printf("%d\n", shared);
  pthread_mutex_destroy(&deep);
  return 0;
}
