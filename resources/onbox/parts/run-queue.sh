#!/bin/sh
# shellcheck disable=SC2154 # what is taken from the other parts
# Runs the cells of a queue, one after another. Leasehold put this here because you asked for it, and never writes it again (U2).
#   $1  the folder of the run that does it   $2  "stop": a cell that fails is the last one of this run
# The queue is the folder that this lies in:
#   cells/0001, cells/0002 …  what was added, in this order: a line "+<id>", then a cell on each line, "<name><tab><command>", in which
#               a backslash stands before "n" for a line break, "t" for a tab and another backslash. Its index is the number of its
#               line, over all of them and without those with "+". Put a "#" in front of a line, and the cell is left out and keeps its index.
#   journal     "begin <index> <seconds> <run> .", "exit <index> <code> <seconds> .", "cut <index> <code> <seconds> ."
#   logs/<index>  what the cell prints
# Files of the run: "pause", as long as no further cell is to begin; "stop-after", so that none begins any more.
queue=${0%/*}
run=$1
tab=$(printf '\t')
say() { printf 'leasehold: %s: %s\n' "$(date -u '+%Y-%m-%d %H:%M:%S UTC')" "$1"; }
# One job of one run, which is alone with this queue (run-launch.sh): a second one would run every cell twice.
{ read_process "$run/job" && [ "$pid" = $$ ]; } || {
  say 'a queue is begun by Leasehold alone, so that no cell runs twice'
  exit 75
}
# Each line stands between line breaks and ends with a dot: what a full disk has cut off is never taken for one.
record() {
  for pause in 5 30 120 600 0; do
    { printf '\n%s .\n' "$1" | cat >>"$queue/journal"; } 2>/dev/null && return 0
    sleep "$pause"
  done
  say "this could not be written down (is the disk full?): $1"
  exit 75
}
cell_at() { # index
  awk -v at="$1" '!/^[+]/ && ++n == at { print; found = 1; exit } END { exit !found }' "$queue"/cells/[0-9][0-9][0-9][0-9]
}
plain() { printf '%bx' "$1"; }
ends() { awk '/^exit [0-9]+ [0-9]+ [0-9]+ [.]$/'"$1" "$queue/journal" 2>/dev/null; }

heard=0
trap 'heard=$((heard + 1))' TERM INT
trap '' HUP
shell='sh'
if command -v bash >/dev/null 2>&1; then shell=bash; fi
# shellcheck disable=SC2016 # for awk
finished=$(ends ' { printf " %s", $2 }')' '
at=0
while :; do
  at=$((at + 1))
  while [ -e "$run/pause" ] && [ ! -e "$run/stop-after" ] && [ "$heard" -eq 0 ]; do sleep 1; done
  line=$(cell_at "$at") || break
  case $line in '#'*) continue ;; esac
  case $finished in *" $at "*) continue ;; esac
  [ "$heard" -eq 0 ] || exit 143
  if [ -e "$run/stop-after" ]; then
    say "stopped before cell $at, as you asked"
    put_once "$run/stopped" "stopped $(date +%s)"
    exit 0
  fi
  name=$(plain "${line%%"$tab"*}")
  command=$(plain "${line#*"$tab"}")
  { : >>"$queue/logs/$at"; } 2>/dev/null || {
    say "the log of cell $at cannot be written (is the disk full?), so it was not begun"
    exit 75
  }
  record "begin $at $(date +%s) ${run##*/}"
  say "cell $at begins: ${name%x}"
  # A space in front, since a command may begin with a dash.
  LEASEHOLD_CELL=$at LEASEHOLD_CELL_NAME=${name%x} "$shell" -c " ${command%x}" </dev/null >>"$queue/logs/$at" 2>&1 &
  cell=$!
  wait "$cell"
  code=$?
  # A signal ends the wait, and not the cell.
  told=0
  while [ "$heard" -gt "$told" ]; do
    told=$heard
    wait "$cell" 2>/dev/null
    again=$?
    [ "$again" -eq 127 ] || code=$again
  done
  # Whoever ends the whole run may reach the cell first, and this a moment later.
  if [ "$code" -gt 128 ] && [ "$heard" -eq 0 ]; then
    [ -e "$run/asked" ] || sleep 1
    [ ! -e "$run/asked" ] || heard=1
  fi
  if [ "$heard" -gt 0 ]; then
    record "cut $at $code $(date +%s)"
    say "cell $at was interrupted (exit $code); whoever resumes this queue runs it again"
    exit 143
  fi
  record "exit $at $code $(date +%s)"
  say "cell $at ended with exit code $code"
  if [ "$code" -ne 0 ] && [ "${2:-}" = stop ]; then
    say 'no further cell begins, because this one failed'
    exit 1
  fi
done
# shellcheck disable=SC2016 # for awk
failed=$(ends ' && $3 != 0 { n++ } END { print n + 0 }')
say "no further cell; $failed failed"
[ "$failed" -eq 0 ]
