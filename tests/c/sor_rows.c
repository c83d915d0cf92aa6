// A thread's last row is the next one's first.
#define END(t) ((int)((long long)size * ((t) + 1) / THREADS) + 1)
#include "sor.h"
