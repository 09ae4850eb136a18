#!/bin/sh
# Writes what is left on stdin into one file that only its owner can read. The secret itself is never in the environment, in
# an argument or in the output. Values come in the environment, from stdin:
#   LEASEHOLD_PATH    the file; "~/" stands for the home folder
#   LEASEHOLD_SIZE    how many bytes, and LEASEHOLD_SHA256 their SHA-256: a link that is cut must leave no half secret
#   LEASEHOLD_MAY     what the person agreed to: "replace" an existing file, write to a "shared" filesystem
# Prints "ask exists" or "ask shared <type>" and changes nothing; or "refused <why>" and leaves nothing; or, read back from the
# file in its place, "written", "mode", "size", "sha256", "fs".
set -u
umask 077
export LC_ALL=C
# shellcheck source=resources/onbox/parts/hasher.sh
. ./parts/hasher.sh
find_hasher

refuse() {
  echo "refused $1"
  exit 0
}

digest() {
  # shellcheck disable=SC2086,SC2090 # several words
  [ -z "$hasher" ] || $hasher <"$1" 2>/dev/null | sed 's/[^0-9a-f].*//'
}

size_of() {
  wc -c <"$1" | tr -d ' '
}

mode_of() {
  # shellcheck disable=SC2012 # only the first column: a name cannot get into it
  ls -ld "$1" | sed 's/ .*//'
}

is_own() {
  [ -n "$(find "$1" -prune -user "$(id -u)" 2>/dev/null)" ]
}

# Writable by all or by a group, without the sticky bit. A group of the user's own name is nobody else's.
may_others_rename() {
  [ -z "$(find "$1" -prune -perm -1000 2>/dev/null)" ] || return 1
  [ -z "$(find "$1" -prune -perm -0002 2>/dev/null)" ] || return 0
  [ -n "$(find "$1" -prune -perm -0020 2>/dev/null)" ] || return 1
  [ "$(id -gn)" != "$(id -un)" ] || [ -z "$(find "$1" -prune -group "$(id -g)" 2>/dev/null)" ]
}

# The filesystem's type as df says it; empty where it says none.
type_of() {
  df -PT "$1" 2>/dev/null | awk 'NR == 2 { print $2 }'
}

case $LEASEHOLD_PATH in
\~/*)
  [ -d "${HOME:-}" ] || refuse no-home
  path=$HOME/${LEASEHOLD_PATH#??}
  ;;
/*) path=$LEASEHOLD_PATH ;;
*) refuse no-path ;;
esac
folder=${path%/*}
folder=${folder:-/}

# What exists of the way to the file; a filesystem is asked before anything is made on it.
near=$folder
while [ ! -d "$near" ]; do
  { [ -e "$near" ] || [ -L "$near" ]; } && refuse no-folder
  near=${near%/*}
  near=${near:-/}
done
is_asked=
fs=$(type_of "$near")
case $fs in
nfs* | cifs | smb* | fuse* | lustre | beegfs | gpfs | ceph | glusterfs | 9p | virtiofs | afs)
  case " $LEASEHOLD_MAY " in
  *" shared "*) ;;
  *)
    echo "ask shared $fs"
    is_asked=yes
    ;;
  esac
  ;;
esac
[ ! -L "$path" ] || refuse symlink
if [ -e "$path" ]; then
  [ -f "$path" ] || refuse not-a-file
  is_own "$path" || refuse not-yours
  case " $LEASEHOLD_MAY " in
  *" replace "*) ;;
  *)
    echo 'ask exists'
    is_asked=yes
    ;;
  esac
fi
[ -z "$is_asked" ] || exit 0

mkdir -p "$folder" 2>/dev/null || refuse no-folder
# Where others may rename what lies there, or a folder above it, the file could be swapped. Of a link, what it leads to counts.
at=$(cd "$folder" 2>/dev/null && pwd -P) || refuse no-folder
while :; do
  may_others_rename "$at" && refuse open-folder
  [ "$at" != / ] || break
  at=${at%/*}
  at=${at:-/}
done

new=$folder/.leasehold-$$.tmp
trap 'rm -f "$new"' EXIT
trap 'exit 1' HUP INT PIPE TERM
# -C: never into something that is there already, a symlink above all.
(set -C && cat >"$new") 2>/dev/null || refuse no-write
[ "$(size_of "$new")" = "$LEASEHOLD_SIZE" ] || refuse cut-off
[ "$(digest "$new")" = "$LEASEHOLD_SHA256" ] || refuse not-the-same
chmod 600 "$new"
# Some network and Windows filesystems show the same rights whatever is set, and an ACL may give more (a trailing "+").
case $(mode_of "$new") in
-rw------- | -rw-------.) ;;
*) refuse no-rights ;;
esac
case " $LEASEHOLD_MAY " in
*" replace "*)
  if [ -L "$path" ] || [ -d "$path" ]; then refuse symlink; fi
  mv -f "$new" "$path" 2>/dev/null || refuse no-write
  ;;
*)
  # A link replaces nothing that came since we looked. Filesystems without hard links have mv look once more.
  if [ -d "$path" ]; then refuse not-a-file; fi
  if ! ln "$new" "$path" 2>/dev/null; then
    if [ -L "$path" ]; then refuse symlink; fi
    if [ -e "$path" ]; then
      echo 'ask exists'
      exit 0
    fi
    mv -n "$new" "$path" 2>/dev/null || refuse no-write
  fi
  ;;
esac
# Into a folder that came since we looked, both would have put it.
if [ -d "$path" ]; then
  rm -f "$path/${new##*/}"
  refuse not-a-file
fi
rm -f "$new"
trap - EXIT

echo written
echo "mode $(mode_of "$path")"
echo "size $(size_of "$path")"
echo "sha256 $(digest "$path")"
echo "fs $fs"
