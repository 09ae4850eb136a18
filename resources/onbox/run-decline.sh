#!/bin/sh
# Writes down that a run which the box has cut off is not to be offered again, here or from any other computer.
#   LEASEHOLD_MARK  a nonce
#   LEASEHOLD_ID    the run
# Prints "<mark> done", or "<mark> refused <why>".
set -u
umask 077
LC_ALL=C
export LC_ALL
mark=$LEASEHOLD_MARK
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
# shellcheck source=resources/onbox/parts/life.sh
. ./parts/life.sh
# shellcheck source=resources/onbox/parts/run-folder.sh
. ./parts/run-folder.sh
# shellcheck source=resources/onbox/parts/why-not.sh
. ./parts/why-not.sh

say() { printf '%s %s\n' "$mark" "$*"; }
is_run_id "$LEASEHOLD_ID" || exit 2
folder=$state/$LEASEHOLD_ID
[ -d "$folder" ] || { say refused no-run && exit 0; }
find_life
if [ ! -e "$folder/end" ] && launched_elsewhere "$folder"; then say refused elsewhere && exit 0; fi
[ -e "$folder/declined" ] || put_once "$folder/declined" "declined $(date +%s)" || [ -e "$folder/declined" ] ||
  { say refused "$(why_not not-writable "$folder")" && exit 0; }
disarm "$folder" || { say refused armed && exit 0; }
say 'done'
