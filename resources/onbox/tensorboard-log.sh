#!/bin/sh
# How a TensorBoard that Leasehold started on LEASEHOLD_PORT is doing. The value comes in the environment, from stdin. Prints
# "starting", "running", "ended", or "none" where nothing shows that it was started; then the last lines of its log.
set -eu
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
# shellcheck source=resources/onbox/parts/life.sh
. ./parts/life.sh
# shellcheck source=resources/onbox/parts/own-tensorboards.sh
. ./parts/own-tensorboards.sh

if kept_process "$state/$LEASEHOLD_PORT.starting"; then
  echo starting
elif kept_process "$state/$LEASEHOLD_PORT.pid"; then
  echo running
elif [ -f "$state/$LEASEHOLD_PORT.pid" ]; then
  echo ended
else
  echo none
fi
[ -f "$state/$LEASEHOLD_PORT.log" ] || exit 0
tail -c 8192 "$state/$LEASEHOLD_PORT.log" 2>/dev/null | tail -n 20
