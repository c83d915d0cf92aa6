// What the library keeps is shared: a directory, the environment, signgam; prctl() fills its argument.
// expect: directory violated
// expect: environment violated
// expect: gamma violated
// expect: list violated
// expect: variable violated
// expect: name violated
// race: 34 65
// race: 36 65
// race: 37 65
// race: 38 65
// race: 45 66
// race: 47 66
// race: 49 66
// race: 52 66
// race: 55 67
// race: 56 67
// race: 59 68
// race: 60 68
#include "two.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <sys/prctl.h>

extern int signgam;
extern char **environ;
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
  char **list = environ;
  ATOMIC_BEGIN("list");
  if (list[0]) is_set = list[0][0];
  ATOMIC_END();
  ATOMIC_BEGIN("variable");
  if (environ) is_set = environ != list;
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
