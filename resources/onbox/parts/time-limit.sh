#!/bin/sh
# shellcheck disable=SC2034 # for who asks for it
# Sets $limit to the words that end a command in time. Of two kinds of timeout only this one takes the seconds as a word; where there is
# none, they are none, and main's own limit remains. A test whose machine may stand still for longer sets LEASEHOLD_PATIENCE_S.
# Asked once, since a launch sets a dozen limits, and only by who sets one: it takes two programs.
knows_limits=
set_limit() { # the words, seconds
  if [ -z "$knows_limits" ]; then
    knows_limits=no
    timeout -s KILL 60 true 2>/dev/null && knows_limits=yes
  fi
  limit=
  [ "$knows_limits" = no ] || limit="$1 ${LEASEHOLD_PATIENCE_S:-$2}"
}
time_limit() { set_limit timeout "$1"; } # seconds
# For what may lie on a server that went away: who waits for that hears no other signal.
hard_time_limit() { set_limit 'timeout -s KILL' "$1"; } # seconds
