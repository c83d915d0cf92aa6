/* ATOMIC_BEGIN and ATOMIC_END that do not belong together: each is said, with the first place. What a jump leaves is meant so.
 * stderr: left without its ATOMIC_END, where it ends now: 'again' at marks.c:27:[0-9]*:leave_in_loop by T1, it began again \(and 2 more\)$
 * stderr: still open at the end: 'open' at marks.c:47:[0-9]*:work by T1, its thread ended$
 * stderr: ATOMIC_END without an ATOMIC_BEGIN in the same call: at marks.c:48:[0-9]*:work by T1 \(and 1 more\)$
 * has: ^T1[^|]*\|begin\(again\)
 * has: ^T1[^|]*\|begin\(jumped\)
 * has: ^T1[^|]*\|begin\(open\)
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
  if (n++ == 3) return;
  ATOMIC_BEGIN("jumped"); shared++; longjmp(back, 1);
}

static void leave_in_loop(void) {
  for (int i = 0; i < 4; i++) { ATOMIC_BEGIN("again");
    shared++;
    if (i < 3) continue;
    ATOMIC_END();
  }
}





static void good(void) {
  ATOMIC_BEGIN("good");
  shared++;
  ATOMIC_END();
}

static void *work(void *argument) {
  leave_in_loop();
  good();
  if (!argument) jump();
  shared++; ATOMIC_BEGIN("open");
  shared++; if (argument) { ATOMIC_END(); ATOMIC_END(); ATOMIC_END(); }
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  good();
  return 0;
}
