#!/bin/sh
# shellcheck disable=SC2154,SC2034 # what is taken from the other parts
# Since when a run, and those that went on after it, may have written, by the clock of this box. Needs run-folder.sh and what that needs.
# Each launch has noted the clock, and how long that life of the machine had lasted: where the clock went on less than the machine, it was set
# back, and what was written after that has an earlier time than the launch, also once that time has passed again. The disk of the home may
# keep another time than that of the folder, and this box a third: the earliest counts.
# Sets $from and $runs, their ids; fails where it cannot be known. A clock that was set back and forth between two launches shows nowhere.
# $steady is empty unless all of it was one life of the machine, in which the clock was not seen to be set back: then alone a later time is one
# of later writing. Two seconds are what rounding and a slow start come to.
written_since() { # the first of them, when its start was written at the latest
  from=$2
  runs=
  furthest=0
  steady=yes
  last_life='' last_ticks='' last_clock=''
  run=$1
  steps=0
  while is_run_id "$run" && [ -d "$state/$run" ] && [ "$steps" -lt 10000 ]; do
    runs="$runs $run"
    read_process "$state/$run/launcher" || :
    is_after "$during" "$since" "${rest%% *}" || return 1
    run=
    { IFS= read -r run <"$state/${runs##* }/next"; } 2>/dev/null
    steps=$((steps + 1))
  done
  find_life
  now=$(date +%s)
  # Of a process that begins behind the look at the clock.
  ticks=$(start_of self) || ticks=
  # Before it was set back the box wrote later times than it tells now.
  [ "$now" -ge "$from" ] || return 1
  if [ -n "$last_clock" ] && [ "$last_life" != "$here" ]; then
    steady=
    # What an earlier life wrote is older than this one. The demo box shows a life that is not its processes' own.
    case ${LEASEHOLD_RUN_PROC_ROOT:-}$ticks.${here##*/} in
      *[!0-9.]* | .* | *.) ;;
      *) [ $((now - (ticks - ${here##*/}) / 100 + 2)) -ge "$last_clock" ] || return 1 ;;
    esac
  else is_after "$here" "$ticks" "$now" || return 1; fi
  [ "$furthest" -le 2 ] || steady=
  from=$((from - furthest))
}
is_after() { # a life of the machine, its hundredths of a second, the clock
  case $3.$2 in *[!0-9.]* | .* | *.) steady= ;; esac
  case $3 in '' | *[!0-9]*) return 0 ;; esac
  [ "$3" -ge "$from" ] || from=$3
  if [ -n "$last_clock" ] && [ "$1" != "$last_life" ]; then
    steady=
    [ "$3" -ge "$last_clock" ] || return 1
  else
    case $2.$last_ticks in
      *[!0-9.]* | .* | *.) ;;
      *)
        back=$((($2 - last_ticks) / 100 - ($3 - last_clock)))
        [ "$back" -le "$furthest" ] || furthest=$back
        ;;
    esac
  fi
  last_life=$1 last_ticks=$2 last_clock=$3
}
