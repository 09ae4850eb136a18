#!/bin/sh
# shellcheck disable=SC2154 # proc: process-table.sh
# What the box may use and what it uses, by the control groups that it can see. Needs machine.sh.
cgroup=${LEASEHOLD_CGROUP_ROOT:-/sys/fs/cgroup}

# Calls a function with the folder of the box's own control group and of each above it.
each_group() { # function, folder of the hierarchy, its controller: none in version 2
  path=
  { while IFS= read -r line; do
    line=${line#*:}
    case ,${line%%:*}, in *,"$3",*) path=${line#*:} ;; esac
  done <"$proc/self/cgroup"; } 2>/dev/null
  # A path from outside of this namespace begins with "/..", and a mount of the container's own group holds no more.
  [ -d "$2$path" ] || path=
  while :; do
    "$1" "$2${path%/}"
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
    each_group cpu_group "$cgroup" ''
  else
    # Some containers have the first of these names without the links beside it.
    for folder in "$cgroup/cpu" "$cgroup/cpu,cpuacct"; do
      [ -e "$folder/cpu.stat" ] || continue
      each_group cpu_group_1 "$folder" cpu
      break
    done
  fi
}
cpu_group() { # folder
  printf 'group\n'
  first_line max "$1/cpu.max"
  each_line stat "$1/cpu.stat"
  first_line pids "$1/pids.current"
  first_line pressure-cpu "$1/cpu.pressure"
}
cpu_group_1() { # folder
  printf 'group\n'
  first_line quota "$1/cpu.cfs_quota_us"
  first_line period "$1/cpu.cfs_period_us"
  each_line stat "$1/cpu.stat"
  first_line acct "$cgroup/cpuacct${path%/}/cpuacct.usage"
  [ -n "$said" ] || first_line acct "$1/cpuacct.usage"
  first_line pids "$cgroup/pids${path%/}/pids.current"
}

# The counts of kills are those of this boot or of this container's life.
memory() {
  if [ -e "$cgroup/cgroup.controllers" ]; then
    each_group memory_group "$cgroup" ''
  elif [ -e "$cgroup/memory/memory.stat" ]; then
    each_group memory_group_1 "$cgroup/memory" memory
  fi
}
memory_group() { # folder
  printf 'group\n'
  first_line max "$1/memory.max"
  first_line current "$1/memory.current"
  each_line events "$1/memory.events"
  cache_lines "$1/memory.stat" ''
  first_line pressure-memory "$1/memory.pressure"
}
memory_group_1() { # folder
  printf 'group\n'
  first_line limit "$1/memory.limit_in_bytes"
  first_line use "$1/memory.usage_in_bytes"
  each_line oom "$1/memory.oom_control"
  cache_lines "$1/memory.stat" total_
}
# What the kernel gives back before it ends anything: files that were read, and what it remembers of folders.
cache_lines() { # file, how version 1 begins the words that count what is below as well
  { while read -r word value; do
    case $word in
      "$2inactive_file" | "$2active_file" | slab_reclaimable) printf 'stat %s %.30s\n' "$word" "$value" ;;
    esac
  done <"$1"; } 2>/dev/null
}

each_line() { # word, file
  count=0
  { while [ "$count" -lt 20 ] && IFS= read -r line; do
    count=$((count + 1))
    printf '%s %.100s\n' "$1" "$line"
  done <"$2"; } 2>/dev/null
}
