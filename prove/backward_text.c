/* A class control that is reached is a position: of the controls of its threads, which have the same ones in the same
 * order. The groups are the objects. */
#include "prove/backward_inside.h"
#include "prove/certificate.h"

typedef struct {
  const Backward *b;
  Certificate *certificate;
  TextOut *text;
  uint32_t *position;     /* per control that is reached, from 1 */
  uint32_t *thread_first; /* per thread: its first control in the certificate */
  U32Vec *threads;        /* per class */
} Writer;

static void put_word(const Writer *w, const char *word) { text_out_string(w->text, word); }
static void put_number(const Writer *w, uint64_t number) { text_out_item(w->text, number); }

/* Controls that are reached, of the class, up to one. */
static uint32_t count_reached(const Writer *w, uint32_t class, uint32_t end) {
  uint32_t n = 0;
  for (uint32_t c = w->b->classes.classes.at[class].controls; c < end; c++) n += known_is_reached(&w->b->facts, c);
  return n;
}

static void number_controls(Writer *w) {
  const Classes *c = &w->b->classes;
  uint32_t n = 0;
  for (uint32_t i = 0; i < c->n_controls; i++)
    if (known_is_reached(&w->b->facts, i)) w->position[i] = ++n;
  n = 0;
  for (uint32_t i = 0; i < c->program.n_threads; i++) {
    const uint32_t class = classes_of_thread(c, i);
    vec_push(w->b->heap, &w->threads[class], i);
    w->thread_first[i] = n + 1;
    n += count_reached(w, class, c->classes.at[class + 1].controls);
  }
}

static void put_positions(const Writer *w) {
  const Classes *c = &w->b->classes;
  for (uint32_t class = 0; class < c->n_classes; class ++)
    for (uint32_t i = c->classes.at[class].controls, n = 0; i < c->classes.at[class + 1].controls; i++) {
      if (!w->position[i]) continue;
      put_word(w, "x");
      for (uint32_t k = 0; k < w->threads[class].n; k++)
        put_number(w, (uint64_t)w->thread_first[w->threads[class].at[k]] + n);
      put_word(w, "\n");
      n++;
    }
}

static void put_key(const Writer *w, const ChainKey *key) {
  put_number(w, key->kind);
  if (key->kind != CHAIN_NONE) put_number(w, w->position[key->control]);
  switch ((ChainKind)key->kind) {
  case CHAIN_NONE:
  case CHAIN_WITH_T: break;
  case CHAIN_LEFT:
  case CHAIN_PASSED: put_number(w, (uint64_t)key->at + 1); break;
  case CHAIN_CARRIED: put_number(w, w->position[key->at]); break;
  }
}

/* Controls come before values. */
static void put_numbers(const Writer *w, const uint32_t *numbers, uint32_t n) {
  const ViewText *view = &w->certificate->view;
  uint32_t n_threads = 0;
  while (n_threads < n && backward_is_control(w->b, numbers[n_threads])) n_threads++;
  put_number(w, n_threads);
  for (uint32_t i = 0; i < n_threads; i++) put_number(w, w->position[numbers[i]]);
  for (uint32_t i = n_threads; i < n; i++) {
    const uint32_t object = backward_object(w->b, numbers[i]);
    put_number(w, (uint64_t)view->number[object] + 1);
    put_number(w, view_text_value(view, object, backward_value(w->b, numbers[i])));
  }
}

static uint32_t count_elements(const Upward *set) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < set->elements.n; i++) n += !set->elements.at[i].is_dropped;
  return n;
}

static void put_elements(const Writer *w) {
  const Upward *set = &w->b->set;
  for (uint32_t i = 0; i < set->elements.n; i++) {
    const UpwardElement *element = &set->elements.at[i];
    uint32_t words[3];
    if (element->is_dropped) continue;
    upward_key(set, i, words);
    put_word(w, "d");
    put_key(w, &(ChainKey){words[0], words[1], words[2]});
    put_numbers(w, set->numbers.at + element->at, element->n);
    put_word(w, "\n");
  }
}

static void put_claim(const Writer *w) {
  put_word(w, "upward");
  put_number(w, (uint64_t)w->b->block + 1);
  put_number(w, count_elements(&w->b->set));
  put_word(w, "\n");
  view_text_groups(&w->certificate->view, w->text);
  put_positions(w);
  put_elements(w);
}

void backward_write(const Backward *b, FILE *out) {
  const Classes *c = &b->classes;
  Heap *heap = b->heap;
  Writer w = {.b = b, .certificate = certificate_facts(out, &b->facts)};
  w.text = &w.certificate->text;
  w.position = heap_zeroed(heap, heap_product(heap, (uint64_t)c->n_controls + 1, sizeof *w.position));
  w.thread_first = heap_alloc(heap, heap_product(heap, (uint64_t)c->program.n_threads + 1, sizeof *w.thread_first));
  w.threads = heap_zeroed(heap, heap_product(heap, (uint64_t)c->n_classes + 1, sizeof *w.threads));
  number_controls(&w);
  put_claim(&w);
  for (uint32_t i = 0; i < c->n_classes; i++) vec_fini(heap, &w.threads[i]);
  heap_release(heap, w.threads);
  heap_release(heap, w.thread_first);
  heap_release(heap, w.position);
  certificate_free(w.certificate);
}
