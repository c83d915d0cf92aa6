#!/bin/sh
# share.sh TWICE NET...: the share of the unfolder's time, by perf, that two cores could divide: finding the extensions of the
# events of one size. All else has an order: adding events, regions, markings, comparing configurations, the final arrays, and
# the kernel, which gives out memory. TWICE is the program made of twice.c. 2 cores: Amdahl's bound.
command -v perf >/dev/null || { echo "SKIP: no perf"; exit 0; }
twice=$1
shift
data=$(mktemp)
trap 'rm -f "$data"' EXIT
printf '| net                          | extensions | order | kernel | other | 2 cores |\n'
printf '|------------------------------|-----------:|------:|-------:|------:|--------:|\n'
for net; do
  perf record -q -F 2000 -o "$data" "$twice" -s 1 "$net" >/dev/null 2>&1
  perf report -i "$data" --no-children --no-inline -F overhead,sym 2>/dev/null | awk -v net="${net##*/}" '
    BEGIN {
      n = split("visit_watchers missing_condition extend_event config_add config_switch config_undo marks_load marks_toggle " \
                "regions_word add_enabled add_extension needs_others is_complete", names, " ")
      for (i = 1; i <= n; i++) extensions[names[i]] = 1
    }
    $1 !~ /^[0-9.]+%$/ { next }
    $2 == "[k]" { kernel += $1; next }
    $3 in extensions { p += $1; next }
    $3 == "reach" || $3 == "order_before" { order += $1; next }
    { other += $1 }
    END {
      all = p + order + kernel + other
      if (all) printf "| %-28s | %8.0f %% | %3.0f %% | %4.0f %% | %3.0f %% | %7.2f |\n", net, 100 * p / all, 100 * order / all,
                      100 * kernel / all, 100 * other / all, 1 / (1 - p / all / 2)
    }'
done
