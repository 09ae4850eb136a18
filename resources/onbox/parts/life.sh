#!/bin/sh
# Which life of the machine this is: after a restart nothing that is remembered of a process is true any more. Needs process-table.sh.
life() {
  # Also where the processes of runs are looked up elsewhere (run-folder.sh).
  shown=$proc
  proc=${LEASEHOLD_PROC_ROOT:-/proc}
  # By the shell alone, since every look asks this.
  boot=
  { IFS= read -r boot <"$proc/sys/kernel/random/boot_id"; } 2>/dev/null
  case $boot in *[!0-9a-f-]*) boot=$(printf %.100s "$boot" | tr -dc '0-9a-f-') ;; esac
  begun=$(start_of 1) || begun=
  proc=$shown
  printf '%s/%s\n' "$boot" "$begun"
}
