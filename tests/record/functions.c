/* All functions are transactions but main, those that threads start with, and the excepted.
 * atomic: all-functions,absent,helpre,no
 * stderr: no call of absent, helpre .did you mean 'helper'.., no was recorded
 * except: skipped
 * has: begin\(helper\)\|functions.c
 * has: begin\(add\)
 * not: begin\((main|work|skipped)\)
 */
#include <pthread.h>
#include <stdio.h>

static int shared;

static void add(void) { shared++; }
static void helper(void) { add(); }
static void skipped(void) { shared++; }

static void *work(void *argument) {
  shared++;
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
