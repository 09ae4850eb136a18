#!/bin/sh
# Who saves into what a run will save into, and what lies there. Changes nothing. The rest of stdin: what it will save into, as
# parts/saved-places.sh has it, and "+end". Values come in the environment, from stdin:
#   LEASEHOLD_MARK    a nonce
#   LEASEHOLD_FOLDER  where the run will work
#   LEASEHOLD_AFTER   the run that it goes on after, which it saves into the same as where nothing is said; empty: none
# Prints behind the mark "live <id> <about>" of each run that lives, or "elsewhere <id> <about>" where another machine launched it and only that one knows, at most twenty; "over <id> <about>" of the newest that does not;
# "unplaced <id> <about>" of each that lives, at most twenty, or that this one goes on after, where it does not say what it saves into;
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
  while IFS= read -r id; do say "$1" "$id $(about_of "$id")"; done
}
line_end='
'
lines=$(cat)
case $line_end$lines in *"$line_end+end") lines=${lines%+end} ;; *) exit 0 ;; esac
lines=${lines%"$line_end"}
find_life
whole_path "$LEASEHOLD_FOLDER"
after=
! is_run_id "$LEASEHOLD_AFTER" || after=$LEASEHOLD_AFTER
if [ -z "$lines" ]; then
  places=$(saved_by "$state/$after")
elif ! real_places "$lines" "$path"; then
  say late
  say whole
  exit 0
fi
living=$(living_runs '')
for id in $living $after; do
  [ -f "$state/$id/saves" ] || printf '%s\n' "$id"
done | head -n 20 | say_each unplaced
# shellcheck disable=SC2046,SC2086 # ids
if [ -n "$places" ]; then
  sharing "$places" $living | head -n 20 | while IFS= read -r id; do
    word=live
    if launched_elsewhere "$state/$id"; then word=elsewhere; fi
    say "$word" "$id $(about_of "$id")"
  done
  sharing "$places" $(past_runs "$max_past") | tail -n 1 | say_each over
  places_limit "$places"
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
