#include "frontend/c/places.h"

CTarget place_exact(uint32_t object, uint32_t offset) { return (CTarget){object, offset, offset, offset, 1}; }

CTarget place_anywhere(uint32_t object) { return (CTarget){object, OFFSET_ANY, 0, UINT32_MAX, 1}; }

CTarget place_in_steps(uint32_t object, int64_t first, uint64_t step, uint64_t last) {
  if (!step || step >= OFFSET_ANY || (step == 1 && last >= UINT32_MAX)) return place_anywhere(object);
  if (last >= UINT32_MAX) {
    const int64_t rest = first % (int64_t)step;
    return (CTarget){object, OFFSET_ANY, (uint32_t)(rest < 0 ? rest + (int64_t)step : rest), UINT32_MAX,
                     (uint32_t)step};
  }
  if (first < 0 || (uint64_t)first > last) return place_anywhere(object);
  return (CTarget){object, OFFSET_ANY, (uint32_t)first, (uint32_t)last, (uint32_t)step};
}

/* An address may be one behind the last of some, so what goes back from there is not in the steps. */
CTarget place_moved(const CTarget *place, int64_t bytes) {
  if (place_is_anywhere(place)) return *place;
  if (place->offset != OFFSET_ANY) {
    const int64_t offset = (int64_t)place->offset + bytes;
    return offset >= 0 && offset < OFFSET_ANY ? place_exact(place->object, (uint32_t)offset)
                                              : place_anywhere(place->object);
  }
  if (place->last != UINT32_MAX && bytes < 0) return place_anywhere(place->object);
  const uint64_t last = place->last == UINT32_MAX ? UINT32_MAX : (uint64_t)((int64_t)place->last + bytes);
  return place_in_steps(place->object, (int64_t)place->first + bytes, place->step, last);
}

static uint64_t divisor(uint64_t a, uint64_t b) {
  while (b) {
    const uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

CTarget place_stepped(const CTarget *place, uint64_t step) {
  if (place->offset == OFFSET_ANY) step = divisor(step, place->step);
  return place_in_steps(place->object, place->first, step, UINT32_MAX);
}

/* The steps between several; 0: it is one alone. */
static uint64_t steps_of(const CTarget *place) { return place->offset == OFFSET_ANY ? place->step : 0; }

static uint64_t distance(const CTarget *a, const CTarget *b) {
  return a->first < b->first ? b->first - a->first : a->first - b->first;
}

CTarget place_joined(const CTarget *a, const CTarget *b) {
  const uint64_t step = divisor(divisor(steps_of(a), steps_of(b)), distance(a, b));
  return step ? place_in_steps(a->object, a->first, step, UINT32_MAX) : *a;
}

bool place_covers(const CTarget *place, const CTarget *other) {
  if (place->offset != OFFSET_ANY) return other->offset == place->offset;
  if (place->last != UINT32_MAX && (other->first < place->first || other->last > place->last)) return false;
  return distance(place, other) % place->step == 0 && steps_of(other) % place->step == 0;
}

static int64_t last_of(const CTarget *place) { return place->last == UINT32_MAX ? INT64_MAX / 2 : place->last; }

bool place_meets(const CTarget *place, uint64_t size, uint64_t from, uint64_t to) {
  const int64_t most = INT64_MAX / 4, step = place->step, first = place->first;
  if (place_is_anywhere(place)) return true;
  const int64_t end = to < (uint64_t)most ? (int64_t)to : most, start = from < (uint64_t)most ? (int64_t)from : most;
  const int64_t length = size && size < (uint64_t)most ? (int64_t)size : most;
  const int64_t low = start - length + 1; /* the first address of which a byte may be between */
  const int64_t at = low <= first ? first : first + (low - first + step - 1) / step * step;
  return at < end && at <= last_of(place);
}

bool place_meets_other(const CTarget *place, uint64_t size, const CTarget *other, uint64_t other_size) {
  const uint64_t most = UINT64_MAX / 2;
  const uint64_t length = size && size < most ? size : most, other_length = other_size ? other_size : most;
  if (place_is_anywhere(place) || place_is_anywhere(other)) return true;
  if (place->offset != OFFSET_ANY) return place_meets(other, other_size, place->offset, place->offset + length);
  if (other->offset != OFFSET_ANY) return place_meets(place, size, other->offset, other->offset + other_length);
  if ((uint64_t)last_of(place) + length <= other->first || (uint64_t)last_of(other) + other_length <= place->first)
    return false;
  const uint64_t step = divisor(place->step, other->step);
  const uint64_t distance = (other->first % step + step - place->first % step) % step; /* from the one to the other */
  return distance < length || step - distance < other_length;
}
