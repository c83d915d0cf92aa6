// Columns change their places: two places may lead to one.
#define EXCHANGE(k, pivot) (columns[k] = columns[pivot])
#include "lufact.h"
