#!/bin/sh
# check.sh BUILD SEEDS: runs every part of the tests of that build, a folder; `make check` calls it. The last line is
# "N passed, N failed, N skipped"; above it stands what failed and what was left out, and why.
cd "$(dirname "$0")/.." || exit 1
case $1 in /*) build=$1 ;; *) build=$PWD/$1 ;; esac
seeds=$2 logs=$build/check
export BIN="$build/bin" ASAN_OPTIONS="exitcode=99:$ASAN_OPTIONS"
. tests/parts.sh

# Two at a time, the long ones first, and what waits for the clock beside what computes.
queue c tests/c.sh
queue unit "$build/unit"
queue sweep tests/sweep/run.sh "$build/sweep/sweep"
queue record tests/record/run.sh
queue differential tests/differential.sh "$build/differential" "$seeds"
queue stress tests/stress.sh
queue refine tests/refine.sh "$build/refine-programs"
queue confirm tests/confirm.sh
queue programs tests/programs.sh
queue bugs tests/bugs.sh
queue cli tests/cli/run.sh
queue libcausal tests/libcausal/run.sh "$build"
queue corpus tests/corpus.sh
queue samples tests/samples.sh
queue narrow tests/narrow.sh
queue check tests/check_test.sh
queue layers tests/layers_test.sh
queue docs tests/docs.sh
queue editors tests/editors.sh
# shellcheck disable=SC2016 # the inner shell expands it
queue regressions sh -c '"$0" tests/regressions/* | sed "s/^differential:/regressions:/"' "$build/differential"
queue fuzz tests/fuzz/replay.sh "$build"
queue ask tests/ask/run.sh "$build/ask-programs"
work 2
# it measures what a run may take
part limits tests/limits/run.sh
parts_end
