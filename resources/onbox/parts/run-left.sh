#!/bin/sh
# shellcheck disable=SC2154 # proc, during, since, pid, rest, here: process-table.sh, run-folder.sh
# Processes that outlived their run. Needs run-folder.sh, and $here.
# What belongs to a session whose first process was the job, and lives. Fails where that is not known.
left_of() { # the job's number, its start
  start=$(start_of "$1") && [ "$start" != "$2" ] && return 0
  of_all_processes -v session="$1" '
    BEGIN {
      for (i = 1; i < ARGC; i++) {
        entry = ""
        while ((getline line < ARGV[i]) > 0) entry = entry line " "
        close(ARGV[i])
        at = 0
        while ((step = index(substr(entry, at + 1), ") ")) > 0) at += step
        if (at == 0 || split(substr(entry, at + 2), f, " ") < 20) continue
        if (f[4] == session && f[1] !~ /[ZX]/) printf " %d", entry + 0
      }
    }'
}
# " <number>" of each, as far as a line should be long. Fails where that is not known.
outlived() { # the run's folder
  if read_process "$1/job" && [ "$during" = "$here" ] && [ "$rest" = own ] && ! is_same_alive "$pid" "$since" "$during"; then
    alive=$(left_of "$pid" "$since") || return 1
    printf '%.200s' "$alive"
  fi
}
