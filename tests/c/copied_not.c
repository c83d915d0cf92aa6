/* Copies that are not, or no longer, what the thread was given when it was created. */
// expect: again violated
// expect: changed violated
// expect: half violated
// expect: shared violated
// expect: told violated
// race: 39 39
// race: 39 40
// race: 40 40
// race: 49 49
// race: 49 50
// race: 50 50
// race: 59 59
// race: 59 60
// race: 60 60
// race: 66 96
// race: 68 68
// race: 68 69
// race: 69 69
// race: 80 80
// race: 80 81
// race: 81 81
#include <causal.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int id, other;
} Slot;

static long again_[64], changed_[64], half_[64], shared_[64], told_[64];
static Slot fixed;

static void *again(void *given) {
  Slot slot = *(Slot *)given;
  slot = fixed;
  ATOMIC_BEGIN("again");
  again_[slot.id]++;
  again_[slot.id]++;
  ATOMIC_END();
  return NULL;
}

static void *changed(void *given) {
  Slot slot = *(Slot *)given;
  slot.id /= 2;
  ATOMIC_BEGIN("changed");
  changed_[slot.id]++;
  changed_[slot.id]++;
  ATOMIC_END();
  return NULL;
}

static void *half(void *given) {
  Slot slot = fixed;
  memcpy(&slot, given, sizeof slot.id);
  ATOMIC_BEGIN("half");
  half_[slot.other]++;
  half_[slot.other]++;
  ATOMIC_END();
  return NULL;
}

static void *shared(void *given) {
  const Slot slot = *(Slot *)given;
  ATOMIC_BEGIN("shared");
  shared_[slot.id]++;
  shared_[slot.id]++;
  ATOMIC_END();
  return NULL;
}

static void tell(Slot *slot) { slot->id = fixed.id; }

static void *told(void *given) {
  Slot slot = *(Slot *)given;
  tell(&slot);
  ATOMIC_BEGIN("told");
  told_[slot.id]++;
  told_[slot.id]++;
  ATOMIC_END();
  return NULL;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 3;
  pthread_t thread;
  Slot *slots = calloc(n, sizeof *slots), one;
  for (int i = 0; i < n; i++) slots[i] = (Slot){i, i};
  for (int i = 0; i < n; i++) {
    pthread_create(&thread, NULL, again, &slots[i]);
    pthread_create(&thread, NULL, changed, &slots[i]);
    pthread_create(&thread, NULL, half, &slots[i]);
    pthread_create(&thread, NULL, told, &slots[i]);
    one.id = i;
    pthread_create(&thread, NULL, shared, &one);
  }
}
