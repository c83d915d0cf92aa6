// Red and black rows, for any number of threads: each fact is needed, see the programs any_sor_*.
// expect: make_rows atomic
// expect: sweep atomic
#include "any_sor.h"
