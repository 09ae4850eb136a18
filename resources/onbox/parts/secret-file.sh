#!/bin/sh
# What lies in the place of a secret. Nothing of it is read.
is_own() {
  [ -n "$(find "$1" -prune -user "$(id -u)" 2>/dev/null)" ]
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

# Prints "gone"; "file <rights> <size> <own|foreign>"; "other" for a symlink or folder; or "hidden" where this user may not look.
secret_state() { # path
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
