#!/bin/sh
# Starts one waiter that tells an address when a process ends or a marker appears (parts/push-waiter.sh). Values come in the
# environment, from stdin:
#   LEASEHOLD_ID       the folder of this waiter, below ~/.local/state/leasehold/push; its file "url" was sent before
#   LEASEHOLD_PID      LEASEHOLD_START  the process and when it began, in clock ticks; both empty: only the marker
#   LEASEHOLD_MARKER   a file; empty: only the process
#   LEASEHOLD_ENDED    LEASEHOLD_APPEARED  what is posted in each case
# Prints "refused <why>", or "armed <pid> <start>" read back from the process table.
set -u
umask 077
LC_ALL=C
export LC_ALL
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh

refuse() {
  printf 'refused %s\n' "$1"
  exit 0
}
state=${HOME:-/nonexistent}/.local/state/leasehold/push
case $LEASEHOLD_ID in '' | *[!a-z0-9-]*) refuse no-id ;; esac
case $LEASEHOLD_PID$LEASEHOLD_START in *[!0-9]*) refuse no-process ;; esac
folder=$state/$LEASEHOLD_ID
[ -f "$folder/url" ] || refuse no-address
[ -n "$LEASEHOLD_PID$LEASEHOLD_MARKER" ] || refuse nothing-to-wait-for
if command -v curl >/dev/null 2>&1; then
  tool=curl
elif wget --version 2>/dev/null | grep -q '^GNU Wget'; then
  tool=wget # that of busybox takes an address only where everybody can read it
else
  refuse no-tool
fi
[ -r "$proc/self/stat" ] || refuse no-process-table
if [ -n "$LEASEHOLD_PID" ] && [ "$(start_of "$LEASEHOLD_PID")" != "$LEASEHOLD_START" ]; then refuse gone; fi
# What nobody waited for stays in the table with its start, but without a command line.
is_waiter() { tr '\000' ' ' <"$proc/$1/cmdline" 2>/dev/null | grep -qF "$folder/waiter.sh"; }
if [ -s "$folder/waiter" ]; then
  read -r old since <"$folder/waiter"
  { [ "$(start_of "$old")" = "$since" ] && is_waiter "$old"; } && refuse already
fi

printf '%s\n' "$LEASEHOLD_PID" >"$folder/pid"
printf '%s\n' "$LEASEHOLD_START" >"$folder/start"
printf '%s\n' "$LEASEHOLD_MARKER" >"$folder/marker"
printf '%s\n' "$tool" >"$folder/tool"
printf '%s\n' "$LEASEHOLD_ENDED" >"$folder/ended"
printf '%s\n' "$LEASEHOLD_APPEARED" >"$folder/appeared"
rm -f "$folder/result"
cat >"$folder/waiter.sh" <<'WAITER'
. ./parts/process-table.sh
. ./parts/push-waiter.sh
WAITER
# A session of its own where the box has setsid, so that no hang-up reaches it; nohup everywhere.
if command -v setsid >/dev/null 2>&1; then
  setsid nohup sh "$folder/waiter.sh" "$folder" </dev/null >/dev/null 2>&1 &
else
  nohup sh "$folder/waiter.sh" "$folder" </dev/null >/dev/null 2>&1 &
fi
pid=$!
tries=0
while [ "$tries" -lt 50 ] && ! is_waiter "$pid"; do
  tries=$((tries + 1))
  sleep 0.1 2>/dev/null || sleep 1
done
since=$(start_of "$pid")
[ -n "$since" ] || refuse not-started
printf '%s %s\n' "$pid" "$since" >"$folder/waiter"
printf 'armed %s %s %s\n' "$pid" "$since" "$tool"
