/* ends.c HOW: programs that end, or do not, in odd ways, while a transaction is open. */
#include <causal.h>

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static volatile int shared, never;
static const char *how;

static void both(pthread_mutex_t *a, pthread_mutex_t *b) {
  ATOMIC_BEGIN("both");
  pthread_mutex_lock(a);
  if (strcmp(how, "deadlock") == 0) usleep(100000);
  pthread_mutex_lock(b);
  shared++;
  pthread_mutex_unlock(b);
  pthread_mutex_unlock(a);
  ATOMIC_END();
}

static void fork_one(void) {
  const pid_t child = fork();
  if (child == 0) _exit(shared > 2); /* the locks may be another thread's */
  waitpid(child, NULL, 0);
}

static void *other(void *unused) {
  if (strcmp(how, "deadlock") == 0) both(&second, &first);
  else both(&first, &second);
  if (strcmp(how, "exit") == 0) exit(5);
  if (strcmp(how, "killed") == 0) raise(SIGKILL);
  if (strcmp(how, "fork") == 0) fork_one();
  if (strcmp(how, "spin") == 0 || strcmp(how, "deaf") == 0)
    while (!never) {}
  return unused;
}

int main(int argc, char **argv) {
  pthread_t thread;
  how = argc > 1 ? argv[1] : "";
  if (strcmp(how, "deaf") == 0) signal(SIGINT, SIG_IGN);
  if (pthread_create(&thread, NULL, other, NULL)) return 1;
  both(&first, &second);
  pthread_join(thread, NULL);
  return 0;
}
