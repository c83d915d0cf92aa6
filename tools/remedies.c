#include "tools/remedies.h"

const Remedies TOOL_REMEDIES = {
    .words = {[REMEDY_NO_BLOCK] = " (or use --allow-empty)",
              [REMEDY_NO_TRANSACTION] = "; mark them with ATOMIC_BEGIN(\"name\") in a program, with tracerec run "
                                        "--atomic=FUNCTION (all-functions: every call), or with begin and end events "
                                        "(or use --allow-empty)",
              [REMEDY_NONE_CHOSEN] = " (see --atomic, --except and --suppress)",
              [REMEDY_NO_THREADS] = "; with its NUPN units as threads, --begin=TRANSITION marks a block, and "
                                    "--end=TRANSITION ends it",
              [REMEDY_NO_UNITS] = " (netconv --threads=FILE or --find-threads makes them)",
              [REMEDY_FIXED_NET] = "; --any-number needs a program, or a net that 'sml2net --any-number' made",
              [REMEDY_FIXED_COUNTS] = "; --any-number needs an 'N * { ... }' without -D N",
              [REMEDY_OPEN_COUNT] = " (sml2net and causalcheck: or --any-number)",
              [REMEDY_LOCKS] = "use --sync=none, which ignores the locks, or ",
              [REMEDY_BUDGET] = "; raise --budget to search further",
              [REMEDY_VARIANTS] = "; try --colouring=chain"}};
