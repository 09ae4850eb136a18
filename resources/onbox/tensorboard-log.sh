#!/bin/sh
# How a TensorBoard that Leasehold started on LEASEHOLD_PORT is doing. The value comes in the environment, from stdin. Prints
# "starting", "running", "ended", or "none" where nothing shows that it was started; then the last lines of its log.
set -eu
state=${XDG_STATE_HOME:-$HOME/.local/state}/leasehold/tensorboard

# Whether the process whose pid stands in this file still runs.
is_alive() {
  pid=$(head -c 20 "$1" 2>/dev/null || true)
  case $pid in
  '' | *[!0-9]*) return 1 ;;
  esac
  kill -0 "$pid" 2>/dev/null
}

if is_alive "$state/$LEASEHOLD_PORT.starting"; then
  echo starting
elif is_alive "$state/$LEASEHOLD_PORT.pid"; then
  echo running
elif [ -f "$state/$LEASEHOLD_PORT.pid" ]; then
  echo ended
else
  echo none
fi
[ -f "$state/$LEASEHOLD_PORT.log" ] || exit 0
tail -c 8192 "$state/$LEASEHOLD_PORT.log" 2>/dev/null | tail -n 20
