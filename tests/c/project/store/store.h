#include <pthread.h>
extern pthread_mutex_t lock;
int get(void);
void put(int);
void fast(int);
#ifdef LOCKED
#define LOCK() pthread_mutex_lock(&lock)
#define UNLOCK() pthread_mutex_unlock(&lock)
#else
#define LOCK() (void)0
#define UNLOCK() (void)0
#endif
