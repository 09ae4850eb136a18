#!/bin/sh
# Removes files that were shown, and no other: what lies in the place of one is told from it by its device, number, size and times, and a link on
# the way to it leads nowhere. Reads none of them.
#   LEASEHOLD_MARK     a nonce
#   LEASEHOLD_REMOVE   "no": only looks
# The rest of stdin: "<device> <inode> <bytes> <modified> <changed> <whole path, as printf's %b writes it>" a line.
# Prints "<mark> <no> <word>" for each, counted from 0: "removed", "there", "gone", "changed", or "hidden" where this user may not look.
set -u
LC_ALL=C
export LC_ALL
# shellcheck source=resources/onbox/parts/places.sh
. ./parts/places.sh
# shellcheck source=resources/onbox/parts/fine-times.sh
. ./parts/fine-times.sh

times=$(fine_times)
# In the folder itself, which nobody can put another in the place of.
state() { # name, what stat says of it
  if [ ! -e "./$1" ] && [ ! -L "./$1" ]; then
    echo gone
  elif [ ! -L "./$1" ] && [ "$(stat -c "%d %i %s $times" "./$1" 2>/dev/null)" = "$2" ]; then
    echo there
  else
    echo changed
  fi
}
handle() { # whole path, what stat says of it
  folder=${1%/*}
  folder=${folder:-/}
  nearest "$folder"
  if [ "$near" != "$folder" ]; then
    if [ -x "$near" ]; then echo gone; else echo hidden; fi
    return
  fi
  cd -P "$folder" 2>/dev/null || {
    echo hidden
    return
  }
  if [ "$PWD" != "$folder" ]; then
    echo changed
    return
  fi
  name=${1##*/}
  found=$(state "$name" "$2")
  if [ "$found" != there ] || [ "$LEASEHOLD_REMOVE" = no ]; then
    echo "$found"
    return
  fi
  rm -f "./$name" 2>/dev/null
  found=$(state "$name" "$2")
  [ "$found" = gone ] && found=removed
  echo "$found"
}
no=0
while IFS= read -r line; do
  path=$(printf '%bx' "${line##* }")
  printf '%s %s %s\n' "$LEASEHOLD_MARK" "$no" "$(handle "${path%x}" "${line% *}")"
  no=$((no + 1))
done
