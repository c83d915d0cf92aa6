#define NAME "weak"
#include "main.h"
__attribute__((weak)) int get(void) { return 0; }
__attribute__((weak)) void put(int x) { (void)x; }
