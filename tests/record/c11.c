/* C11 threads are the same as pthreads.
 * count 3: acq\(&lock\).*c11.c:[0-9]*:[0-9]*:count
 * count 1: wait\(&once\)
 * has: fork\(T1:count\)
 * has: join\(T1:count\)
 * exit: 6
 */
#include <stdio.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static int shared, ready;

static void make(void) { mtx_init(&lock, mtx_plain); }

static int count(void *argument) {
  (void)argument;
  call_once(&once, make);
  for (int i = 0; i < 3; i++) {
    mtx_lock(&lock);
    shared++;
    if (i == 2) ready = 1, cnd_signal(&changed);
    mtx_unlock(&lock);
  }
  return 6;
}

int main(void) {
  thrd_t thread;
  int result;
  call_once(&once, make);
  cnd_init(&changed);
  thrd_create(&thread, count, NULL);
  mtx_lock(&lock);
  while (!ready) cnd_wait(&changed, &lock);
  printf("%d\n", shared);
  mtx_unlock(&lock);
  thrd_join(thread, &result);
  mtx_destroy(&lock);
  return result;
}
