// expect: own atomic
// expect: shared violated
// expect: inside violated
// expect: again violated
// expect: kept atomic
// race: 38 38
// race: 38 39
// race: 43 44
// race: 44 44
// race: 47 47
/* Functions of GLib that need memory and text: what is new is nobody else's, what they are given is read and written.
 */
#include "causal.h"

#include <pthread.h>
#include <stddef.h>

char *g_strdup(const char *text);
char *g_strdup_printf(const char *format, ...);
char *g_strstr_len(const char *text, long length, const char *part);
char *g_strchug(char *text);
size_t g_strlcpy(char *to, const char *from, size_t size);
void *g_realloc(void *memory, size_t size);
void *g_malloc0(size_t size);
void g_free(void *memory);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char shared[16], text[] = "a text", **kept;

static void *work(void *unused) {
  ATOMIC_BEGIN("own");
  char *own = g_strchug(g_strdup(" text"));
  own[0]++;
  own[1]++;
  g_free(own);
  ATOMIC_END();
  ATOMIC_BEGIN("shared");
  g_strlcpy(shared, "text", sizeof shared);
  char *copy = g_strdup_printf("%s", shared);
  ATOMIC_END();
  g_free(copy);
  ATOMIC_BEGIN("inside");
  char *inside = g_strstr_len(text, -1, "text");
  if (inside) inside[1]++;
  ATOMIC_END();
  ATOMIC_BEGIN("again");
  kept[0][0]++;
  ATOMIC_END();
  pthread_mutex_lock(&lock);
  ATOMIC_BEGIN("kept");
  static int number;
  number++;
  number++;
  ATOMIC_END();
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  kept = g_malloc0(8);
  kept[0] = g_malloc0(8);
  kept = g_realloc(kept, 16);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
