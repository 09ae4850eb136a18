#!/bin/sh
# Tells where the links in one folder lead, as they say it themselves. No link is followed, and nothing is changed.
#   LEASEHOLD_MARK     a nonce
#   LEASEHOLD_FOLDER   the folder, as a whole path
#   LEASEHOLD_MOST     so many bytes of the list at most
#   LEASEHOLD_LIMIT_S  so many seconds at most
# Prints "<mark> links" and the folder with no link on its way; then of each link its path from there on, and its target. Behind each of these is a
# NUL, and at last comes "<mark> whole". What is not told, nobody knows.
set -u
LC_ALL=C
export LC_ALL
# shellcheck source=resources/onbox/parts/time-limit.sh
. ./parts/time-limit.sh

if cd -P -- "$LEASEHOLD_FOLDER" 2>/dev/null; then
  printf '%s links\n%s\000' "$LEASEHOLD_MARK" "$(pwd -P)"
  hard_time_limit "$LEASEHOLD_LIMIT_S"
  # shellcheck disable=SC2016,SC2086 # for the shell that find starts; several words or none
  if find . -prune -printf '' 2>/dev/null; then
    $limit find . -type l -printf '%P\0%l\0'
  else
    $limit find . -type l -exec sh -c '
      for each; do
        printf "%s\000" "${each#./}"
        readlink -n "$each"
        printf "\000"
      done' sh '{}' +
  fi 2>/dev/null | head -c "$LEASEHOLD_MOST"
fi
printf '\n%s whole\n' "$LEASEHOLD_MARK"
