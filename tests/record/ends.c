/* Threads end by return, pthread_exit, and cancel; what they leave is ended, too.
 * atomic: returns,exits,waits
 * has: ^T1:returns\|exit
 * has: ^T2:exits\|exit
 * has: ^T3:waits\|exit
 * has: ^T4:returns\|exit
 * count 1: ^T2:exits\|begin\(exits\)
 * count 1: ^T2:exits\|end
 * count 1: ^T3:waits\|begin\(waits\)
 * count 1: ^T3:waits\|end
 * count 2: ^T3:waits\|acq\(&lock\)
 * count 2: ^T3:waits\|rel\(&lock\)
 * count 1: ^T3:waits\|w\(cleaned\)
 * not: join\(T4
 */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int entered, cleaned, done;

static void *returns(void *argument) {
  __atomic_store_n(&done, 1, __ATOMIC_SEQ_CST);
  return argument;
}

static void deeper(void *argument) {
  entered++;
  pthread_exit(argument);
}

static void *exits(void *argument) {
  deeper(argument);
  return NULL;
}

static void clean(void *argument) {
  cleaned = 1;
  pthread_mutex_unlock(argument);
}

static void *waits(void *argument) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(clean, &lock);
  entered = 10;
  for (;;) pthread_cond_wait(&never, &lock);
  pthread_cleanup_pop(1);
  return argument;
}

int main(void) {
  pthread_t thread;
  void *result;
  static int value;
  pthread_create(&thread, NULL, returns, &value);
  pthread_join(thread, &result);
  printf("%d\n", result == &value);
  pthread_create(&thread, NULL, exits, &value);
  pthread_join(thread, &result);
  printf("%d %d\n", result == &value, entered);
  pthread_create(&thread, NULL, waits, NULL);
  for (int in = 0; !in;) {
    pthread_mutex_lock(&lock);
    in = entered == 10;
    pthread_mutex_unlock(&lock);
    usleep(100);
  }
  pthread_cancel(thread);
  pthread_join(thread, &result);
  printf("%d %d\n", result == PTHREAD_CANCELED, cleaned);
  done = 0;
  pthread_create(&thread, NULL, returns, NULL);
  pthread_detach(thread);
  while (!__atomic_load_n(&done, __ATOMIC_SEQ_CST)) usleep(100);
  usleep(100000);
  pthread_exit(NULL);
}
