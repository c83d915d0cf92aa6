/* places.c, against the addresses themselves, one by one. */
#include "frontend/c/places.h"

#include <CUnit/CUnit.h>

enum { ROUNDS = 200000, LENGTH = 200 };

static uint64_t state = 88172645463325252;

static int64_t draw(int64_t least, int64_t most) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return least + (int64_t)((state >> 11) % (uint64_t)(most - least + 1));
}

/* A place, and whether each address is one of it; those that are in no steps are only below LENGTH. */
typedef struct {
  CTarget place;
  bool has[LENGTH];
} Case;

static Case draw_case(void) {
  const int64_t first = draw(0, 40), step = draw(1, 24), last = first + draw(0, 90);
  Case c = {.place = place_anywhere(0)};
  switch (draw(0, 3)) {
  case 0: c.place = place_exact(0, (uint32_t)first); break;
  case 1: c.place = place_in_steps(0, first - 20, (uint64_t)step, UINT32_MAX); break;
  case 2: c.place = place_in_steps(0, first, (uint64_t)step, (uint64_t)last); break;
  default: break;
  }
  for (int64_t a = 0; a < LENGTH; a++) {
    if (place_is_anywhere(&c.place)) c.has[a] = true;
    else if (c.place.offset != OFFSET_ANY) c.has[a] = a == first;
    else
      c.has[a] = c.place.last == UINT32_MAX ? (a - first + 20) % step == 0
                                            : a >= first && a <= last && (a - first) % step == 0;
  }
  return c;
}

static bool meets(const Case *c, uint64_t size, int64_t from, int64_t to) {
  for (int64_t a = 0; a < LENGTH; a++)
    if (c->has[a] && a < to && (!size || from < a + (int64_t)size)) return true;
  return false;
}

static void a_place_meets_bytes_that_it_has(void) {
  for (int i = 0; i < ROUNDS; i++) {
    const Case c = draw_case();
    const uint64_t size = (uint64_t)draw(0, 16);
    const int64_t from = draw(0, 100), to = from + draw(1, 16);
    CU_ASSERT_EQUAL_FATAL(place_meets(&c.place, size, (uint64_t)from, (uint64_t)to), meets(&c, size, from, to));
  }
}

/* Never no where it is yes. */
static void two_places_meet_where_they_have_a_byte_in_common(void) {
  int apart = 0;
  for (int i = 0; i < ROUNDS; i++) {
    const Case c = draw_case(), d = draw_case();
    const uint64_t size = (uint64_t)draw(0, 9), other = (uint64_t)draw(1, 9);
    bool common = false;
    for (int64_t a = 0; a < LENGTH && !common; a++) common = d.has[a] && meets(&c, size, a, a + (int64_t)other);
    const bool told = place_meets_other(&c.place, size, &d.place, other);
    if (common) CU_ASSERT_FATAL(told);
    apart += !told;
  }
  CU_ASSERT(apart > ROUNDS / 10);
}

static void what_is_moved_has_what_it_had(void) {
  for (int i = 0; i < ROUNDS; i++) {
    const Case c = draw_case();
    const int64_t bytes = draw(-20, 40), step = draw(1, 12), times = draw(-3, 3);
    const CTarget moved = place_moved(&c.place, bytes), stepped = place_stepped(&c.place, (uint64_t)step);
    for (int64_t a = 0; a < LENGTH; a++) {
      if (!c.has[a]) continue;
      const int64_t there = a + bytes, further = a + step * times;
      if (there >= 0) CU_ASSERT_FATAL(place_meets(&moved, 1, (uint64_t)there, (uint64_t)there + 1));
      if (further >= 0) CU_ASSERT_FATAL(place_meets(&stepped, 1, (uint64_t)further, (uint64_t)further + 1));
    }
  }
}

/* What covers another one has all of it, and so has what is joined of both. */
static void what_covers_another_one_has_all_of_it(void) {
  int covered = 0;
  for (int i = 0; i < ROUNDS; i++) {
    const Case c = draw_case(), d = draw_case();
    const bool covers = place_covers(&c.place, &d.place);
    const CTarget joined = place_joined(&c.place, &d.place);
    for (int64_t a = 0; a < LENGTH; a++) {
      if (covers && d.has[a]) CU_ASSERT_FATAL(c.has[a]);
      if (c.has[a] || d.has[a]) CU_ASSERT_FATAL(place_meets(&joined, 1, (uint64_t)a, (uint64_t)a + 1));
    }
    CU_ASSERT_FATAL(place_covers(&joined, &c.place) && place_covers(&joined, &d.place));
    covered += covers;
  }
  CU_ASSERT(covered > ROUNDS / 10);
}

void suite_places(void) {
  CU_pSuite suite = CU_add_suite("places", NULL, NULL);
  CU_ADD_TEST(suite, a_place_meets_bytes_that_it_has);
  CU_ADD_TEST(suite, two_places_meet_where_they_have_a_byte_in_common);
  CU_ADD_TEST(suite, what_is_moved_has_what_it_had);
  CU_ADD_TEST(suite, what_covers_another_one_has_all_of_it);
}
