#!/bin/sh
# What an end of the box would take besides the results: large files, and what looks like curves, in some folders. Reads folders and no file.
#   LEASEHOLD_MARK     a nonce
#   LEASEHOLD_MOST     so many bytes of the list at most
#   LEASEHOLD_LIMIT_S  so many seconds a folder at most
# The rest of stdin: "look <folder>" and "skip <folder>" lines, whole paths or from the home folder on. What programs bring along is left out
# (own-files.sh), as are other disks than the one that each folder is on.
# Prints "<mark> life <boot id>/<start>", then "<mark> files" and each as "<bytes> <seconds> <path>" and a NUL, for a name may hold anything else;
# where find is GNU's a NUL alone for each other file, so that a million small ones are no silence; behind them "<mark> late" where it took too long, "<mark> partly" where something could not be read, and "<mark> end" unless the list was cut
# off before; at last "<mark> whole".
set -u
LC_ALL=C
export LC_ALL
mark=$LEASEHOLD_MARK
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
# shellcheck source=resources/onbox/parts/life.sh
. ./parts/life.sh
# shellcheck source=resources/onbox/parts/time-limit.sh
. ./parts/time-limit.sh
# shellcheck source=resources/onbox/parts/places.sh
. ./parts/places.sh
# shellcheck source=resources/onbox/parts/find-faults.sh
. ./parts/find-faults.sh
# shellcheck source=resources/onbox/parts/own-files.sh
. ./parts/own-files.sh

find_life
printf '%s life %s\n' "$mark" "$here"
hard_time_limit "$LEASEHOLD_LIMIT_S"
wanted=$(cat)
named() { # word
  printf '%s\n' "$wanted" | while IFS= read -r line; do
    case $line in "$1 "?*) whole_path "${line#"$1 "}" && printf '%s\n' "$path" ;; esac
  done
}
set -f
# What find takes for a pattern is a letter like others.
skipped=$(named skip | sed 's/[][*?\\]/\\&/g')
# shellcheck disable=SC2016 # for the shell that find starts
tell='
  for each; do
    printf "%s %s\000" "$(stat -c "%s %Y" "$each" 2>/dev/null || printf "? ?")" "$each"
  done'
has_printf=yes
find . -prune -printf '' 2>/dev/null || has_printf=no
look_through() { # folder
  set -- "$1" -type f '(' '(' -size +2047 -o -name '*tfevents*' -o -name 'metrics.json' -o -name 'metrics.jsonl' -o -name 'metrics.csv' \
    -o -name '*.wandb' -o -name '*.wandb.synced' -o -path '*/trackio/*.db' ')'
  case $has_printf in
    yes) find_own "$@" -printf '%s %T@ %p\0' -o -printf '\0' ')' ;;
    *) find_own "$@" -exec sh -c "$tell" sh '{}' + ')' ;;
  esac
}
printf '%s files\n' "$mark"
{
  {
    named look | while IFS= read -r folder; do
      ! is_to_be_looked_through "$folder" || look_through "$folder" </dev/null
    done
  } 2>&1 >&3 | tell_faults "$mark" >&3
  printf '\n%s end\n' "$mark" >&3
} 3>&1 2>/dev/null | head -c "$LEASEHOLD_MOST"
printf '\n%s whole\n' "$mark"
