/* All functions are transactions but main, those that threads start with, and the excepted.
 * atomic: all-functions,absent,helpre,no
 * stderr: no call of absent, helpre .did you mean 'helper'.., no was recorded
 * except: skipped
 * has: begin\(helper\)\|functions.c
 * has: begin\(add\)
 * has: begin\(main_part\)
 * has: begin\(skip\)
 * not: begin\((main|work|skipped)\)
 */
#include <pthread.h>
#include <stdio.h>

static int shared;

static void add(void) { shared++; }
static void helper(void) { add(); }
static void skipped(void) { shared++; }

/* Names that begin as others do, or as far as these go, are other ones. */
static __attribute__((noinline)) void skip(void) { shared += 2; }
static __attribute__((noinline)) void main_part(void) { shared += 3; }

static void *work(void *argument) {
  shared++;
  main_part();
  skip();
  helper();
  skipped();
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  work(NULL);
  printf("%d\n", shared);
  return 0;
}
