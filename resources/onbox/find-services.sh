#!/bin/sh
# Looks for TensorBoard, Jupyter and event files on a box, and changes nothing. Bounded in time and output.
#   LEASEHOLD_EVENT_FOLDERS  where event files are looked for besides the home folder, a tab between them
# One fact a line:
#   P pid         a process that looks like TensorBoard; the next lines are about it
#   C folder      its working directory
#   A word        one word of its command line
#   N port        a port it listens on
#   O pid         a TensorBoard that Leasehold started and that still runs
#   J json        a Jupyter server's runtime file. SECURITY: it holds the token; main keeps it to itself
#   E folder      a folder with event files in it
#   T             the search for event files was cut short
# A newline inside a name is shown as "?", so that no name can pretend to be another line.
set -u
LC_ALL=C
export LC_ALL
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
# shellcheck source=resources/onbox/parts/life.sh
. ./parts/life.sh
# shellcheck source=resources/onbox/parts/own-tensorboards.sh
. ./parts/own-tensorboards.sh
max_processes=20
max_folders=200
search_seconds=8

# The ports on which the process listens, by the inodes of its sockets.
ports_of() {
  inodes=$(for fd in "$proc/$1"/fd/*; do readlink "$fd"; done 2>/dev/null |
    sed -n 's/^socket:\[\([0-9]*\)\]$/\1/p' | tr '\n' ' ')
  awk -v inodes="$inodes" '
    function hex(text,    i, n) {
      n = 0
      for (i = 1; i <= length(text); i++) n = n * 16 + index("0123456789ABCDEF", substr(text, i, 1)) - 1
      return n
    }
    BEGIN { count = split(inodes, list, " "); for (i = 1; i <= count; i++) mine[list[i]] = 1 }
    $4 == "0A" && ($10 in mine) { at = split($2, parts, ":"); print "N " hex(parts[at]) }
  ' "$proc/net/tcp" "$proc/net/tcp6" 2>/dev/null | sort -u
}

# The pattern is written so that this very grep does not find itself.
grep -ls '[t]ensorboard' "$proc"/[0-9]*/cmdline 2>/dev/null | head -n "$max_processes" |
  while IFS= read -r file; do
    pid=${file%/cmdline}
    pid=${pid##*/}
    words=$(head -c 4096 "$file" 2>/dev/null | tr '\n\000' '?\n')
    [ -n "$words" ] || continue
    printf 'P %s\n' "$pid"
    printf 'C %s\n' "$(readlink "$proc/$pid/cwd" 2>/dev/null | tr '\n' '?' | sed 's/?$//')"
    printf '%s\n' "$words" | sed 's/^/A /'
    ports_of "$pid"
  done

for file in "$state"/*.pid; do
  kept_process "$file" && printf 'O %s\n' "$own"
done

runtime=${JUPYTER_RUNTIME_DIR:-$HOME/.local/share/jupyter/runtime}
for file in "$runtime"/jpserver-*.json "$runtime"/nbserver-*.json; do
  [ -f "$file" ] || continue
  printf 'J '
  head -c 4096 "$file" | tr '\n' ' '
  printf '\n'
done

limit=
command -v timeout >/dev/null 2>&1 && limit="timeout $search_seconds"
{
  printf '%s\n' "$HOME"
  printf '%s\n' "$LEASEHOLD_EVENT_FOLDERS" | tr '\t' '\n'
} | while IFS= read -r root; do
  [ -d "$root" ] || continue
  # shellcheck disable=SC2086 # two words or none
  $limit find "$root" -xdev -maxdepth 8 -type f -name 'events.out.tfevents.*' -print0 2>/dev/null
  [ $? -eq 124 ] && printf 'T\000'
done | tr '\n\000' '?\n' | head -n 5000 | sed 's:/[^/]*$::' | sort -u | head -n "$max_folders" |
  sed -e 's/^T$/T/;t' -e 's/^/E /'
