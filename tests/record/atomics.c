/* Atomic operations of each size do what they must.
 * flags: -mcx16 -w
 * link: -latomic
 * count 100: rmw\(shared32\)
 * count 100: rmw\(shared128\)
 * not: [|]w\(shared
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

typedef unsigned __int128 uint128_t;

static void print(const char *name, uint128_t value) {
  printf("%s %llx%016llx\n", name, (unsigned long long)(value >> 64), (unsigned long long)value);
}

#define TEST(bits)                                                                              \
  static _Atomic uint##bits##_t shared##bits;                                                   \
  static void test##bits(void) {                                                                \
    static _Atomic uint##bits##_t a;                                                            \
    static uint##bits##_t plain;                                                                \
    uint##bits##_t expected = 1;                                                                \
    const uint##bits##_t big = (uint##bits##_t)~(uint##bits##_t)0 / 3;                          \
    atomic_store(&a, big);                                                                      \
    print("load", atomic_load(&a));                                                             \
    print("exchange", atomic_exchange(&a, 7));                                                  \
    print("add", atomic_fetch_add(&a, big));                                                    \
    print("sub", atomic_fetch_sub_explicit(&a, 9, memory_order_relaxed));                       \
    print("and", atomic_fetch_and(&a, big - 6));                                                \
    print("or", atomic_fetch_or(&a, 0x11));                                                     \
    print("xor", atomic_fetch_xor_explicit(&a, big, memory_order_acq_rel));                     \
    print("value", atomic_load_explicit(&a, memory_order_acquire));                             \
    printf("fails %d\n", atomic_compare_exchange_strong(&a, &expected, 5));                     \
    print("expected", expected);                                                                \
    printf("swaps %d\n", atomic_compare_exchange_strong(&a, &expected, 5));                     \
    while (!atomic_compare_exchange_weak(&a, &expected, 6)) {}                                  \
    print("value", a);                                                                          \
    plain = big;                                                                                \
    print("nand", __atomic_fetch_nand(&plain, 5, __ATOMIC_SEQ_CST));                            \
    print("value", plain);                                                                      \
    print("add first", __atomic_add_fetch(&plain, 5, __ATOMIC_SEQ_CST));                        \
    print("sync", __sync_val_compare_and_swap(&plain, plain, 8));                               \
    print("value", plain);                                                                      \
    atomic_thread_fence(memory_order_seq_cst);                                                  \
    atomic_signal_fence(memory_order_seq_cst);                                                  \
  }                                                                                             \
  static void *count##bits(void *argument) {                                                    \
    for (int i = 0; i < 50; i++) atomic_fetch_add(&shared##bits, 1);                            \
    return argument;                                                                            \
  }                                                                                             \
  static void race##bits(void) {                                                                \
    pthread_t threads[2];                                                                       \
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, count##bits, NULL);           \
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);                                 \
    print("counted", shared##bits);                                                             \
  }

TEST(8)
TEST(16)
TEST(32)
TEST(64)
TEST(128)

int main(void) {
  atomic_flag flag = ATOMIC_FLAG_INIT;
  test8(), test16(), test32(), test64(), test128();
  race8(), race16(), race32(), race64(), race128();
  printf("%d", atomic_flag_test_and_set(&flag));
  printf("%d\n", atomic_flag_test_and_set(&flag));
  return 0;
}
