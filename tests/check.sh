#!/bin/sh
# check.sh BUILD SEEDS: runs every part of the tests of that build, a folder; `make check` calls it. The last line is
# "N passed, N failed, N skipped"; above it stands what failed and what was left out, and why.
cd "$(dirname "$0")/.." || exit 1
case $1 in /*) build=$1 ;; *) build=$PWD/$1 ;; esac
seeds=$2 logs=$build/check
export BIN="$build/bin" ASAN_OPTIONS="exitcode=99:$ASAN_OPTIONS"
. tests/parts.sh

# What keeps one processor busy for minutes runs beside the others; `limits`, which measures what a run may take, beside none.
beside sweep tests/sweep/run.sh "$build/sweep/sweep"
behind sweep c tests/c.sh
part check tests/check_test.sh
part unit "$build/unit"
part layers tests/layers_test.sh
part narrow tests/narrow.sh
part ask tests/ask/run.sh "$build/ask-programs"
part libcausal tests/libcausal/run.sh "$build"
shown sweep
part cli tests/cli/run.sh
part samples tests/samples.sh
part corpus tests/corpus.sh
part docs tests/docs.sh
part editors tests/editors.sh
# shellcheck disable=SC2016 # the inner shell expands it
part regressions sh -c '"$0" tests/regressions/* | sed "s/^differential:/regressions:/"' "$build/differential"
part differential tests/differential.sh "$build/differential" "$seeds"
part fuzz tests/fuzz/replay.sh "$build"
shown c
part limits tests/limits/run.sh
beside refine tests/refine.sh "$build/refine-programs"
behind refine confirm tests/confirm.sh
behind confirm stress tests/stress.sh
part record tests/record/run.sh
part programs tests/programs.sh
part bugs tests/bugs.sh
shown refine
shown confirm
shown stress
parts_end
