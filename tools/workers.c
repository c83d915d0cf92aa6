/* One process for each piece would take longer than a short piece does (a fork of a tool is .3 ms), so each goes on
 * with the next one. It is sent numbers through a socket, a few ahead, so that it need not wait, and sends back what it
 * wrote. Its stdout and stderr are files without a name: what serves a piece cannot tell that it is not alone. */
#include "tools/workers.h"

#include "base/clock.h"
#include "base/vec.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* A process has so many pieces at most; one, if the last one took longer than that: what would wait behind a long one
 * is left to others. */
enum { AHEAD = 4 };
#define QUICK_SECONDS 0.01

/* Before each result; then both texts. */
typedef struct {
  uint32_t piece;
  int32_t code;
  uint64_t n_out, n_said;
} Head;

typedef struct {
  pid_t process; /* 0: none */
  int socket;
  uint32_t pieces[AHEAD]; /* that it was given and has not done, in this order */
  uint32_t n_pieces;
  double since;  /* the time when it began with the first of them, or was given it */
  bool is_quick; /* the last one took so little that the way to it counts */
  CharVec bytes; /* that it has sent, as far as they are no whole result */
} Worker;

struct Workers {
  Heap *heap;
  WorkersServe *serve;
  WorkersTake *take;
  void *argument;
  pid_t parent;
  uint32_t n;
  Worker *at;
  struct pollfd *wait;
};

/* ---- in the process ---- */

/* Who was begun by a process that is gone works for nobody. Signals from the terminal are for that one. */
static void belong_to(const Workers *workers) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  setpgid(0, 0);
  if (getppid() != workers->parent) _exit(EXIT_FAILURE);
}

static int nameless_file(void) {
#ifdef MFD_CLOEXEC
  const int file = memfd_create("output", MFD_CLOEXEC);
  if (file >= 0) return file;
#endif
  FILE *stream = tmpfile();
  return stream ? fileno(stream) : -1;
}

/* Stdout and stderr are to be such files from now on, and know nothing of what was to be written before. */
static void redirect(void) {
  __fpurge(stdout);
  clearerr(stdout);
  for (int to = STDOUT_FILENO; to <= STDERR_FILENO; to++)
    if (dup2(nameless_file(), to) < 0) _exit(EXIT_FAILURE);
}

static bool read_all(int file, void *to, size_t size) {
  for (size_t done = 0; done < size;) {
    const ssize_t n = read(file, (char *)to + done, size - done);
    if (n == 0 || (n < 0 && errno != EINTR)) return false;
    if (n > 0) done += (size_t)n;
  }
  return true;
}

static void send_all(int socket, const void *bytes, size_t size) {
  for (size_t done = 0; done < size;) {
    const ssize_t n = send(socket, (const char *)bytes + done, size - done, MSG_NOSIGNAL);
    if (n < 0 && errno != EINTR) _exit(EXIT_FAILURE);
    if (n > 0) done += (size_t)n;
  }
}

/* What was written to the file, which is empty then. */
static void send_file(int socket, int file, uint64_t size) {
  char piece[1 << 14];
  for (uint64_t done = 0; done < size;) {
    const uint64_t left = size - done;
    const ssize_t n = pread(file, piece, left < sizeof piece ? (size_t)left : sizeof piece, (off_t)done);
    if (n <= 0) _exit(EXIT_FAILURE);
    send_all(socket, piece, (size_t)n);
    done += (uint64_t)n;
  }
  if (size && (lseek(file, 0, SEEK_SET) < 0 || ftruncate(file, 0))) _exit(EXIT_FAILURE);
}

static uint64_t size_of(int file) {
  const off_t size = lseek(file, 0, SEEK_END);
  if (size < 0) _exit(EXIT_FAILURE);
  return (uint64_t)size;
}

_Noreturn static void serve(const Workers *workers, int socket) {
  uint32_t piece;
  while (read_all(socket, &piece, sizeof piece)) {
    Head head;
    memset(&head, 0, sizeof head);
    head.piece = piece;
    head.code = workers->serve(workers->argument, piece);
    clearerr(stdout);
    fflush(stdout);
    fflush(stderr);
    head.n_out = size_of(STDOUT_FILENO);
    head.n_said = size_of(STDERR_FILENO);
    send_all(socket, &head, sizeof head);
    send_file(socket, STDOUT_FILENO, head.n_out);
    send_file(socket, STDERR_FILENO, head.n_said);
  }
  _exit(EXIT_SUCCESS);
}

/* ---- around it ---- */

static void close_others(const Workers *workers) {
  for (uint32_t i = 0; i < workers->n; i++)
    if (workers->at[i].process) close(workers->at[i].socket);
}

static bool fail(Err *err) { return err_set(err, ERR_LIMIT, "no process can be started: %s", strerror(errno)); }

static bool start(Workers *workers, Worker *worker, Err *err) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return fail(err);
  const pid_t process = fork();
  if (process == 0) {
    close(ends[0]);
    close_others(workers);
    belong_to(workers);
    redirect();
    serve(workers, ends[1]);
  }
  close(ends[1]);
  if (process < 0) {
    close(ends[0]);
    return fail(err);
  }
  worker->process = process;
  worker->socket = ends[0];
  return true;
}

static int end(Worker *worker) {
  int status = 0;
  close(worker->socket);
  while (waitpid(worker->process, &status, 0) < 0 && errno == EINTR) continue;
  worker->process = 0;
  return status;
}

/* Whoever has died since learns of it from the socket. */
static void tell(const Worker *worker, uint32_t piece) {
  const ssize_t n = send(worker->socket, &piece, sizeof piece, MSG_NOSIGNAL);
  (void)n;
}

/* The first of its pieces is done, or lost. */
static void go_on(Worker *worker) {
  const double now = clock_seconds();
  assert(worker->n_pieces);
  worker->is_quick = now - worker->since < QUICK_SECONDS;
  worker->since = now;
  memmove(worker->pieces, worker->pieces + 1, --worker->n_pieces * sizeof *worker->pieces);
}

/* The first of its pieces has no result; it goes on with the others. */
static bool replace(Workers *workers, Worker *worker, Err *err) {
  const int status = end(worker);
  vec_clear(&worker->bytes);
  if (!worker->n_pieces) return true;
  PieceResult result = {.piece = worker->pieces[0], .is_broken = true, .out = "", .said = ""};
  if (WIFSIGNALED(status)) result.killed = WTERMSIG(status);
  else result.code = WEXITSTATUS(status);
  go_on(worker);
  workers->take(workers->argument, &result);
  if (!worker->n_pieces) return true;
  if (!start(workers, worker, err)) return false;
  for (uint32_t i = 0; i < worker->n_pieces; i++) tell(worker, worker->pieces[i]);
  return true;
}

/* The results that are there as a whole; what is left moves to the front. */
static void take_results(Workers *workers, Worker *worker) {
  CharVec *bytes = &worker->bytes;
  Head head;
  size_t done = 0;
  while (bytes->n - done >= sizeof head) {
    memcpy(&head, bytes->at + done, sizeof head);
    const size_t left = bytes->n - done - sizeof head;
    if (left < head.n_out || left - head.n_out < head.n_said) break;
    const char *out = bytes->at + done + sizeof head;
    const PieceResult result = {.piece = head.piece,
                                .code = head.code,
                                .out = out,
                                .said = out + head.n_out,
                                .n_out = (size_t)head.n_out,
                                .n_said = (size_t)head.n_said};
    assert(worker->n_pieces && worker->pieces[0] == head.piece);
    go_on(worker);
    workers->take(workers->argument, &result);
    done += sizeof head + (size_t)(head.n_out + head.n_said);
  }
  memmove(bytes->at, bytes->at + done, bytes->n - done);
  bytes->n -= (uint32_t)done;
}

static bool receive(Workers *workers, Worker *worker, Err *err) {
  enum { ROOM = 1 << 16 };
  vec_reserve(workers->heap, &worker->bytes, ROOM);
  const ssize_t n = read(worker->socket, worker->bytes.at + worker->bytes.n, ROOM);
  if (n < 0 && errno == EINTR) return true;
  if (n <= 0) return replace(workers, worker, err);
  worker->bytes.n += (uint32_t)n;
  take_results(workers, worker);
  return true;
}

Workers *workers_new(Heap *heap, uint32_t n, WorkersServe *serve_one, WorkersTake *take, void *argument) {
  Workers *workers = heap_zeroed(heap, sizeof *workers);
  assert(n > 0);
  *workers =
      (Workers){.heap = heap, .serve = serve_one, .take = take, .argument = argument, .parent = getpid(), .n = n};
  workers->at = heap_zeroed(heap, heap_product(heap, n, sizeof *workers->at));
  workers->wait = heap_zeroed(heap, heap_product(heap, n, sizeof *workers->wait));
  return workers;
}

void workers_free(Workers *workers) {
  if (!workers) return;
  for (uint32_t i = 0; i < workers->n; i++) {
    Worker *worker = &workers->at[i];
    if (worker->process) {
      kill(worker->process, SIGKILL);
      end(worker);
    }
    vec_fini(workers->heap, &worker->bytes);
  }
  heap_release(workers->heap, workers->at);
  heap_release(workers->heap, workers->wait);
  heap_release(workers->heap, workers);
}

static bool has_room(const Worker *worker) { return worker->n_pieces < (worker->is_quick ? AHEAD : 1); }

bool workers_have_room(const Workers *workers) {
  for (uint32_t i = 0; i < workers->n; i++)
    if (has_room(&workers->at[i])) return true;
  return false;
}

/* Of those that have room, the one that has least. */
static Worker *least_busy(const Workers *workers) {
  Worker *best = NULL;
  for (uint32_t i = 0; i < workers->n; i++) {
    Worker *it = &workers->at[i];
    if (has_room(it) && (!best || it->n_pieces < best->n_pieces)) best = it;
  }
  return best;
}

bool workers_give(Workers *workers, uint32_t piece, Err *err) {
  Worker *worker = least_busy(workers);
  assert(worker);
  if (!worker->n_pieces) worker->since = clock_seconds();
  if (!worker->process && !start(workers, worker, err)) return false;
  worker->pieces[worker->n_pieces++] = piece;
  tell(worker, piece);
  return true;
}

bool workers_wait(Workers *workers, int milliseconds, Err *err) {
  for (uint32_t i = 0; i < workers->n; i++)
    workers->wait[i] = (struct pollfd){workers->at[i].process ? workers->at[i].socket : -1, POLLIN, 0};
  if (poll(workers->wait, workers->n, milliseconds) <= 0) return true;
  for (uint32_t i = 0; i < workers->n; i++)
    if (workers->wait[i].revents && !receive(workers, &workers->at[i], err)) return false;
  return true;
}
