// Of each thread's own memory as many bytes are compared and copied as a number says that is not known: they are of the
// block of memory that the address leads into. An address that may be NULL leads there where it is used.
// expect: fill atomic
// expect: same atomic
#include <causal.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  pthread_t thread;
  int family;
  unsigned char address[16];
  int state;
} Client;

static unsigned char known[16];
static size_t length;

static const unsigned char *address_of(const Client *client) {
  return client->family == 4 ? client->address : client->family == 6 ? client->address + 4 : NULL;
}

static void *serve(void *given) {
  Client *client = given;
  client->state = 1;
  ATOMIC_BEGIN("same");
  const int first = memcmp(address_of(client), known, length), again = memcmp(address_of(client), known, length);
  ATOMIC_END();
  client->state = 2 + (first == again);
  ATOMIC_BEGIN("fill");
  memset(client->address, client->state, length);
  memcpy(client->address, known, length);
  client->state++;
  ATOMIC_END();
  printf("%d\n", client->state);
  return NULL;
}

int main(int argc, char **argv) {
  (void)argv;
  length = (size_t)argc % sizeof known;
  for (int i = 0; i < argc; i++) {
    Client *client = calloc(1, sizeof *client);
    if (!client) continue;
    client->family = rand() % 2 ? 4 : 6;
    memcpy(client->address, known, length);
    pthread_create(&client->thread, NULL, serve, client);
  }
}
