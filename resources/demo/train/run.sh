#!/bin/sh
# Starts one toy training run and records how it ended, as a launcher on a rented box would.
#   sh ~/train/run.sh
set -u

here=$(cd -- "$(dirname -- "$0")" && pwd) || exit 1
run=$here/runs/$(date '+%Y%m%d-%H%M%S')-$$
mkdir -p "$run/checkpoints" || exit 1

cd "$here" || exit 1
./train.sh "$run" >>"$run/train.log" 2>&1
status=$?
# 128 + signal when it was killed; the shell has then already written "Killed" or "Terminated" to the log's end.
printf '%s\n' "$status" >"$run/exit_status"
exit "$status"
