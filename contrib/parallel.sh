#!/bin/sh
# parallel.sh [-n SHARES] [-S HOSTS] [-l LIST] FOLDER COMMAND...: checks many inputs, or the blocks of one, with GNU
# parallel, one share per processor at a time. COMMAND is a tool with its options: its inputs are those that LIST, a
# file, names; without -l COMMAND names one program, and its blocks are shared out. SHARES: how many shares (default
# 32). HOSTS: on these machines, over ssh: "4/alpha,8/beta" is alpha with four at a time, and beta with eight; ":" is
# this one. FOLDER, the inputs and the tools are at the same places on all of them. A share that was killed is begun
# again, three times at most, on another machine if there is one. Prints what all come to together, and ends with its
# exit code. Who calls this again with the same FOLDER goes on with it.
usage() {
  echo "usage: parallel.sh [-n SHARES] [-S HOSTS] [-l LIST] FOLDER COMMAND..." >&2
  exit 3
}
here=$(cd "$(dirname "$0")" && pwd)
shares=32 hosts=: list=
while getopts n:S:l: option; do
  case $option in
  n) shares=$OPTARG ;;
  S) hosts=$OPTARG ;;
  l) list=$OPTARG ;;
  *) usage ;;
  esac
done
shift $((OPTIND - 1))
[ $# -ge 2 ] || usage

"$here/make_folder.sh" "$1" "$shares" "$list" || exit 3
folder=$(cd "$1" && pwd)
shift
cp "$here/share.sh" "$folder" || exit 3
[ -z "$list" ] || set -- "$@" --list="$folder/inputs.txt"

# parallel's --quote keeps each word one word, here and on the other machines; PATH is that from which this was called
seq "$shares" | parallel --no-notice --quote --sshlogin "$hosts" --workdir "$PWD" --retries 3 \
  env PATH="$PATH" "$folder/share.sh" "$folder" {} "$shares" "$@" --jobs=1 >&2
exec "$here/sum.sh" "$folder"
