#!/bin/sh
# How a TensorBoard that Leasehold started on LEASEHOLD_PORT is doing. The value comes in the environment, from stdin. Prints
# "running" or "ended", then the last lines of its log.
set -eu
state=${XDG_STATE_HOME:-$HOME/.local/state}/leasehold/tensorboard

pid=$(head -c 20 "$state/$LEASEHOLD_PORT.pid" 2>/dev/null || true)
case $pid in
'' | *[!0-9]*) echo ended ;;
*) if kill -0 "$pid" 2>/dev/null; then echo running; else echo ended; fi ;;
esac
tail -c 8192 "$state/$LEASEHOLD_PORT.log" 2>/dev/null | tail -n 20
