#!/bin/sh
# Takes a part of a working tree and lets it wait in the folder that it belongs into, where nothing is touched yet. The rest of stdin: a
# tar stream. What was cut off is taken again by a later one: what waits already may stay.
#   LEASEHOLD_MARK     a nonce
#   LEASEHOLD_FOLDER   the folder; made here    LEASEHOLD_TREE   the tree's SHA-256    LEASEHOLD_KEY   see tree-folder.sh
# Prints "<mark> received", or "<mark> refused <why>".
set -u
LC_ALL=C
export LC_ALL
mark=$LEASEHOLD_MARK
# shellcheck source=resources/onbox/parts/places.sh
. ./parts/places.sh
# shellcheck source=resources/onbox/parts/tree-folder.sh
. ./parts/tree-folder.sh
# shellcheck source=resources/onbox/parts/why-not.sh
. ./parts/why-not.sh

refuse() {
  printf '%s refused %s\n' "$mark" "$1"
  exit 0
}
is_hash "$LEASEHOLD_TREE" || refuse no-tree
said=$(mkdir -p "$place" 2>&1) || refuse "$(why_not not-writable "$place")"
[ ! -L "$waiting" ] || refuse not-writable
# What waits of another tree was given up.
for old in "$waiting"/*; do
  [ "$old" = "$staging" ] || rm -rf "$old"
done
said=$(mkdir -p "$staging" 2>&1) || refuse "$(why_not not-writable "$place")"
command -v tar >/dev/null 2>&1 || refuse no-tar
# -o: what arrives belongs to whoever is logged in.
said=$(cd "$staging" && tar -xof - 2>&1) || refuse "$(why_not not-unpacked "$place")"
printf '%s received\n' "$mark"
