#!/bin/sh
# shellcheck disable=SC2154 # pid, since, during, here: run-folder.sh
# A name that one process at a time holds. Who held it and is gone holds it no more. Needs run-folder.sh, and $here.
hold() { # the name, by which process (number and start), how often it is tried, the pause between
  tries=0
  until put_once "$1" "lock $2 $here"; do
    let_go_of_dead "$1" "$2"
    tries=$((tries + 1))
    [ "$tries" -lt "$3" ] || return 1
    sleep "$4" 2>/dev/null || sleep 1
  done
}
# Only who has a name made of the dead holder's own may remove it, and looks once more before: it may be another one's by then.
let_go_of_dead() { # the name, by which process
  read_process "$1" || return 0
  is_same_alive "$pid" "$since" "$during" && return 0
  set -- "$1" "$2" "$1.$(printf %.40s "$pid-$since" | tr -dc 0-9-)" "$pid $since $during"
  put_once "$3" "lock $2 $here" || {
    # Who was about to remove it may be gone, too.
    let_go_of_dead "$3" "$2"
    return 0
  }
  read_process "$1" && [ "$pid $since $during" = "$4" ] && rm -f "$1"
  rm -f "$3"
}
