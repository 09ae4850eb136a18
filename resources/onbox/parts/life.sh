#!/bin/sh
# shellcheck disable=SC2034,SC2154 # here, called: for who asks for it; proc, start_tick: process-table.sh
# Sets $here to which life of the machine this is: after a restart nothing that is remembered of a process is true any more. And $called to
# its name, empty where it does not tell one: several machines may have one home. Needs process-table.sh.
find_life() {
  # Also where the processes of runs are looked up elsewhere (run-folder.sh).
  shown=$proc
  proc=${LEASEHOLD_PROC_ROOT:-/proc}
  # By the shell alone, since every look asks this.
  boot=
  { IFS= read -r boot <"$proc/sys/kernel/random/boot_id"; } 2>/dev/null
  case $boot in *[!0-9a-f-]*) boot=$(printf %.100s "$boot" | tr -dc '0-9a-f-') ;; esac
  read_start 1
  here=$boot/$start_tick
  called=
  { IFS= read -r called <"$proc/sys/kernel/hostname"; } 2>/dev/null
  case $called in *[!A-Za-z0-9._-]*) called= ;; esac
  proc=$shown
}
