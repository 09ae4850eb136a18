#!/bin/sh
# shellcheck disable=SC2154 # proc, entry: process-table.sh
# Where runs have their folders, and how what stands there is written and read. Needs process-table.sh and life.sh.
# shellcheck disable=SC2034 # for those who take this part
# The demo box shows simulated processes, and these are real ones.
proc=${LEASEHOLD_RUN_PROC_ROOT:-$proc}
state=${HOME:-/nonexistent}/.local/state/leasehold/runs

is_run_id() {
  case $1 in '' | *[!a-z0-9-]*) return 1 ;; r-*) return 0 ;; esac
  return 1
}

# What a tool says of a disk, and a disk over a network says only where the file is closed, no shell tells of what it has written itself.
put() { # file, text
  said=$({ printf '%s\n' "$2" | cat >"$1"; } 2>&1)
}
# A name that nobody can take twice: what stands in it is whole from its first moment, and is never replaced. Fails where it is there.
put_once() { # file, text
  new=$1.$$.tmp
  put "$new" "$2" && said=$(ln "$new" "$1" 2>&1)
  put=$?
  rm -f "$new" 2>/dev/null
  return "$put"
}

# "<what> <pid> <start> <life> …" of a file. A zombie has ended, and only the very process counts: this life of the machine, its
# number, and when it began.
is_same_alive() { # pid, start, life
  case $1$2 in '' | *[!0-9]*) return 1 ;; esac
  [ "$3" = "$here" ] || return 1
  read_entry "$1" || return 1
  # shellcheck disable=SC2086 # a letter and numbers
  set -- "$2" ${entry##*) }
  case $2 in Z | X) return 1 ;; esac
  [ "${21:-}" = "$1" ]
}
# Sets $what, $pid, $since, $during and $rest; fails where the file says nothing.
read_process() { # file
  what='' pid='' since='' during='' rest=''
  { IFS=' ' read -r what pid since during rest <"$1"; } 2>/dev/null || return 1
}
# Whether something of a run may still write, as nothing says that it has ended: what keeps it, itself, its copier, or who is about to begin it.
lives() { # the run's folder
  [ ! -e "$1/end" ] || return 1
  for part in go job copier launcher; do
    if [ "$part" = launcher ] && [ -e "$1/go" ]; then continue; fi
    read_process "$1/$part" && is_same_alive "$pid" "$since" "$during" && return 0
  done
  return 1
}
# Sets $run to the folder of the last that goes on after it, one after the other; its own, where none does.
newest_run() { # the run's folder
  run=$1
  steps=0
  while { IFS= read -r next <"$run/next"; } 2>/dev/null && is_run_id "$next" && [ -d "$state/$next" ] && [ "$steps" -lt 10000 ]; do
    run=$state/$next
    steps=$((steps + 1))
  done
}
# Nothing starts this run again after a restart of the box any more. Fails where that is not sure.
disarm() { # the run's folder
  [ -e "$1/reboot" ] || return 0
  { IFS= read -r armed <"$1/reboot"; } 2>/dev/null && is_run_id "$armed" || return 1
  sh "$state/$armed/reboot.sh" off >/dev/null 2>&1 && rm -f "$1/reboot"
}
