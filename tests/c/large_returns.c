/* A program so large that the calls of a function share a context: `leaf` returns to `middle`, too, which begins only
 * after `leaf` has returned to `top`. */
// expect: add atomic
// expect: add_twice violated
#include <causal.h>
#include <pthread.h>

#define TEN(x) x x x x x x x x x x

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static int large(int k) {
  TEN(TEN(k = k * 3 + 1;))
  return k;
}

static int leaf(int k) {
  TEN(TEN(k = k * 5 + 1;))
  return k;
}

static int middle(int k) {
  TEN(TEN(k = k * 7 + 1;))
  return leaf(k) + 1;
}

static int top(int k) {
  TEN(TEN(k = k * 9 + 1;))
  return middle(leaf(k)) + 1;
}

static void add_once(int k) {
  pthread_mutex_lock(&lock);
  sum += k;
  pthread_mutex_unlock(&lock);
}

static void *add(void *argument) {
  int k = *(int *)argument;
  TEN(TEN(k = large(k);))
  k = top(k);
  ATOMIC_BEGIN("add");
  add_once(leaf(k));
  ATOMIC_END();
  ATOMIC_BEGIN("add_twice");
  add_once(leaf(k));
  add_once(middle(k));
  ATOMIC_END();
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int numbers[2] = {1, 2};
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, &numbers[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return sum > 0;
}
