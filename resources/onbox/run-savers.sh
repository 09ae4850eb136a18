#!/bin/sh
# Who saves into what a run will save into, and what lies there. Changes nothing. The rest of stdin: what it will save into, as
# parts/saved-places.sh has it, and "+end". Values come in the environment, from stdin:
#   LEASEHOLD_MARK    a nonce
#   LEASEHOLD_FOLDER  where the run will work
#   LEASEHOLD_AFTER   the run that it goes on after, which it saves into the same as where nothing is said; empty: none
# Prints behind the mark "live <id> <about>" of each run that lives, at most twenty; "over <id> <about>" of the newest that does not;
# "held <how many of the folders hold something>", where they answered in time; "late" where none did; and "whole".
set -u
LC_ALL=C
export LC_ALL
mark=$LEASEHOLD_MARK
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
# shellcheck source=resources/onbox/parts/life.sh
. ./parts/life.sh
# shellcheck source=resources/onbox/parts/run-folder.sh
. ./parts/run-folder.sh
# shellcheck source=resources/onbox/parts/hold.sh
. ./parts/hold.sh
# shellcheck source=resources/onbox/parts/saved-places.sh
. ./parts/saved-places.sh
# shellcheck source=resources/onbox/parts/time-limit.sh
. ./parts/time-limit.sh
# shellcheck source=resources/onbox/parts/places.sh
. ./parts/places.sh
max_past=200

say() { printf '%s %s\n' "$mark" "$*"; }
say_each() { # word
  while IFS= read -r id; do say "$1" "$id $(head -c 1200 "$state/$id/about" 2>/dev/null | tr '\000-\037\177' '?')"; done
}
line_end='
'
lines=$(cat)
case $line_end$lines in *"$line_end+end") lines=${lines%+end} ;; *) exit 0 ;; esac
lines=${lines%"$line_end"}
here=$(life)
limit=$(hard_time_limit 2)
whole_path "$LEASEHOLD_FOLDER"
if [ -z "$lines" ]; then
  is_run_id "$LEASEHOLD_AFTER" && places=$(cat "$state/$LEASEHOLD_AFTER/saves" 2>/dev/null) || places=
elif ! real_places "$lines" "$path" "$limit"; then
  say late
  say whole
  exit 0
fi
# shellcheck disable=SC2046 # ids
if [ -n "$places" ]; then
  sharing "$places" $(living_runs '') | head -n 20 | say_each live
  sharing "$places" $(past_runs "$max_past") | tail -n 1 | say_each over
  # shellcheck disable=SC2016,SC2086 # of the shell that reads it; several words or none
  held=$(printf '%s\n' "$places" | $limit sh -c '
    held=0
    while IFS= read -r line; do
      path=${line#folder }
      [ "$path" != "$line" ] && [ -d "$path" ] || continue
      for entry in "$path"/* "$path"/.[!.]*; do
        [ -e "$entry" ] || continue
        held=$((held + 1))
        break
      done
    done
    printf "%s\n" "$held"' 2>/dev/null) && say held "$held"
fi
say whole
