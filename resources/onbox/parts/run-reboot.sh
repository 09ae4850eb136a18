#!/bin/sh
# shellcheck disable=SC2154,SC2034 # what is taken from the other parts, and by them
# Starts a queue again once the box has restarted. Leasehold put this here because you asked for it, and never writes it again (U2).
#   $1  "on" puts the line of "reboot-line" into your crontab, "off" takes it out, and says what became of it; nothing: cron runs this, since
#       the box has started   $2  with "on", the working folder
# Files of the queue's folder, in which this lies: "reboot-line"; "reboot-plan", the working folder, where the disk that it is on was mounted
# and what tells the cards; "reboot.log", what this did. A run that is to be started again has "reboot". What it starts goes on after the
# newest run of the queue by the name that Leasehold takes, too ("next"), so that only one of them does; a cell that has finished does not run
# again. What is over by itself, what a person has ended, stopped or declined, it does not start, and takes the line out.
LC_ALL=C
export LC_ALL
queue=${0%/*}
of=${queue##*/}
state=${queue%/*}
# cron's own home may be another one than that of whoever launched it, as in a notebook.
HOME=${state%/.local/state/leasehold/runs}
export HOME
find_life
# Half an hour; so long may a disk take that is mounted late.
most_looks=900
IFS= read -r line <"$queue/reboot-line" || exit 1
lock=$state/crontab-lock
note() { printf '%s %s\n' "$(date -u '+%Y-%m-%d %H:%M:%S UTC')" "$1" >>"$queue/reboot.log"; }

put_line() { # on or off
  why=busy
  # Queues that begin and end at the same time must not write over each other's change.
  hold "$lock" "$$ $(start_of $$)" 20 1 || return 1
  # It may hold what is nobody's business.
  work=$queue/crontab.$$
  trap 'rm -rf "$work" "$lock"' EXIT
  trap 'exit 1' HUP INT TERM
  why=not-written
  said=$(umask 077 && mkdir "$work" 2>&1) && change_crontab "$1" "$work"
  put=$?
  rm -rf "$work" "$lock"
  trap - EXIT HUP INT TERM
  return "$put"
}
# Where the disk is mounted that a folder is on: what lies there before is another folder of the same name.
mount_of() { # path
  # shellcheck disable=SC2086 # several words or none
  $limit df -P -- "$1" 2>/dev/null </dev/null |
    awk 'NR == 2 && match($0, / ([0-9]+%|-) +\//) { print substr($0, RSTART + RLENGTH - 1) }'
}
hard_time_limit 5
case ${1:-} in
  on | off)
    if [ "$1" = on ]; then
      put_once "$queue/reboot-plan" "$2
$(mount_of "$2")
$(command -v nvidia-smi 2>/dev/null)" || { echo not-written && exit 1; }
    fi
    put_line "$1"
    put=$?
    printf '%s\n' "$why"
    exit "$put"
    ;;
esac

leave() { # why nothing is to be started any more
  note "$1: nothing is started, and the line is taken out of the crontab"
  put_line off || note "the line could not be taken out of the crontab ($why)"
  exit 0
}
# The person went on with it where this very line was in the crontab: by the name of the machine that launched it, since an older Leasehold
# hands the mark of the run before on.
is_of_own_crontab() { # the run's folder
  # shellcheck disable=SC2086 # seconds, the detacher, the machine, and the umask
  read_process "$1/launcher" && set -- "$1" $rest
  { read -r _ && read -r crontab && [ "$crontab" = "own-crontab ${4:-}" ]; } <"$1/reboot" 2>/dev/null
}
# The rules of going on by hand, and of those only what needs nobody's eyes.
judge_run() {
  [ -f "$run/reboot" ] || leave "${run##*/} is not to be started again"
  for word in asked declined stop-after stopped; do
    [ ! -e "$run/$word" ] || leave "a person has ended ${run##*/} ($word)"
  done
  [ ! -e "$run/end" ] || [ -e "$run/cut" ] || leave "${run##*/} is over"
  { read_process "$run/go" && [ "$what" = keeper ]; } || leave "${run##*/} never began"
  # Somebody went on with it on another machine that has this home. The one whose crontab this is launched the first, all that cron went on
  # with, and what a person went on with where this line was in the crontab, whatever it was called then and is called now.
  launched_elsewhere "$queue"
  own_name=$other
  if launched_elsewhere "$run" && [ "$other" != "$own_name" ]; then
    case $rest in
      *' cron '*) ;;
      *) is_of_own_crontab "$run" || { note "${run##*/} was launched on $other: nothing is started" && exit 0; } ;;
    esac
  fi
  # Not the box has restarted, but cron.
  for part in go job; do
    read_process "$run/$part" && is_same_alive "$pid" "$since" "$during" && note "${run##*/} still runs" && exit 0
  done
  alive=$(outlived "$run") || { note "whether processes of ${run##*/} still run is not known: nothing is started" && exit 0; }
  [ -z "$alive" ] || { note "processes of ${run##*/} still run: nothing is started" && exit 0; }
}

# Those of its runs before this one that count as living elsewhere for ever, since the box had another name: judge_run has found them to be over.
renamed() {
  each=$queue
  steps=0
  while launched_elsewhere "$each" && printf '%s ' "${each##*/}"; [ "$each" != "$run" ] && [ "$steps" -lt 10000 ]; do
    [ -f "$each/next" ] && { IFS= read -r each <"$each/next"; } 2>/dev/null && is_run_id "$each" || return 0
    each=$state/$each
    steps=$((steps + 1))
  done
}

{ IFS= read -r place && IFS= read -r mounted && IFS= read -r teller; } <"$queue/reboot-plan" || {
  note 'the file reboot-plan cannot be read: nothing is started'
  exit 1
}
# Sets $lacks: what is not there yet.
is_ready() {
  lacks="the folder $place"
  # shellcheck disable=SC2086,SC2016 # several words or none; the inner shell's own argument
  $limit sh -c 'cd -- "$1"' sh "$place" 2>/dev/null </dev/null || return 1
  lacks="the disk of $place at $mounted"
  [ -z "$mounted" ] || [ "$(mount_of "$place")" = "$mounted" ] || return 1
  [ -f "$run/slots" ] || return 0
  # shellcheck disable=SC2086 # several words or none
  cards=$($limit "$teller" --query-gpu=uuid --format=csv,noheader 2>/dev/null </dev/null)
  for card in $(tr ',' ' ' <"$run/slots"); do
    lacks="the GPU $card"
    case "
$cards
" in *"
$card
"*) ;; *) return 1 ;; esac
  done
}
newest_run "$queue"
judge_run
looks=0
until is_ready; do
  [ "$looks" -gt 0 ] || note "waits for $lacks"
  looks=$((looks + 1))
  [ "$looks" -lt "$most_looks" ] || { note "$lacks is not there after half an hour: nothing is started, resume the queue in Leasehold" && exit 1; }
  sleep 2
done
# Meanwhile somebody may have gone on with it by hand.
newest_run "$queue"
judge_run

turn=r-$(date -u +%Y%m%d-%H%M%S)-$(od -An -N4 -tx1 /dev/urandom | tr -d ' \n')
folder=$state/$turn
{ is_run_id "$turn" && mkdir "$folder"; } || { note 'no folder could be made for the next run (is the disk full?)' && exit 1; }
give_up() { # why
  rm -rf "$folder"
  note "$1"
  exit 1
}
read_process "$run/launcher"
own_umask=${rest##* }
make_run() {
  put_once "$folder/launcher" "launcher $$ $(start_of $$) $here $(date +%s) cron ${called:--} $own_umask" || return 1
  put_once "$folder/job.sh" "$(printf '%s\n. %s' \
    '# Goes on with a queue, by the very job.sh that began it. What is finished does not run again.' "$queue/job.sh")" || return 1
  for name in keeper.sh success-line config-from grace slots pause; do
    [ ! -e "$run/$name" ] || cp "$run/$name" "$folder/$name" || return 1
  done
  # Quotes within a text have a backslash in front, so that this is the field itself.
  sed "s/\"id\":\"${run##*/}\"/\"id\":\"$turn\"/" "$run/about" >"$folder/about" || return 1
  put_once "$folder/reboot" "$of"
}
make_run 2>/dev/null || give_up 'the files of the next run could not be written (is the disk full?)'
places=$(saved_by "$run")
before=$(renamed)
if [ -n "$places" ] && ! take_places "$folder/saves" "$places" "$$ $(start_of $$)" "$before"; then
  give_up "what it saves into could not be taken (${taken:-is the disk full?}): nothing is started, resume the queue in Leasehold"
fi
if ! put_once "$run/next" "$turn"; then
  [ -e "$run/next" ] || give_up 'the place after the run before could not be taken (is the disk full?)'
  give_up "somebody has gone on after ${run##*/} at the same time"
fi
note "$turn goes on after ${run##*/}"
unset LC_ALL
# In brackets, so that it is nobody's child and no signal to cron's job is one to it.
(
  trap '' HUP
  if command -v setsid >/dev/null 2>&1; then exec setsid sh "$folder/keeper.sh" "$folder"; fi
  exec sh "$folder/keeper.sh" "$folder"
) </dev/null >/dev/null 2>&1 &
# Until somebody is seen to keep it: a look that finds its launcher gone seals what nobody keeps.
looks=0
until [ -e "$folder/go" ] || [ "$looks" -ge 60 ]; do
  looks=$((looks + 1))
  sleep 1
done
