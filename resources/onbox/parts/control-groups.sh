#!/bin/sh
# shellcheck disable=SC2154 # proc: process-table.sh
# What the box may use and what it uses, by the control groups that it can see. Needs machine.sh.
cgroup=${LEASEHOLD_CGROUP_ROOT:-/sys/fs/cgroup}

# Calls a function with the folder of the box's own control group and of each above it (version 2).
each_group() { # function
  path=
  { while IFS= read -r line; do case $line in 0::*) path=${line#0::} ;; esac done <"$proc/self/cgroup"; } 2>/dev/null
  # A path from outside of this namespace begins with "/..", and a mount of the container's own group holds no more.
  [ -d "$cgroup$path" ] || path=
  while :; do
    "$1" "$cgroup${path%/}"
    case $path in '' | / | /..*) break ;; esac
    path=${path%/*}
  done
}

# The lowest limit counts.
cpu() {
  first_line uptime "$proc/uptime"
  cpus=0
  { while IFS= read -r line; do
    case $line in
      'cpu  '*) printf 'total %.300s\n' "${line#cpu  }" ;;
      cpu[0-9]*) cpus=$((cpus + 1)) ;;
      *) break ;;
    esac
  done <"$proc/stat"; } 2>/dev/null
  [ "$cpus" -gt 0 ] || cpus=$(getconf _NPROCESSORS_ONLN 2>/dev/null)
  printf 'cpus %s\n' "$cpus"
  first_line load "$proc/loadavg"
  if [ -e "$cgroup/cgroup.controllers" ]; then
    each_group cpu_group
  elif [ -e "$cgroup/cpu/cpu.stat" ]; then
    cpu_figures "$cgroup/cpu" cpu.cfs_quota_us quota "$cgroup/pids"
    first_line period "$cgroup/cpu/cpu.cfs_period_us"
    first_line acct "$cgroup/cpuacct/cpuacct.usage"
  fi
}
cpu_group() {
  cpu_figures "$1" cpu.max max "$1"
  first_line pressure-cpu "$1/cpu.pressure"
}
cpu_figures() { # folder, file of the limit, its word, folder of the thread count
  printf 'group\n'
  first_line "$3" "$1/$2"
  each_line stat "$1/cpu.stat"
  first_line pids "$4/pids.current"
}

# The counts of kills are those of this boot or of this container's life.
memory() {
  if [ -e "$cgroup/cgroup.controllers" ]; then
    each_group memory_group
  elif [ -e "$cgroup/memory/memory.stat" ]; then
    printf 'group\n'
    first_line limit "$cgroup/memory/memory.limit_in_bytes"
    first_line use "$cgroup/memory/memory.usage_in_bytes"
    each_line oom "$cgroup/memory/memory.oom_control"
    cache_lines "$cgroup/memory/memory.stat" total_inactive_file
  fi
}
memory_group() { # folder
  printf 'group\n'
  first_line max "$1/memory.max"
  first_line current "$1/memory.current"
  each_line events "$1/memory.events"
  cache_lines "$1/memory.stat" inactive_file
  first_line pressure-memory "$1/memory.pressure"
}
cache_lines() { # file, word
  { while read -r word value; do [ "$word" = "$2" ] && printf 'stat inactive_file %.30s\n' "$value" && break; done <"$1"; } 2>/dev/null
}

each_line() { # word, file
  count=0
  { while [ "$count" -lt 20 ] && IFS= read -r line; do
    count=$((count + 1))
    printf '%s %.100s\n' "$1" "$line"
  done <"$2"; } 2>/dev/null
}
