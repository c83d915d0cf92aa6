/* places.h: where in an object an address may lead: to one place, to places in equal steps, or anywhere.
 *
 * `a[i].x` of an i that is not known is at an offset of x, and a multiple of the length of an element; an index of an
 * array that is a member of a structure stays in it (COperand.number). */
#ifndef FRONTEND_C_PLACES_H
#define FRONTEND_C_PLACES_H

#include <stdbool.h>
#include <stdint.h>

/* As an offset: any, or one of several. */
#define OFFSET_ANY UINT32_MAX

/* The bytes of an object that an address may lead to. */
typedef struct {
  uint32_t object, offset; /* of Points.objects; the only place, or OFFSET_ANY */
  uint32_t first, last;    /* OFFSET_ANY: one of first, first + step, ..., which is last or less; */
  uint32_t step;           /* last = UINT32_MAX: there is no last one; then step = 1 is anywhere, and first is 0 */
} CTarget;

CTarget place_exact(uint32_t object, uint32_t offset);
CTarget place_anywhere(uint32_t object);

/* One of those from `first` on, in equal steps, up to `last`; or in both directions, if last is UINT32_MAX. */
CTarget place_in_steps(uint32_t object, int64_t first, uint64_t step, uint64_t last);

static inline bool place_is_anywhere(const CTarget *place) {
  return place->offset == OFFSET_ANY && place->step == 1 && place->last == UINT32_MAX;
}

/* Those that lie that many bytes further on. What leaves the object behind its end may come back; what is accessed
 * there is a fault of the program. What leaves it before its beginning may be anywhere in it. */
CTarget place_moved(const CTarget *place, int64_t bytes);

/* Those that lie any number of steps further on, or back. */
CTarget place_stepped(const CTarget *place, uint64_t step);

/* All that both may be, and others in the same steps; of one object. */
CTarget place_joined(const CTarget *a, const CTarget *b);

/* Is all that the other place, of the same object, may be among what this one may be? */
bool place_covers(const CTarget *place, const CTarget *other);

/* May something of `size` bytes that lies there, or of any number if it is 0, have one of those between? */
bool place_meets(const CTarget *place, uint64_t size, uint64_t from, uint64_t to);

/* May it have one in common with something of so many bytes at the other place, of the same object? */
bool place_meets_other(const CTarget *place, uint64_t size, const CTarget *other, uint64_t other_size);

#endif
