#!/bin/sh
# shellcheck disable=SC2154 # limit: time-limit.sh
# Answers in sections: everything stands between "<mark> begin <section>" and "<mark> end <section> <exit code>". The mark is
# a nonce that main makes for each look, so that no banner, no process name and no log line can pretend to be one.
#   LEASEHOLD_MARK  the nonce
mark=$LEASEHOLD_MARK
max_bytes=131072

begin() { printf '\n%s begin %s\n' "$mark" "$1"; }
end() { printf '\n%s end %s %s\n' "$mark" "$1" "$2"; }

# Needs $limit: see time-limit.sh.
section() { # name, command …
  name=$1
  shift
  begin "$name"
  {
    # shellcheck disable=SC2086 # two words or none
    $limit "$@" 2>&1 </dev/null
    end "$name" "$?"
  } | head -c "$max_bytes"
}
