#!/bin/sh
# Which life of the machine this is: after a restart nothing that is remembered of a process is true any more. Needs process-table.sh.
life() {
  # Also where the processes of runs are looked up elsewhere (run-folder.sh).
  shown=$proc
  proc=${LEASEHOLD_PROC_ROOT:-/proc}
  boot=$(head -c 100 "$proc/sys/kernel/random/boot_id" 2>/dev/null | tr -dc '0-9a-f-')
  begun=$(start_of 1) || begun=
  proc=$shown
  printf '%s/%s\n' "$boot" "$begun"
}
