#!/bin/sh
# Tells which waiters are on this box, and ends one. LEASEHOLD_DISARM comes in the environment, from stdin: the id of the one that
# goes, with its address and all it left; empty: none.
# Prints "tool <curl|wget|none>" and for each waiter "waiter <id> <alive|dead> <pid> <start>", then "marker <path>" and, where it has
# fired, "result <ended|appeared> <delivered|failed> <seconds>".
set -u
LC_ALL=C
export LC_ALL
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
state=${HOME:-/nonexistent}/.local/state/leasehold/push

# Only the very process that was started: its number may be another one's by now.
is_alive() { # folder
  waiter=
  since=
  read -r waiter since 2>/dev/null <"$1/waiter" || return 1
  case $waiter$since in '' | *[!0-9]*) return 1 ;; esac
  [ "$(start_of "$waiter")" = "$since" ] &&
    tr '\000' ' ' <"$proc/$waiter/cmdline" 2>/dev/null | grep -qF "$1/waiter.sh"
}
first() { head -c 1000 "$1" 2>/dev/null | head -n 1 | tr '\000-\037\177' '?' | sed 's/?$//'; }

case ${LEASEHOLD_DISARM:-} in
'' | *[!a-z0-9-]*) ;;
*)
  folder=$state/$LEASEHOLD_DISARM
  if is_alive "$folder"; then
    kill -TERM "$waiter" 2>/dev/null
    tries=0
    while is_alive "$folder" && [ "$tries" -lt 50 ]; do
      tries=$((tries + 1))
      [ "$tries" -eq 40 ] && kill -KILL "$waiter" 2>/dev/null
      sleep 0.1 2>/dev/null || sleep 1
    done
  fi
  is_alive "$folder" || rm -rf "$folder"
  ;;
esac

if command -v curl >/dev/null 2>&1; then
  echo 'tool curl'
elif wget --version 2>/dev/null | grep -q '^GNU Wget'; then
  echo 'tool wget'
else
  echo 'tool none'
fi
for folder in "$state"/*/; do
  folder=${folder%/}
  id=${folder##*/}
  case $id in '' | *[!a-z0-9-]*) continue ;; esac
  standing=dead
  is_alive "$folder" && standing=alive
  printf 'waiter %s %s %s %s\n' "$id" "$standing" "$(first "$folder/pid")" "$(first "$folder/start")"
  printf 'marker %s\n' "$(first "$folder/marker")"
  [ -s "$folder/result" ] && printf 'result %s\n' "$(first "$folder/result")"
done
exit 0
