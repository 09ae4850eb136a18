#!/bin/sh
# What is mounted on the box, as its kernel tells it. No mounted file system is touched, so a server that went away cannot hold
# this up. Changes nothing; bounded in output.
set -u
LC_ALL=C
export LC_ALL
# shellcheck source=resources/onbox/parts/marked-sections.sh
. ./parts/marked-sections.sh
# shellcheck source=resources/onbox/parts/mount-words.sh
. ./parts/mount-words.sh
info=${LEASEHOLD_MOUNTINFO:-/proc/self/mountinfo}
older=${LEASEHOLD_PROC_MOUNTS:-/proc/mounts}
max_lines=3000
max_bytes=400000

one_line() { printf '%s' "$1" | head -c 1000 | tr '\000-\037\177' '?'; }

begin machine
printf 'home %s\n' "$(one_line "${HOME:-}")"
printf 'tmpdir %s\n' "$(one_line "${TMPDIR:-}")"
printf 'user %s\n' "$(id -un 2>/dev/null | head -c 100)"
end machine 0

if [ -r "$info" ]; then
  begin mountinfo
  grep -E -v " - ($pseudo) " "$info" 2>/dev/null </dev/null | head -n "$max_lines" | head -c "$max_bytes"
  end mountinfo 0
elif [ -r "$older" ]; then
  begin mounts
  grep -E -v "^[^ ]+ [^ ]+ ($pseudo) " "$older" 2>/dev/null </dev/null | head -n "$max_lines" | head -c "$max_bytes"
  end mounts 0
fi
begin whole
end whole 0
