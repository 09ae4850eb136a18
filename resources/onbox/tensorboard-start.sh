#!/bin/sh
# Starts TensorBoard so that it outlives this connection. Its values come in the environment, from stdin:
#   LEASEHOLD_LOGDIR  the log folder      LEASEHOLD_PORT  the port, on the loopback only
# Prints "started <pid>" and "log <file>"; or "no-tensorboard", or "no-folder". Its log and its pid are kept in one folder.
set -eu
umask 077
state=${XDG_STATE_HOME:-$HOME/.local/state}/leasehold/tensorboard

[ -d "$LEASEHOLD_LOGDIR" ] || {
  echo no-folder
  exit 0
}
if command -v tensorboard >/dev/null 2>&1; then
  set -- tensorboard
elif python3 -c 'import tensorboard' >/dev/null 2>&1; then
  set -- python3 -m tensorboard.main
else
  echo no-tensorboard
  exit 0
fi
mkdir -p "$state"
log=$state/$LEASEHOLD_PORT.log
set -- "$@" --logdir "$LEASEHOLD_LOGDIR" --port "$LEASEHOLD_PORT" --host 127.0.0.1
# A session of its own where the box has setsid; nohup everywhere. stdin is closed: TensorBoard must never wait for it.
if command -v setsid >/dev/null 2>&1; then
  setsid nohup "$@" </dev/null >"$log" 2>&1 &
else
  nohup "$@" </dev/null >"$log" 2>&1 &
fi
pid=$!
printf '%s\n' "$pid" >"$state/$LEASEHOLD_PORT.pid"
echo "started $pid"
echo "log $log"
