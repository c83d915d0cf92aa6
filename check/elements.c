#include "check/elements.h"

#include "base/hash.h"

enum { KEY_WORDS = 3 };

void elements_init(Elements *elements, Heap *heap) {
  *elements = (Elements){.heap = heap};
  intern_init(&elements->all, heap);
  intern_init(&elements->lists, heap);
}

void elements_fini(Elements *elements) {
  intern_fini(&elements->all);
  intern_fini(&elements->lists);
  vec_fini(elements->heap, &elements->first);
  vec_fini(elements->heap, &elements->next);
  vec_fini(elements->heap, &elements->sign);
  vec_fini(elements->heap, &elements->words);
}

static void write_key(Elements *e, ElementKey key) {
  vec_clear(&e->words);
  vec_push(e->heap, &e->words, key.kind);
  vec_push(e->heap, &e->words, key.at);
  vec_push(e->heap, &e->words, key.item);
}

static void write_words(Elements *e, Element element) {
  write_key(e, element.key);
  for (uint32_t i = 0; i < element.n; i++) vec_push(e->heap, &e->words, element.numbers[i]);
}

static uint64_t sign_of(Element element) {
  uint64_t sign = 0;
  for (uint32_t i = 0; i < element.n; i++) sign |= (uint64_t)1 << hash_word(element.numbers[i]) % 64;
  return sign;
}

static uint32_t add_list(Elements *e, ElementKey key, uint32_t least) {
  bool is_new;
  write_key(e, key);
  vec_push(e->heap, &e->words, least);
  const uint32_t list = intern_add(&e->lists, (const char *)e->words.at, e->words.n * sizeof *e->words.at, &is_new);
  if (is_new) vec_push(e->heap, &e->first, ELEMENT_EMPTY);
  return list;
}

void elements_add(Elements *elements, Element element) {
  Elements *e = elements;
  bool is_new;
  write_words(e, element);
  const uint32_t number = intern_add(&e->all, (const char *)e->words.at, e->words.n * sizeof *e->words.at, &is_new);
  if (!is_new) return;
  const uint32_t list = add_list(e, element.key, element.n ? element.numbers[0] : ELEMENT_EMPTY);
  vec_push(e->heap, &e->next, e->first.at[list]);
  vec_push(e->heap, &e->sign, sign_of(element));
  e->first.at[list] = number;
}

Element elements_at(const Elements *elements, uint32_t number) {
  const uint32_t *words = (const uint32_t *)(const void *)elements->all.strings.at[number];
  const uint32_t n = elements->all.lengths.at[number] / (uint32_t)sizeof *words;
  return (Element){{words[0], words[1], words[2]}, words + KEY_WORDS, n - KEY_WORDS};
}

static bool is_part(Element part, Element whole) {
  uint32_t i = 0;
  for (uint32_t k = 0; i < part.n && k < whole.n && whole.numbers[k] <= part.numbers[i]; k++)
    i += whole.numbers[k] == part.numbers[i];
  return i == part.n;
}

/* Is one that is below in the list of those with this least number? */
static bool list_has_below(Elements *e, Element element, uint32_t least, uint64_t sign) {
  write_key(e, element.key);
  vec_push(e->heap, &e->words, least);
  const uint32_t list = intern_find(&e->lists, (const char *)e->words.at, e->words.n * sizeof *e->words.at);
  if (list == INTERN_NONE) return false;
  for (uint32_t i = e->first.at[list]; i != ELEMENT_EMPTY; i = e->next.at[i])
    if (!(e->sign.at[i] & ~sign) && is_part(elements_at(e, i), element)) return true;
  return false;
}

/* Most are there themselves. */
bool elements_cover(Elements *elements, Element element) {
  Elements *e = elements;
  write_words(e, element);
  if (intern_find(&e->all, (const char *)e->words.at, e->words.n * sizeof *e->words.at) != INTERN_NONE) return true;
  const uint64_t sign = sign_of(element);
  if (list_has_below(e, element, ELEMENT_EMPTY, sign)) return true;
  for (uint32_t i = 0; i < element.n; i++)
    if ((!i || element.numbers[i] != element.numbers[i - 1]) && list_has_below(e, element, element.numbers[i], sign))
      return true;
  return false;
}
