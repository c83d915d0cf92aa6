#include "count.h"

int total;

void count(int n) {
  for (int i = 0; i < n; i++) bump(&total);
}
