#!/bin/sh
# install.sh install|uninstall: puts what was built where it belongs, or takes it away again, with the folders that were
# made for it. `make install` calls it, with the GNU directory variables in the environment ($DESTDIR before them all),
# and $B, $INSTALLED, $RECORDER, $C2NET, $LIBRARY, $SONAME, $VERSION of the Makefile.
set -eu
: "${DESTDIR=}"
recorder=$(dirname "$bindir")/lib/tracerec # where tracerec looks for it
made=$DESTDIR$docdir/.folders              # the folders that install has made, outermost first

# all of it, as lines: MODE FILE FOLDER
list() {
  for tool in $INSTALLED; do
    echo "755 bin/$tool $bindir"
    echo "644 $B/man/$tool.1 $mandir/man1"
    echo "644 $B/complete/$tool $datadir/bash-completion/completions"
    echo "644 $B/complete/_$tool $datadir/zsh/site-functions"
    echo "644 $B/complete/$tool.fish $datadir/fish/vendor_completions.d"
  done
  echo "644 $LIBRARY $libdir"
  echo "644 libcausal/libcausal.h $includedir"
  echo "644 libcausal/libcausal.pc $libdir/pkgconfig"
  for file in editors/vim/*/*.vim; do
    folder=${file%/*}
    echo "644 $file $datadir/vim/vimfiles/${folder##*/}"
  done
  for file in README.md NEWS.md LICENSE docs/*.md docs/*.svg docs/*.json docs/tools/*.md samples/*.* samples/*/*.*; do
    folder=$docdir
    case $file in */*) folder=$docdir/${file%/*} ;; esac
    echo "644 $file $folder"
  done
  for file in contrib/README.md contrib/*.sh contrib/slurm/*; do
    mode=644
    case $file in *.sh) mode=755 ;; esac
    echo "$mode $file $datadir/causal/${file%/*}"
  done
  [ -n "$RECORDER$C2NET" ] || return 0
  echo "644 record/causal.h $includedir"
  echo "644 $B/lib/tracerec/causal.h $recorder"
  [ -z "$C2NET" ] || echo "644 $B/lib/tracerec/libstdcxx.cc $recorder"
  [ -n "$RECORDER" ] || return 0
  for file in librecord.a libtsan.a bitcode_note.h; do echo "644 $B/lib/tracerec/$file $recorder"; done
}

# FOLDER: makes it, and notes what was made
make_folder() {
  [ ! -d "$DESTDIR$1" ] || return 0
  make_folder "$(dirname "$1")"
  mkdir "$DESTDIR$1"
  folders="$folders$1
"
}

# MODE FILE FOLDER
put() {
  make_folder "$3"
  case $2 in
  *.pc)
    for name in prefix exec_prefix libdir includedir; do eval "echo \"s|@$name@|\$$name|\""; done |
      sed -f - -e "s|@version@|$VERSION|" "$2.in" >"$DESTDIR$3/${2##*/}"
    chmod "$1" "$DESTDIR$3/${2##*/}"
    ;;
  *) install -m "$1" "$2" "$DESTDIR$3" ;;
  esac
}

install_all() {
  folders=
  mkdir -p "$DESTDIR/"
  lines=$(list)
  while read -r mode file folder; do put "$mode" "$file" "$folder"; done <<END
$lines
END
  ln -sf "${LIBRARY##*/}" "$DESTDIR$libdir/$SONAME"
  ln -sf "$SONAME" "$DESTDIR$libdir/libcausal.so"
  printf '%s' "$folders" >>"$made"
}

uninstall_all() {
  folders=$(cat "$made" 2>/dev/null || :)
  lines=$(list)
  while read -r _ file folder; do rm -f "$DESTDIR$folder/${file##*/}"; done <<END
$lines
END
  rm -f "$DESTDIR$libdir/$SONAME" "$DESTDIR$libdir/libcausal.so"
  rm -rf "$DESTDIR$docdir" "$DESTDIR$recorder" # ours, whichever version put it there
  printf '%s\n' "$folders" | sed '1!G;h;$!d' | while read -r folder; do
    [ -z "$folder" ] || rmdir "$DESTDIR$folder" 2>/dev/null || :
  done
}

"$1"_all
