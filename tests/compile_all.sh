# compile_all.sh: all sources but those of the recorder, as a compiler sees them. Sourced by tests/portable.sh and tests/narrow.sh.
FOLDERS='base petri program frontend/sml colour prove unfold check trace serial predict predict/profiles predict/locks predict/pushdown predict/analysis ask report libcausal tools'

# COMPILER...: all sources pass
compile_all() {
  good=0
  for folder in $FOLDERS; do
    for file in "$folder"/*.c; do
      case $file in tools/tracerec.c) continue ;; esac
      # shellcheck disable=SC2046 # several words
      "$@" -std=c17 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wswitch-enum -Werror -I. -DVERSION='""' -DLIBGVC='""' -DLIBXML2='""' -DLIBPICOSAT='""' -DLIBJANSSON='""' -DLIBZ='""' -DLIBZSTD='""' \
        -fsyntax-only $(pkg-config --cflags libxml-2.0 libgvc jansson zlib libzstd | sed 's/-I/-isystem /g') "$file" || good=1
    done
  done
  return $good
}
