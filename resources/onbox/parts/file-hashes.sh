#!/bin/sh
# shellcheck disable=SC2154,SC2086 # hasher: hasher.sh, several words
# " <file>=<SHA-256>" of each of these files that is there and can be read. Needs hasher.sh.
hashes_of() { # folder, files
  folder=$1
  shift
  find_hasher
  [ -n "$hasher" ] || return 0
  for file in "$@"; do
    [ -f "$folder/$file" ] || continue
    sum=$($hasher <"$folder/$file" 2>/dev/null) || continue
    printf ' %s=%s' "$file" "${sum%% *}"
  done
}
