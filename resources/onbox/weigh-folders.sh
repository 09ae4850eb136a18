#!/bin/sh
# How much lies in some folders. Changes nothing, and stays on the disk that each is on. The rest of stdin: a folder a line.
#   LEASEHOLD_MARK      a nonce
#   LEASEHOLD_LIMIT_S   so many seconds a folder at most
# Prints "<mark> <no> <KiB>" of each, counted from 0, as soon as it is known; "late" where it takes longer, "gone" where there is no such folder.
set -u
LC_ALL=C
export LC_ALL
# shellcheck source=resources/onbox/parts/places.sh
. ./parts/places.sh
# shellcheck source=resources/onbox/parts/time-limit.sh
. ./parts/time-limit.sh
# Without such words nothing is weighed that could hold this up for ever.
hard_time_limit "$LEASEHOLD_LIMIT_S"
no=0
while IFS= read -r folder; do
  whole_path "$folder"
  said=late
  # shellcheck disable=SC2086 # several words
  case $(kind_in_time "$path" "$limit") in
    missing | other) said=gone ;;
    late) ;;
    *)
      # What it cannot enter it leaves out and says so by its code: then this is not all.
      [ -z "$limit" ] || ! kib=$($limit du -skx -- "$path" 2>/dev/null </dev/null) || said=${kib%%[!0-9]*}
      ;;
  esac
  printf '%s %s %s\n' "$LEASEHOLD_MARK" "$no" "${said:-late}"
  no=$((no + 1))
done
