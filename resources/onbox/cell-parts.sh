#!/bin/sh
# The first and the last bytes of some files in results folders of cells. Changes nothing, and reads nothing but those. The rest of stdin:
# for each file its folder and its path from there on, a line each, and "+end". Values come in the environment:
#   LEASEHOLD_MARK    a nonce
#   LEASEHOLD_FOLDER  what the folders are relative to
#   LEASEHOLD_FIRST   so many bytes of the beginning of each, where it is longer than both
#   LEASEHOLD_LAST    so many of its end
# Prints "<mark> part <number of the file> <from> <how many> <bytes of the file>" on a line before the bytes of each part, a line end
# behind them, and "<mark> whole".
set -u
LC_ALL=C
export LC_ALL
mark=$LEASEHOLD_MARK
# shellcheck source=resources/onbox/parts/places.sh
. ./parts/places.sh
# shellcheck source=resources/onbox/parts/file-bytes.sh
. ./parts/file-bytes.sh
whole_path "$LEASEHOLD_FOLDER"
base=$path
part() { # from, how many
  [ "$2" -gt 0 ] || return 0
  printf '%s part %s %s %s %s\n' "$mark" "$at" "$1" "$2" "$size"
  bytes_of "$file" "$1" "$2" </dev/null
  printf '\n'
}
at=0
last=
while IFS= read -r folder; do
  last=$folder
  [ "$folder" = +end ] && break
  IFS= read -r name || break
  at=$((at + 1))
  whole_path "$folder"
  case $path in /*) ;; *) path=$base/$path ;; esac
  file=$path/$name
  # No pipe or device: reading one would take from whoever waits for it.
  if [ ! -f "$file" ] || [ -h "$file" ] || [ ! -r "$file" ]; then continue; fi
  size=$(stat -c %s "$file" 2>/dev/null) || continue
  if [ "$size" -le $((LEASEHOLD_FIRST + LEASEHOLD_LAST)) ]; then
    part 0 "$size"
  else
    part 0 "$LEASEHOLD_FIRST"
    part $((size - LEASEHOLD_LAST)) "$LEASEHOLD_LAST"
  fi
done
[ "$last" = +end ] || exit 1
printf '%s whole\n' "$mark"
