// Red and black rows: what is proved of each access is needed, see the programs sor_*.
// expect: make_rows atomic
// expect: sum_of_rows atomic
// expect: sweep atomic
#include "sor.h"
