#include "tests/watch.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NAP_MS = 5 };

Watch *watch_new(void) {
  Watch *watch = mmap(NULL, sizeof *watch, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return watch == MAP_FAILED ? NULL : watch;
}

static uint64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void watch_start(Watch *watch, uint64_t at, const char *name) {
  snprintf(watch->name, sizeof watch->name, "%s", name);
  watch->at = at;
  watch->started = now_ms();
}

static uint64_t limit_ms(void) {
  const char *limit = getenv("LIMIT");
  const unsigned long seconds = limit ? strtoul(limit, NULL, 10) : 0;
  return 1000 * (uint64_t)(seconds ? seconds : 300);
}

/* Waits for the process; false if it had to be killed. */
static bool await(const Watch *watch, pid_t process, int *status) {
  const struct timespec nap = {.tv_nsec = NAP_MS * 1000000};
  while (waitpid(process, status, WNOHANG) == 0) {
    if (now_ms() > watch->started + limit_ms()) {
      kill(process, SIGKILL);
      waitpid(process, status, 0);
      return false;
    }
    nanosleep(&nap, NULL);
  }
  return true;
}

bool watch_run(Watch *watch, bool (*work)(void *context), void *context, char reason[100]) {
  int status = 0;
  fflush(NULL);
  watch->finished = false;
  watch->started = now_ms();
  const pid_t process = fork();
  if (process == 0) {
    const bool good = work(context);
    watch->finished = true;
    exit(good ? 0 : 1);
  }
  if (process < 0) snprintf(reason, 100, "no process for it can be made");
  else if (!await(watch, process, &status))
    snprintf(reason, 100, "it takes longer than %llu seconds", (unsigned long long)limit_ms() / 1000);
  else if (WIFSIGNALED(status))
    snprintf(reason, 100, "it was killed by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
  else if (!watch->finished || WEXITSTATUS(status) != 0) snprintf(reason, 100, "it ended with %d", WEXITSTATUS(status));
  else return true;
  return false;
}
