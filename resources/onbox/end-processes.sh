#!/bin/sh
# Sends one signal to processes that a person named, each only if it still is the very one that they saw: the same boot, the
# same number, the same start. Then waits for their ends. Prints "<mark> <pid> <word>" lines:
#   sent, then ended or left <state> · gone · other · denied · protected
# and at last "<mark> whole". Values come in the environment, from stdin:
#   LEASEHOLD_MARK       a nonce
#   LEASEHOLD_BOOT       the boot id that they saw; empty: the box tells none
#   LEASEHOLD_PROCESSES  "pid:start pid:start …", the start in clock ticks since the boot
#   LEASEHOLD_SIGNAL     TERM or KILL; 0 ends nothing, and tells what became of them after a signal whose answer was lost
#   LEASEHOLD_WAIT       seconds
set -u
LC_ALL=C
export LC_ALL
mark=$LEASEHOLD_MARK
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
# shellcheck source=resources/onbox/parts/own-session.sh
. ./parts/own-session.sh

say() { printf '%s %s\n' "$mark" "$*"; }
is_number() { case $1 in '' | *[!0-9]*) return 1 ;; esac; }

case $LEASEHOLD_SIGNAL in TERM | KILL | 0) ;; *) exit 2 ;; esac
is_number "$LEASEHOLD_WAIT" || exit 2

own=" $(own_session | tr '\n' ' ')"

boot=$(head -c 100 "$proc/sys/kernel/random/boot_id" 2>/dev/null)
waiting=
for each in $LEASEHOLD_PROCESSES; do
  pid=${each%%:*} start=${each#*:}
  is_number "$pid" && is_number "$start" || exit 2
  case $own in
    *" $pid "*) is_protected=1 ;;
    *) is_protected=0 ;;
  esac
  # Nothing stands between this look and the signal.
  now=$(start_of "$pid")
  if [ "$is_protected" -eq 1 ] || [ "$pid" -le 1 ]; then
    say "$pid" protected
  elif [ -z "$now" ]; then
    say "$pid" gone
  elif [ "$now" != "$start" ] || [ "$boot" != "$LEASEHOLD_BOOT" ]; then
    say "$pid" other
  elif kill -s "$LEASEHOLD_SIGNAL" "$pid" 2>/dev/null; then
    say "$pid" sent
    waiting="$waiting $each"
  elif [ "$(start_of "$pid")" = "$start" ]; then
    say "$pid" denied
  else
    say "$pid" gone
  fi
done

# A zombie has ended: it holds nothing any more, and only its parent can take it off the list.
is_left() { [ "$(start_of "${1%%:*}")" = "${1#*:}" ] && [ "$(fields_of "${1%%:*}" | cut -c 1)" != Z ]; }

tries=0
while [ -n "$waiting" ] && [ "$tries" -lt $((LEASEHOLD_WAIT * 5)) ]; do
  left=
  for each in $waiting; do
    if is_left "$each"; then left="$left $each"; else say "${each%%:*}" ended; fi
  done
  waiting=$left
  [ -n "$waiting" ] || break
  if sleep 0.2 2>/dev/null; then tries=$((tries + 1)); else
    sleep 1
    tries=$((tries + 5))
  fi
done
for each in $waiting; do
  if is_left "$each"; then say "${each%%:*}" left "$(fields_of "${each%%:*}" | cut -c 1)"; else say "${each%%:*}" ended; fi
done
say whole
