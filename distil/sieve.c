/* sieve.c: a queue of jobs, and threads that do them. */
#include "distil/sieve.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

enum { MOST_JOBS = 512, JOBS = 5 }; /* JOBS: for each stream */

typedef enum { ASKED, BEGUN, DONE } State;

typedef struct {
  const uint64_t *words;
  const RawTail *tail;
  uint64_t *picked;
  uint32_t n;
  State state;
} Job;

struct Sieve {
  Heap *heap;
  SieveFilter filter;
  void *states[SIEVE_THREADS];
  uint32_t n_words, n_jobs;
  Job *jobs;
  uint64_t *memory;
  uint32_t *spare, n_spare;        /* jobs that are free */
  uint32_t *queue, n_asked, first; /* those asked for, the oldest first: a ring of n_jobs */
  pthread_mutex_t mutex;           /* guards all above while there are threads */
  pthread_cond_t asked, done;
  bool ends;
  uint32_t n_threads;
  struct Worker {
    Sieve *sieve;
    uint32_t number;
    pthread_t thread;
  } workers[SIEVE_THREADS - 1];
};

Sieve *sieve_new(Heap *heap, uint32_t n_streams, uint32_t n_words) {
  Sieve *s = heap_zeroed(heap, sizeof *s);
  s->heap = heap;
  s->n_words = n_words;
  s->n_jobs = n_streams < MOST_JOBS / JOBS ? (n_streams + 1) * JOBS : MOST_JOBS;
  s->jobs = heap_zeroed(heap, s->n_jobs * sizeof *s->jobs);
  s->spare = heap_alloc(heap, s->n_jobs * sizeof *s->spare);
  s->queue = heap_alloc(heap, s->n_jobs * sizeof *s->queue);
  s->memory = heap_alloc(heap, (size_t)s->n_jobs * 3 * n_words * sizeof *s->memory);
  for (uint32_t i = 0; i < s->n_jobs; i++) s->jobs[i].picked = s->memory + (size_t)i * 3 * n_words;
  pthread_mutex_init(&s->mutex, NULL);
  pthread_cond_init(&s->asked, NULL);
  pthread_cond_init(&s->done, NULL);
  return s;
}

void sieve_free(Sieve *s) {
  if (!s) return;
  sieve_end(s);
  pthread_cond_destroy(&s->done);
  pthread_cond_destroy(&s->asked);
  pthread_mutex_destroy(&s->mutex);
  heap_release(s->heap, s->memory);
  heap_release(s->heap, s->queue);
  heap_release(s->heap, s->spare);
  heap_release(s->heap, s->jobs);
  heap_release(s->heap, s);
}

/* The oldest job of the queue, by the thread of this number. The mutex is held, but not while it works. */
static void do_first(Sieve *s, uint32_t number) {
  assert(s->n_asked > 0 && number < SIEVE_THREADS);
  Job *job = &s->jobs[s->queue[s->first]];
  s->first = (s->first + 1) % s->n_jobs;
  s->n_asked--;
  job->state = BEGUN;
  pthread_mutex_unlock(&s->mutex);
  const uint32_t n = s->filter(s->states[number], job->words, s->n_words, job->tail, job->picked);
  pthread_mutex_lock(&s->mutex);
  job->n = n;
  assert(n <= 3 * s->n_words);
  job->state = DONE;
}

static void *work(void *argument) {
  const struct Worker *worker = argument;
  Sieve *s = worker->sieve;
  pthread_mutex_lock(&s->mutex);
  while (!s->ends) {
    if (s->n_asked) {
      do_first(s, worker->number);
      pthread_cond_signal(&s->done);
    } else {
      pthread_cond_wait(&s->asked, &s->mutex);
    }
  }
  pthread_mutex_unlock(&s->mutex);
  return NULL;
}

/* Where there is no thread to be had the reader does it all. Signals are its own. */
static void start_threads(Sieve *s) {
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  for (s->n_threads = 0; s->n_threads + 1 < SIEVE_THREADS && s->n_threads + 1 < cores; s->n_threads++) {
    struct Worker *worker = &s->workers[s->n_threads];
    worker->sieve = s;
    worker->number = s->n_threads + 1;
    if (pthread_create(&worker->thread, NULL, work, worker)) break;
  }
  pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void sieve_begin(Sieve *s, SieveFilter filter, void *const states[SIEVE_THREADS]) {
  assert(s->n_threads == 0); /* the pass before has ended */
  s->filter = filter;
  for (uint32_t i = 0; i < SIEVE_THREADS; i++) s->states[i] = states[i];
  for (s->n_spare = 0; s->n_spare < s->n_jobs; s->n_spare++) s->spare[s->n_spare] = s->n_jobs - 1 - s->n_spare;
  s->n_asked = s->first = 0;
  s->ends = false;
  start_threads(s);
}

void sieve_end(Sieve *s) {
  pthread_mutex_lock(&s->mutex);
  s->ends = true;
  pthread_cond_broadcast(&s->asked);
  pthread_mutex_unlock(&s->mutex);
  for (uint32_t i = 0; i < s->n_threads; i++) pthread_join(s->workers[i].thread, NULL);
  s->n_threads = 0;
}

uint32_t sieve_ask(Sieve *s, const uint64_t *words, const RawTail *tail) {
  if (!s->n_spare) return SIEVE_NONE;
  const uint32_t job = s->spare[--s->n_spare];
  assert(job < s->n_jobs);
  pthread_mutex_lock(&s->mutex);
  s->jobs[job].words = words;
  s->jobs[job].tail = tail;
  s->jobs[job].state = ASKED;
  s->queue[(s->first + s->n_asked++) % s->n_jobs] = job;
  pthread_cond_signal(&s->asked);
  pthread_mutex_unlock(&s->mutex);
  return job;
}

const uint64_t *sieve_take(Sieve *s, uint32_t job, uint32_t *n) {
  pthread_mutex_lock(&s->mutex);
  while (s->jobs[job].state != DONE) {
    if (s->n_asked) do_first(s, 0);
    else pthread_cond_wait(&s->done, &s->mutex);
  }
  *n = s->jobs[job].n;
  pthread_mutex_unlock(&s->mutex);
  return s->jobs[job].picked;
}

void sieve_release(Sieve *s, uint32_t job) { s->spare[s->n_spare++] = job; }
