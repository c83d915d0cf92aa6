// The bytes are of another thread's memory, or may be.
// races: undecided
// expect: both violated
// expect: fill violated
// expect: other violated
// expect: same violated
#include <causal.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  pthread_t thread;
  unsigned char address[16];
  int state;
} Client;

static unsigned char known[16];
static size_t length;
static Client *last;

/* The one that was created last is filled. */
static void *fill(void *given) {
  Client *client = last;
  (void)given;
  ATOMIC_BEGIN("fill");
  memset(client->address, 1, length);
  memcpy(client->address, known, length);
  ATOMIC_END();
  return NULL;
}

static void *same(void *given) {
  const Client *client = given;
  ATOMIC_BEGIN("same");
  const int first = memcmp(client->address, known, length), again = memcmp(client->address, known, length);
  ATOMIC_END();
  printf("%d\n", first == again);
  return NULL;
}

/* Its own, or the last one. */
static void *both(void *given) {
  Client *client = given, *either = length % 2 ? client : last;
  ATOMIC_BEGIN("both");
  client->state++;
  const int found = memcmp(either->address, known, length);
  client->state++;
  ATOMIC_END();
  printf("%d\n", found);
  return NULL;
}

/* The second argument is another one's. */
static void *other(void *given) {
  const Client *client = given;
  ATOMIC_BEGIN("other");
  const int first = memcmp(client->address, last->address, length),
            again = memcmp(client->address, last->address, length);
  ATOMIC_END();
  printf("%d\n", first == again);
  return NULL;
}

static void serve(int n, void *(*work)(void *)) {
  for (int i = 0; i < n; i++) {
    Client *client = calloc(1, sizeof *client);
    if (!client) continue;
    memcpy(client->address, known, length);
    pthread_create(&client->thread, NULL, work, client);
    last = client;
  }
}

int main(int argc, char **argv) {
  (void)argv;
  length = (size_t)argc;
  serve(argc, fill);
  serve(argc, same);
  serve(argc, both);
  serve(argc, other);
}
