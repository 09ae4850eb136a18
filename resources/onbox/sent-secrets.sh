#!/bin/sh
# Looks at the files that secrets were sent into, and reads none of them. Values come in the environment, from stdin:
#   LEASEHOLD_PATHS   the files, with a blank between them; "~/" stands for the home folder
#   LEASEHOLD_REMOVE  "yes": first removes those that are ordinary files of this user. What else is there stays
# Prints a line for each, in that order: "at <n> gone"; "at <n> file <rights> <size> <own|foreign>"; "at <n> other" for a symlink
# or folder; or "at <n> hidden" where this user may not look.
set -uf
export LC_ALL=C
me=$(id -u)

is_own() {
  [ -n "$(find "$1" -prune -user "$me" 2>/dev/null)" ]
}

# Whether the folder in which it would lie can be searched, or is not there either.
can_look() {
  near=${1%/*}
  near=${near:-/}
  while [ ! -d "$near" ]; do
    near=${near%/*}
    near=${near:-/}
  done
  [ -x "$near" ]
}

look() {
  if [ -L "$1" ]; then
    echo other
  elif [ -f "$1" ]; then
    owner=foreign
    is_own "$1" && owner=own
    # shellcheck disable=SC2012 # its first and fifth column: a name cannot get into them
    ls -ldn "$1" 2>/dev/null | awk -v owner="$owner" '{ print "file", $1, $5, owner }'
  elif [ -e "$1" ]; then
    echo other
  elif can_look "$1"; then
    echo gone
  else
    echo hidden
  fi
}

n=0
for given in $LEASEHOLD_PATHS; do
  case $given in
  \~/*) path=${HOME:-/nonexistent}/${given#??} ;;
  *) path=$given ;;
  esac
  if [ "$LEASEHOLD_REMOVE" = yes ] && [ ! -L "$path" ] && [ -f "$path" ] && is_own "$path"; then
    rm -f "$path" 2>/dev/null
  fi
  echo "at $n $(look "$path")"
  n=$((n + 1))
done
