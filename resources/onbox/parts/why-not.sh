#!/bin/sh
# shellcheck disable=SC2154 # for those who take this part
# Why something could not be written, as the shell or the tool in $said has put it.
why_not() {
  case $said in
    *'No space left'*) printf disk-full ;;
    *'uota exceeded'*) printf quota ;;
    *'ead-only file system'*) printf read-only ;;
    *) printf "%s" "$1" ;;
  esac
}
