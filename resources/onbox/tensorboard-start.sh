#!/bin/sh
# Starts TensorBoard so that it outlives this connection. Its values come in the environment, from stdin:
#   LEASEHOLD_LOGDIR  the log folder      LEASEHOLD_PORT  the port, on the loopback only
# Prints "started <pid>" and "log <file>"; or "no-tensorboard", or "no-folder". Its log and its pid are kept in one folder, and
# this script's own pid for as long as it runs: whoever looks again after a cut link must not take a start for none.
set -eu
umask 077
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
# shellcheck source=resources/onbox/parts/life.sh
. ./parts/life.sh
# shellcheck source=resources/onbox/parts/own-tensorboards.sh
. ./parts/own-tensorboards.sh

[ -d "$LEASEHOLD_LOGDIR" ] || {
  echo no-folder
  exit 0
}
mkdir -p "$state"
rm -f "$state/$LEASEHOLD_PORT.pid"
starting=$state/$LEASEHOLD_PORT.starting
keep_process "$$" "$starting"
if command -v tensorboard >/dev/null 2>&1; then
  set -- tensorboard
elif python3 -c 'import tensorboard' >/dev/null 2>&1; then
  set -- python3 -m tensorboard.main
else
  rm -f "$starting"
  echo no-tensorboard
  exit 0
fi
log=$state/$LEASEHOLD_PORT.log
set -- "$@" --logdir "$LEASEHOLD_LOGDIR" --port "$LEASEHOLD_PORT" --host 127.0.0.1
# A session of its own where the box has setsid; nohup everywhere. stdin is closed: TensorBoard must never wait for it.
if command -v setsid >/dev/null 2>&1; then
  setsid nohup "$@" </dev/null >"$log" 2>&1 &
else
  nohup "$@" </dev/null >"$log" 2>&1 &
fi
pid=$!
keep_process "$pid" "$state/$LEASEHOLD_PORT.pid"
# Before anything is printed: where nobody listens any more, that ends this script.
rm -f "$starting"
echo "started $pid"
echo "log $log"
