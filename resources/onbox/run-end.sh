#!/bin/sh
# Ends one run: asks it to end, waits, and ends by force what is left of it. Of processes only those that the run folder names, by
# number, start and life of the machine, and those that descend from them or share the session that is the run's own: never a name.
#   LEASEHOLD_MARK   a nonce
#   LEASEHOLD_ID     the run
#   LEASEHOLD_WAIT   seconds between the two
# Prints behind the mark "over" where nothing of it ran; "elsewhere" where only another machine can end it; else "asked <count>", "forced <count>" where that was needed, and "left <count>";
# and before it "armed" where a line of the crontab may still start it again after a restart of the box.
set -u
umask 077
LC_ALL=C
export LC_ALL
mark=$LEASEHOLD_MARK
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
# shellcheck source=resources/onbox/parts/own-session.sh
. ./parts/own-session.sh
# shellcheck source=resources/onbox/parts/life.sh
. ./parts/life.sh
# shellcheck source=resources/onbox/parts/run-folder.sh
. ./parts/run-folder.sh

say() { printf '%s %s\n' "$mark" "$*"; }
is_run_id "$LEASEHOLD_ID" || exit 2
case $LEASEHOLD_WAIT in '' | *[!0-9]*) exit 2 ;; esac
{ [ -r "$proc/$$/stat" ] && [ -r "$proc/uptime" ]; } || { say no-table && exit 0; }
folder=$state/$LEASEHOLD_ID
find_life
own=$(own_session | tr '\n' ' ')

keeper=
read_process "$folder/go" && [ "$what" = keeper ] && is_same_alive "$pid" "$since" "$during" && keeper=$pid
kept_since=${since:-}
job=
session=
# Sets $job and $session, once it has written down which process it is. While its keeper waits for it or itself is there, nobody else has
# its number. Once "ran" is there, the keeper waits for the copier.
find_job() {
  [ -z "$job" ] || return 0
  for part in copier job; do
    if read_process "$folder/$part" && [ "$during" = "$here" ]; then
      { [ "$part" = job ] && [ -n "$keeper" ] && [ ! -e "$folder/ran" ]; } || is_same_alive "$pid" "$since" "$during" || continue
      job=$pid
      [ "$rest" = own ] && session=$pid
      break
    fi
  done
}
find_job
# The keeper takes the line out by itself, where it still can.
tell_armed() { disarm "$folder" || say armed; }
[ -n "$keeper$job" ] || {
  # What another machine runs, only that one can end, also where a person has said that it is gone.
  if [ ! -e "$folder/end" ] && { launched_elsewhere "$folder" || [ -n "$gone" ]; }; then say elsewhere && exit 0; fi
  tell_armed && say over && exit 0
}

# Until then it is what the keeper has started to become the job; its other children help it to write down the end.
becoming() {
  { [ -z "$job" ] && [ -n "$keeper" ]; } || return 0
  for each in "$proc"/[0-9]*; do
    read_entry "${each##*/}" || continue
    # shellcheck disable=SC2086 # a letter and numbers
    set -- ${entry##*) }
    [ "${2:-}" = "$keeper" ] || continue
    case $(tr '\000' ' ' <"$each/cmdline" 2>/dev/null) in
      *'keeper.sh '*' job ' | *'keeper.sh '*' copier ') printf '%s ' "${each##*/}" ;;
    esac
  done
}
# "<pid>:<start>" of what belongs to the job and is no zombie: itself, what descends from it or from what belonged to it before, and
# its session. The keeper has to write down the end, and is none of them.
members() { # those before
  of_all_processes -v job="$job" -v keeper="$keeper" -v session="$session" -v before="$1" -v own="$own" -v becoming="$(becoming)" '
    BEGIN {
      n = split(becoming, words, " ")
      for (i = 1; i <= n; i++) begun[words[i]] = 1
      n = split(own, words, " ")
      for (i = 1; i <= n; i++) protected[words[i]] = 1
      n = split(before, words, " ")
      for (i = 1; i <= n; i++) known[words[i]] = 1
      for (i = 1; i < ARGC; i++) {
        entry = ""
        # The name of a process may hold a line break.
        while ((getline line < ARGV[i]) > 0) entry = entry line " "
        close(ARGV[i])
        at = 0
        while ((step = index(substr(entry, at + 1), ") ")) > 0) at += step
        if (at == 0 || split(substr(entry, at + 2), f, " ") < 20) continue
        pid = entry + 0
        if (pid <= 1 || pid in protected || pid == keeper) continue
        parent[pid] = f[2]
        key[pid] = pid ":" f[20]
        is_over[pid] = f[1] ~ /[ZX]/
        if (pid == job || pid in begun || key[pid] in known || session != "" && f[4] == session) mine[pid] = 1
      }
      do {
        grown = 0
        for (pid in parent) if (!(pid in mine) && parent[pid] in mine) { mine[pid] = 1; grown = 1 }
      } while (grown)
      for (pid in mine) if (!is_over[pid]) printf "%s ", key[pid]
    }'
}
# Sets $left to these, and is over where they are not known: then nothing is said of them.
find_left() { left=$(members "$left") || exit 1; }
signal() { # signal, "<pid>:<start>" …
  with=$1
  shift
  for each; do
    # Nothing stands between this look and the signal.
    [ "$(start_of "${each%%:*}")" = "${each#*:}" ] && kill -s "$with" "${each%%:*}" 2>/dev/null
  done
}
pause() {
  if sleep 0.2 2>/dev/null; then tries=$((tries + 1)); else
    sleep 1
    tries=$((tries + 5))
  fi
}
is_keeping() { [ -n "$keeper" ] && is_same_alive "$keeper" "$kept_since" "$here"; }
# Waits until nothing of the job is left, and its keeper has written that down. Sets $left.
until_over() { # seconds
  tries=0
  while :; do
    find_job
    find_left
    [ -n "$left" ] || is_keeping || return 0
    [ "$tries" -lt $(($1 * 5)) ] || return 1
    pause
  done
}

left=
# Before that is written down: its keeper passes no signal of the box on from then.
find_left
put_once "$folder/asked" "asked $(date +%s)"
# shellcheck disable=SC2086 # words of our own
set -- $left
say asked "$#"
# The keeper first: it must know that this was wanted before what it keeps is gone.
if is_keeping; then kill -s TERM "$keeper" 2>/dev/null; fi
signal TERM "$@"
if ! until_over "$LEASEHOLD_WAIT"; then
  # Held first, so that none of them begins another one while the others end.
  rounds=0
  before=none
  while [ "$left" != "$before" ] && [ "$rounds" -lt 10 ]; do
    before=$left
    # shellcheck disable=SC2086 # as above
    signal STOP $left
    find_job
    # Where they cannot be told any more, these are still what they were: nobody else is left to let them go on.
    more=$(members "$left") || break
    left=$more
    rounds=$((rounds + 1))
  done
  # shellcheck disable=SC2086 # as above
  set -- $left
  say forced "$#"
  signal KILL "$@"
  until_over 5 || { is_keeping && [ -z "$left" ] && kill -s KILL "$keeper" 2>/dev/null; }
fi
# Of a run that has lost its keeper, or whose keeper hangs, nobody else writes it down.
find_left
[ -n "$left" ] || [ -e "$folder/end" ] || put_once "$folder/end" "ended - $(date +%s) no"
tell_armed
# shellcheck disable=SC2086 # as above
set -- $left
say left "$#"
