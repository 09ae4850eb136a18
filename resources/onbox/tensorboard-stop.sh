#!/bin/sh
# Ends a TensorBoard that tensorboard-start.sh started, and nothing else. LEASEHOLD_PID comes in the environment, from stdin.
# Prints "stopped", or "not-ours".
set -u
proc=${LEASEHOLD_PROC_ROOT:-/proc}
state=${XDG_STATE_HOME:-$HOME/.local/state}/leasehold/tensorboard
case $LEASEHOLD_PID in
'' | *[!0-9]*)
  echo not-ours
  exit 0
  ;;
esac
record=
for file in "$state"/*.pid; do
  [ -f "$file" ] && [ "$(head -c 20 "$file")" = "$LEASEHOLD_PID" ] && record=$file
done
# A pid that was given to another program since is not ours any more.
if [ -z "$record" ] || ! grep -qs '[t]ensorboard' "$proc/$LEASEHOLD_PID/cmdline"; then
  echo not-ours
  exit 0
fi
kill -TERM "$LEASEHOLD_PID" 2>/dev/null
tries=0
while kill -0 "$LEASEHOLD_PID" 2>/dev/null && [ "$tries" -lt 50 ]; do
  tries=$((tries + 1))
  [ "$tries" -eq 40 ] && kill -KILL "$LEASEHOLD_PID" 2>/dev/null
  sleep 0.1 2>/dev/null || sleep 1
done
rm -f "$record"
echo stopped
