#!/bin/sh
# shellcheck disable=SC2154 # proc: process-table.sh
# Which machine this is, since when it runs, and what its clock says.
has() { command -v "$1" >/dev/null 2>&1; }

# The first line of a file behind a word, without a process of its own: a look should cost a box next to nothing.
first_line() { # word, file
  said=
  { IFS= read -r said <"$2"; } 2>/dev/null
  printf '%s %.200s\n' "$1" "$said"
}

machine() {
  first_line boot_id "$proc/sys/kernel/random/boot_id"
  first_line uptime "$proc/uptime"
  told_start init_start 1
  # shellcheck disable=SC3028 # where the shell does not know it itself, a process tells it
  printf 'now %s\n' "${EPOCHSECONDS:-$(date +%s)}"
  if [ -e /.dockerenv ] || [ -e /run/.containerenv ] || is_grouped_as_container; then
    printf 'container yes\n'
  fi
  for tool in nvidia-smi amd-smi rocm-smi; do
    has "$tool" && printf 'tool %s\n' "$tool"
  done
}

is_grouped_as_container() {
  { while IFS= read -r line; do
    case $line in *docker* | *kubepods* | *containerd* | *lxc*) return 0 ;; esac
  done <"$proc/1/cgroup"; } 2>/dev/null
  return 1
}
