// What the library keeps is shared: a directory, the environment, signgam; prctl() fills its argument.
// expect: directory violated
// expect: environment violated
// expect: gamma violated
// expect: name violated
// race: 28 52
// race: 30 52
// race: 31 52
// race: 32 52
// race: 39 53
// race: 42 54
// race: 43 54
// race: 46 55
// race: 47 55
#include "two.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <sys/prctl.h>

extern int signgam;
static DIR *directory;
static int length, sign, is_set;
static char name[16];

static void read_it(void) {
  directory = opendir("/");
  ATOMIC_BEGIN("directory");
  const struct dirent *entry = readdir(directory);
  length = entry->d_name[0];
  length += entry->d_name[1];
  ATOMIC_END();
}

static void first(void) {
  read_it();
  ATOMIC_BEGIN("environment");
  if (getenv("A")) is_set = getenv("A") != NULL;
  ATOMIC_END();
  ATOMIC_BEGIN("gamma");
  lgamma(-0.5);
  sign = signgam;
  ATOMIC_END();
  ATOMIC_BEGIN("name");
  name[0] = 'a';
  name[1] = name[0];
  ATOMIC_END();
}

static void second(void) {
  (void)readdir(directory);
  unsetenv("A");
  lgamma(0.5);
  prctl(PR_GET_NAME, name);
}
