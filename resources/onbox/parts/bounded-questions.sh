#!/bin/sh
# shellcheck disable=SC2154 # limit: time-limit.sh
# Questions to what may lie on a server that went away: asked with an end in time, and not again after two that had none. Needs
# time-limit.sh.
silent=0
quick=
limits() {
  [ -z "$quick" ] || return 0
  hard_time_limit "${LEASEHOLD_LIMIT_S:-3}"
  quick=$limit
}
ask() {
  [ "$silent" -lt 2 ] || return 137
  # shellcheck disable=SC2086 # several words or none
  $quick "$@" 2>/dev/null </dev/null
}
heard() { [ "$1" -ne 137 ] || silent=$((silent + 1)); } # exit code; apart, since what is asked in "$( )" cannot count

one_line() { head -c 1000 | tr '\000-\037\177' '?'; }
