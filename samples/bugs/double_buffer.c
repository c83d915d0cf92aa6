/* double_buffer.c: one thread draws a frame into the back buffer, and after a barrier both buffers are swapped. The
 * other thread shows the front buffer; it finds its size under the lock, and copies its cells under the lock again. The
 * barrier says that the frame is drawn. That the buffers are swapped is said by nothing: the swap can come between.
 *
 * Fixed: a second barrier, after the swap. Transactions: `swap`, `show`. */
#include "later.h"

#include <causal.h>

#include <pthread.h>
#include <stdio.h>

enum { FRAMES = 3, CELLS = 4 };

typedef struct {
  int size, cells[CELLS];
} Buffer;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t drawn, swapped, shown;
static Buffer buffers[2] = {{1, {0}}, {1, {0}}}; /* black */
static Buffer *front = &buffers[0], *back = &buffers[1];

static void draw(int frame) {
  back->size = frame + 1;
  for (int i = 0; i < back->size; i++) back->cells[i] = frame + 1;
}

static void swap(void) {
  ATOMIC_BEGIN("swap");
  pthread_mutex_lock(&lock);
  Buffer *old = front;
  front = back;
  back = old;
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
}

static int show(void) {
  int sum = 0;
  ATOMIC_BEGIN("show");
  pthread_mutex_lock(&lock);
  const int size = front->size;
  pthread_mutex_unlock(&lock); /* here the buffers can be swapped */
  pthread_mutex_lock(&lock);
  for (int i = 0; i < size; i++) sum += front->cells[i];
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
  return sum;
}

static void *screen(void *unused) {
  (void)unused;
  for (int i = 0; i < FRAMES; i++) {
    pthread_barrier_wait(&drawn);
#ifdef FIXED
    pthread_barrier_wait(&swapped);
#endif
    later();
    printf("%d ", show());
    pthread_barrier_wait(&shown);
  }
  putchar('\n');
  return NULL;
}

int main(void) {
  pthread_t other;
  if (pthread_barrier_init(&drawn, NULL, 2) || pthread_barrier_init(&swapped, NULL, 2) ||
      pthread_barrier_init(&shown, NULL, 2) || pthread_create(&other, NULL, screen, NULL))
    return 1;
  for (int i = 0; i < FRAMES; i++) {
    draw(i);
    pthread_barrier_wait(&drawn);
    swap();
#ifdef FIXED
    pthread_barrier_wait(&swapped);
#endif
    pthread_barrier_wait(&shown);
  }
  pthread_join(other, NULL);
  return 0;
}
