/* Handlers run as they would, and may jump out.
 * has: ^T1:work\|acq\(&lock\)
 * exit: 0
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t handled, seen;
static sigjmp_buf back;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void on_alarm(int number) { handled += number == SIGALRM; }

static void on_user(int number) {
  (void)number;
  siglongjmp(back, 1);
}

static void *work(void *argument) {
  for (int i = 0; i < 20000 || handled < 3; i++) {
    pthread_mutex_lock(&lock);
    shared++;
    pthread_mutex_unlock(&lock);
  }
  return argument;
}

int main(void) {
  pthread_t thread;
  const struct itimerval often = {{0, 1000}, {0, 1000}}, off = {{0, 0}, {0, 0}};
  signal(SIGALRM, on_alarm);
  signal(SIGUSR1, on_user);
  setitimer(ITIMER_REAL, &often, NULL);
  pthread_create(&thread, NULL, work, NULL);
  for (int i = 0; i < 20000 || handled < 3; i++) {
    pthread_mutex_lock(&lock);
    shared--;
    pthread_mutex_unlock(&lock);
  }
  pthread_join(thread, NULL);
  setitimer(ITIMER_REAL, &off, NULL);
  if (!sigsetjmp(back, 1)) {
    raise(SIGUSR1);
    return 1;
  }
  seen = handled >= 3;
  printf("%d\n", seen);
  return 0;
}
