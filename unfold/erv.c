/* Two configurations of one size are compared by their Parikh vectors, and where these are equal by their Foata normal
 * forms: level by level, events of depth 1, of depth 2, and so on. Either comparison is one of words, the transitions
 * in ascending order: by length, then lexicographically.
 *
 * Events that both have weigh the same on either side: the depth of an event depends on its own causes alone. So only
 * the symmetric difference is looked at. It is found from the top: events are taken in descending order, which is
 * against causality, and it is complete as soon as every event still to be taken is known to belong to both. */
#include "unfold/erv.h"

enum { FIRST = 1, SECOND = 2, BOTH = 3 };

void erv_init(Order *order, const Branch *branch) {
  *order = (Order){.branch = branch};
  order->balance = heap_zeroed(branch->heap, heap_product(branch->heap, branch->net->n_trans, sizeof *order->balance));
}

void erv_fini(Order *order) {
  Heap *heap = order->branch->heap;
  vec_fini(heap, &order->items);
  vec_fini(heap, &order->todo);
  vec_fini(heap, &order->sides);
  heap_release(heap, order->balance);
}

/* `todo` is a binary heap with the greatest number on top. */
static void todo_push(Order *order, uint32_t e) {
  vec_push(order->branch->heap, &order->todo, e);
  uint32_t *const at = order->todo.at;
  uint32_t i = order->todo.n - 1;
  for (; i && at[(i - 1) / 2] < e; i = (i - 1) / 2) at[i] = at[(i - 1) / 2];
  at[i] = e;
}

static uint32_t todo_pop(Order *order) {
  uint32_t *const at = order->todo.at;
  const uint32_t top = at[0], last = at[--order->todo.n], n = order->todo.n;
  uint32_t i = 0;
  for (uint32_t child = 1; child < n; child = 2 * i + 1) {
    if (child + 1 < n && at[child + 1] > at[child]) child++;
    if (at[child] < last) break;
    at[i] = at[child];
    i = child;
  }
  at[i] = last;
  return top;
}

/* The causes of a preset belong to the sides given. */
static void reach(Order *order, uint32_t trans, uint32_t pre, uint8_t sides) {
  const Input *inputs = branch_pre(order->branch, pre);
  for (uint32_t i = net_pre(order->branch->net, (TransId){trans}).n; i-- > 0;) {
    const uint32_t producer = inputs[i].producer;
    if (producer == NONE) continue;
    const uint8_t old = order->sides.at[producer], new = old | sides;
    if (old == new) continue;
    order->sides.at[producer] = new;
    if (!old) todo_push(order, producer);
    if (new != BOTH) order->n_single++;
    else if (old) order->n_single--;
  }
}

static void add_item(Order *order, uint32_t trans, uint32_t depth, uint8_t side) {
  vec_push(order->branch->heap, &order->items, ((OrderItem){depth, trans, side == FIRST ? 1 : -1}));
}

static void start(Order *order, uint32_t ext, uint8_t side) {
  const Ext *from = &order->branch->exts.at[ext];
  add_item(order, from->trans, branch_depth(order->branch, from->trans, from->pre), side);
  reach(order, from->trans, from->pre, side);
}

/* Fills `items` with the symmetric difference. */
static void find_difference(Order *order, uint32_t a, uint32_t b) {
  vec_clear(&order->items);
  vec_resize_zeroed(order->branch->heap, &order->sides, order->branch->events.n);
  start(order, a, FIRST);
  start(order, b, SECOND);
  while (order->n_single) {
    const uint32_t e = todo_pop(order);
    const Event *event = &order->branch->events.at[e];
    const uint8_t side = order->sides.at[e];
    order->sides.at[e] = 0;
    if (side != BOTH) {
      order->n_single--;
      add_item(order, event->trans, event->depth, side);
    }
    reach(order, event->trans, event->pre, side);
  }
  for (; order->todo.n; order->todo.n--) order->sides.at[vec_last(&order->todo)] = 0;
}

/* Compares the words of all items, or (depth not 0) of those of one depth: the shorter one is smaller; of two of one
 * length the lexicographically smaller one, which has more of the least transition in which they differ. Negative where
 * the first is the smaller one. */
static int32_t compare_words(Order *order, uint32_t depth) {
  int32_t longer = 0, result = 0;
  uint32_t least = NONE;
  const OrderItem *const end = order->items.at + order->items.n;
  for (const OrderItem *item = order->items.at; item < end; item++) {
    if (depth && item->depth != depth) continue;
    order->balance[item->trans] += item->side;
    longer += item->side;
  }
  for (const OrderItem *item = order->items.at; item < end; item++) {
    if (depth && item->depth != depth) continue;
    if (order->balance[item->trans] != 0 && item->trans < least) {
      least = item->trans;
      result = -order->balance[least];
    }
  }
  for (const OrderItem *item = order->items.at; item < end; item++) order->balance[item->trans] = 0;
  return longer ? longer : result;
}

/* The least depth of an item that is greater than the one given; NONE if there is none. */
static uint32_t next_depth(const Order *order, uint32_t depth) {
  uint32_t next = NONE;
  for (uint32_t i = 0; i < order->items.n; i++)
    if (order->items.at[i].depth > depth && order->items.at[i].depth < next) next = order->items.at[i].depth;
  return next;
}

/* The first level in which there are items decides nearly always, so they are not sorted. */
bool erv_before(Order *order, uint32_t a, uint32_t b) {
  find_difference(order, a, b);
  int32_t result = compare_words(order, 0);
  for (uint32_t depth = next_depth(order, 0); !result && depth != NONE; depth = next_depth(order, depth))
    result = compare_words(order, depth);
  return result < 0;
}
