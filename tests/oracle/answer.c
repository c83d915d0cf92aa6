#include "tests/oracle/answer.h"

const char *answer_name(Answer answer) {
  static const char *const names[] = {"atomic", "violated", "unknown"};
  return names[answer];
}

bool answer_check_net(const Net *net, Err *err) {
  if (!net->notes) return err_set(err, ERR_INPUT, "the net has no notes");
  for (uint32_t t = 0; t < net->n_trans; t++)
    if (net_pre(net, (TransId){t}).n == 0)
      return err_set(err, ERR_INPUT, "the transition '%.200s' takes nothing", net->trans_name[t]);
  return true;
}
