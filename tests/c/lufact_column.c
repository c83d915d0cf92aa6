// The columns that are changed begin with the one that is read.
#define FIRST(k) (k)
#include "lufact.h"
