#!/bin/sh
# The SHA-256 of many files of one folder. Reads nothing else, and changes nothing. The rest of stdin: their paths, each after "./", a NUL
# behind each.
#   LEASEHOLD_MARK     a nonce
#   LEASEHOLD_FOLDER   where the run works, and LEASEHOLD_RESULTS the folder, from there on or as a whole path
#   LEASEHOLD_ODD      "yes": the names have line breaks or backslashes in them
#   LEASEHOLD_ALONE    "yes": each is large, and is told as soon as it is known: openssl tells all that it was given at its end
# Prints "<hash> <blank or star><path>" on a line each, as the hashing tool does; of odd names "<hash> =<path in hexadecimal digits>". What it
# cannot read is not told. At last "<mark> whole".
set -u
LC_ALL=C
export LC_ALL
# shellcheck source=resources/onbox/parts/places.sh
. ./parts/places.sh
# shellcheck source=resources/onbox/parts/hasher.sh
. ./parts/hasher.sh
whole_path "$LEASEHOLD_FOLDER"
base=$path
whole_path "$LEASEHOLD_RESULTS"
case $path in /*) ;; *) path=$base/$path ;; esac
find_hasher
if [ -z "$hasher" ] || ! cd "$path" 2>/dev/null; then
  cat >/dev/null
  exit 0
fi
# shellcheck disable=SC2090 # quotes in it are its own
export hasher
# shellcheck disable=SC2016,SC2086,SC2090 # for the shell that xargs starts; several words
if [ "${LEASEHOLD_ODD:-}" = yes ]; then
  xargs -0 sh -c '
    for each; do
      sum=$({ $hasher <"$each"; } 2>/dev/null) || continue
      printf "%.64s =%s\n" "$sum" "$(printf %s "$each" | od -An -v -tx1 | tr -d " \n")"
    done' sh
elif [ "${LEASEHOLD_ALONE:-}" = yes ]; then
  xargs -0 -n 1 $hasher
else
  xargs -0 $hasher
fi 2>/dev/null
printf '%s whole\n' "$LEASEHOLD_MARK"
