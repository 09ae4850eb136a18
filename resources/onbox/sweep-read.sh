#!/bin/sh
# Reads what a run tells of its sweep. Changes nothing. Values come in the environment:
#   LEASEHOLD_MARK  a nonce
#   LEASEHOLD_ID    the run
# Prints "<mark> sweep", its text, and "<mark> whole"; or "<mark> none".
set -u
LC_ALL=C
export LC_ALL
mark=$LEASEHOLD_MARK
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
# shellcheck source=resources/onbox/parts/run-folder.sh
. ./parts/run-folder.sh
is_run_id "$LEASEHOLD_ID" || exit 2
file=$state/$LEASEHOLD_ID/sweep
[ -f "$file" ] || { printf '%s none\n' "$mark" && exit 0; }
printf '%s sweep\n' "$mark"
head -c 12582912 "$file" | tr '\000-\010\013-\037\177' '?'
printf '\n%s whole\n' "$mark"
