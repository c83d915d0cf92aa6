#!/bin/sh
# submit.sh [-n SHARES] [-r ROUNDS] [-l LIST] FOLDER COMMAND...: checks many inputs, or the blocks of one, on a
# cluster with Slurm. COMMAND is a tool with its options: its inputs are those that LIST, a file, names; without -l
# COMMAND names one program, and its blocks are shared out. Submits a job array of SHARES elements (default 8), and a
# job that adds them up when they have ended: FOLDER/sum.txt. Elements that were killed are submitted again, in ROUNDS
# rounds at most (default 3). Who calls this again with the same FOLDER goes on with it. $CAUSAL_SBATCH: further
# options of sbatch for the elements, such as "--partition=long --cpus-per-task=4". FOLDER, the inputs and the tools
# are where all nodes see them.
usage() {
  echo "usage: submit.sh [-n SHARES] [-r ROUNDS] [-l LIST] FOLDER COMMAND..." >&2
  exit 3
}
here=$(cd "$(dirname "$0")" && pwd)
shares=8 rounds=3 list=
while getopts n:r:l: option; do
  case $option in
  n) shares=$OPTARG ;;
  r) rounds=$OPTARG ;;
  l) list=$OPTARG ;;
  *) usage ;;
  esac
done
shift $((OPTIND - 1))
[ $# -ge 2 ] || usage

"$here/../make_folder.sh" "$1" "$shares" "$list" || exit 3
folder=$(cd "$1" && pwd)
shift
mkdir -p "$folder/log" && cp "$here/../share.sh" "$here/../sum.sh" "$here"/*.sbatch "$folder" || exit 3
[ -z "$list" ] || set -- "$@" --list="$folder/inputs.txt"

export CAUSAL_SBATCH
# shellcheck disable=SC2086 # several words
job=$(sbatch --parsable $CAUSAL_SBATCH --array="1-$shares" --output="$folder/log/%A_%a.txt" \
  "$folder/share.sbatch" "$folder" "$@") || exit 3
job=${job%%;*}
sum=$(sbatch --parsable --dependency=afterany:"$job" --output="$folder/log/sum-%j.txt" \
  "$folder/sum.sbatch" "$folder" "$rounds" "$@") || exit 3
echo "array $job, sum ${sum%%;*}: $folder/sum.txt"
