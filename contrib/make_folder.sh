#!/bin/sh
# make_folder.sh FOLDER N [LIST]: makes FOLDER ready for N shares, of what LIST names, unless it is that already.
folder=$1 of=$2 list=$3
case $of in '' | 0* | *[!0-9]*) echo "make_folder.sh: not a number of shares: '$of'" >&2; exit 3 ;; esac
mkdir -p "$folder" || exit 3
if [ -e "$folder/shares" ] && [ "$(cat "$folder/shares")" != "$of" ]; then
  echo "make_folder.sh: $folder: it is for $(cat "$folder/shares") shares, not for $of" >&2
  exit 3
fi
# what is done is looked at again: inputs may have changed since
rm -f "$folder"/*.done "$folder/sum.txt" "$folder/inputs.txt"
[ -z "$list" ] || cp "$list" "$folder/inputs.txt" || exit 3
echo "$of" >"$folder/shares"
