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
static volatile sig_atomic_t interrupted; /* so many signals came */
static bool limited, killed;
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
  interrupted++;
  if (stage == ENDED) {
    if (write(STDERR_FILENO, notice, strlen(notice)) < 0) {}
  } else if (stage == LEFT) {
    kill((pid_t)child, SIGTERM);
  } else if (limited && interrupted > 1) {
    kill((pid_t)child, SIGKILL);
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
  return out && strcmp(out, "-") && (stat(out, &info) || S_ISREG(info.st_mode));
}

static bool write_table(const Recording *r, const RawFile *raw) {
  const size_t size = r->header->choice.size;
  for (size_t done = 0; done < size;) {
    const ssize_t n = pwrite(raw->file, r->table + done, size - done, (off_t)(RAW_FIRST * RAW_CHUNK + done));
    if (n <= 0) return false;
    done += (size_t)n;
  }
  return true;
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
  if (ftruncate(raw->file, (RAW_FIRST + (off_t)r->header->choice.chunks) * RAW_CHUNK) == 0 &&
      pwrite(raw->file, r->header, sizeof *r->header, 0) == (ssize_t)sizeof *r->header && write_table(r, raw))
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
  if (r->out && strcmp(r->out, "-") == 0) dup2(STDERR_FILENO, STDOUT_FILENO);
  const int to = r->prints ? open(r->prints, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
  if (to >= 0) dup2(to, STDOUT_FILENO), dup2(to, STDERR_FILENO);
  sigprocmask(SIG_SETMASK, mask, NULL);
  execvp(r->program[0], r->program);
  fprintf(stderr, "tracerec: %s: %s\n", r->program[0], strerror(errno));
  _exit(errno == ENOENT ? 127 : 126);
}

/* The process that is recorded; 0: none yet. */
static pid_t recorded(const RawFile *raw) {
  uint32_t pid = 0;
  return pread(raw->file, &pid, sizeof pid, offsetof(RawHeader, pid)) == (ssize_t)sizeof pid ? (pid_t)pid : 0;
}

/* The recorded process may be another one, which a script has left running: its log is not whole before it ends. */
static void await_recorded(const RawFile *raw, pid_t started) {
  const pid_t pid = recorded(raw);
  if (!pid || pid == started) return;
  struct pollfd process = {.fd = pidfd_open(pid, 0), .events = POLLIN};
  if (process.fd < 0) return;
  if (poll(&process, 1, 0) == 0) {
    fprintf(stderr, "tracerec: waiting for the recorded process %d to end (Ctrl-C ends it)\n", (int)pid);
    child = (sig_atomic_t)pid;
    stage = LEFT;
    while (poll(&process, 1, -1) < 0 && errno == EINTR) {}
  }
  close(process.fd);
}

/* Does the process end in that time? */
static bool ends_within(pid_t pid, double seconds) {
  struct pollfd process = {.fd = pidfd_open(pid, 0), .events = POLLIN};
  const double end = clock_seconds() + seconds;
  int n = 0;
  if (process.fd < 0) return true; /* not known: it is waited for */
  for (double left = seconds; n <= 0 && left > 0; left = end - clock_seconds())
    n = poll(&process, 1, (int)(left * 1000) + 1);
  close(process.fd);
  return n > 0;
}

/* Also what is recorded in its place. */
static void kill_late(const RawFile *raw, pid_t pid, double limit) {
  killed = limit > 0 && !ends_within(pid, limit);
  if (!killed) return;
  const pid_t other = recorded(raw);
  kill(pid, SIGKILL);
  if (other && other != pid) kill(other, SIGKILL);
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
  stage = RUNNING;
  interrupted = 0;
  limited = r->limit > 0;
  if (!create_raw(r, raw, err)) return false;
  if (r->opened && !r->opened(r->argument, raw, err)) {
    unlink(raw->path);
    return false;
  }
  fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0) become(r, raw, &mask);
  child = (sig_atomic_t)pid;
  if (pid > 0) {
    take_signals(&mask);
    if (r->started) r->started(r->argument, pid);
    kill_late(raw, pid, r->limit);
    if (await(raw, pid, status, err)) return true;
  } else {
    err_set(err, ERR_IO, "fork: %s", strerror(errno));
  }
  unlink(raw->path);
  return false;
}

bool recording_run_one(const Recording *r, RawFile *raw, int *status, Err *err) {
  struct sigaction before[N_OURS];
  for (int i = 0; i < N_OURS; i++) sigaction(OURS[i], NULL, &before[i]);
  const bool good = recording_run(r, raw, status, err);
  for (int i = 0; i < N_OURS; i++) sigaction(OURS[i], &before[i], NULL);
  return good;
}

bool recording_was_ended(void) { return killed; }

bool recording_was_interrupted(void) { return interrupted; }

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
