#!/bin/sh
# shellcheck disable=SC2154 # proc: process-table.sh
# Waits on the box, detached, until a process ended or a marker is there, and tells it to an address. Started by push-arm.sh, which
# writes it into the folder that is its only argument. What it reads there:
#   pid, start   the process (empty: none)     marker   the file (empty: none)     tool   curl or wget
#   url          the address: a secret, for its owner only
#   ended, appeared   what is posted in each case; "@when@" becomes the box's time
# The address is never in an argument or in the environment: the tools read it from stdin. It leaves "result" and takes all else with it.
set -u
umask 077
LC_ALL=C
export LC_ALL
cd "$1" || exit 1
every=${LEASEHOLD_EVERY_S:-15}
pauses=${LEASEHOLD_PAUSES_S:-5 30 120 600}
nap=

leave() {
  rm -f url ended appeared body waiter.sh
}
doze() { # seconds; ended at once by a signal, with nothing left behind
  sleep "$1" &
  nap=$!
  wait "$nap"
  nap=
}
trap '[ -z "$nap" ] || kill "$nap" 2>/dev/null; leave; exit 0' TERM INT
trap '' HUP

content() { cat "$1" 2>/dev/null; }
pid=$(content pid)
start=$(content start)
marker=$(content marker)
tool=$(content tool)

# A process that waits for its parent has ended.
is_running() {
  fields=$(fields_of "$pid") || return 1
  case $fields in Z*) return 1 ;; esac
  [ "$(printf '%s\n' "$fields" | cut -d ' ' -f 20)" = "$start" ]
}

what=
while :; do
  if [ -n "$marker" ] && [ -e "$marker" ]; then
    what=appeared
    break
  fi
  if [ -n "$pid" ] && ! is_running; then
    what=ended
    break
  fi
  doze "$every"
done

sed "s/@when@/$(date -u '+%Y-%m-%d %H:%M:%S UTC')/g" "$what" >body
address=$(content url)
post() {
  if [ "$tool" = curl ]; then
    printf 'url = "%s"\n' "$address" | curl -K - -sS -o /dev/null -w '%{http_code}' -m 30 --proto =http,https \
      -H 'Content-Type: application/json' --data-binary @body 2>/dev/null
  else
    printf '%s\n' "$address" | wget -q -i - -O /dev/null -T 30 -t 1 --header 'Content-Type: application/json' \
      --post-file body 2>/dev/null && printf 200
  fi
}
outcome=failed
for pause in 0 $pauses; do
  [ "$pause" = 0 ] || doze "$pause"
  code=$(post)
  case $code in
  2??)
    outcome=delivered
    break
    ;;
  esac
done
printf '%s %s %s\n' "$what" "$outcome" "$(date +%s)" >result
leave
