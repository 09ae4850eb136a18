#!/bin/sh
# shellcheck disable=SC2154,SC2034 # what is taken from run-queue.sh, and set for it
# The list of a queue's cells, as run-queue.sh has it: which is the next one, while others add to it and leave out of it.
cell_at() { # index
  awk -v at="$1" '!/^[+]/ && ++n == at { print; found = 1; exit } END { exit !found }' "$queue"/cells/[0-9][0-9][0-9][0-9]
}
# Sets $text to what stands for it in a line.
plain() {
  text=$1
  case $1 in *\\*) text=$(printf '%bx' "$1") && text=${text%x} ;; esac
}
# For awk: of each cell, state[cell] is "exit <code>", "copied", or "ran" where what is left to do is to copy its results.
# shellcheck disable=SC2016 # for awk
states='
  function read_states(journal, said, word) {
    while ((getline said <journal) > 0) {
      split(said, word, " ")
      if (said ~ /^exit [0-9]+ [0-9]+ [0-9]+ [.]$/) state[word[2]] = "exit " word[3]
      if (said ~ /^ran [0-9]+ [0-9]+ r-[a-z0-9-]+ [.]$/) state[word[2]] = "ran"
      if (said ~ /^copied [0-9]+ [0-9]+ [0-9]+ [.]$/) state[word[2]] = "copied"
    }
  }'
# Goes on to the next cell that is to run: $at, its $line, and $todo, "ran" where its results alone are to be copied. Where none is left
# while others run, only what is added is looked at. The list is read ahead, and anew as soon as anything of it was changed: a person
# leaves out a cell at any moment.
at=0
seen=
ahead=
list=
next_cell() {
  set -- "$queue"/cells/[0-9][0-9][0-9][0-9]
  [ "$#" != "$seen" ] || [ -z "$running" ] || return 1
  # A disk over a network looks anew at what is opened.
  for each; do { IFS= read -r _ <"$each"; } 2>/dev/null; done
  stands=$(stat -Lc %i.%s.%Z.%z "$@" 2>/dev/null)
  if [ -z "$ahead" ] || [ -z "$list" ] || [ "$stands" != "$list" ]; then read_list "$@" || return 1; fi
  if [ -z "$ahead" ]; then
    seen=$#
    return 1
  fi
  line=${ahead%%"$line_end"*}
  case $ahead in *"$line_end"*) ahead=${ahead#*"$line_end"} ;; *) ahead= ;; esac
  at=${line%% *}
  line=${line#* }
  todo=${line%% *}
  line=${line#* }
}
# Fails for as long as the list cannot be relied on, and ends the queue where it stays so. Editors move it away and write it anew, or cut it off
# and fill it: what is read meanwhile has other cells under the same numbers. So what was changed is read once it has stood still for a second.
known=
doubt=
doubts=0
doubted=
doubted_at=
read_list() { # the files of the list
  ask_clock
  [ -z "$doubt" ] || [ "$now" != "$doubted_at" ] || return 1
  doubt=
  for each; do [ -f "$each" ] || doubt='not all of it is there'; done
  [ "1${each##*/}" = "$((10000 + $#))" ] || doubt='not all of it is there'
  if [ -n "$known" ] && [ "$stands" != "$known" ]; then moving=yes; else moving=; fi
  # What was changed in this very second may be changed once more without a trace.
  list=$stands
  for each in $stands; do
    case $each in *.*.*.*)
      each=${each#*.*.}
      each=${each%%.*}
      [ "$each" -lt "$now" ] 2>/dev/null || {
        list=
        # Whoever launched this has put the list there as a whole.
        if [ -z "$known" ] && [ "$each" -gt "${go_second:-$each}" ] 2>/dev/null; then moving=yes; fi
      }
      ;;
    esac
  done
  [ "$stands" != "$doubted" ] || moving=
  if [ -z "$doubt$moving" ]; then read_ahead "$@"; fi
  if [ -z "$doubt$moving" ]; then
    known=$stands
    doubts=0
    doubted=
    return 0
  fi
  ahead=
  seen=
  doubted=$stands
  doubted_at=$now
  # A person who goes on changing it is waited for.
  if [ -z "$doubt" ]; then
    doubt=moving
    return 1
  fi
  doubts=$((doubts + 1))
  [ "$doubts" -ge "${LEASEHOLD_LIST_TRIES:-60}" ] || return 1
  say "the list of cells cannot be relied on ($doubt), so no further cell begins"
  over=75
  return 1
}
read_ahead() { # the files of the list
  ahead=$(from=$at journal=$queue/journal awk "$states"'
    BEGIN { read_states(ENVIRON["journal"]) }
    /^[+]/ || ++n <= ENVIRON["from"] || /^#/ || (n in state && state[n] != "ran") { next }
    {
      print n, n in state ? "ran" : "new", $0
      size += length($0)
      if (++lines == 200 || size > 32768) exit
    }
    END { if (n < ENVIRON["from"]) exit 3 }' "$@")
  case $? in
    0) [ "$(stat -Lc %i.%s.%Z.%z "$@" 2>/dev/null)" = "$stands" ] || moving=yes ;;
    3) doubt='it has fewer cells than were counted' ;;
    *) doubt='it cannot be read' ;;
  esac
}
