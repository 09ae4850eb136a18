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
# Prints "<mark> from <byte> of <size>" on a line, with " in <which>" behind it where that was asked, and " renamed" where another one has
# begun under its name, then the bytes and nothing else. Ends with 3 where the file is shorter than that or gone.
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
  # It may be renamed at any moment: what is told and what is read are of the one that is held open.
  named=$file
  which=
  for _ in 1 2 3; do
    file=$named
    in=
    which=$(stat -c %i "$named" 2>/dev/null)
    if [ "$LEASEHOLD_WHICH" != - ] && [ "$which" != "$LEASEHOLD_WHICH" ]; then
      which=$LEASEHOLD_WHICH
      for each in "$named"[.-]*; do
        { is_plain "$each" && [ "$(stat -c %i "$each" 2>/dev/null)" = "$which" ]; } || continue
        file=$each
        # Nothing has begun after it: whoever wrote it may write on.
        [ ! -e "$named" ] || in=' renamed'
      done
    fi
    { is_plain "$file" && command exec 5<"$file"; } 2>/dev/null && [ "$(stat -Lc %i /proc/self/fd/5 2>/dev/null)" = "$which" ] && break
    which=
  done
  [ -n "$which" ] || exit 3
  in=" in $which$in"
  file=/proc/self/fd/5
else is_plain "$file" || exit 3; fi
size=$(stat -Lc %s "$file" 2>/dev/null) || exit 3
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
