#include "prove/classes.h"

#include <assert.h>

static uint32_t value_of(const ViewObject *object, uint32_t value) {
  if (!object->is_token) return value;
  return value == VALUE_ABSENT ? TOKEN_ABSENT : TOKEN_PRESENT;
}

static void copy_objects(Classes *c) {
  c->n_objects = c->program.objects.n;
  c->objects = heap_alloc(c->heap, heap_product(c->heap, (uint64_t)c->n_objects + 1, sizeof *c->objects));
  for (uint32_t o = 0; o < c->n_objects; o++) {
    const ViewObject *object = &c->program.objects.at[o];
    c->objects[o] = (ClassObject){object->name, object->is_token, object->is_token ? 2 : object->n_values,
                                  value_of(object, object->initial)};
  }
}

static void copy_touches(Classes *c) {
  const ThreadView *program = &c->program;
  c->touch_start = program->access_start;
  c->touches = heap_alloc(c->heap, heap_product(c->heap, (uint64_t)program->accesses.n + 1, sizeof *c->touches));
  for (uint32_t i = 0; i < program->accesses.n; i++) {
    const ViewAccess *access = &program->accesses.at[i];
    const ViewObject *object = &program->objects.at[access->object];
    c->touches[i] = (Touch){access->object, value_of(object, access->pre), value_of(object, access->post),
                            access->writes, access->pre != VALUE_ABSENT,   access->post != VALUE_ABSENT};
  }
}

/* Counts the threads of each class; the controls of its first thread become its own. */
static void find_classes(Classes *c) {
  const ThreadView *program = &c->program;
  uint32_t *class_of_thread =
      heap_alloc(c->heap, heap_product(c->heap, (uint64_t)program->n_threads + 1, sizeof *class_of_thread));
  for (uint32_t i = 0; i < program->n_threads; i++) {
    const uint32_t twin = program->twin[i];
    if (twin == i) {
      class_of_thread[i] = c->classes.n;
      vec_push(c->heap, &c->classes, ((ThreadClass){i, 0, c->n_controls}));
      c->n_controls += program->state_start[i + 1] - program->state_start[i];
    }
    assert(twin <= i);
    class_of_thread[i] = class_of_thread[twin];
    c->classes.at[class_of_thread[i]].n++;
  }
  c->n_classes = c->classes.n;
  vec_push(c->heap, &c->classes, ((ThreadClass){NOTE_NONE, 0, c->n_controls}));
  heap_release(c->heap, class_of_thread);
}

static uint32_t count_steps(const Classes *c) {
  const ThreadView *program = &c->program;
  uint32_t n = 0;
  for (uint32_t k = 0; k < c->n_classes; k++) {
    const uint32_t thread = c->classes.at[k].first;
    n +=
        program->move_start.at[program->state_start[thread + 1]] - program->move_start.at[program->state_start[thread]];
  }
  return n;
}

static void copy_moves(Classes *c, uint32_t class, uint32_t state) {
  const ThreadView *program = &c->program;
  const uint32_t first = program->state_start[c->classes.at[class].first], controls = c->classes.at[class].controls;
  const uint32_t from = controls + (state - first);
  c->class_of[from] = class;
  for (uint32_t m = program->move_start.at[state]; m < program->move_start.at[state + 1]; m++) {
    const Move *move = &program->moves.at[m];
    const TransNote *note = &program->net->notes->transitions[move->transition.v];
    c->steps[c->n_steps++] = (ClassStep){from, controls + (move->to - first), move->transition, note->begin, note->end};
  }
  c->step_start[from + 1] = c->n_steps;
}

static void copy_steps(Classes *c) {
  const ThreadView *program = &c->program;
  c->class_of = heap_alloc(c->heap, heap_product(c->heap, (uint64_t)c->n_controls + 1, sizeof *c->class_of));
  c->step_start = heap_zeroed(c->heap, heap_product(c->heap, (uint64_t)c->n_controls + 1, sizeof *c->step_start));
  c->steps = heap_alloc(c->heap, heap_product(c->heap, (uint64_t)count_steps(c) + 1, sizeof *c->steps));
  for (uint32_t k = 0; k < c->n_classes; k++) {
    const uint32_t thread = c->classes.at[k].first;
    for (uint32_t s = program->state_start[thread]; s < program->state_start[thread + 1]; s++) copy_moves(c, k, s);
  }
}

bool classes_init(Classes *classes, Heap *heap, const Net *net, Err *err) {
  Classes c = {.heap = heap};
  if (!thread_view_init(&c.program, heap, net, err)) return false;
  copy_objects(&c);
  copy_touches(&c);
  find_classes(&c);
  copy_steps(&c);
  *classes = c;
  return true;
}

void classes_fini(Classes *classes) {
  Heap *heap = classes->heap;
  heap_release(heap, classes->objects);
  heap_release(heap, classes->touches);
  heap_release(heap, classes->class_of);
  heap_release(heap, classes->step_start);
  heap_release(heap, classes->steps);
  vec_fini(heap, &classes->classes);
  thread_view_fini(&classes->program);
}

bool classes_have_copies(const Classes *classes) {
  for (uint32_t k = 0; k < classes->n_classes; k++)
    if (classes->classes.at[k].n > 1) return true;
  return false;
}

uint32_t classes_of_thread(const Classes *classes, uint32_t thread) {
  const uint32_t first = classes->program.twin[thread];
  uint32_t from = 0, to = classes->n_classes;
  while (to - from > 1) {
    const uint32_t middle = from + (to - from) / 2;
    if (classes->classes.at[middle].first <= first) from = middle;
    else to = middle;
  }
  assert(classes->classes.at[from].first == first);
  return from;
}
