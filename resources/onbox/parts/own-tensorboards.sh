#!/bin/sh
# What Leasehold keeps of the TensorBoards that it started, one file a port. A number alone names no process: it goes to another
# program once its first is gone, so its start and the life of the machine stand beside it. Needs process-table.sh and life.sh.
# shellcheck disable=SC2034,SC2154 # for who takes it; here, start_tick: life.sh, process-table.sh
state=${XDG_STATE_HOME:-$HOME/.local/state}/leasehold/tensorboard

keep_process() { # pid, file
  find_life
  printf '%s %s %s\n' "$1" "$(start_of "$1")" "$here" >"$2"
}

# Fails unless the very process that was kept in this file still runs. The answer is $own.
kept_process() { # file
  kept=$(head -c 200 "$1" 2>/dev/null) || kept=
  own=${kept%% *}
  case $own in '' | *[!0-9]*) return 1 ;; esac
  find_life
  read_start "$own" && [ "$kept" = "$own $start_tick $here" ]
}
