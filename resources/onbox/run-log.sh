#!/bin/sh
# Follows the log of one run, or of one cell of its queue. Reads nothing but that, and is gone once its stdin ends: nothing stays when the link is cut.
#   LEASEHOLD_MARK   a nonce
#   LEASEHOLD_ID     the run
#   LEASEHOLD_QUEUE  the run whose folder holds the queue, and
#   LEASEHOLD_CELL   the index of the cell; empty: the log of the run itself
#   LEASEHOLD_FROM   the byte to go on from; empty: so many last ones, LEASEHOLD_LAST
#   LEASEHOLD_UNTIL  the byte to end before, of what is already there; empty: follow
# Prints "<mark> from <byte> of <size>" or "<mark> none" on a line, then the bytes of the log and nothing else. Ends with 0 when the run
# or the cell is over or that byte reached, and all is read; with 3 where the log has become shorter than what was read, or is another file.
# Where it was renamed: with 5, when it is still written to, and can be followed on from there; with 4, when another one has begun under
# its name, and it was read to its end.
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
# shellcheck source=resources/onbox/parts/file-bytes.sh
. ./parts/file-bytes.sh
# shellcheck source=resources/onbox/parts/run-log-place.sh
. ./parts/run-log-place.sh
find_life
most=1048576

# $size, and $which file that is: another one in its place may be longer already.
look_at_log() {
  which=$(stat -Lc '%i %s' "$log" 2>/dev/null) || which='- 0'
  size=${which##* }
  which=${which%% *}
}
# Its name leads to another file now, or to none.
renamed() {
  find_renamed
  look_at_log
  [ "$which" != "$first" ] || exit 5
  for log in "$named"[.-]*; do
    look_at_log
    [ "$which" = "$first" ] || continue
    # Nothing has begun after it.
    [ -s "$named" ] || return 0
    [ "$size" -le "$at" ] || bytes_of "$log" "$at" "$((size - at))" || exit 1
    exit 4
  done
  exit 3
}
# What the journal (parts/run-queue.sh) said last of the cell; it is read again only once it has grown.
told='' told_size=''
look_at_journal() {
  now=$(stat -Lc %s "$journal" 2>/dev/null)
  [ "$now" != "$told_size" ] || return 0
  told_size=$now
  told=$(awk -v cell="$LEASEHOLD_CELL" '/^(begin|exit|cut) [0-9]+ .* [.]$/ && $2 == cell { said = $1 " " $4 } END { print said }' "$journal" 2>/dev/null)
}
is_over() {
  [ -z "$LEASEHOLD_CELL" ] || {
    look_at_journal
    case $told in
      'exit '* | 'cut '*) return 0 ;;
      'begin '*) is_run_id "${told#* }" && folder=$state/${told#* } ;;
    esac
  }
  [ ! -e "$folder/end" ] || return 0
  [ -e "$folder/go" ] || return 1
  # Of what another machine runs, nothing tells but "end"; to ask whether a person's word about that machine counts may read every log.
  [ "$elsewhere" != "$folder" ] || [ "$looks" -ge "$asked_again" ] || return 1
  elsewhere='' other=''
  lives "$folder" || return 0
  [ -z "$other" ] || elsewhere=$folder asked_again=$((looks + 33))
  return 1
}

[ -d "$folder" ] || { printf '%s none\n' "$mark" && exit 0; }
look_at_log
first=$which
at=$LEASEHOLD_FROM
case $at in
  '' | *[!0-9]*) at=$((size > LEASEHOLD_LAST ? size - LEASEHOLD_LAST : 0)) ;;
esac
[ "$at" -le "$size" ] || exit 3
printf '%s from %s of %s\n' "$mark" "$at" "$size"
if [ -n "$LEASEHOLD_UNTIL" ]; then
  until=$((LEASEHOLD_UNTIL < size ? LEASEHOLD_UNTIL : size))
  [ "$until" -gt "$at" ] || exit 0
  bytes_of "$log" "$at" "$((until - at))" || exit 1
  exit 0
fi

# Ends with our stdin, which is open as long as somebody follows.
exec 3<&0 </dev/null
cat <&3 >/dev/null &
open=$!
exec 3<&-
trap 'kill "$open" 2>/dev/null' EXIT
trap 'exit 1' HUP INT PIPE TERM
looks=0
elsewhere=''
while :; do
  # Asked before the size: what is written until the end is there by then.
  over=no
  is_over && over=yes
  look_at_log
  [ "$first" != - ] || first=$which
  [ "$which" = "$first" ] || renamed
  [ "$size" -ge "$at" ] || exit 3
  if [ "$size" -gt "$at" ]; then
    count=$((size - at < most ? size - at : most))
    bytes_of "$log" "$at" "$count" || exit 1
    at=$((at + count))
    [ "$at" -eq "$size" ] || continue
  fi
  [ "$over" = no ] || exit 0
  { read_entry "$open" && case ${entry##*) } in Z*) false ;; esac } || exit 0
  # Whoever launches a run waits for its first line.
  looks=$((looks + 1))
  if [ "$at" -eq 0 ] && [ "$looks" -lt 20 ]; then sleep 0.05 2>/dev/null && continue; fi
  sleep 0.3 2>/dev/null || sleep 1
done
