#!/bin/sh
# Finds entries by their name in a folder and everything in it. Reads folders and nothing else, and is gone once its stdin ends.
#   LEASEHOLD_MARK     a nonce
#   LEASEHOLD_FOLDER   the folder, whole
#   LEASEHOLD_PATTERN  as find's -iname takes it
# Prints "<mark> folder", each as "<kind> <bytes> <seconds> <mode> <path from there on>" and a NUL as soon as it is found, for a name may
# hold anything else, and "<mark> whole", or "<mark> partly" where something could not be looked into; or "<mark> refused <why>".
# <kind> is f, d, l, or another letter for what is none of these. No link is followed.
set -u
LC_ALL=C
export LC_ALL
mark=$LEASEHOLD_MARK

refuse() {
  printf '%s refused %s\n' "$mark" "$1"
  exit 0
}
[ -d "$LEASEHOLD_FOLDER" ] || refuse not-there
cd "$LEASEHOLD_FOLDER" 2>/dev/null || refuse not-enterable
[ -r . ] || refuse not-enterable
# From the root on, what the kernel tells as files is left out: it changes while it is read, and is no file of anybody.
set -- -iname "$LEASEHOLD_PATTERN"
[ "$(pwd -P)" != / ] || set -- \( -path ./proc -o -path ./sys \) -prune -o "$@"

exec 3<&0 </dev/null
# One process that can be ended, which the shell itself becomes: nothing may go on through a tree of millions once nobody waits.
find_names() {
  if find . -prune -printf '' 2>/dev/null; then
    exec find . "$@" ! -name . -printf '%y %s %Ts %m %P\0'
  fi
  # shellcheck disable=SC2016 # for the shell that find starts
  exec find . "$@" ! -name . -exec sh -c '
    for each; do
      kind=o
      [ ! -f "$each" ] || kind=f
      [ ! -d "$each" ] || kind=d
      [ ! -h "$each" ] || kind=l
      printf "%s %s %s\000" "$kind" "$(stat -c "%s %Y %a" "$each" 2>/dev/null || printf "? ? ?")" "${each#./}"
    done' sh '{}' +
}
printf '%s folder\n' "$mark"
find_names "$@" 2>/dev/null &
finding=$!
# A loop and no program: nothing of it is left once it is ended.
{
  while IFS= read -r _; do :; done
  kill "$finding"
} <&3 >/dev/null 2>&1 &
waiting=$!
exec 3<&-
wait "$finding"
said=$?
kill "$waiting" 2>/dev/null
[ "$said" -eq 0 ] && end=whole || end=partly
printf '\n%s %s\n' "$mark" "$end"
