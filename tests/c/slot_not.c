// Somebody else may store to the variable before it is loaded: then a thread's memory is written once that has begun.
// races: undecided
// expect: called violated
// expect: copied violated
// expect: either violated
// expect: elsewhere violated
// expect: later violated
// expect: other violated
// expect: slot violated
#include <causal.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  pthread_t thread;
  int socket, kind;
} Client;

static int choice;

static void look(Client **slot) { printf("%p\n", (void *)*slot); }

/* BETWEEN is done once it was allocated, with `old`, the one before it. */
#define SERVER(name, BETWEEN)                                      \
  static void *name##_serve(void *given) {                         \
    const Client *client = given;                                  \
    ATOMIC_BEGIN(#name);                                           \
    printf("%d %d\n", client->socket, client->kind);               \
    printf("%d %d\n", client->socket, client->kind);               \
    ATOMIC_END();                                                  \
    return NULL;                                                   \
  }                                                                \
  static void name(int n) {                                        \
    static Client *old;                                            \
    for (int i = 0; i < n; i++) {                                  \
      Client *client = malloc(sizeof *client);                     \
      if (!client) continue;                                       \
      look(&client);                                               \
      BETWEEN;                                                     \
      if (!client) continue;                                       \
      client->socket = i;                                          \
      client->kind = i % 2;                                        \
      pthread_create(&client->thread, NULL, name##_serve, client); \
      old = client;                                                \
    }                                                              \
  }

static void take(Client **slot, Client *old) {
  if (choice) *slot = old;
}

static Client **shared, *before;

static void *exchange(void *given) {
  if (choice) *shared = before;
  return given;
}

static void let_other(Client **slot, Client *old) {
  pthread_t other;
  shared = slot;
  before = old;
  pthread_create(&other, NULL, exchange, NULL);
}

SERVER(called, take(&client, old))
SERVER(copied, if (choice) memcpy(&client, &old, sizeof client))
SERVER(either, Client **slot = choice ? &client : &before; *slot = old)
SERVER(elsewhere, if (old) old->kind = 2)
SERVER(later, for (int k = 0; k < choice; k++) client = old)
SERVER(other, let_other(&client, old))

/* It is given the variable itself, in which there may be the next one by then. */
static void *slot_serve(void *given) {
  Client *client = *(Client **)given;
  ATOMIC_BEGIN("slot");
  client->kind++;
  client->kind++;
  ATOMIC_END();
  return NULL;
}

static void slot(int n) {
  for (int i = 0; i < n; i++) {
    Client *client = calloc(1, sizeof *client);
    if (!client) continue;
    pthread_create(&client->thread, NULL, slot_serve, &client);
  }
}

int main(int argc, char **argv) {
  (void)argv;
  choice = argc - 1;
  called(argc);
  copied(argc);
  either(argc);
  elsewhere(argc);
  later(argc);
  other(argc);
  slot(argc);
  return 0;
}
