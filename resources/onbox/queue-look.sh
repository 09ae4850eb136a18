#!/bin/sh
# One look at a queue: its cells, and what its journal says since the last look. Changes nothing. Values come in the environment:
#   LEASEHOLD_MARK   a nonce
#   LEASEHOLD_QUEUE  the run whose folder holds the queue
#   LEASEHOLD_ID     the newest run that goes on with it
#   LEASEHOLD_KNOWN  what stood behind "cells" the last time, or empty
#   LEASEHOLD_FROM   the byte of the journal to go on from
#   LEASEHOLD_JOB    "yes": also job.sh of the run that made the queue, and the hashes of what that run was launched with
# Prints "<mark> now <seconds>"; "<mark> cells <files>" and, unless those are known, each cell on a line; "<mark> journal <from>" and what
# follows there, up to a bound, and "<mark> more" where that is not all; "<mark> slots" and the cards of each slot of that run on a line, where it has any; "<mark> job" and its text; behind the mark "paused", "stopping",
# "left <processes that outlived that run>", "pruning <cells of whose results some may be removed already>", "hashes <file>=<SHA-256> …"; and "whole".
set -u
LC_ALL=C
export LC_ALL
mark=$LEASEHOLD_MARK
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
# shellcheck source=resources/onbox/parts/life.sh
. ./parts/life.sh
# shellcheck source=resources/onbox/parts/run-folder.sh
. ./parts/run-folder.sh
# shellcheck source=resources/onbox/parts/run-left.sh
. ./parts/run-left.sh
# shellcheck source=resources/onbox/parts/queue-cells.sh
. ./parts/queue-cells.sh
# shellcheck source=resources/onbox/parts/hasher.sh
. ./parts/hasher.sh
# shellcheck source=resources/onbox/parts/file-hashes.sh
. ./parts/file-hashes.sh
max_line=400
max_journal=1048576
max_slots=16384

say() { printf '\n%s %s\n' "$mark" "$*"; }
{ is_run_id "$LEASEHOLD_QUEUE" && is_run_id "$LEASEHOLD_ID"; } || exit 2
case $LEASEHOLD_FROM in '' | *[!0-9]*) exit 2 ;; esac
queue=$state/$LEASEHOLD_QUEUE
run=$state/$LEASEHOLD_ID
find_life

[ -d "$queue/cells" ] || { say none && exit 0; }
say now "$(date +%s)"
# Which files these are, how long, and since when: reading all of it again would cost more than it tells.
sum=$(stat -Lc %i.%s.%Y "$queue"/cells/[0-9][0-9][0-9][0-9] 2>/dev/null | tr '\n' , | tail -c 100000)
say cells "$sum"
[ "$sum" = "$LEASEHOLD_KNOWN" ] ||
  cells_of "$queue" | awk -v most="$max_line" '{ print substr($0, 1, most) }' | tr '\000-\010\013-\037\177' '?'
size=$(stat -Lc %s "$queue/journal" 2>/dev/null) || size=0
from=$LEASEHOLD_FROM
[ "$from" -le "$size" ] || from=0
say journal "$from"
# Byte for byte, so that the reader can count them.
tail -c "+$((from + 1))" "$queue/journal" 2>/dev/null | head -c "$max_journal" | tr -c '\012\040-\176' '?'
[ $((size - from)) -le "$max_journal" ] || say more
if [ -f "$run/slots" ]; then
  say slots
  head -c "$max_slots" "$run/slots" | tr -c '\012\040-\176' '?'
fi
if [ "$LEASEHOLD_JOB" = yes ] && [ -f "$queue/job.sh" ]; then
  say job
  head -c 262144 "$queue/job.sh" | tr '\000-\010\013-\037\177' '?'
  say "hashes$(hashes_of "$queue" job.sh queue.sh copy-cell.sh copy-cells cells/0001)"
fi
[ ! -e "$run/pause" ] || say paused
[ ! -e "$run/stop-after" ] || say stopping
left=$(outlived "$run") || exit 1
[ -z "$left" ] || say "left$left"
pruning=
if [ -n "$(sed -n 2p "$queue/copy-cells" 2>/dev/null)" ]; then
  # Of ten thousand cells few are there: whoever settles a copy removes this of it.
  for each in "$queue"/copies/*/pruning; do
    [ -e "$each" ] || continue
    each=${each%/pruning}
    pruning="$pruning ${each##*/}"
  done
fi
[ -z "$pruning" ] || say "pruning$pruning"
say whole
