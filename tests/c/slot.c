// A variable of which the address is known to others, but which only this loop stores to: what is stored in a round is
// loaded in that round. So each thread has the memory that was allocated for it, also if that is put into a list.
// expect: use atomic
#include <causal.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  size_t size, count, room;
  char *items;
} List;

typedef struct {
  pthread_t thread;
  int socket, kind;
} Client;

static int add(List *list, const void *item) {
  if (list->count == list->room) {
    char *items = realloc(list->items, (list->room + 8) * list->size);
    if (!items) return 0;
    list->items = items;
    list->room += 8;
  }
  memcpy(list->items + list->count++ * list->size, item, list->size);
  return 1;
}

static void *serve(void *given) {
  const Client *client = given;
  ATOMIC_BEGIN("use");
  printf("%d %d\n", client->socket, client->kind);
  printf("%d %d\n", client->socket, client->kind);
  ATOMIC_END();
  return NULL;
}

int main(void) {
  List list = {.size = sizeof(Client *)};
  for (;;) {
    const int socket = rand();
    Client *client = malloc(sizeof *client);
    if (!client) continue;
    client->socket = socket;
    if (socket < 0) {
      free(client);
      continue;
    }
    client->kind = socket % 2;
    if (!add(&list, &client)) {
      free(client);
      continue;
    }
    if (pthread_create(&client->thread, NULL, serve, client)) fputs("too many\n", stderr);
  }
}
