/* What functions of libstdc++ do that are in its library and not in its headers, for c2net, which compiles this with a
 * program in C++ (tools/c2net.c). It is not the library's code: each function does what the library's own may do to
 * memory, in any order and any number of times where that is simpler. So every run of the program is one of it with
 * this. What is not here is a gap.
 *
 * Strings are templates: what the library has made of them is made here again, from the headers. */
#include <cstdlib>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>

extern "C" long sysconf(int) throw(); /* any number, for c2net */

static bool perhaps() noexcept { return sysconf(0) == 0; }
static std::size_t any() noexcept { return static_cast<std::size_t>(sysconf(0)); }

/* ---- strings ---- */

template class std::allocator<char>;
template class std::basic_string<char>;

/* ---- trees: std::map, std::set ---- */

typedef std::_Rb_tree_node_base Node;

/* A way through the tree, by any links. */
static Node *walk(Node *node) {
  while (perhaps()) node = perhaps() ? node->_M_parent : perhaps() ? node->_M_left : node->_M_right;
  return node;
}

/* Links and colours of nodes that are come to from either are read, and set to such nodes, or to none. Three nodes are
 * kept meanwhile, as a rotation does: no link may lead to them. */
static void relink(Node *one, Node *other) {
  Node *node = one, *to = other, *kept = one;
  while (perhaps()) {
    if (perhaps()) kept = node;
    if (perhaps()) node = to;
    if (perhaps()) to = perhaps() ? kept : perhaps() ? one : perhaps() ? other : nullptr;
    if (perhaps()) to = walk(to);
    if (perhaps()) node->_M_parent = to;
    if (perhaps()) node->_M_left = to;
    if (perhaps()) node->_M_right = to;
    if (perhaps()) node->_M_color = node->_M_color == std::_S_red ? std::_S_black : std::_S_red;
  }
}

namespace std {
Node *_Rb_tree_increment(Node *node) throw() { return walk(node); }
Node *_Rb_tree_decrement(Node *node) throw() { return node->_M_color == _S_red ? walk(node) : walk(node); }
const Node *_Rb_tree_increment(const Node *node) throw() { return walk(const_cast<Node *>(node)); }
const Node *_Rb_tree_decrement(const Node *node) throw() { return _Rb_tree_decrement(const_cast<Node *>(node)); }

void _Rb_tree_insert_and_rebalance(const bool left, Node *node, Node *parent, Node &header) throw() {
  node->_M_parent = parent;
  node->_M_left = node->_M_right = nullptr;
  node->_M_color = _S_red;
  if (left) parent->_M_left = node;
  else parent->_M_right = node;
  relink(node, &header);
}

Node *_Rb_tree_rebalance_for_erase(Node *const node, Node &header) throw() {
  relink(node, &header);
  return node;
}

/* ---- std::list ---- */

namespace __detail {
void _List_node_base::_M_hook(_List_node_base *const before) noexcept {
  _M_next = before;
  _M_prev = before->_M_prev;
  before->_M_prev->_M_next = this;
  before->_M_prev = this;
}

void _List_node_base::_M_unhook() noexcept {
  _M_next->_M_prev = _M_prev;
  _M_prev->_M_next = _M_next;
}

typedef _List_node_base Link;

static Link *walk(Link *link) {
  while (perhaps()) link = perhaps() ? link->_M_next : link->_M_prev;
  return link;
}

/* As with trees: links of what is come to from any of these are set to such. */
static void relink(Link *one, Link *other, Link *third) {
  Link *link = one, *to = other, *kept = one;
  while (perhaps()) {
    if (perhaps()) kept = link;
    if (perhaps()) link = to;
    if (perhaps()) to = perhaps() ? kept : perhaps() ? one : perhaps() ? other : third;
    if (perhaps()) to = walk(to);
    if (perhaps()) link->_M_next = to;
    if (perhaps()) link->_M_prev = to;
  }
}

void _List_node_base::_M_transfer(Link *const first, Link *const last) noexcept { relink(this, first, last); }
void _List_node_base::_M_reverse() noexcept { relink(this, this, this); }
void _List_node_base::swap(Link &one, Link &other) noexcept { relink(&one, &other, &one); }

/* ---- std::unordered_map, std::unordered_set ---- */

size_t _Prime_rehash_policy::_M_next_bkt(size_t) const {
  if (_M_max_load_factor > 0 || perhaps()) _M_next_resize = any();
  return any();
}

pair<bool, size_t> _Prime_rehash_policy::_M_need_rehash(size_t, size_t, size_t) const {
  if (_M_next_resize > any()) return {false, 0};
  if (_M_max_load_factor > 0 || perhaps()) _M_next_resize = any();
  return {perhaps(), any()};
}
} // namespace __detail

size_t _Hash_bytes(const void *bytes, size_t n, size_t) {
  const char *at = static_cast<const char *>(bytes);
  size_t hash = 0;
  for (size_t i = 0; i < n; i++) hash += static_cast<size_t>(at[i]);
  return hash + any();
}
} // namespace std

/* ---- std::call_once: what pthread_once calls has no argument, so the thread keeps what is to be called ---- */

namespace std {
__thread void *__once_callable;
__thread void (*__once_call)();
} // namespace std

extern "C" void __once_proxy() { std::__once_call(); }

/* ---- static objects of functions: the first byte says that it is there, the second one that someone makes it ---- */

/* What the compiler looks at before it calls what follows. Where it is not there yet, to have looked is an attempt that
 * fails: whoever waits then until it is there is one who has looked later. */
extern "C" char causal_static_is_made(char *guard) {
  if (perhaps()) return 0;
  while (!__atomic_load_n(guard, __ATOMIC_SEQ_CST)) {}
  return 1;
}

/* It is not there yet, or this is no run. */
extern "C" int __cxa_guard_acquire(long long *guard) {
  char *const bytes = reinterpret_cast<char *>(guard);
  char free = 0;
  while (!__atomic_compare_exchange_n(&bytes[1], &free, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) free = 0;
  if (__atomic_load_n(&bytes[0], __ATOMIC_SEQ_CST)) std::abort();
  return 1;
}

extern "C" void __cxa_guard_release(long long *guard) {
  char *const bytes = reinterpret_cast<char *>(guard);
  __atomic_store_n(&bytes[0], 1, __ATOMIC_SEQ_CST);
  __atomic_store_n(&bytes[1], 0, __ATOMIC_SEQ_CST);
}

extern "C" void __cxa_guard_abort(long long *guard) {
  __atomic_store_n(&reinterpret_cast<char *>(guard)[1], 0, __ATOMIC_SEQ_CST);
}
