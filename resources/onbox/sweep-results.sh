#!/bin/sh
# Looks which of these folders hold a file that is not empty, directly or one folder deeper. Changes nothing. The rest of stdin: a folder
# on each line, and "+end". Values come in the environment:
#   LEASEHOLD_MARK    a nonce
#   LEASEHOLD_FOLDER  what they are relative to
# Prints "<mark> empty <line>" for each that holds none, and "<mark> whole"; or "<mark> refused <why>".
set -u
LC_ALL=C
export LC_ALL
mark=$LEASEHOLD_MARK
say() { printf '%s %s\n' "$mark" "$*"; }
refuse() {
  say refused "$1"
  exit 0
}
at_home() { # path
  case $1 in
    \~) path=$HOME ;;
    \~/*) path=$HOME/${1#??} ;;
    *) path=$1 ;;
  esac
}
holds() {
  for file in "$path"/* "$path"/.[!.]* "$path"/*/*; do
    if [ -f "$file" ] && [ -s "$file" ]; then return 0; fi
  done
  return 1
}
at_home "$LEASEHOLD_FOLDER"
cd -- "$path" 2>/dev/null || refuse no-folder
at=0
last=
while IFS= read -r folder; do
  last=$folder
  [ "$folder" = +end ] && break
  at=$((at + 1))
  at_home "$folder"
  holds || say empty "$at"
done
[ "$last" = +end ] || refuse cut-off
say whole
