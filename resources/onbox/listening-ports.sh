#!/bin/sh
# Lists the TCP ports on which something listens on a box, and changes nothing. Bounded in time and output. One fact a line:
#   L port address name   the address as the kernel's table has it, in hexadecimal; the name of its program, or nothing where
#                         the box does not show it: what another user runs, or another container
#   M                     there are more than are told
#   X                     the box has no such table, so nothing is known
# A newline inside a name is shown as "?", so that no name can pretend to be another line.
set -u
LC_ALL=C
export LC_ALL
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
max_ports=200

rows=
is_told=
for table in "$proc/net/tcp" "$proc/net/tcp6"; do
  [ -r "$table" ] || continue
  is_told=yes
  rows="$rows
$(awk '
    function hex(text,    i, n) {
      n = 0
      for (i = 1; i <= length(text); i++) n = n * 16 + index("0123456789ABCDEF", substr(text, i, 1)) - 1
      return n
    }
    $4 == "0A" { split($2, parts, ":"); print hex(parts[2]), parts[1], $10 }
  ' "$table" 2>/dev/null)"
done
[ -n "$is_told" ] || {
  echo X
  exit 0
}

# One listing of all that may be seen, not a question for each of thousands of descriptors. Of one folder alone it would not say which.
# shellcheck disable=SC2012 # the names are numbers
owners=$(ls -l "$proc"/[0-9]*/fd "$proc/net" 2>/dev/null | awk '
  /^\// { n = split($0, parts, "/"); pid = parts[n - 1] }
  / -> socket:\[/ { split($0, parts, /socket:\[|\]/); print parts[2], pid }
')

rows=$(printf '%s\n' "$rows" | grep . | sort -n | uniq)
[ "$(printf '%s\n' "$rows" | grep -c .)" -le "$max_ports" ] || echo M
printf '%s\n' "$rows" | grep . | head -n "$max_ports" |
  while read -r port address inode; do
    pid=$(printf '%s\n' "$owners" | sed -n "s/^$inode //p" | head -n 1)
    name=
    [ -z "$pid" ] || name=$(head -c 64 "$proc/$pid/comm" 2>/dev/null | tr '\n' '?' | sed 's/?$//')
    printf 'L %s %s %s\n' "$port" "$address" "$name"
  done
