// What a thread has to do is in a structure, which has its result, too.
// expect: sum atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 3 };

typedef struct {
  int from, to;
  double *data, sum;
} Task;

static void *work(void *argument) {
  Task *task = argument;
  double sum = 0;
  ATOMIC_BEGIN("sum");
  for (int i = task->from; i < task->to; i++) {
    task->data[i] *= 2;
    sum += task->data[i];
  }
  task->sum = sum;
  ATOMIC_END();
#ifdef WRONG
  task->to++;
#endif
  return NULL;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 100, chunk = (n + THREADS - 1) / THREADS;
  double *data = malloc((size_t)n * sizeof *data), sum = 0;
  pthread_t threads[THREADS];
  Task tasks[THREADS] = {0};
  for (int i = 0; i < n; i++) data[i] = i;
  for (int i = 0; i < THREADS; i++) {
    tasks[i].data = data;
    tasks[i].from = i * chunk;
    tasks[i].to = (i + 1) * chunk < n ? (i + 1) * chunk : n;
    if (pthread_create(&threads[i], NULL, work, &tasks[i])) return 1;
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    sum += tasks[i].sum;
  }
  return sum > 1;
}
