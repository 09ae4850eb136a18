#!/bin/sh
# Starts one waiter that posts a message when a process has ended (parts/push-waiter.sh), and ends others that wait for the same one.
# What is secret is the rest of stdin, which the waiter alone reads. Values come in the environment, from stdin:
#   LEASEHOLD_MARK   a nonce
#   LEASEHOLD_ID     "p-<pid>-<start>-<nonce>": the waiter's folder, below ~/.local/state/leasehold/push; made here
#   LEASEHOLD_PID    LEASEHOLD_START  the process, and when it began, in clock ticks
#   LEASEHOLD_MAX_S  the longest wait
#   LEASEHOLD_RUN    the id of the launched run that this process keeps; empty: it keeps none
# Prints "<mark> refused <why>" and leaves nothing; or "<mark> armed <pid> <start>" once the waiter has read all and is in the table.
set -u
umask 077
LC_ALL=C
export LC_ALL
mark=$LEASEHOLD_MARK
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
# shellcheck source=resources/onbox/parts/life.sh
. ./parts/life.sh
# shellcheck source=resources/onbox/parts/push-folder.sh
. ./parts/push-folder.sh
# shellcheck source=resources/onbox/parts/time-limit.sh
. ./parts/time-limit.sh
# shellcheck source=resources/onbox/parts/push-post.sh
. ./parts/push-post.sh

refuse() {
  printf '%s refused %s\n' "$mark" "$1"
  exit 0
}
case $LEASEHOLD_ID in '' | *[!a-z0-9-]*) refuse no-id ;; esac
case $LEASEHOLD_RUN in *[!a-z0-9-]*) refuse no-id ;; esac
for number in "$LEASEHOLD_PID" "$LEASEHOLD_START" "$LEASEHOLD_MAX_S"; do
  case $number in '' | *[!0-9]*) refuse no-process ;; esac
done
tool=$(post_tool)
[ "$tool" != none ] || refuse no-tool
{ [ -r "$proc/$$/stat" ] && [ -r "$proc/uptime" ]; } || refuse no-process-table
[ "$(start_of "$LEASEHOLD_PID")" = "$LEASEHOLD_START" ] || refuse gone
mkdir -p "$state" 2>/dev/null
folder=$state/$LEASEHOLD_ID
mkdir "$folder" 2>/dev/null || refuse no-folder # never one that is there already, nor a symlink

has_ended() { # pid; of a child, which nobody may have asked about yet
  read_entry "$1" || return 0
  # shellcheck disable=SC2154 # entry: read_entry
  case ${entry##*) } in Z*) return 0 ;; esac
  return 1
}
write_about() {
  find_life
  printf '%s %s %s %s\n' "$LEASEHOLD_PID" "$LEASEHOLD_START" "$LEASEHOLD_MAX_S" "$tool" && date +%s && printf '%s\n' "$here"
}
write_run() {
  [ -z "$LEASEHOLD_RUN" ] || printf '%s\n' "$LEASEHOLD_RUN" >"$folder/run"
}
{
  cat >"$folder/waiter.sh" && write_about >"$folder/about" && write_run
} <<'WAITER' 2>/dev/null || {
#!/bin/sh
set -u
umask 077
LC_ALL=C
export LC_ALL
. ./parts/process-table.sh
. ./parts/time-limit.sh
. ./parts/push-post.sh
. ./parts/push-waiter.sh
WAITER
  rm -rf "$folder"
  refuse no-write
}
# Through a descriptor of its own: the stdin of what runs in the background is empty otherwise.
exec 3<&0
# No hang-up reaches it; and where the box has setsid, it has a session of its own, which no signal to this one reaches either.
(
  trap '' HUP
  if command -v setsid >/dev/null 2>&1; then exec setsid sh "$folder/waiter.sh" "$folder"; else exec sh "$folder/waiter.sh" "$folder"; fi
) <&3 3<&- >/dev/null 2>&1 &
started=$!
exec 3<&-
tries=0
until is_alive "$folder"; do
  if has_ended "$started"; then
    rm -rf "$folder"
    refuse cut-off
  fi
  if [ "$tries" -ge 100 ]; then
    kill -KILL "$started" 2>/dev/null # a child of ours, whose number nobody else has
    rm -rf "$folder"
    refuse not-started
  fi
  tries=$((tries + 1))
  sleep 0.1 2>/dev/null || { sleep 1 && tries=$((tries + 9)); }
done
printf '%s armed %s %s\n' "$mark" "$waiter" "$since"
for other in "$state/p-$LEASEHOLD_PID-$LEASEHOLD_START-"*; do
  [ "$other" = "$folder" ] || [ ! -d "$other" ] || end_waiter "$other" || printf '%s stays\n' "$mark"
done
