#!/bin/sh
# How large and how full some mounts are, and where some folders really lie. Changes nothing. Each question has its own end in
# time, and after three that had no answer no further file system that could hang is asked. Values come from the environment:
#   LEASEHOLD_MOUNTS   mount points with a blank between them, "local:/x" or, what could hang, "far:/x"; octal escapes as in
#                      /proc/self/mountinfo stand for blanks, line breaks and backslashes
#   LEASEHOLD_PLACES   folders, written in the same way, without the word before them
set -uf
LC_ALL=C
export LC_ALL
# shellcheck source=resources/onbox/parts/marked-sections.sh
. ./parts/marked-sections.sh
# shellcheck source=resources/onbox/parts/mount-words.sh
. ./parts/mount-words.sh
seconds=${LEASEHOLD_LIMIT_S:-4}
max_hung=3
max_bytes=8000

# KILL: what waits for a server that went away does not hear TERM. Without such a timeout nothing that could hang is asked.
limit=
timeout -s KILL 60 true 2>/dev/null && limit="timeout -s KILL $seconds"

hung=0
ask() { # section, option, path
  # shellcheck disable=SC2086 # several words or none
  said=$($limit df "$2" -- "$3" 2>&1 </dev/null)
  code=$?
  begin "$1"
  printf '%s\n' "$said" | head -c "$max_bytes"
  end "$1" "$code"
  # 128 and 9: ended by the limit.
  if [ "$code" -eq 137 ] || [ "$code" -eq 124 ]; then
    hung=$((hung + 1))
    return 1
  fi
}

n=0
for given in $LEASEHOLD_MOUNTS; do
  path=$(plain "${given#*:}")
  path=${path%x}
  if [ "${given%%:*}" = far ] && { [ -z "$limit" ] || [ "$hung" -ge "$max_hung" ]; }; then
    printf '\n%s unasked %s\n' "$mark" "$n"
  elif ask "space-$n" -Pk "$path"; then
    ask "inodes-$n" -Pi "$path"
  fi
  n=$((n + 1))
done

n=0
for given in $LEASEHOLD_PLACES; do
  path=$(plain "$given")
  path=${path%x}
  if [ -n "$limit" ] && [ "$hung" -lt "$max_hung" ]; then
    begin "place-$n"
    # shellcheck disable=SC2086,SC2016 # several words; the inner shell's own argument
    real=$($limit sh -c 'cd -P -- "$1" 2>/dev/null && pwd -P' sh "$path" </dev/null)
    code=$?
    printf '%s' "$real" | head -c 1000 | tr '\000-\037\177' '?'
    end "place-$n" "$code"
    [ "$code" -ne 137 ] || hung=$((hung + 1))
  fi
  n=$((n + 1))
done
begin whole
end whole 0
