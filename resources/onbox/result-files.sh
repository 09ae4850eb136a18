#!/bin/sh
# Many files of a results folder in one tar stream: a command for each would take longer than its bytes. Reads nothing but those.
#   LEASEHOLD_MARK     a nonce
#   LEASEHOLD_FOLDER   where the run works, and LEASEHOLD_RESULTS the folder, from there on or as a whole path
#   LEASEHOLD_PACK     "yes": the stream is compressed by gzip, where the box has that
#   LEASEHOLD_BARE     "yes": the stream is printed alone, for a way home that was seen to add nothing
# The rest of stdin: the files from that folder on, each after "./" and on a line of its own, without backslashes.
# Prints "<mark> from 0 of 0" on a line, then the stream. Ends with 3 where there is no such folder or no tar. What became no plain file
# or went away is told by its absence: whoever reads compares.
set -u
LC_ALL=C
export LC_ALL
# shellcheck source=resources/onbox/parts/places.sh
. ./parts/places.sh
whole_path "$LEASEHOLD_FOLDER"
base=$path
whole_path "$LEASEHOLD_RESULTS"
case $path in /*) ;; *) path=$base/$path ;; esac
cd "$path" 2>/dev/null || exit 3
command -v tar >/dev/null 2>&1 || exit 3
[ "${LEASEHOLD_BARE:-}" = yes ] || printf '%s from 0 of 0\n' "$LEASEHOLD_MARK"
# Its code says no more than that some file went away.
if [ "${LEASEHOLD_PACK:-}" = yes ] && command -v gzip >/dev/null 2>&1; then
  tar -cf - -T - 2>/dev/null | gzip -1 2>/dev/null || true
else tar -cf - -T - 2>/dev/null || true; fi
