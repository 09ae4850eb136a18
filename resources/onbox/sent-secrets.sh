#!/bin/sh
# Looks at the files that secrets were sent into, and reads none of them. Values come in the environment, from stdin:
#   LEASEHOLD_PATHS   the files, with a blank between them; "~/" stands for the home folder
#   LEASEHOLD_REMOVE  "yes": first removes those that are ordinary files of this user. What else is there stays
# Prints a line for each, in that order: "at <n> " and what secret-file.sh says of it.
set -uf
export LC_ALL=C
# shellcheck source=resources/onbox/parts/secret-file.sh
. ./parts/secret-file.sh

n=0
for given in $LEASEHOLD_PATHS; do
  case $given in
  \~/*) path=${HOME:-/nonexistent}/${given#??} ;;
  *) path=$given ;;
  esac
  if [ "$LEASEHOLD_REMOVE" = yes ] && [ ! -L "$path" ] && [ -f "$path" ] && is_own "$path"; then
    rm -f "$path" 2>/dev/null
  fi
  echo "at $n $(secret_state "$path")"
  n=$((n + 1))
done
