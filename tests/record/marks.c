/* ATOMIC_BEGIN and ATOMIC_END that do not belong together are told, with the first place. What a jump leaves is meant so.
 * stderr: left without its ATOMIC_END; it was ended there: 'again' at marks.c:32:[0-9]*:leave_in_loop by T1, it began again \(and 2 more\)$
 * stderr: still open at the end: 'open' at marks.c:50:[0-9]*:work by T1, its thread ended \(and 1 more\)$
 * stderr: ATOMIC_END without an ATOMIC_BEGIN in the same call: at marks.c:41:[0-9]*:end_twice by T1 \(and 1 more\)$
 * count 4: ^T1[^|]*\|begin\(again\)
 * count 3: ^T1[^|]*\|begin\(jumped\)
 * has: ^T1[^|]*\|begin\(open\)
 * has: ^T0\|begin\(last\)
 */
#include <causal.h>

#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>

static int shared;
static jmp_buf back;

/* Left by a jump to the call that has begun it. */
static void jump(void) {
  volatile int n = 0;
  (void)setjmp(back);
  if (n == 3) return;
  n++;
  ATOMIC_BEGIN("jumped");
  shared++;
  longjmp(back, 1);
}

static void leave_in_loop(void) {
  for (volatile int i = 0; i < 4; i++) {
    ATOMIC_BEGIN("again");
    shared++;
    if (i < 3) continue;
    ATOMIC_END();
  }
}

static void end_twice(void) {
  for (volatile int i = 0; i < 2; i++) {
    ATOMIC_END();
    shared++;
  }
}

static void *work(void *argument) {
  leave_in_loop();
  end_twice();
  jump();
  ATOMIC_BEGIN("open");
  shared++;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  ATOMIC_BEGIN("last");
  shared++;
  return 0;
}
