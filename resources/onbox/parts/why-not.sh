#!/bin/sh
# shellcheck disable=SC2154 # for those who take this part
# Why something could not be written, as the shell or the tool in $said has put it.
why_not() { # the word where it said nothing of that, what was written
  case $said in
    *'No space left'*) if lacks_inodes "$2"; then printf no-inodes; else printf disk-full; fi ;;
    *'uota exceeded'*) printf quota ;;
    *'ead-only file system'*) printf read-only ;;
    *) printf "%s" "$1" ;;
  esac
}
# Whether bytes are free where it lies, and no inode is. Not every file system has a count of them.
lacks_inodes() { # path
  there=$1
  while [ ! -e "$there" ] && [ -n "$there" ]; do
    there=${there%"${there##*/}"}
    there=${there%/}
  done
  # shellcheck disable=SC2046 # three numbers
  set -- $(stat -f -c '%a %c %d' -- "${there:-/}" 2>/dev/null </dev/null)
  [ "${1:-0}" -gt 0 ] && [ "${2:-0}" -gt 0 ] && [ "${3:-1}" -eq 0 ]
}
