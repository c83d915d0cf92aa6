// The threads, locks, conditions and flags of C11 are those of POSIX.
// expect: plain atomic
// expect: tried atomic
// expect: not_tried violated
// expect: recursive violated
// expect: waited atomic
// expect: begun atomic
// expect: after atomic
// race: 31 31
// race: 42 42
#include <causal.h>
#include <stdbool.h>
#include <threads.h>

static mtx_t plain, recursive, timed;
static cnd_t arrived;
static once_flag once = ONCE_FLAG_INIT;
static int a, b, c, d, begun;
static bool is_there;

static void begin(void) { begun = 1; }

static void try(void) {
  if (mtx_trylock(&timed) == thrd_success) {
    ATOMIC_BEGIN("tried");
    b++;
    ATOMIC_END();
    mtx_unlock(&timed);
  } else {
    ATOMIC_BEGIN("not_tried");
    c++;
    ATOMIC_END();
  }
}

static int work(void *unused) {
  (void)unused;
  ATOMIC_BEGIN("plain");
  mtx_lock(&plain), a++, a++, mtx_unlock(&plain);
  ATOMIC_END();
  ATOMIC_BEGIN("recursive");
  mtx_lock(&recursive), d++, mtx_unlock(&recursive);
  ATOMIC_END();
  try();
  call_once(&once, begin);
  mtx_lock(&plain);
  while (!is_there) cnd_wait(&arrived, &plain);
  ATOMIC_BEGIN("waited");
  a++, a++;
  ATOMIC_END();
  mtx_unlock(&plain);
  ATOMIC_BEGIN("begun");
  if (begun == 1 && begun == 1) thrd_yield();
  ATOMIC_END();
  thrd_exit(0);
}

int main(void) {
  thrd_t one, other;
  int result;
  mtx_init(&plain, mtx_plain);
  mtx_init(&timed, mtx_timed);
  mtx_init(&recursive, mtx_plain | mtx_recursive);
  cnd_init(&arrived);
  thrd_create(&one, work, NULL);
  thrd_create(&other, work, NULL);
  mtx_lock(&plain), is_there = true, mtx_unlock(&plain);
  cnd_broadcast(&arrived);
  thrd_join(one, &result);
  thrd_join(other, NULL);
  ATOMIC_BEGIN("after");
  a++, a++;
  ATOMIC_END();
  return result;
}
