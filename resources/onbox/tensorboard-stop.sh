#!/bin/sh
# Ends a TensorBoard that tensorboard-start.sh started, and nothing else. LEASEHOLD_PID comes in the environment, from stdin.
# Prints "stopped", or "not-ours".
set -u
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
# shellcheck source=resources/onbox/parts/life.sh
. ./parts/life.sh
# shellcheck source=resources/onbox/parts/own-tensorboards.sh
. ./parts/own-tensorboards.sh

record=
for file in "$state"/*.pid; do
  kept_process "$file" && [ "$own" = "$LEASEHOLD_PID" ] && record=$file
done
if [ -z "$record" ]; then
  echo not-ours
  exit 0
fi
kill -TERM "$LEASEHOLD_PID" 2>/dev/null
tries=0
while kept_process "$record" && [ "$tries" -lt 50 ]; do
  tries=$((tries + 1))
  [ "$tries" -eq 40 ] && kill -KILL "$LEASEHOLD_PID" 2>/dev/null
  sleep 0.1 2>/dev/null || sleep 1
done
rm -f "$record"
echo stopped
