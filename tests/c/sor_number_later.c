// A thread's number changes behind it.
#define NUMBER(i) (numbers[0] = (i))
#include "sor.h"
