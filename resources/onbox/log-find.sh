#!/bin/sh
# Finds lines in the whole log of a run, or of one cell of its queue. Reads nothing but that, and is gone once its stdin ends.
#   LEASEHOLD_MARK   a nonce
#   LEASEHOLD_ID     the run
#   LEASEHOLD_QUEUE  the run whose folder holds the queue, and
#   LEASEHOLD_CELL   the index of the cell; empty: the log of the run itself
#   LEASEHOLD_KIND   "text": lines with this text, in whatever case; "pattern": lines that this extended expression fits
#   LEASEHOLD_WANTED that text or expression
#   LEASEHOLD_MOST   so many lines are told
#   LEASEHOLD_SHOWN  of each so many bytes
# Prints "<mark> size <bytes>", each line as "<byte that it begins at>:<its beginning>", and "<mark> lines <how many there are>".
set -u
LC_ALL=C
export LC_ALL
mark=$LEASEHOLD_MARK
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
# shellcheck source=resources/onbox/parts/run-folder.sh
. ./parts/run-folder.sh
# shellcheck source=resources/onbox/parts/run-log-place.sh
. ./parts/run-log-place.sh

exec 3<&0 </dev/null
cat <&3 >/dev/null &
open=$!
exec 3<&-
trap 'kill "$open" 2>/dev/null' EXIT
trap 'exit 1' HUP INT PIPE TERM

lives() { read_entry "$1" && case ${entry##*) } in Z*) false ;; esac; }
# Not every grep tells where a line begins.
has_places() { [ "$(printf 'a\nb\n' | grep -abF b 2>/dev/null)" = 2:b ]; }
# One process that can be ended, which the shell itself becomes: nothing may go on to read a log of gigabytes once nobody waits.
find_lines() {
  if has_places; then
    kind=-E
    [ "$LEASEHOLD_KIND" = pattern ] || kind=-iF
    # The text comes on stdin: nobody else on the box reads it in a list of processes.
    exec grep -ab "$kind" -f - -- "$log" <<END
$LEASEHOLD_WANTED
END
  fi
  # shellcheck disable=SC2016 # for awk
  exec awk '
    BEGIN {
      wanted = ENVIRON["LEASEHOLD_WANTED"]
      isText = ENVIRON["LEASEHOLD_KIND"] != "pattern"
      if (isText) wanted = tolower(wanted)
    }
    isText ? index(tolower($0), wanted) : $0 ~ wanted { printf "%.0f:%s\n", at, $0 }
    { at += length($0) + 1 }' "$log"
}
search() {
  find_lines &
  finding=$!
  while lives "$finding"; do
    lives "$open" || { kill "$finding" && exit 1; }
    sleep 0.05 2>/dev/null || sleep 1
  done
  wait "$finding"
  # 1: there is no such line.
  [ $? -le 1 ] || printf 'failed\n'
}

printf '%s size %s\n' "$mark" "$(stat -Lc %s "$log" 2>/dev/null || printf 0)"
[ -r "$log" ] || { printf '%s lines 0\n' "$mark" && exit 0; }
search | cut -b "1-$((LEASEHOLD_SHOWN + 16))" | awk -v mark="$mark" -v most="$LEASEHOLD_MOST" '
  $0 == "failed" { hasFailed = 1; next }
  n++ < most { print }
  END { if (!hasFailed) printf "%s lines %d\n", mark, n }'
