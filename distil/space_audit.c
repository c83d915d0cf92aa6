/* What holds of the table of pages, in the first pass and after the objects were numbered. */
#include "distil/space_inside.h"

static bool fault(Err *err, const char *what, uint64_t number) {
  return err_set(err, ERR_CHECK, "bad space: %s (number %llu)", what, (unsigned long long)number);
}

/* ---- the first pass ---- */

/* Who has accessed the byte in this life, or NOBODY; of a granule that several have accessed, who was the first. */
static uint32_t owner_of(const Space *s, const Granule *granule, uint32_t byte) {
  if (granule->owner & SPLIT) return s->splits.at[granule->owner & ~SPLIT].owner[byte];
  return granule->touched >> byte & 1 ? granule->owner : NOBODY;
}

static bool audit_granule(const Space *s, const Granule *granule, uint64_t number, Err *err) {
  const bool split = granule->owner & SPLIT;
  if (split && (granule->owner & ~SPLIT) >= s->splits.n) return fault(err, "no such split", number);
  if ((granule->owner == NOBODY) != !granule->touched) return fault(err, "bytes of nobody", number);
  for (uint32_t i = 0; i < 8; i++) {
    if (!split || owner_of(s, granule, i) == NOBODY) continue;
    if (i && owner_of(s, granule, i - 1) == NOBODY && !(granule->begins >> i & 1))
      return fault(err, "no object begins", number);
  }
  for (uint32_t i = 1; i < 8 && !split; i++)
    if ((granule->touched >> i & 1) != (granule->touched >> (i - 1) & 1) && !(granule->begins >> i & 1))
      return fault(err, "an object in part", number);
  return true;
}

/* There is nothing to note any more of whole accesses of 4 and of 8 bytes to a line that is settled. */
static bool audit_settled(const Space *s, const Page *page, Err *err) {
  const Page *after = find_page(s, (page->number + 1) << PAGE_BITS);
  for (uint32_t g = 0; g < GRANULES; g++) {
    const uint64_t line = UINT64_C(1) << g / PER_LINE;
    const bool settled[2] = {page->settled[0] & line, page->settled[1] & line};
    const uint32_t next = g + 1 < GRANULES ? page->at[g + 1].begins : after ? after->at[0].begins : 0;
    if (settled[0] && !settled[1]) return fault(err, "a line settled in halves alone", g);
    if (settled[1] && (page->at[g].shared != 0xff || !(page->at[g].begins & next & 1)))
      return fault(err, "a line settled too soon", g);
    if (settled[0] && !(page->at[g].begins & 0x10)) return fault(err, "halves of a line settled too soon", g);
  }
  return true;
}

/* Each split is of one granule, or free. */
static bool audit_splits(const Space *s, Err *err) {
  uint8_t *used = heap_zeroed(s->heap, s->splits.n + (size_t)1);
  bool good = true;
  for (uint32_t i = 0; i < s->free_splits.n; i++) good = good && !used[s->free_splits.at[i]]++;
  for (uint32_t i = 0; i < s->table->n && good; i++) {
    const Page *page = s->table->slots[i];
    for (uint32_t g = 0; page && g < GRANULES; g++)
      if (page->at[g].owner & SPLIT) good = good && !used[page->at[g].owner & ~SPLIT]++;
  }
  uint32_t lost = 0;
  while (lost < s->splits.n && used[lost]) lost++;
  const uint32_t n = s->splits.n;
  heap_release(s->heap, used);
  if (!good) return fault(err, "a split of two granules", n);
  return lost == n || fault(err, "a split of no granule, that is not free", lost);
}

static bool audit_page(const Space *s, const Page *page, Err *err) {
  if (find_page(s, page->number << PAGE_BITS) != page) return fault(err, "a page that is not found", page->number);
  for (uint32_t g = 0; g < GRANULES && !s->sorted; g++)
    if (!audit_granule(s, &page->at[g], page->number * GRANULES + g, err)) return false;
  return audit_settled(s, page, err);
}

static bool audit_table(const Space *s, Err *err) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->table->n; i++) {
    const Page *page = s->table->slots[i];
    if (!page) continue;
    n++;
    if (!audit_page(s, page, err)) return false;
  }
  for (uint32_t i = 0; i < RECENT; i++)
    if (s->recent[i].page && s->recent[i].page->number != s->recent[i].number)
      return fault(err, "a page found last", i);
  return n == s->n_pages || fault(err, "the count of pages", n);
}

/* ---- the second pass ---- */

static bool audit_object(const Space *s, const Page *page, uint32_t granule, uint32_t byte, uint32_t object, Err *err) {
  const uint64_t address = (page->number << PAGE_BITS) + (granule << GRANULE_BITS) + byte;
  if (object_at(page, granule, byte) != object) return fault(err, "the object of a byte", address);
  if (!(page->at[granule].begins >> byte & 1)) return true;
  if (space_address(s, object) != address) return fault(err, "where an object begins", object);
  const bool shared = page->at[granule].shared >> byte & 1;
  return !shared || s->marks[object] != SPACE_LOCAL || fault(err, "a shared object that is not kept", object);
}

static bool audit_line(const Page *page, uint32_t line, uint32_t before, Err *err) {
  const Line *it = &page->lines[line];
  uint8_t all = 0xff, any = 0;
  for (uint32_t g = line * PER_LINE; g < (line + 1) * PER_LINE; g++)
    all &= page->at[g].shared, any |= page->at[g].shared;
  if (it->before != before) return fault(err, "the objects before a line", line);
  if ((it->form == LOCAL) != !any) return fault(err, "a line of which nothing is kept", line);
  if (it->form >= LOCAL) return true;
  if (all != 0xff) return fault(err, "a line of which not all is kept", line);
  for (uint32_t byte = 0; byte < PER_LINE << GRANULE_BITS; byte++)
    if ((page->at[line * PER_LINE + byte / 8].begins >> byte % 8 & 1) != (byte % (1u << it->form) == 0))
      return fault(err, "the form of a line", line);
  return true;
}

static bool audit_even(const Space *s, const Page *page, Err *err) {
  uint32_t form = page->lines->form;
  for (uint32_t i = 0; i < LINES; i++)
    if (page->lines[i].form != form) form = MIXED;
  if (page->form != form) return fault(err, "the form of a page", page->number);
  if (!page->even) return true;
  for (uint32_t i = 1, n = 1u << (PAGE_BITS - form); i <= n; i++) {
    const uint32_t mark = s->marks[page->before + i];
    if (!(mark & SPACE_ALIVE) || mark - i != s->marks[page->before + 1] - 1)
      return fault(err, "a page that is not even", page->number);
  }
  return true;
}

static bool audit_numbers(const Space *s, Err *err) {
  uint32_t objects = 0;
  for (uint32_t i = 0; i < s->n_pages; i++) {
    const Page *page = s->sorted[i];
    if (i && s->sorted[i - 1]->number >= page->number) return fault(err, "pages out of order", i);
    if (page->before != objects) return fault(err, "the objects before a page", i);
    for (uint32_t g = 0; g < GRANULES; g++) {
      if (g % PER_LINE == 0 && !audit_line(page, g / PER_LINE, objects, err)) return false;
      if (page->at[g].owner != objects) return fault(err, "the objects before a granule", g);
      for (uint32_t byte = 0; byte < 8; byte++) {
        objects += page->at[g].begins >> byte & 1;
        if (!audit_object(s, page, g, byte, objects, err)) return false;
      }
    }
    if (!audit_even(s, page, err)) return false;
  }
  return true;
}

bool space_audit(const Space *s, Err *err) {
  if (!audit_table(s, err)) return false;
  return s->sorted ? audit_numbers(s, err) : audit_splits(s, err);
}
