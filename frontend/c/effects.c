#include "frontend/c/effects_inside.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Locks, threads, blocks, what ends something, and what calls back; effects_library.c, effects_system.c,
 * effects_zlib.c and effects_glib.c have all others. */
static const Effect EFFECTS[] = {
    {"pthread_mutex_lock", CALL_LOCK, RESULT_ZERO, "-", NULL},
    {"pthread_mutex_trylock", CALL_TRY_LOCK, RESULT_BUSY, "-", NULL},
    {"pthread_mutex_unlock", CALL_UNLOCK, RESULT_ZERO, "-", NULL},
    {"pthread_mutex_init", CALL_LOCK_INIT, RESULT_ZERO, "-r8", NULL},
    {"pthread_spin_init", CALL_LOCK_INIT, RESULT_ZERO, "-", NULL},
    {"pthread_spin_lock", CALL_LOCK, RESULT_ZERO, "-", NULL},
    {"pthread_spin_trylock", CALL_TRY_LOCK, RESULT_BUSY, "-", NULL},
    {"pthread_spin_unlock", CALL_UNLOCK, RESULT_ZERO, "-", NULL},
    {"pthread_create", CALL_CREATE, RESULT_NUMBER, "-r64--", NULL},
    {"pthread_join", CALL_JOIN, RESULT_ZERO, "-", NULL},
    {"pthread_once", CALL_ONCE, RESULT_ZERO, "-", NULL},
    {"pthread_exit", CALL_LAST_STEP, RESULT_NUMBER, "-", NULL},
    {"pthread_cond_wait", CALL_WAIT, RESULT_ZERO, "-", NULL},
    {"pthread_cond_timedwait", CALL_WAIT, RESULT_NUMBER, "--r16", NULL},
    {"pthread_cond_clockwait", CALL_WAIT, RESULT_NUMBER, "---r16", NULL},
    {"pthread_cond_signal", CALL_SIGNAL, RESULT_ZERO, "-", NULL},
    {"pthread_cond_broadcast", CALL_SIGNAL, RESULT_ZERO, "-", NULL},
    {"pthread_rwlock_rdlock", CALL_READ_LOCK, RESULT_ZERO, "-", NULL},
    {"pthread_rwlock_wrlock", CALL_WRITE_LOCK, RESULT_ZERO, "-", NULL},
    {"pthread_rwlock_unlock", CALL_READ_WRITE_UNLOCK, RESULT_ZERO, "-", NULL},
    {"pthread_barrier_init", CALL_BARRIER_INIT, RESULT_ZERO, "-r8-", NULL},
    {"pthread_barrier_wait", CALL_BARRIER_WAIT, RESULT_NUMBER, "-", NULL},
    {"sem_init", CALL_SEMAPHORE_INIT, RESULT_ZERO, "-", NULL},
    {"sem_wait", CALL_SEMAPHORE_WAIT, RESULT_ZERO, "-", NULL},
    {"sem_post", CALL_SEMAPHORE_POST, RESULT_ZERO, "-", NULL},
    {"sem_getvalue", CALL_SEMAPHORE_VALUE, RESULT_ZERO, "-w4", NULL},
    {"causal_atomic_begin", CALL_BEGIN, RESULT_NUMBER, "-", NULL},
    {"causal_atomic_end", CALL_END, RESULT_NUMBER, "-", NULL},
    {"exit", CALL_STOP, RESULT_NUMBER, "-", NULL},
    {"_exit", CALL_STOP, RESULT_NUMBER, "-", NULL},
    {"abort", CALL_STOP, RESULT_NUMBER, "-", NULL},
    {"__assert_fail", CALL_STOP, RESULT_NUMBER, "-", NULL},
    {"_ZSt9terminatev", CALL_STOP, RESULT_NUMBER, "-", NULL},
    {"pthread_mutex_timedlock", CALL_TRY_LOCK, RESULT_LATE, "-r16", NULL},
    {"pthread_mutex_clocklock", CALL_TRY_LOCK, RESULT_LATE, "--r16", NULL},
    {"pthread_rwlock_tryrdlock", CALL_TRY_READ_LOCK, RESULT_BUSY, "-", NULL},
    {"pthread_rwlock_trywrlock", CALL_TRY_WRITE_LOCK, RESULT_BUSY, "-", NULL},
    {"pthread_rwlock_timedrdlock", CALL_TRY_READ_LOCK, RESULT_LATE, "-r16", NULL},
    {"pthread_rwlock_timedwrlock", CALL_TRY_WRITE_LOCK, RESULT_LATE, "-r16", NULL},
    {"pthread_rwlock_clockrdlock", CALL_TRY_READ_LOCK, RESULT_LATE, "--r16", NULL},
    {"pthread_rwlock_clockwrlock", CALL_TRY_WRITE_LOCK, RESULT_LATE, "--r16", NULL},
    {"sem_trywait", CALL_TRY_SEMAPHORE, RESULT_FAILED, "-", NULL},
    {"sem_timedwait", CALL_TRY_SEMAPHORE, RESULT_FAILED, "-r16", NULL},
    {"sem_clockwait", CALL_TRY_SEMAPHORE, RESULT_FAILED, "--r16", NULL},
    {"_Exit", CALL_STOP, RESULT_NUMBER, "-", NULL},
    {"quick_exit", CALL_STOP, RESULT_NUMBER, "-", NULL},
    {"__assert", CALL_STOP, RESULT_NUMBER, "-", NULL},
    {"__assert_perror_fail", CALL_STOP, RESULT_NUMBER, "-", NULL},
    {"__stack_chk_fail", CALL_STOP, RESULT_NUMBER, "-", NULL},
    {"err", CALL_STOP, RESULT_NUMBER, "-r", NULL},
    {"errx", CALL_STOP, RESULT_NUMBER, "-r", NULL},
    {"verr", CALL_STOP, RESULT_NUMBER, "-rR", NULL},
    {"verrx", CALL_STOP, RESULT_NUMBER, "-rR", NULL},
    {"llvm.trap", CALL_STOP, RESULT_NUMBER, "-", NULL},
    {"qsort", CALL_BACK, RESULT_NUMBER, "b--c", NULL},
    {"qsort_r", CALL_BACK, RESULT_NUMBER, "b--c-", NULL},
    {"bsearch", CALL_BACK, RESULT_SECOND, "rr--c", NULL},
    {"ftw", CALL_BACK, RESULT_NUMBER, "rc-", NULL},
    {"nftw", CALL_BACK, RESULT_NUMBER, "rc-", NULL},
    {"lfind", CALL_BACK, RESULT_SECOND, "rrr8-c", NULL},
    {"dl_iterate_phdr", CALL_BACK, RESULT_NUMBER, "c-", NULL},
    {"signal", CALL_HANDLER, RESULT_NUMBER, "--", NULL},
    {"__sysv_signal", CALL_HANDLER, RESULT_NUMBER, "--", NULL}, /* with _XOPEN_SOURCE */
    {"sigaction", CALL_HANDLER, RESULT_NUMBER, "-rw", NULL},
    {"sigset", CALL_HANDLER, RESULT_NUMBER, "--", NULL},
    {"memcpy", CALL_COPY, RESULT_FIRST, "wr-", NULL},
    {"memmove", CALL_COPY, RESULT_FIRST, "wr-", NULL},
    {"mempcpy", CALL_COPY, RESULT_FIRST, "wr-", NULL},
    {"llvm.readcyclecounter", CALL_MEMORY, RESULT_NUMBER, "-", NULL},
    {"llvm.x86.rdtsc", CALL_MEMORY, RESULT_NUMBER, "-", NULL},
    {"llvm.x86.sse2.pause", CALL_MEMORY, RESULT_NUMBER, "-", NULL},
    {"llvm.va_start", CALL_ARGUMENTS, RESULT_NUMBER, "w", NULL},
    {"llvm.stacksave", CALL_MEMORY, RESULT_NUMBER, "-", NULL},
    {"llvm.stackrestore", CALL_MEMORY, RESULT_NUMBER, "-", NULL},
    {"llvm.va_end", CALL_MEMORY, RESULT_NUMBER, "-", NULL},
    {"llvm.va_copy", CALL_COPY, RESULT_NUMBER, "wr", NULL},
    {0},
};

static const Effect WITHOUT_JUMPS[] = {
    {"setjmp", CALL_MEMORY, RESULT_ZERO, "w", NULL},
    {"_setjmp", CALL_MEMORY, RESULT_ZERO, "w", NULL},
    {"sigsetjmp", CALL_MEMORY, RESULT_ZERO, "w-", NULL},
    {"__sigsetjmp", CALL_MEMORY, RESULT_ZERO, "w-", NULL},
    {"__pthread_register_cancel", CALL_MEMORY, RESULT_NUMBER, "-", NULL},
    {"__pthread_unregister_cancel", CALL_MEMORY, RESULT_NUMBER, "-", NULL},
    {"__pthread_unwind_next", CALL_LAST_STEP, RESULT_NUMBER, "-", NULL},
    {0},
};

/* ---- names ---- */

static const Effect *find(const Effect *rows, const char *name, size_t length) {
  for (; rows->name; rows++)
    if (strncmp(rows->name, name, length) == 0 && !rows->name[length]) return rows;
  return NULL;
}

static const Effect *find_ours(const char *name, size_t length) {
  const Effect *found = find(EFFECTS, name, length);
  if (!found) found = find(EFFECTS_LIBRARY, name, length);
  if (!found) found = find(EFFECTS_SYSTEM, name, length);
  if (!found) found = find(EFFECTS_ZLIB, name, length);
  return found ? found : find(EFFECTS_GLIB, name, length);
}

/* glibc has names of its own for some functions: stat64, and what its headers make of sscanf. LLVM 19 adds what an
 * address is. */
static const Effect *find_alike(const char *name) {
  static const char *const STARTS[] = {"\1", "__isoc99_", "__isoc23_", "\1__isoc99_", "\1__isoc23_", "__builtin_"};
  static const char *const LARGE[] = {"stat",
                                      "lstat",
                                      "fstat",
                                      "fstatat",
                                      "open",
                                      "openat",
                                      "creat",
                                      "fopen",
                                      "freopen",
                                      "tmpfile",
                                      "fseeko",
                                      "ftello",
                                      "fgetpos",
                                      "fsetpos",
                                      "lseek",
                                      "pread",
                                      "pwrite",
                                      "preadv",
                                      "pwritev",
                                      "truncate",
                                      "ftruncate",
                                      "readdir",
                                      "statfs",
                                      "fstatfs",
                                      "statvfs",
                                      "fstatvfs",
                                      "sendfile",
                                      "fallocate",
                                      "posix_fallocate",
                                      "posix_fadvise",
                                      "getrlimit",
                                      "setrlimit",
                                      "prlimit",
                                      "lockf",
                                      "mkstemp",
                                      "mkostemp",
                                      "ftw",
                                      "nftw",
                                      "fcntl",
                                      "scandir",
                                      "alphasort",
                                      "versionsort",
                                      "mkostemps",
                                      "gzopen",
                                      "gzseek",
                                      "gztell",
                                      "gzoffset",
                                      "crc32_combine",
                                      "adler32_combine",
                                      "__xstat",
                                      "__lxstat",
                                      "__fxstat",
                                      "__fxstatat",
                                      "llvm.va_start",
                                      "llvm.va_end",
                                      "llvm.va_copy",
                                      "llvm.stacksave",
                                      "llvm.stackrestore"};
  const size_t length = strlen(name);
  for (uint32_t i = 0; i < sizeof LARGE / sizeof *LARGE; i++) {
    const size_t start = strlen(LARGE[i]);
    if (strncmp(name, LARGE[i], start) == 0 && (strcmp(name + start, "64") == 0 || strcmp(name + start, ".p0") == 0))
      return find_ours(name, start);
  }
  for (uint32_t i = 0; i < sizeof STARTS / sizeof *STARTS; i++) {
    const size_t start = strlen(STARTS[i]);
    if (strncmp(name, STARTS[i], start) == 0) return find_ours(name + start, length - start);
  }
  return NULL;
}

const Effect *effect_unknown(void) {
  static const Effect unknown = {"", CALL_UNKNOWN, RESULT_NUMBER, "-", NULL};
  return &unknown;
}

const Effect *effect_without_jumps(const char *name) { return find(WITHOUT_JUMPS, name, strlen(name)); }

const Effect *effect_of(const EffectVec *more, const char *name) {
  for (uint32_t i = 0; i < more->n; i++)
    if (strcmp(more->at[i].name, name) == 0) return &more->at[i];
  const Effect *found = find_ours(name, strlen(name));
  if (!found) found = find_alike(name);
  return found ? found : effect_unknown();
}

/* The letters have those behind them that say how many bytes. */
static const char DIGITS[] = "0123456789";

static const char *find_letter(const Effect *effect, uint32_t i) {
  const char *letter = effect->arguments;
  for (const char *next; i--; letter = next) {
    next = letter + 1 + strspn(letter + 1, DIGITS);
    if (!*next) break;
  }
  return letter;
}

char effect_on(const Effect *effect, uint32_t i) { return *find_letter(effect, i); }

uint64_t effect_size(const Effect *effect, uint32_t i) {
  const uint64_t size = strtoull(find_letter(effect, i) + 1, NULL, 10);
  return size <= UINT32_MAX ? size : 0;
}

const char *effect_family(const Effect *effect) {
  return effect->family && *effect->family == '?' ? effect->family + 1 : effect->family;
}

bool effect_reads_family(const Effect *effect) { return effect->family && *effect->family == '?'; }

bool effect_counts_bytes(const Effect *effect) {
  static const char *const COUNTING[] = {"memcpy", "memmove", "mempcpy"};
  for (uint32_t i = 0; i < sizeof COUNTING / sizeof *COUNTING; i++)
    if (strcmp(COUNTING[i], effect->name) == 0) return effect->kind == CALL_COPY;
  return false;
}

bool effect_hides(const char *family) {
  static const char *const SHOWN[] = {"zone", "gamma", "program"};
  for (uint32_t i = 0; i < sizeof SHOWN / sizeof *SHOWN; i++)
    if (strcmp(SHOWN[i], family) == 0) return false;
  return true;
}

const char *effect_variable(const char *family, uint32_t n) {
  static const char *const VARIABLES[][2] = {{"getopt", "optarg"},
                                             {"getopt", "optind"},
                                             {"getopt", "opterr"},
                                             {"getopt", "optopt"},
                                             {"time", "tzname"},
                                             {"time", "timezone"},
                                             {"time", "daylight"},
                                             {"zone", "tzname"},
                                             {"zone", "timezone"},
                                             {"zone", "daylight"},
                                             {"gamma", "signgam"},
                                             {"environment", "environ"},
                                             {"environment", "__environ"},
                                             {"program", "program_invocation_name"},
                                             {"program", "program_invocation_short_name"},
                                             {"program", "__progname"}};
  for (uint32_t i = 0; i < sizeof VARIABLES / sizeof *VARIABLES; i++)
    if (strcmp(VARIABLES[i][0], family) == 0 && n-- == 0) return VARIABLES[i][1];
  return NULL;
}

/* ---- rows that the user gives ---- */

static bool read_result(const char *word, Effect *row) {
  static const struct {
    const char *word;
    ResultKind result;
  } RESULTS[] = {{"number", RESULT_NUMBER}, {"fresh", RESULT_FRESH},     {"again", RESULT_AGAIN},
                 {"first", RESULT_FIRST},   {"second", RESULT_SECOND},   {"third", RESULT_THIRD},
                 {"any", RESULT_ANY},       {"library", RESULT_LIBRARY}, {"own", RESULT_OWN},
                 {"zero", RESULT_ZERO}};
  if (strcmp(word, "stop") == 0) return row->kind = CALL_STOP, true;
  for (uint32_t i = 0; i < sizeof RESULTS / sizeof *RESULTS; i++)
    if (strcmp(RESULTS[i].word, word) == 0) return row->result = RESULTS[i].result, true;
  return false;
}

/* The next word of the line, which ends there; NULL: there is none. */
static char *next_word(char **at) {
  char *word = *at;
  while (*word && isspace((unsigned char)*word)) word++;
  char *end = word;
  while (*end && !isspace((unsigned char)*end)) end++;
  *at = *end ? end + 1 : end;
  *end = '\0';
  return *word ? word : NULL;
}

static bool are_letters(const char *at) {
  while (*at) {
    if (!strchr("-rwbRWBSeEMnlumkKoiOIpzc", *at)) return false;
    const bool sized = strchr("rwbS", *at++);
    at += sized ? strspn(at, DIGITS) : 0;
  }
  return true;
}

/* False: it is no row, or a second one of that name. An empty line has none. */
static bool read_row(Heap *heap, char *line, EffectVec *rows) {
  Effect row = {.kind = CALL_MEMORY, .result = RESULT_NUMBER};
  line[strcspn(line, "#")] = '\0';
  row.name = next_word(&line);
  row.arguments = next_word(&line);
  const char *result = next_word(&line);
  if (!row.name) return true;
  for (uint32_t i = 0; i < rows->n; i++)
    if (strcmp(rows->at[i].name, row.name) == 0) return false;
  if (!row.arguments || !are_letters(row.arguments) || next_word(&line)) return false;
  if (result && !read_result(result, &row)) return false;
  if (strchr(row.arguments, 'c')) {
    if (row.kind == CALL_STOP) return false;
    row.kind = CALL_BACK;
  }
  vec_push(heap, rows, row);
  return true;
}

bool effects_read(Heap *heap, const InFile *file, EffectVec *rows, Err *err) {
  uint32_t number = 1;
  for (char *line = file->text, *end; line < file->text + file->length; line = end + 1, number++) {
    end = line + strcspn(line, "\n");
    *end = '\0';
    if (!read_row(heap, line, rows))
      return err_set(err, ERR_INPUT,
                     "%.300s:%u: expected a function without a row, the letters of its arguments, and what it returns",
                     file->name, number);
  }
  if (!rows->n) return err_set(err, ERR_INPUT, "%.300s:%u: there is no row", file->name, number);
  return true;
}
