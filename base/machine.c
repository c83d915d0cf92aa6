#include "base/machine.h"

#ifdef __linux__
#include <sched.h>
#endif
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_ROOM = 4096 };

static uint64_t less(uint64_t a, uint64_t b) { return a == 0 || (b && b < a) ? b : a; }

/* The number in the file; 0 if there is none, as in "max". What version 1 says where there is no limit is more than any
 * machine has. */
static uint64_t read_limit(const char *path) {
  char text[32] = "";
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  if (!fgets(text, sizeof text, file)) text[0] = '\0';
  fclose(file);
  const unsigned long long limit = strtoull(text, NULL, 10);
  return limit < (uint64_t)1 << 62 ? limit : 0;
}

/* Of the group and of all around it. In a container `group` may be a path of the machine's, which is not there. */
static uint64_t limit_of(const char *root, const char *controller, const char *group, const char *name) {
  char folder[PATH_ROOM], path[PATH_ROOM + 32];
  uint64_t least = 0;
  const int n = snprintf(folder, sizeof folder, "%s%s%s", root, controller, group);
  const size_t stem = strlen(root) + strlen(controller);
  if (n < 0 || n >= (int)sizeof folder) return 0;
  for (;;) {
    snprintf(path, sizeof path, "%s/%s", folder, name);
    least = less(least, read_limit(path));
    char *slash = strrchr(folder + stem, '/');
    if (!slash) return least;
    *slash = '\0';
  }
}

/* Is "memory" one of the controllers, which have commas between them? */
static bool has_memory(const char *controllers, size_t length) {
  for (const char *at = controllers, *end = at + length; at < end;) {
    const size_t n = strcspn(at, ",:");
    if (n == strlen("memory") && memcmp(at, "memory", n) == 0) return true;
    at += n + 1;
  }
  return false;
}

/* "0::/group" of version 2, "7:cpu,memory:/group" of version 1. */
static uint64_t limit_of_line(char *line, const char *root) {
  line[strcspn(line, "\n")] = '\0';
  char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
  if (!group) return 0;
  controllers++;
  const size_t length = (size_t)(group++ - controllers);
  if (length == 0) return limit_of(root, "", group, "memory.max");
  return has_memory(controllers, length) ? limit_of(root, "/memory", group, "memory.limit_in_bytes") : 0;
}

uint64_t machine_group_limit(const char *groups, const char *root) {
  char line[PATH_ROOM];
  uint64_t least = 0;
  FILE *file = fopen(groups, "r");
  if (!file) return 0;
  while (fgets(line, sizeof line, file)) least = less(least, limit_of_line(line, root));
  fclose(file);
  return least;
}

uint64_t machine_memory(void) {
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  const uint64_t all = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
  return less(all, machine_group_limit("/proc/self/cgroup", "/sys/fs/cgroup"));
}

uint32_t machine_processors(void) {
#ifdef CPU_COUNT
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return (uint32_t)CPU_COUNT(&set);
#endif
  const long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n > 0 ? (uint32_t)n : 1;
}
