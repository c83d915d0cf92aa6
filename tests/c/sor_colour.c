// All rows have their colours alike.
#define COLOUR(i, sweep) ((sweep) % 2)
#include "sor.h"
