#include "base/intern.h"
#include "petri/thread_view_inside.h"

#include <assert.h>

/* Everything that the thread can do, as words: two threads with equal words differ in nothing but their names. */
static void describe_thread(const ThreadView *program, uint32_t thread, U32Vec *words) {
  Heap *heap = program->heap;
  const uint32_t first = program->state_start[thread];
  vec_clear(words);
  for (uint32_t s = first; s < program->state_start[thread + 1]; s++) {
    vec_push(heap, words, program->move_start.at[s + 1] - program->move_start.at[s]);
    for (uint32_t m = program->move_start.at[s]; m < program->move_start.at[s + 1]; m++) {
      const Move *move = &program->moves.at[m];
      assert(first <= move->to && move->to < program->state_start[thread + 1]);
      const TransNote *note = &program->net->notes->transitions[move->transition.v];
      const uint32_t a = program->access_start[move->transition.v], z = program->access_start[move->transition.v + 1];
      vec_push(heap, words, move->to - first);
      vec_push(heap, words, note->begin);
      vec_push(heap, words, note->end);
      vec_push(heap, words, z - a);
      for (uint32_t i = a; i < z; i++) {
        const ViewAccess *access = &program->accesses.at[i];
        vec_push(heap, words, access->object);
        vec_push(heap, words, access->writes);
        vec_push(heap, words, access->pre);
        vec_push(heap, words, access->post);
      }
    }
  }
}

void twins_find(ThreadView *program) {
  Heap *heap = program->heap;
  program->twin = arena_alloc(&program->arena, program->n_threads * sizeof *program->twin);
  Intern seen;
  intern_init(&seen, heap);
  U32Vec words = {0}, first = {0};
  for (uint32_t i = 0; i < program->n_threads; i++) {
    describe_thread(program, i, &words);
    bool is_new;
    const uint32_t number = intern_add(&seen, (const char *)words.at, words.n * sizeof *words.at, &is_new);
    if (is_new) vec_push(heap, &first, i);
    program->twin[i] = first.at[number]; // NOLINT(clang-analyzer-core.NullDereference): the first one was new
  }
  vec_fini(heap, &words);
  vec_fini(heap, &first);
  intern_fini(&seen);
}
