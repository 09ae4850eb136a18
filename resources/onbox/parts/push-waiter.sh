#!/bin/sh
# shellcheck disable=SC2034,SC2154 # what is read here and what is taken from the other parts
# Waits until one process has ended, posts one message, notes what came of it in the file "result" and ends. Leasehold put this here
# and started it because you asked for it. To end it by hand, remove its folder: it looks for that every few seconds.
#   $1  its folder, whose file "about" has: pid and start of the process, the longest wait in seconds, curl or wget; and whose file "run",
#       where the process keeps a launched run, has the id of that run
# Its stdin is the only place for what is secret, and read to its end at once: the address; the header Authorization or nothing; what is
# posted when the process has ended; what is posted when the wait was too long; "end". "@when@" becomes the box's time; "@outcome@" and
# "@code@" what the run's folder says of its end.
cd "$1" || exit 1
every=${LEASEHOLD_EVERY_S:-15}
pauses=${LEASEHOLD_PAUSES_S:-5 30 120 600}
hard_time_limit 30
nap=
trap '[ -z "$nap" ] || kill "$nap" 2>/dev/null; exit 0' TERM INT

unset at_end at_bound
last=
IFS= read -r address && IFS= read -r authorization && IFS= read -r at_end && IFS= read -r at_bound && IFS= read -r last
[ "$last" = end ] || exit 1 # cut off
exec </dev/null
read -r pid start longest tool rest <about || exit 1
run=
if [ -f run ]; then
  read -r id <run || exit 1
  run=${1%/push/*}/runs/$id
fi

doze() { # seconds; ended at once by a signal, with nothing left behind
  sleep "$1" &
  nap=$!
  wait "$nap"
  nap=
}
# A process that waits for its parent has ended. By the shell alone: this is asked for days.
is_running() {
  read_entry "$pid" || return 1
  # shellcheck disable=SC2086 # a letter and numbers
  set -- ${entry##*) }
  [ "$1" != Z ] && [ "${20}" = "$start" ]
}
# What keeps a run was killed and wrote down no end: the command may go on, or what copies its results.
goes_on() {
  [ -n "$run" ] && [ ! -e "$run/end" ] || return 1
  for file in job copier; do
    [ -f "$run/$file" ] || continue
    read -r rest pid start rest <"$run/$file"
    case $pid$start in '' | *[!0-9]*) continue ;; esac
    is_running && return 0
  done
  return 1
}
# Sets $ending and $code. What lies in the file may be anything by now: only known words and a number go out.
read_end() {
  # shellcheck disable=SC2046 # words of our own
  [ -z "$run" ] || [ ! -f "$run/end" ] || set -- $(head -c 200 "$run/end" 2>/dev/null | tr '\n' ' ' | tr -dc 'a-z0-9 -')
  code='not known'
  case ${2:-} in '' | *[!0-9]* | ????*) ;; *) code=$2 ;; esac
  case ${1:-}/${4:-}/${5:-copied} in
    done/*) ending='done' ;;
    ended/*) ending='ended by you' ;;
    failed/yes/*) ending='failed, for its log lacks the text of a success' ;;
    failed/*/copied) ending=failed ;;
    failed/*) ending='failed, for there is no checked copy of its results' ;;
    *) ending='how is not known' ;;
  esac
}
seconds_up() {
  read -r up rest <"$proc/uptime"
  up=${up%%.*}
}

printf '%s %s\n' "$$" "$(start_of "$$")" >waiter
seconds_up
until=$((up + longest))
what=ended
while is_running || goes_on; do
  doze "$every"
  [ -e "$1/about" ] || exit 0
  seconds_up
  if [ "$up" -ge "$until" ]; then
    what=expired
    break
  fi
done

body=$at_end
[ "$what" = ended ] || body=$at_bound
read_end
body=$(printf '%s\n' "$body" | sed "s/@when@/$(date -u '+%Y-%m-%d %H:%M:%S UTC')/g; s/@outcome@/$ending/g; s/@code@/$code/g")
outcome=failed
for pause in 0 $pauses; do
  [ "$pause" = 0 ] || doze "$pause"
  [ -e "$1/about" ] || exit 0
  told=$(post "$tool" "$1")
  case $told in
    2*)
      outcome=delivered
      break
      ;;
    000* | 408* | 429* | 5*) ;;
    *) break ;; # it would be answered the same again
  esac
done
printf '%s %s %s %s\n' "$what" "$outcome" "$told" "$(date +%s)" >result
rm -f waiter.sh
