#!/bin/sh
# shellcheck disable=SC2154 # proc: process-table.sh; whoever needs the life of the machine takes life.sh
# Where waiters have their folders, and how one is told from everything else on the box.
# shellcheck disable=SC2034 # for those who take this part
state=${HOME:-/nonexistent}/.local/state/leasehold/push

# Sets $waiter and $since. Only the very process that was started: its number may be another one's by now, and what nobody waited
# for stays in the table with its start, but without a command line.
is_alive() { # folder
  waiter=
  since=
  { read -r waiter since <"$1/waiter"; } 2>/dev/null || return 1
  case $waiter$since in '' | *[!0-9]*) return 1 ;; esac
  [ "$(start_of "$waiter")" = "$since" ] &&
    tr '\000' ' ' <"$proc/$waiter/cmdline" 2>/dev/null | grep -qF "$1/waiter.sh"
}

# A waiter that posts hears the signal after that, in half a minute at most.
end_waiter() { # folder; fails where it is still there
  is_alive "$1" && kill -TERM "$waiter" 2>/dev/null
  tries=0
  while is_alive "$1" && [ "$tries" -lt 200 ]; do
    [ "$tries" -lt 170 ] || kill -KILL "$waiter" 2>/dev/null
    if sleep 0.2 2>/dev/null; then tries=$((tries + 1)); else
      sleep 1
      tries=$((tries + 5))
    fi
  done
  is_alive "$1" && return 1
  rm -rf "$1" 2>/dev/null
  [ ! -e "$1" ]
}
