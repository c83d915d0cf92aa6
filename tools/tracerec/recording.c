/* recording.c: tracerec between the program and whoever sends signals. They are blocked until there is somebody to pass
 * them to, so that none ends tracerec alone, and leaves a program, or a raw log, behind. */
#include "tools/tracerec/recording.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const int OURS[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
enum { N_OURS = sizeof OURS / sizeof *OURS };

typedef enum {
  RUNNING, /* the program */
  LEFT,    /* another process, which the program has left running */
  ENDED
} Stage;

/* For the handler. */
static volatile sig_atomic_t stage, child, last_number;
static volatile double last_time;
static char notice[PATH_MAX + 256];

/* Some senders signal a process, and its group as well: the echo is not passed on, since the program has got both. */
#define ECHO_SECONDS 0.2

static void on_signal(int number, siginfo_t *info, void *unused) {
  const double now = clock_seconds();
  const int error = errno;
  (void)unused;
  if (number == last_number && now - last_time < ECHO_SECONDS) return;
  last_number = number;
  last_time = now;
  if (stage == ENDED) {
    if (write(STDERR_FILENO, notice, strlen(notice)) < 0) {}
  } else if (stage == LEFT) {
    kill((pid_t)child, SIGTERM);
  } else if (info->si_code <= 0) {
    kill((pid_t)child, number);
  }
  errno = error;
}

/* The mask that there was. */
static sigset_t hold_signals(void) {
  sigset_t ours, mask;
  sigemptyset(&ours);
  for (int i = 0; i < N_OURS; i++) sigaddset(&ours, OURS[i]);
  sigprocmask(SIG_BLOCK, &ours, &mask);
  return mask;
}

static void take_signals(const sigset_t *mask) {
  struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_RESTART | SA_SIGINFO};
  sigfillset(&action.sa_mask);
  for (int i = 0; i < N_OURS; i++) sigaction(OURS[i], &action, NULL);
  signal(SIGPIPE, SIG_IGN);
  sigprocmask(SIG_SETMASK, mask, NULL);
}

/* --- the raw log --- */

/* Beside an output that is no file to be replaced (a device, a pipe) there is no place for it. */
static bool is_beside(const char *out) {
  struct stat info;
  return strcmp(out, "-") && (stat(out, &info) || S_ISREG(info.st_mode));
}

static bool create_raw(const Recording *r, RawFile *raw, Err *err) {
  const char *folder = getenv("TMPDIR");
  const int n = is_beside(r->out)
                    ? snprintf(raw->path, sizeof raw->path, "%s.raw.XXXXXX", r->out)
                    : snprintf(raw->path, sizeof raw->path, "%s/tracerec.XXXXXX", folder && *folder ? folder : "/tmp");
  errno = ENAMETOOLONG;
  raw->file = n < (int)sizeof raw->path ? mkostemp(raw->path, O_CLOEXEC) : -1;
  if (raw->file < 0) return err_set(err, ERR_IO, "%s: %s", raw->path, strerror(errno));
  snprintf(
      notice, sizeof notice,
      "tracerec: the program has ended; writing its log. To abort, kill -9 %d (`tracerec salvage %s` can make the log later)\n",
      (int)getpid(), raw->path);
  errno = 0;
  if (ftruncate(raw->file, RAW_FIRST * RAW_CHUNK) == 0 &&
      pwrite(raw->file, r->header, sizeof *r->header, 0) == (ssize_t)sizeof *r->header)
    return true;
  err_set(err, ERR_IO, "%s: %s", raw->path, strerror(errno ? errno : ENOSPC));
  unlink(raw->path);
  return false;
}

/* --- the program --- */

/* In the child: becomes the program. */
_Noreturn static void become(const Recording *r, const RawFile *raw, const sigset_t *mask) {
  char path[PATH_MAX];
  setenv(RAW_VARIABLE, realpath(raw->path, path) ? path : raw->path, 1);
  if (strcmp(r->out, "-") == 0) dup2(STDERR_FILENO, STDOUT_FILENO);
  sigprocmask(SIG_SETMASK, mask, NULL);
  execvp(r->program[0], r->program);
  fprintf(stderr, "tracerec: %s: %s\n", r->program[0], strerror(errno));
  _exit(errno == ENOENT ? 127 : 126);
}

/* The recorded process may be another one, which a script has left running: its log is not whole before it ends. */
static void await_recorded(const RawFile *raw, pid_t started) {
  uint32_t pid = 0;
  if (pread(raw->file, &pid, sizeof pid, offsetof(RawHeader, pid)) != (ssize_t)sizeof pid || !pid ||
      (pid_t)pid == started)
    return;
  struct pollfd process = {.fd = pidfd_open((pid_t)pid, 0), .events = POLLIN};
  if (process.fd < 0) return;
  if (poll(&process, 1, 0) == 0) {
    fprintf(stderr, "tracerec: waiting for the recorded process %u to end (Ctrl-C ends it)\n", pid);
    child = (sig_atomic_t)pid;
    stage = LEFT;
    while (poll(&process, 1, -1) < 0 && errno == EINTR) {}
  }
  close(process.fd);
}

static bool await(const RawFile *raw, pid_t pid, int *status, Err *err) {
  while (waitpid(pid, status, 0) < 0)
    if (errno != EINTR) return err_set(err, ERR_IO, "waitpid: %s", strerror(errno));
  stage = ENDED;
  await_recorded(raw, pid);
  stage = ENDED;
  return true;
}

bool recording_run(const Recording *r, RawFile *raw, int *status, Err *err) {
  const sigset_t mask = hold_signals();
  if (!create_raw(r, raw, err)) return false;
  fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0) become(r, raw, &mask);
  child = (sig_atomic_t)pid;
  if (pid > 0) {
    take_signals(&mask);
    if (await(raw, pid, status, err)) return true;
  } else {
    err_set(err, ERR_IO, "fork: %s", strerror(errno));
  }
  unlink(raw->path);
  return false;
}

bool recording_is_void(const Recording *r, int status) {
  return WIFEXITED(status) && WEXITSTATUS(status) > 125 && access(r->program[0], X_OK);
}

int recording_end(int status) {
  if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  signal(WTERMSIG(status), SIG_DFL);
  raise(WTERMSIG(status));
  return 128 + WTERMSIG(status);
}
