#include "petri/llnet.h"
#include "petri/text_out.h"

static void put_name(TextOut *out, const char *name) {
  text_out_bytes(out, "\"", 1);
  for (; *name; name++) {
    const unsigned char c = (unsigned char)*name;
    text_out_bytes(out, c < 0x20 || c == 0x7f ? "_" : c == '"' ? "'" : name, 1);
  }
  text_out_bytes(out, "\"", 1);
}

static void put_node(TextOut *out, uint32_t index, const char *name, bool marked) {
  text_out_number(out, (uint64_t)index + 1);
  put_name(out, name);
  text_out_string(out, marked ? "0@0M1\n" : "0@0\n");
}

static void put_arc(TextOut *out, uint32_t from, const char *arrow, uint32_t to) {
  text_out_number(out, (uint64_t)from + 1);
  text_out_bytes(out, arrow, 1);
  text_out_number(out, (uint64_t)to + 1);
  text_out_bytes(out, "\n", 1);
}

bool llnet_write(const Net *net, FILE *stream) {
  TextOut out = {.stream = stream, .heap = net->arena.heap};
  text_out_string(&out, "PEP\nPTNet\nFORMAT_N\nPL\n");
  for (uint32_t p = 0; p < net->n_places; p++) put_node(&out, p, net->place_name[p], net->marked[p]);
  text_out_string(&out, "TR\n");
  for (uint32_t t = 0; t < net->n_trans; t++) put_node(&out, t, net->trans_name[t], false);
  text_out_string(&out, "TP\n");
  for (uint32_t t = 0; t < net->n_trans; t++) {
    const PlaceList post = net_post(net, (TransId){t});
    for (uint32_t i = 0; i < post.n; i++) put_arc(&out, t, "<", post.at[i].v);
  }
  text_out_string(&out, "PT\n");
  for (uint32_t t = 0; t < net->n_trans; t++) {
    const PlaceList pre = net_pre(net, (TransId){t});
    for (uint32_t i = 0; i < pre.n; i++) put_arc(&out, pre.at[i].v, ">", t);
  }
  return text_out_end(&out);
}
