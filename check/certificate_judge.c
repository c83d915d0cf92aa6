/* One pass over the lines. Each is checked when it was read, and nothing is allocated for what a line only announces.
 * Functions that read carry the rule of the grammar that they read. */
#include "check/certificate_judge.h"

#include "check/prefix_read.h"
#include "check/run_read.h"
#include "check/threads_read.h"

#include <inttypes.h>

/* ---- the file ---- */

/* 'causal-certificate' 1 */
static bool read_head(Reader *reader) {
  uint64_t version;
  if (!lines_word(&reader->lines, "causal-certificate"))
    return err_set(reader->err, ERR_INPUT,
                   "%.300s:1: not a certificate: the first line should be 'causal-certificate 1'", reader->lines.name);
  if (!lines_number(&reader->lines, "the version of the format", 1, 1, &version, reader->err)) return false;
  if (!lines_at_end(&reader->lines, reader->err)) return false;
  lines_next(&reader->lines);
  return true;
}

/* 'net' P T A */
static bool read_net(Reader *reader) {
  const Net *net = reader->net;
  const uint64_t most = (uint64_t)1 << 40, n_arcs = (uint64_t)net->n_inputs + net->n_outputs;
  uint64_t p, t, a;
  if (!lines_word(&reader->lines, "net")) return lines_expected(&reader->lines, "'net' and its size", reader->err);
  if (!lines_number(&reader->lines, "a number of places", 0, most, &p, reader->err) ||
      !lines_number(&reader->lines, "a number of transitions", 0, most, &t, reader->err) ||
      !lines_number(&reader->lines, "a number of arcs", 0, most, &a, reader->err) ||
      !lines_at_end(&reader->lines, reader->err))
    return false;
  if (p != net->n_places || t != net->n_trans || a != n_arcs)
    return err_set(reader->err, ERR_INPUT,
                   "%.300s:%zu: a certificate for another net, with %" PRIu64 " places, %" PRIu64
                   " transitions and %" PRIu64 " arcs; this one has %u, %u and %" PRIu64,
                   reader->lines.name, reader->lines.line, p, t, a, net->n_places, net->n_trans, n_arcs);
  lines_next(&reader->lines);
  return true;
}

/* proof* 'end' */
static bool read_proofs(Reader *reader) {
  while (!lines_word(&reader->lines, "end")) {
    bool good;
    if (lines_word(&reader->lines, "run")) good = run_read(reader);
    else if (lines_word(&reader->lines, "prefix")) good = prefix_read_proof(reader);
    else if (lines_word(&reader->lines, "proof")) good = threads_read(reader);
    else if (lines_word(&reader->lines, "part")) good = threads_read_part(reader);
    else if (lines_word(&reader->lines, "with")) good = run_read_instance(reader);
    else if (lines_word(&reader->lines, "complement")) good = prefix_read_complement(reader);
    else
      good = lines_expected(&reader->lines,
                            "a claim that fits here, 'run', 'prefix', 'complement', 'proof', 'part', 'with' or 'end'",
                            reader->err);
    if (!good) return false;
  }
  if (reader->lines.at == reader->lines.end) return true;
  if (!lines_at_end(&reader->lines, reader->err)) return false;
  reader->lines.at++;
  reader->lines.line++;
  return reader->lines.at == reader->lines.end || lines_more(&reader->lines, "'end'", reader->err);
}

Verdict certificate_judge(Heap *heap, const Net *net, const InFile *file, CertificateReport *report, Err *err) {
  *report = (CertificateReport){.heap = heap};
  Reader *reader = reader_new(heap, net, file, report, err);
  const bool holds = read_head(reader) && read_net(reader) && read_proofs(reader);
  reader_free(reader);
  if (holds) return VERDICT_HOLDS;
  certificate_judge_report_fini(report);
  return err->kind == ERR_INPUT ? VERDICT_UNKNOWN : VERDICT_VIOLATED;
}

void certificate_judge_report_fini(CertificateReport *report) {
  for (uint32_t i = 0; i < report->formulas.n; i++) formula_fini(&report->formulas.at[i]);
  vec_fini(report->heap, &report->formulas);
  vec_fini(report->heap, &report->claims);
  vec_fini(report->heap, &report->with);
  vec_fini(report->heap, &report->numbers);
}
