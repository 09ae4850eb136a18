#!/bin/sh
# A part of one file in a results folder. Reads nothing but that.
#   LEASEHOLD_MARK     a nonce
#   LEASEHOLD_FOLDER   where the run works, and LEASEHOLD_RESULTS the folder, from there on or as a whole path
#   LEASEHOLD_FILE     the file, from that folder on
#   LEASEHOLD_FROM     the byte to go on from, and LEASEHOLD_MOST so many of them at most
#   LEASEHOLD_BARE     "yes": the bytes are printed alone, for a way home that was seen to add nothing
#   LEASEHOLD_HASH     "yes": their SHA-256 is printed in their place, as the hashing tool prints it; nothing where there is no such tool
#   LEASEHOLD_WHICH    which file that is, as this told it before: one that was renamed since, as logrotate does it, is read beside its
#                      name; "-": not known; empty: not asked
# Prints "<mark> from <byte> of <size>" on a line, with " in <which>" and maybe " renamed" behind it where that was asked, then the bytes
# and nothing else. Ends with 3 where the file is shorter than that or gone.
set -u
LC_ALL=C
export LC_ALL
# shellcheck source=resources/onbox/parts/places.sh
. ./parts/places.sh
# shellcheck source=resources/onbox/parts/file-bytes.sh
. ./parts/file-bytes.sh
# shellcheck source=resources/onbox/parts/hasher.sh
. ./parts/hasher.sh
whole_path "$LEASEHOLD_FOLDER"
base=$path
whole_path "$LEASEHOLD_RESULTS"
case $path in /*) ;; *) path=$base/$path ;; esac
file=$path/$LEASEHOLD_FILE
# No pipe or device: reading one would take from whoever waits for it.
is_plain() { [ -f "$1" ] && [ ! -h "$1" ]; }
in=
if [ -n "${LEASEHOLD_WHICH:-}" ]; then
  which=$(stat -c %i "$file" 2>/dev/null)
  if [ "$LEASEHOLD_WHICH" != - ] && [ "$which" != "$LEASEHOLD_WHICH" ]; then
    for each in "$file"[.-]*; do
      is_plain "$each" && [ "$(stat -c %i "$each" 2>/dev/null)" = "$LEASEHOLD_WHICH" ] || continue
      file=$each
      in=" in $LEASEHOLD_WHICH renamed"
    done
    [ -n "$in" ] || exit 3
  else in=" in ${which:--}"; fi
fi
is_plain "$file" || exit 3
size=$(stat -c %s "$file" 2>/dev/null) || exit 3
from=$LEASEHOLD_FROM
[ "$from" -le "$size" ] || exit 3
[ "${LEASEHOLD_BARE:-}" = yes ] || printf '%s from %s of %s\n' "$LEASEHOLD_MARK" "$from" "$size$in"
count=$((size - from < LEASEHOLD_MOST ? size - from : LEASEHOLD_MOST))
asked_bytes() { [ "$count" -eq 0 ] || bytes_of "$file" "$from" "$count"; }
if [ "${LEASEHOLD_HASH:-}" = yes ]; then
  find_hasher
  # shellcheck disable=SC2086,SC2090 # several words; quotes in it are its own
  [ -z "$hasher" ] || asked_bytes | $hasher
else asked_bytes; fi
