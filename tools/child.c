#include "tools/child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Its stdout is the pipe's end. -1, with errno: there is none. */
static pid_t start(const char *folder, const char *const *words, int errors, const int ends[2]) {
  pid_t child;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  if (errors >= 0) posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  if (folder) posix_spawn_file_actions_addchdir_np(&actions, folder);
  const int failed = posix_spawnp(&child, words[0], &actions, NULL, (char *const *)(uintptr_t)words, environ);
  posix_spawn_file_actions_destroy(&actions);
  errno = failed;
  return failed ? -1 : child;
}

static int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Until there is something to read, or a signal comes. */
static void wait_to_read(int from) {
  struct pollfd ready = {.fd = from, .events = POLLIN};
  poll(&ready, 1, -1);
}

static void read_all(Heap *heap, int from, pid_t child, CharVec *bytes) {
  ssize_t n = 1;
  while (n > 0 || (n < 0 && errno == EINTR)) {
    wait_to_read(from);
    if (heap_asked(heap)) {
      kill(child, SIGKILL);
      close(from);
      wait_for(child);
      heap_poll_asked(heap);
      return;
    }
    vec_reserve(heap, bytes, 65536);
    n = read(from, bytes->at + bytes->n, 65535);
    if (n > 0) bytes->n += (uint32_t)n;
  }
  bytes->at[bytes->n] = '\0';
  close(from);
}

int child_read(Heap *heap, const char *folder, const char *const *words, int errors, CharVec *bytes) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  const pid_t child = start(folder, words, errors, ends);
  const int failed = errno;
  close(ends[1]);
  if (child < 0) close(ends[0]);
  else read_all(heap, ends[0], child, bytes);
  errno = failed;
  return child < 0 ? -1 : wait_for(child);
}
