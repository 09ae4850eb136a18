#!/bin/sh
# shellcheck disable=SC2154 # proc, entry: process-table.sh
# Where runs have their folders, and how what stands there is written and read. Needs process-table.sh and life.sh.
# shellcheck disable=SC2034 # for those who take this part
# The demo box shows simulated processes, and these are real ones.
proc=${LEASEHOLD_RUN_PROC_ROOT:-$proc}
state=${HOME:-/nonexistent}/.local/state/leasehold/runs
file_system=

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
# Sets $what, $pid, $since, $during and $rest; fails where the file says nothing. A pipe of that name would be waited for without end.
read_process() { # file
  what='' pid='' since='' during='' rest=''
  [ -f "$1" ] || return 1
  { IFS=' ' read -r what pid since during rest <"$1"; } 2>/dev/null || return 1
}
# A disk that only one running kernel writes at a time, by the numbers of its file system that "stat" tells: ext, XFS, Btrfs, F2FS, bcachefs,
# ZFS, and an overlay on one of them. Fails where that is not known, as over a network.
is_of_one_kernel() {
  [ -n "$file_system" ] || file_system=$(stat -f -c %t "$state" 2>/dev/null) || file_system=unknown
  case $file_system in ef53 | 58465342 | 9123683e | f2f52010 | ca451a4e | 2fc12fc1 | 794c7630) return 0 ;; esac
  return 1
}
# Sets $traces to what tells later whether somebody has written since, by the disk alone: "<bytes> <when>" of the run's log, and of a queue that
# nobody has gone on with "<how many> <bytes> <when>" of its journal and the logs of its cells; and $last_trace to the newest time in it. What
# else a run writes nobody looks at. Fails where these cannot be told.
find_traces() { # the run's folder
  traces='- 0'
  if [ -e "$1/log" ]; then traces=$(stat -c '%s %Y' "$1/log" 2>/dev/null) || return 1; fi
  last_trace=${traces#* }
  traced=$state/$(head -c 16384 "$1/about" 2>/dev/null | sed -n 's/.*"queue":"\(r-[a-z0-9-]*\)".*/\1/p' | head -n 1)
  [ "$traced" != "$state/" ] && [ ! -e "$1/next" ] || return 0
  set --
  for each_trace in "$traced/journal" "$traced/logs"; do [ ! -e "$each_trace" ] || set -- "$@" "$each_trace"; done
  told_traces=
  if [ "$#" -gt 0 ]; then told_traces=$(find "$@" -type f -exec stat -c '%s %Y' {} + 2>/dev/null) || return 1; fi
  traces="$traces $(printf '%s\n' "$told_traces" | awk '
    NF == 2 { n++; bytes += $1; if ($2 > last) last = $2 }
    END { printf "%d %.0f %.0f", n, bytes, last }')"
  [ "$last_trace" -ge "${traces##* }" ] || last_trace=${traces##* }
}
# Whether a person has said that the machine is gone which launched it, and when: sets $gone_since. Fails where that is denied, and sets $doubt:
# "denied" where what it writes is not as it was then, "unseen" where that cannot be told, "odd" where the mark is none of ours. No look ever
# says it (run-machine-gone.sh).
is_said_gone() { # the run's folder, that machine
  gone_since='' marked=''
  [ -e "$1/machine-gone" ] || [ -h "$1/machine-gone" ] || return 1
  doubt=odd
  { [ -f "$1/machine-gone" ] && [ ! -h "$1/machine-gone" ] && IFS=' ' read -r _ said_at said_of marked <"$1/machine-gone"; } 2>/dev/null || return 1
  case $said_at in '' | *[!0-9]*) return 1 ;; esac
  case $marked in '' | *[!0-9\ -]*) return 1 ;; esac
  [ "$said_of" = "$2" ] || return 1
  doubt=unseen
  find_traces "$1" || return 1
  doubt=denied
  # Once somebody has gone on with the queue, its cells write again.
  case "$marked " in "$traces "*) ;; *) return 1 ;; esac
  doubt='' gone_since=$said_at
}
# Sets $other to the machine that launched it, by its name, where that is another one: this one sees none of its processes, and what
# became of them only its own folder tells. Fails where it is this one, as far as is known, and where what launched it is over whatever its
# name was: on a disk of one kernel, once another kernel has begun; or where a person has said so: then $gone is its name, and else $doubt says
# why that does not count.
launched_elsewhere() { # the run's folder
  other='' gone='' doubt=''
  { read_process "$1/launcher" && [ "$during" != "$here" ] && [ -n "$called" ]; } || return 1
  launched_in=$1
  # shellcheck disable=SC2086 # seconds, the detacher, the machine, which an older Leasehold did not write, and the umask
  set -- $rest
  case "$#${3:-}" in 4*[!A-Za-z0-9._-]* | 4- | "4$called" | [!4]*) return 1 ;; esac
  case ${during%%/*} in '' | "${here%%/*}") ;; *) [ "${here%%/*}" = '' ] || ! is_of_one_kernel || return 1 ;; esac
  if is_said_gone "$launched_in" "$3"; then
    gone=$3
    return 1
  fi
  other=$3
}
# Whether something of a run may still write, as nothing says that it has ended: what keeps it, itself, its copier, or who is about to begin
# it; on another machine that may be so until a person has gone on after it.
lives() { # the run's folder
  [ ! -e "$1/end" ] || return 1
  for part in go job copier launcher; do
    if [ "$part" = launcher ] && [ -e "$1/go" ]; then continue; fi
    read_process "$1/$part" && is_same_alive "$pid" "$since" "$during" && return 0
  done
  read_process "$1/go" && [ "$what" = sealed ] && return 1
  launched_elsewhere "$1" || return 1
  # A person went on after it, over the check that says that it may still run, and that one is over.
  [ -f "$1/next" ] && { IFS= read -r successor <"$1/next"; } 2>/dev/null && is_run_id "$successor" && [ -e "$state/$successor/end" ] && return 1
  return 0
}
# Sets $run to the folder of the last that goes on after it, one after the other; its own, where none does.
newest_run() { # the run's folder
  run=$1
  steps=0
  while [ -f "$run/next" ] && { IFS= read -r next <"$run/next"; } 2>/dev/null && is_run_id "$next" && [ -d "$state/$next" ] && [ "$steps" -lt 10000 ]; do
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
