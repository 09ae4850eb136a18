#!/bin/sh
# The words that end a command in time. Of two kinds of timeout only this one takes the seconds as a word; where there is none,
# they are none, and main's own limit remains. A test whose machine may stand still for longer sets LEASEHOLD_PATIENCE_S.
# Asked once, since a launch sets a dozen limits.
knows_limits=no
timeout -s KILL 60 true 2>/dev/null && knows_limits=yes
time_limit() { # seconds
  [ "$knows_limits" = yes ] && printf 'timeout %s' "${LEASEHOLD_PATIENCE_S:-$1}"
}
# For what may lie on a server that went away: who waits for that hears no other signal.
hard_time_limit() { # seconds
  [ "$knows_limits" = yes ] && printf 'timeout -s KILL %s' "${LEASEHOLD_PATIENCE_S:-$1}"
}
