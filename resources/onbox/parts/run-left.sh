#!/bin/sh
# shellcheck disable=SC2154 # proc, during, since, pid, rest, here: process-table.sh, run-folder.sh
# Processes that outlived their run. Needs run-folder.sh, and $here.
# What belongs to a session whose first process was the job, and lives.
left_of() { # the job's number, its start
  start=$(start_of "$1") && [ "$start" != "$2" ] && return 0
  awk -v session="$1" '
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
    }' "$proc"/[0-9]*/stat 2>/dev/null
}
# " <number>" of each, as far as a line should be long.
outlived() { # the run's folder
  if read_process "$1/job" && [ "$during" = "$here" ] && [ "$rest" = own ] && ! is_same_alive "$pid" "$since" "$during"; then
    left_of "$pid" "$since" | cut -c 1-200
  fi
}
