// Main does what the threads do before it creates any.
// expect: add atomic
#define BETWEEN run(&works[0])
#include "filled.c"
