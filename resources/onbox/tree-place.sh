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

refuse() {
  printf '%s refused %s\n' "$mark" "$1"
  exit 0
}
is_hash "$LEASEHOLD_TREE" || refuse no-tree
[ -f "$staging/record" ] || refuse nothing-waits
mkdir -p "$staging/files"
cd "$staging/files" 2>/dev/null || refuse not-writable
place=$(cd "$place" && pwd -P) || refuse not-writable
# Whole folders where there is none of that name; what the box has already is gone into.
place_from() { # folder
  # shellcheck disable=SC2016 # for the shell that xargs starts
  for each in "$1"/* "$1"/.[!.]* "$1"/..?*; do
    if ! is_in_both "$each" && { [ -e "$each" ] || [ -L "$each" ]; }; then printf '%s\0' "$each"; fi
  done | xargs -0 sh -c '[ $# -eq 0 ] || mv -f -- "$@" "$0/"' "$place/$1" || return 1
  for each in "$1"/* "$1"/.[!.]* "$1"/..?*; do
    ! is_in_both "$each" || (place_from "$each") || return 1
  done
}
is_in_both() { [ -d "$1" ] && [ ! -L "$1" ] && [ -d "$place/$1" ]; }
said=$(place_from . 2>&1) || refuse "$(why_not in-the-way)"
cd "$place" || refuse not-writable
if [ -s "$staging/gone" ]; then
  said=$(xargs -0 rm -f -- <"$staging/gone" 2>&1) || refuse "$(why_not not-writable)"
fi
umask 077
said=$({ mkdir -p "$records" && mv -f "$staging/record" "$record"; } 2>&1) || refuse "$(why_not not-writable)"
rm -rf "$staging"
rmdir "$waiting" 2>/dev/null
printf '%s placed\n' "$mark"
