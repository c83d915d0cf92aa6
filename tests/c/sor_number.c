// Two threads have one number.
#define NUMBER(i) ((i) / 2)
#include "sor.h"
