#!/bin/sh
# soname.sh LIBRARY COMPILER...: the file that programs linked with -lLIBRARY would load: libgvc.so.6 for gvc. The further
# words are the compiler and where it finds the library.
library=$1
shift
linked=$(mktemp) || exit 1
trap 'rm -f "$linked"' EXIT
# shellcheck disable=SC2016
echo 'int nothing;' | "$@" -x c - -shared -fPIC -Wl,--no-as-needed "-l$library" -o "$linked" 2>/dev/null &&
  name=$(readelf -d "$linked" 2>/dev/null | sed -n "s/.*(NEEDED).*\[\(lib$library\.[^]]*\)\].*/\1/p")
echo "${name:-lib$library.so}"
