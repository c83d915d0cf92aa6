extern int total;
static inline void bump(int *n) { ++*n; }
void count(int n);
