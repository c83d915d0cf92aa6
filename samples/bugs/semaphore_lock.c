/* semaphore_lock.c: the seats of a flight, under a semaphore of 1 that is used as a lock. A booking looks for a free
 * seat, gives the semaphore back while the customer pays, and then takes the seat, which may be gone.
 *
 * Fixed: the semaphore is held from the look to the booking. Transaction: `book`. */
#include "later.h"

#include <causal.h>

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t lock;
static int seats = 2;

static int book(void) {
  ATOMIC_BEGIN("book");
  sem_wait(&lock);
  const int is_free = seats > 0;
#ifndef FIXED
  sem_post(&lock); /* here the last seat can go */
  sem_wait(&lock);
#endif
  if (is_free) seats--;
  sem_post(&lock);
  ATOMIC_END();
  return is_free;
}

static void *customer(void *unused) {
  (void)unused;
  later();
  printf("booked: %d\n", book());
  return NULL;
}

int main(void) {
  pthread_t other;
  if (sem_init(&lock, 0, 1) || pthread_create(&other, NULL, customer, NULL)) return 1;
  const int booked = book();
  pthread_join(other, NULL);
  printf("booked: %d\n", booked);
  return 0;
}
