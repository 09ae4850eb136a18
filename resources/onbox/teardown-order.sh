#!/bin/sh
# What was told to end this box, from whatever computer: another one that takes over would not know, and would tell it a second time.
#   LEASEHOLD_MARK  a nonce
#   LEASEHOLD_DO    write, remove, or tell
#   LEASEHOLD_ACT   what the order is known by
#   LEASEHOLD_SAYS  one line about it
# Prints "<mark> order <act> <seconds> <line>" for each that is there then, and "<mark> whole"; "<mark> failed" where it could not, or there are
# more than it tells. Several machines may have one home folder, and one that was stopped starts anew: each note has the life of the machine that
# it was written in, which computers need not agree on, and one that was surely written in another life is none of this machine.
set -u
LC_ALL=C
export LC_ALL
mark=$LEASEHOLD_MARK
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
# shellcheck source=resources/onbox/parts/life.sh
. ./parts/life.sh
fail() {
  printf '%s failed\n' "$mark"
  exit 0
}
# Fails where a folder on the way cannot be entered: what lies behind it is not known.
place_is_there() { # the answer is $there
  there=yes
  at=$HOME
  { [ -d "$at" ] && [ -x "$at" ]; } || return 1
  for part in .local state leasehold teardown; do
    at=$at/$part
    if [ -d "$at" ]; then
      [ -x "$at" ] || return 1
    elif [ -e "$at" ] || [ -L "$at" ]; then
      return 1
    else
      there=no
      return 0
    fi
  done
}
# What is not known of one of them tells them not apart.
differ() { [ -n "$1" ] && [ -n "$2" ] && [ "$1" != "$2" ]; } # words
is_of_another_life() { # life
  case $1 in '' | *[!0-9a-f/-]*) return 1 ;; */*) ;; *) return 1 ;; esac
  differ "${1%%/*}" "${here%%/*}" || differ "${1#*/}" "${here#*/}"
}
case ${HOME:-} in /*) ;; *) fail ;; esac
place=$HOME/.local/state/leasehold/teardown
place_is_there || fail
find_life
case $LEASEHOLD_DO in
  write)
    umask 077
    mkdir -p "$place" 2>/dev/null || fail
    # A line that was cut off is an order, too: its name alone says so.
    { printf '%s %s %s\n' "$(date +%s)" "$here" "$LEASEHOLD_SAYS" >"$place/$LEASEHOLD_ACT"; } 2>/dev/null || fail
    place_is_there || fail
    ;;
  remove) rm -f "$place/$LEASEHOLD_ACT" 2>/dev/null || fail ;;
esac
if [ "$there" = yes ]; then
  [ -r "$place" ] || fail
  told=0
  for each in "$place"/*; do
    [ -f "$each" ] || continue
    said=
    { IFS= read -r said <"$each"; } 2>/dev/null
    seconds=${said%% *}
    rest=${said#"$seconds"}
    rest=${rest# }
    life=${rest%% *}
    ! is_of_another_life "$life" || continue
    case $life in */*) rest=${rest#"$life"} rest=${rest# } ;; esac
    told=$((told + 1))
    [ "$told" -le 50 ] || fail
    printf '%s order %.60s %.20s %.200s\n' "$mark" "${each##*/}" "$seconds" "$rest"
  done
fi
printf '%s whole\n' "$mark"
