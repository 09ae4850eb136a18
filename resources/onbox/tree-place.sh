#!/bin/sh
# Moves what waits of a working tree into its folder, each file whole by one rename, removes what was asked for, and keeps what was put
# there. Done again after it was cut off, it goes on.
#   LEASEHOLD_MARK     a nonce
#   LEASEHOLD_FOLDER   the folder    LEASEHOLD_TREE   the tree's SHA-256    LEASEHOLD_KEY   the folder's name among the records
# Waiting are "files", what belongs into the folder; "gone", paths to remove, a NUL behind each; "record", see tree-record.sh.
# Prints "<mark> placed", or "<mark> refused <why>".
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
# shellcheck source=resources/onbox/parts/hasher.sh
. ./parts/hasher.sh
# shellcheck source=resources/onbox/parts/tree-note.sh
. ./parts/tree-note.sh

refuse() {
  printf '%s refused %s\n' "$mark" "$1"
  exit 0
}
is_hash "$LEASEHOLD_TREE" || refuse no-tree
[ -f "$staging/record" ] || refuse nothing-waits
mkdir -p "$staging/files"
cd "$staging/files" 2>/dev/null || refuse not-writable
place=$(cd "$place" && pwd -P) || refuse not-writable
# From here on, and where this stops in the middle, no run begins on it that was told of the tree before.
find_hasher
{ said=$(umask 077 && mkdir -p "$records" 2>&1) && find_note "$place" && said=$(rm -f "$note" 2>&1); } ||
  refuse "$(why_not not-writable "$records")"
# Whole folders where there is none of that name; what the box has already is gone into. One process a folder, for there may be hundreds
# with one changed file each.
place_from() { # folder
  move_from "$1" || return 1
  for each in "$1"/* "$1"/.[!.]* "$1"/..?*; do
    ! is_in_both "$each" || place_from "$each" || return 1
  done
}
move_from() { # folder
  from=$1
  set --
  for each in "$from"/* "$from"/.[!.]* "$from"/..?*; do
    { ! is_in_both "$each" && { [ -e "$each" ] || [ -L "$each" ]; }; } || continue
    set -- "$@" "$each"
    [ $# -lt 100 ] || { mv -f -- "$@" "$place/$from/" && set --; } || return 1
  done
  [ $# -eq 0 ] || mv -f -- "$@" "$place/$from/"
}
is_in_both() { [ -d "$1" ] && [ ! -L "$1" ] && [ -d "$place/$1" ]; }
said=$(place_from . 2>&1) || refuse "$(why_not in-the-way "$place")"
cd "$place" || refuse not-writable
if [ -s "$staging/gone" ]; then
  said=$(xargs -0 rm -f -- <"$staging/gone" 2>&1) || refuse "$(why_not not-writable "$place")"
fi
umask 077
said=$({ mv -f "$staging/record" "$record" && printf '%s\n' "$LEASEHOLD_TREE" >"$note"; } 2>&1) || refuse "$(why_not not-writable "$records")"
rm -rf "$staging"
rmdir "$waiting" 2>/dev/null
printf '%s placed\n' "$mark"
