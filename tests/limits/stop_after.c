/* stop_after.c: `stop_after MS SIGNAL COMMAND...` runs the command, sends it the signal (INT, TERM, or 0: none) when it
 * has used MS milliseconds of processor time, or has used none for half a second, and waits for its end. Says on stderr
 * how it ended, and how much processor time it has used after the signal. Ends as the command ends; 125: the signal
 * found it ended. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STILL_MS = 500, LOOK_MS = 2 };

static double ms_of(struct timeval time) { return 1e3 * (double)time.tv_sec + 1e-3 * (double)time.tv_usec; }

/* Of the process and what it has waited for; a clock tick exact. Negative: it has ended. */
static double cpu_ms(pid_t pid) {
  char path[64], text[1024];
  unsigned long long user, kernel;
  char state;
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  FILE *file = fopen(path, "r");
  if (!file) return -1;
  const size_t n = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[n] = '\0';
  const char *behind_name = strrchr(text, ')');
  if (!behind_name ||
      sscanf(behind_name + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &state, &user, &kernel) != 3)
    return -1;
  return state == 'Z' ? -1 : 1e3 * (double)(user + kernel) / (double)sysconf(_SC_CLK_TCK);
}

/* What it had used when it was told, or -1. */
static double tell(pid_t pid, double after_ms, int number) {
  double used = 0, before = -1;
  for (int still = 0; used >= 0 && used < after_ms && still < STILL_MS; still += LOOK_MS) {
    nanosleep(&(struct timespec){.tv_nsec = LOOK_MS * 1000 * 1000}, NULL);
    used = cpu_ms(pid);
    if (used != before) still = 0;
    before = used;
  }
  if (used >= 0 && number) kill(pid, number);
  return used;
}

int main(int argc, char **argv) {
  if (argc < 4) return fprintf(stderr, "usage: stop_after MS SIGNAL COMMAND...\n"), 125;
  const int number = strcmp(argv[2], "INT") == 0 ? SIGINT : strcmp(argv[2], "TERM") == 0 ? SIGTERM : 0;
  const pid_t pid = fork();
  if (pid == 0) {
    signal(SIGINT, SIG_DFL); /* a shell ignores it for what runs in the background */
    execvp(argv[3], argv + 3);
    _exit(125);
  }
  const double at = tell(pid, atof(argv[1]), number);
  struct rusage usage;
  int status;
  while (wait4(pid, &status, 0, &usage) < 0)
    if (errno != EINTR) return 125;
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (at < 0) return fprintf(stderr, "stop_after: ended with %d before it was told to\n", code), 125;
  fprintf(stderr, "stop_after: exit %d, %.0f ms after the signal\n", code,
          ms_of(usage.ru_utime) + ms_of(usage.ru_stime) - at);
  return code;
}
