/* Who takes a number of a counter that only goes up has it alone: by an atomic operation, or by a lock. */
// expect: row atomic
// expect: slot atomic
#include <causal.h>
#include <pthread.h>
#include <stdatomic.h>

enum { ROWS = 20, COLUMNS = 5, SLOTS = 40 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int next_row;
static int next_slot, matrix[ROWS][COLUMNS], slots[SLOTS];

static void *work(void *unused) {
  int row, slot;
  while ((row = atomic_fetch_add(&next_row, 1)) < ROWS) {
    ATOMIC_BEGIN("row");
    for (int i = 0; i < COLUMNS; i++) matrix[row][i] += matrix[row][0] + i;
    ATOMIC_END();
  }
  for (;;) {
    pthread_mutex_lock(&lock);
    if (next_slot >= SLOTS) break;
    slot = next_slot++;
    pthread_mutex_unlock(&lock);
    ATOMIC_BEGIN("slot");
    slots[slot]++;
    slots[slot] *= 2;
    ATOMIC_END();
  }
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  next_slot = 1;
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return matrix[0][0] > slots[1];
}
