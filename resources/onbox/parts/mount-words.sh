#!/bin/sh
# The kernel's list of mounts: what in it is nobody's data, and how it writes a path.

# Thousands of these would leave no room for the others.
# shellcheck disable=SC2034 # for those who take this part
pseudo='autofs|bpf|binfmt_misc|cgroup2?|configfs|debugfs|devpts|devtmpfs|efivarfs|fusectl|hugetlbfs|mqueue|nsfs|proc|pstore'
pseudo="$pseudo|rpc_pipefs|securityfs|selinuxfs|sysfs|tracefs|fuse[.]lxcfs|fuse[.]portal"

# Octal escapes as in /proc/self/mountinfo to what they stand for. The x keeps a line break at the end of a name.
plain() {
  text=$(printf '%s' "$1" | sed 's/\\\([0-7][0-7][0-7]\)/\\0\1/g')
  text=$(printf '%bx' "$text")
  printf '%s' "$text"
}
