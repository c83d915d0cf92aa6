/* startup.c: what a short run of a program costs.
 *
 *     startup RUNS PROGRAM ARGUMENT...
 *
 * The CPU time of the whole process, user and system, from its exec to its exit, as the kernel counts it: the least and
 * the median of RUNS, in milliseconds; and its page faults. Its output is dropped. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double milliseconds(const struct timeval *time) {
  return (double)time->tv_sec * 1e3 + (double)time->tv_usec * 1e-3;
}

_Noreturn static void become(char **command) {
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  execv(*command, command);
  _exit(127);
}

/* False if it cannot be run. */
static bool run(char **command, double *time, long *faults) {
  struct rusage use;
  int status;
  const pid_t child = vfork();
  if (child == 0) become(command);
  if (child < 0 || wait4(child, &status, 0, &use) < 0) return perror("startup"), false;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) return fprintf(stderr, "startup: no %s\n", *command), false;
  *time = milliseconds(&use.ru_utime) + milliseconds(&use.ru_stime);
  *faults = use.ru_minflt;
  return true;
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  const int n = argc > 2 ? atoi(argv[1]) : 0;
  double *times = calloc(n > 0 ? (size_t)n : 1, sizeof *times);
  long faults = 0;
  if (n < 1 || !times) return fprintf(stderr, "usage: startup RUNS PROGRAM ARGUMENT...\n"), 3;
  for (int i = 0; i < n; i++)
    if (!run(argv + 2, &times[i], &faults)) return 3;
  qsort(times, (size_t)n, sizeof *times, compare);
  printf("%.2f | %.2f | %ld\n", times[0], times[n / 2], faults);
  free(times);
  return 0;
}
