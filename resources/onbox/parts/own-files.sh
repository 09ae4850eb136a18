#!/bin/sh
# shellcheck disable=SC2154 # limit, skipped: who takes it, near: places.sh
# Walks a folder past what programs bring along (packages, environments, caches), which is no file of anybody, and past other disks.
# For who takes it: "limit" are the words of a limit, "skipped" are patterns of whole paths, a line each, that are left out besides.
find_own() { # folder, then words of find for what is told
  folder=$1
  shift
  set -- ')' -prune -o "$@"
  IFS='
'
  for each in $skipped; do
    set -- -o -path "$each" "$@"
  done
  IFS=' '
  # A folder there that is asked for by itself is somebody's.
  case $folder in /var/lib/*) ;; *) set -- -o -path '/var/lib/*' "$@" ;; esac
  set -- '(' -name node_modules -o -name site-packages -o -name dist-packages -o -name __pycache__ -o -name .git -o -name .cache \
    -o -name .venv -o -name venv -o -name .conda -o -name 'miniconda*' -o -name 'anaconda*' -o -name miniforge3 -o -name mambaforge \
    -o -name .vscode-server -o -name .cursor-server -o -name .npm -o -name .nv -o -name .triton -o -name .rustup -o -name .cargo \
    -o -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /usr -o -path /etc -o -path /boot -o -path '/lib*' -o -path /snap \
    -o -path '/var/cache' -o -path '*/.local/state/leasehold' "$@"
  # A folder that is a link is looked through as what it leads to.
  # shellcheck disable=SC2086 # several words or none
  $limit find -H "$folder" -xdev "$@"
  printf 'ended %s\n' "$?" >&2
}

# A folder that is there, or that may be there behind one that is closed: the latter is told as a fault of find would be.
is_to_be_looked_through() { # folder
  [ ! -d "$1" ] || return 0
  nearest "$1"
  [ -x "$near" ] || printf '%s: closed\n' "$near" >&2
  return 1
}
