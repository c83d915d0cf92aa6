// Threads are joined in a loop that counts down, in a function.
// expect: sum atomic
#define JOINS join_down(threads, n)
#include "joined_back.c"
