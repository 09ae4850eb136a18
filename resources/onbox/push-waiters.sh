#!/bin/sh
# Tells which waiters are on this box, and ends one. Values come in the environment, from stdin:
#   LEASEHOLD_MARK  a nonce
#   LEASEHOLD_END   the id of the one that goes, with all that it left; empty: none
# Prints behind the mark: "tool <curl|wget|none>", "table <yes|no>", "now <seconds>"; for each waiter
#   "waiter <id> <alive|dead> <same|other|unknown>", the last one whether the machine has been restarted since it was armed
#   "about <id> <longest wait> <curl|wget> <armed at>" and "result <id> <ended|expired> <delivered|failed> <status> <exit> <seconds>"
# where these are known; "cut" where there are more; and at last "whole".
set -u
LC_ALL=C
export LC_ALL
mark=$LEASEHOLD_MARK
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
# shellcheck source=resources/onbox/parts/life.sh
. ./parts/life.sh
# shellcheck source=resources/onbox/parts/push-folder.sh
. ./parts/push-folder.sh
# shellcheck source=resources/onbox/parts/push-post.sh
. ./parts/push-post.sh

say() { printf '%s %s\n' "$mark" "$*"; }
# What lies in a file may be anything by now: only plain words go out.
words_of() { head -c 200 "$1" 2>/dev/null | tr '\n' ' ' | tr -dc 'a-z0-9/ -'; }

case $LEASEHOLD_END in
  '' | *[!a-z0-9-]*) ;;
  *) [ ! -d "$state/$LEASEHOLD_END" ] || end_waiter "$state/$LEASEHOLD_END" || say stays ;;
esac

say tool "$(post_tool)"
if [ -r "$proc/$$/stat" ] && [ -r "$proc/uptime" ]; then say table yes; else say table no; fi
say now "$(date +%s)"
find_life
told=0
for folder in "$state"/p-*; do
  { [ -d "$folder" ] && [ ! -L "$folder" ]; } || continue
  id=${folder##*/}
  case $id in *[!a-z0-9-]*) continue ;; esac
  if [ "$told" -ge 50 ]; then
    say cut
    break
  fi
  told=$((told + 1))
  standing=dead
  is_alive "$folder" && standing=alive
  # shellcheck disable=SC2046 # words of our own
  set -- $(words_of "$folder/about")
  case ${6:-/} in
    /*) since_then=unknown ;;
    "$here") since_then=same ;;
    *) since_then=other ;;
  esac
  say waiter "$id" "$standing" "$since_then"
  [ "$#" -lt 5 ] || say about "$id" "$3" "$4" "$5"
  [ ! -s "$folder/result" ] || say result "$id" "$(words_of "$folder/result")"
done
say whole
