// Addresses that the library keeps, moves, or brings back: of an array that is sorted, of a text that is taken apart,
// through a pipe, and what getopt finds.
// expect: sorted violated
// expect: token violated
// expect: pipe violated
// expect: option violated
// expect: number atomic
// race: 38 73
// race: 45 73
// race: 46 73
// race: 48 75
// race: 50 75
// race: 51 75
// race: 55 74
// race: 56 74
// race: 60 75
// race: 60 76
// race: 61 75
// race: 61 76
#include "two.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  int kind;
  int *where;
} Message;

static int low = 1, high, sent, other, numbers[2];
static int *order[2] = {&low, &high};
static char text[8] = "a b", flag[4] = "-a";
static char *arguments[3] = {text, flag, NULL};
static int ends[2];

static int compare(const void *left, const void *right) { return **(int *const *)left - **(int *const *)right; }

static void first(void) {
  Message message = {0, &other};
  char buffer[16];
  qsort(order, 2, sizeof *order, compare);
  ATOMIC_BEGIN("sorted");
  *order[0] += 1;
  *order[0] += 1;
  ATOMIC_END();
  strtok(text, " ");
  ATOMIC_BEGIN("token");
  char *token = strtok(NULL, " ");
  token[0] = token[1];
  ATOMIC_END();
  read(ends[0], &message, sizeof message);
  ATOMIC_BEGIN("pipe");
  *message.where += 1;
  *message.where += 1;
  ATOMIC_END();
  getopt(2, arguments, "a:");
  ATOMIC_BEGIN("option");
  numbers[0] = optarg[0];
  numbers[0] += optarg[1];
  ATOMIC_END();
  read(ends[0], buffer, sizeof buffer);
  ATOMIC_BEGIN("number");
  if (buffer[0]) numbers[1] = buffer[0];
  numbers[1] += buffer[1];
  ATOMIC_END();
}

static void second(void) {
  Message message = {1, &sent};
  write(ends[1], &message, sizeof message);
  high = 1;
  sent = 1;
  text[2] = 'c';
  flag[1] = 'b';
}
