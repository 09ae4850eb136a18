#!/bin/sh
# shellcheck disable=SC2154 # state: run-folder.sh
# Where the log of a run lies, or of one cell of its queue: sets $folder, $log and $journal. Needs run-folder.sh.
# shellcheck disable=SC2034 # for those who take this part
is_run_id "$LEASEHOLD_ID" || exit 2
folder=$state/$LEASEHOLD_ID
log=$folder/log
journal=
if [ -n "$LEASEHOLD_CELL" ]; then
  is_run_id "$LEASEHOLD_QUEUE" || exit 2
  case $LEASEHOLD_CELL in *[!0-9]*) exit 2 ;; esac
  journal=$state/$LEASEHOLD_QUEUE/journal
  log=$state/$LEASEHOLD_QUEUE/logs/$LEASEHOLD_CELL
fi
