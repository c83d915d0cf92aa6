/* Who jumps back into a call is in it still.
 * atomic: back,after
 * order: begin(back) begin(after) end end begin(back) begin(after) end end
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>

int inside, outside;
static jmp_buf to;

static void jump(void) {
  inside++;
  longjmp(to, 1);
}

static void after(void) { inside++; }

static void back(void) {
  inside++;
  if (setjmp(to) == 0) jump();
  after();
}

static void *work(void *argument) {
  back();
  outside++;
  back();
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  work(NULL);
  printf("%d %d\n", inside, outside);
  return 0;
}
