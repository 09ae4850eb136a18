#!/bin/sh
# shellcheck disable=SC2034 # for those who take this part
# Folders as a request names them, and what is found there.
whole_path() { # path; the answer is $path
  case $1 in
    \~) path=${HOME:-} ;;
    \~/*) path=${HOME:-}/${1#??} ;;
    *) path=$1 ;;
  esac
}
# What there is of the way to a place. The answer is $near.
nearest() { # path
  near=$1
  while [ ! -e "$near" ] && [ -n "$near" ]; do
    case $near in */*) near=${near%/*} ;; *) near= ;; esac
  done
  near=${near:-/}
}
# Words for a shell of their own, too: whoever asks for a place on a server that went away waits, and only KILL ends that.
# shellcheck disable=SC2016 # of the shell that reads them
kind_words='
  if [ ! -e "$1" ]; then
    printf missing
  elif [ ! -d "$1" ]; then
    printf other
  elif ! (cd "$1") 2>/dev/null; then
    printf closed
  elif [ -w "$1" ]; then
    printf open
  else printf unwritable; fi
'
kind_of() { # path
  eval "$kind_words"
}
# "late": nobody answered for it in that time. A box without such words has a watch of our own, for two seconds.
kind_in_time() { # path, the words of a limit
  # shellcheck disable=SC2086 # several words or none
  if [ -n "$2" ]; then
    $2 sh -c "$kind_words" sh "$1" </dev/null 2>/dev/null || printf late
    return 0
  fi
  {
    sh -c "$kind_words" sh "$1" </dev/null 2>/dev/null &
    asked=$!
    # What prints nothing holds nobody up who reads this.
    (sleep "${LEASEHOLD_PATIENCE_S:-2}" && kill -KILL "$asked") </dev/null >/dev/null 2>&1 &
    watch=$!
    wait "$asked" 2>/dev/null || printf late
    kill "$watch"
  } 2>/dev/null
}
