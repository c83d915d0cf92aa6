// What the library keeps is shared: what readdir() gives, the environment, signgam; prctl() fills its argument.
// expect: directory violated
// expect: environment violated
// expect: gamma violated
// expect: name violated
// race: 28 50
// race: 29 50
// race: 30 50
// race: 37 51
// race: 40 52
// race: 41 52
// race: 44 53
// race: 45 53
#include "two.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <sys/prctl.h>

extern int signgam;
static int length, sign, is_set;
static char name[16];

static void read_it(void) {
  DIR *directory = opendir("/");
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
  (void)readdir(opendir("/tmp"));
  unsetenv("A");
  lgamma(0.5);
  prctl(PR_GET_NAME, name);
}
