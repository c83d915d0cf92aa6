// So many objects with locks, of which two are copied to each other again and again, are not told apart as closely as
// fewer: the program is read once more, less closely, and nothing is known of what an address may lead to.
// expect: move unknown
// gap: 42 accesses memory that is not known
// gap: 42 uses a lock that is not known
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

enum { N = 64 };

typedef struct {
  pthread_mutex_t lock;
  int parts[30];
} Object;

static Object *objects[N];

#define MAKE(n) objects[n] = malloc(sizeof(Object));
#define MAKE_FOUR(n) MAKE(n) MAKE(n + 1) MAKE(n + 2) MAKE(n + 3)
#define MAKE_ALL(n) MAKE_FOUR(n) MAKE_FOUR(n + 4) MAKE_FOUR(n + 8) MAKE_FOUR(n + 12)

static void make(void) { MAKE_ALL(0) MAKE_ALL(16) MAKE_ALL(32) MAKE_ALL(48) }

#define COPY(n)                                                                     \
  {                                                                                 \
    Object *from = objects[rand() % N];                                             \
    Object *to = objects[rand() % N];                                               \
    pthread_mutex_lock(&from->lock);                                                \
    pthread_mutex_lock(&to->lock);                                                  \
    for (int i = 0; i < 30; i++) to->parts[i] = from->parts[i] + to->parts[29 - i]; \
    *to = *from;                                                                    \
    pthread_mutex_unlock(&to->lock);                                                \
    pthread_mutex_unlock(&from->lock);                                              \
  }
#define COPY_FOUR COPY(0) COPY(1) COPY(2) COPY(3)
#define COPY_ALL COPY_FOUR COPY_FOUR COPY_FOUR COPY_FOUR

static void *move(void *unused) {
  ATOMIC_BEGIN("move");
  COPY_ALL
  ATOMIC_END();
  return unused;
}

int main(void) {
  pthread_t threads[4];
  make();
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, move, NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  return 0;
}
