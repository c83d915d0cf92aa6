/* A thread works on a copy of what it is given, and may free that: each has its part. */
// expect: copied atomic
// expect: made atomic
// expect: nested atomic
#include <causal.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct {
  int from, to;
  long *data;
} Part;

typedef struct {
  long id;
  Part part;
} Job;

static long numbers[400], all[400], more[400];

static void *copied(void *given) {
  const Part part = *(Part *)given;
  for (int i = part.from; i < part.to; i++) {
    ATOMIC_BEGIN("copied");
    part.data[i]++;
    part.data[i]++;
    ATOMIC_END();
  }
  return NULL;
}

static void *made(void *given) {
  Part part = *(Part *)given;
  free(given);
  for (int i = part.from; i < part.to; i++) {
    ATOMIC_BEGIN("made");
    part.data[i]++;
    part.data[i]++;
    ATOMIC_END();
  }
  return NULL;
}

static void *nested(void *given) {
  Job job = *(Job *)given;
  Part part = job.part;
  for (int i = part.from; i < part.to; i++) {
    ATOMIC_BEGIN("nested");
    part.data[i] += job.id;
    part.data[i] += job.id;
    ATOMIC_END();
  }
  return NULL;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 3;
  pthread_t *threads = malloc(3 * n * sizeof *threads);
  Part *parts = malloc(n * sizeof *parts);
  Job *jobs = malloc(n * sizeof *jobs);
  for (int i = 0; i < n; i++) {
    parts[i] = (Part){i * 10, i * 10 + 10, numbers};
    pthread_create(&threads[i], NULL, copied, &parts[i]);
  }
  for (int i = 0; i < n; i++) {
    Part *part = malloc(sizeof *part);
    part->from = i * 10;
    part->to = i * 10 + 10;
    part->data = all;
    pthread_create(&threads[n + i], NULL, made, part);
  }
  for (int i = 0; i < n; i++) {
    jobs[i].id = i;
    jobs[i].part.from = i * 10;
    jobs[i].part.to = i * 10 + 10;
    jobs[i].part.data = more;
    pthread_create(&threads[2 * n + i], NULL, nested, &jobs[i]);
  }
}
