#!/bin/sh
# The last bytes of what some cells of a queue printed. Changes nothing. Values come in the environment:
#   LEASEHOLD_MARK   a nonce
#   LEASEHOLD_QUEUE  the run whose folder holds the queue
#   LEASEHOLD_CELLS  the indices of the cells, with spaces between
#   LEASEHOLD_LAST   how many bytes of each
# Prints "<mark> cell <index> <bytes of the log>" before each that has a log, and "<mark> whole", each on a line of its own.
set -u
LC_ALL=C
export LC_ALL
mark=$LEASEHOLD_MARK
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
# shellcheck source=resources/onbox/parts/run-folder.sh
. ./parts/run-folder.sh
is_run_id "$LEASEHOLD_QUEUE" || exit 2
case $LEASEHOLD_CELLS in *[!0-9\ ]*) exit 2 ;; esac
case $LEASEHOLD_LAST in '' | *[!0-9]*) exit 2 ;; esac
for index in $LEASEHOLD_CELLS; do
  log=$state/$LEASEHOLD_QUEUE/logs/$index
  size=$(stat -Lc %s "$log" 2>/dev/null) || continue
  printf '\n%s cell %s %s\n' "$mark" "$index" "$size"
  tail -c "$LEASEHOLD_LAST" "$log" 2>/dev/null
done
printf '\n%s whole\n' "$mark"
