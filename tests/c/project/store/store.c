#include "store.h"
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int own;
int get(void) { return own; }
void put(int x) { own = x; }
