#!/bin/sh
# Says to the run of a queue what is to become of it after the cells that run now. Values come in the environment, from stdin:
#   LEASEHOLD_MARK  a nonce
#   LEASEHOLD_ID    the run
#   LEASEHOLD_WISH  pause, go-on, or stop
# Prints "<mark> done", or "<mark> refused <why>".
set -u
umask 077
LC_ALL=C
export LC_ALL
mark=$LEASEHOLD_MARK
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
# shellcheck source=resources/onbox/parts/run-folder.sh
. ./parts/run-folder.sh
# shellcheck source=resources/onbox/parts/why-not.sh
. ./parts/why-not.sh

say() { printf '%s %s\n' "$mark" "$*"; }
is_run_id "$LEASEHOLD_ID" || exit 2
folder=$state/$LEASEHOLD_ID
[ -d "$folder" ] || { say refused no-queue && exit 0; }
[ ! -e "$folder/end" ] || { say refused over && exit 0; }
mark_it() { # file
  [ -e "$1" ] || put_once "$1" "asked $(date +%s)" || [ -e "$1" ]
}
case $LEASEHOLD_WISH in
  pause) mark_it "$folder/pause" ;;
  go-on) said=$(rm -f "$folder/pause" 2>&1) ;;
  stop) mark_it "$folder/stop-after" ;;
  *) exit 2 ;;
esac || { say refused "$(why_not not-writable "$folder")" && exit 0; }
say 'done'
