#!/bin/sh
# Ends every process of one demo box. It runs beside the app in a session of its own and listens on stdin:
#   "sweep"  end all processes of the box, answer "swept"
#   EOF      the app let go, or was killed: end all processes, remove the box's folder, leave
# So nothing outlives the app, not even after kill -9.
#   sweep.sh MARKER FOLDER APP_PID
set -u

marker=${1:?} folder=${2:?} app=${3:?}
lifeline=$folder/lifeline
trap '' HUP INT TERM

# A process belongs to the box if its environment holds the marker, or if it still has the box's lifeline file open, which
# every command inherits (that finds what cleared its environment). SECURITY: nothing else is ever signalled.
list() {
  if [ -r /proc/self/environ ]; then
    grep -l -F -e "LEASEHOLD_DEMO_BOX=$marker" /proc/[0-9]*/environ
    # shellcheck disable=SC2012 # find -lname is not everywhere, and these names are numbers
    ls -l /proc/[0-9]*/fd | awk -v arrow=" -> $lifeline" \
      '/^\/proc\// { folder = $0 } substr($0, length($0) - length(arrow) + 1) == arrow { print folder }'
  elif command -v lsof >/dev/null; then
    lsof -t -- "$lifeline" | sed 's|^|/proc/|'
  fi 2>/dev/null | while IFS=/ read -r _ _ pid _; do
    if [ "$pid" != "$app" ] && [ "$pid" != "$$" ]; then printf '%s\n' "$pid"; fi
  done | sort -u
}

send() { # signal pid...
  signal=$1
  shift
  for pid in "$@"; do
    kill -s "$signal" "$pid" 2>/dev/null
  done
}

sweep() {
  round=0
  while [ "$round" -lt 50 ]; do
    # shellcheck disable=SC2046 # numbers, one per word
    set -- $(list)
    [ $# -gt 0 ] || return
    # About half a second of politeness first; a stopped process only hears CONT and KILL.
    if [ "$round" -eq 0 ]; then
      send HUP "$@"
      send TERM "$@"
      send CONT "$@"
    elif [ "$round" -ge 5 ]; then
      send KILL "$@"
    fi
    round=$((round + 1))
    sleep 0.1
  done
}

while read -r order; do
  [ "$order" = sweep ] || continue
  sweep
  printf 'swept\n'
done
sweep
rm -rf -- "$folder"
