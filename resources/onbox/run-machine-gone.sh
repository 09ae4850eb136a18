#!/bin/sh
# Writes down in a run's folder what a person says: the machine that launched it is gone for good, so that the run is over. Nobody has seen
# its end, and no look ever writes this.
#   LEASEHOLD_MARK     a nonce
#   LEASEHOLD_ID       the run
#   LEASEHOLD_MACHINE  the machine, as the person was shown it
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

# Whoever still writes has written within that, as a rule.
quiet_s=120
say() { printf '%s %s\n' "$mark" "$*"; }
is_run_id "$LEASEHOLD_ID" || exit 2
folder=$state/$LEASEHOLD_ID
[ -d "$folder" ] || { say refused no-run && exit 0; }
find_life
[ ! -e "$folder/end" ] || { say refused over && exit 0; }
if launched_elsewhere "$folder"; then
  [ "$other" = "$LEASEHOLD_MACHINE" ] || { say refused another-machine && exit 0; }
  find_traces "$folder" || { say refused unseen && exit 0; }
  # By the clock of the disk, since that of another machine may differ.
  put "$folder/clock.$$.tmp" now || { say refused "$(why_not not-writable "$folder")" && exit 0; }
  now=$(stat -c %Y "$folder/clock.$$.tmp" 2>/dev/null)
  rm -f "$folder/clock.$$.tmp"
  [ -n "$now" ] || { say refused unseen && exit 0; }
  [ "$((now - last_trace))" -ge "$quiet_s" ] || { say refused just-written && exit 0; }
  [ ! -d "$folder/machine-gone" ] || [ -h "$folder/machine-gone" ] || { say refused odd && exit 0; }
  # One that was denied since.
  rm -f "$folder/machine-gone" 2>/dev/null
  put_once "$folder/machine-gone" "machine-gone $(date +%s) $other $traces
A person has said that this machine is gone for good. Nobody has seen the end of this run." ||
    { say refused "$(why_not not-writable "$folder")" && exit 0; }
  launched_elsewhere "$folder"
fi
[ -z "$other" ] || { say refused "${doubt:-unseen}" && exit 0; }
[ "$gone" = "$LEASEHOLD_MACHINE" ] || { say refused launched-here && exit 0; }
say 'done'
