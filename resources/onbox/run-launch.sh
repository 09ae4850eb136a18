#!/bin/sh
# Launches one run, once: whoever makes its folder launches it, and asking again with the same id starts nothing. The rest of stdin:
# one line of JSON that says what it is ("about"); the text of a success, or nothing; the lines of the job; "end"; of a queue, its cells as
# parts/run-queue.sh has them; "+saves", and what it saves into, as parts/saved-places.sh has it; of a sweep's, "+sweep" and a line of JSON;
# and "+end". Values come in the environment, from stdin:
#   LEASEHOLD_MARK      a nonce
#   LEASEHOLD_ID        the run's folder below ~/.local/state/leasehold/runs; made here
#   LEASEHOLD_FOLDER    where the job runs: it must be there
#   LEASEHOLD_LINES     how many lines the job has
#   LEASEHOLD_DETACHER  tmux, setsid or nohup, as the person was shown
#   LEASEHOLD_START     the line that starts its keeper, as the person was shown
#   LEASEHOLD_CELLS     "yes": cells follow
#   LEASEHOLD_SLOTS     of a queue: the cards of each cell that may run at the same time, a blank between them; empty: one after another
#   LEASEHOLD_GRACE     seconds that the platform gives between a SIGTERM and the end; empty: not known
#   LEASEHOLD_SAVED     where the run saves its results, as the request has it; empty: not told
#   LEASEHOLD_COPY      empty; or where the results are copied to once the job has succeeded: a whole path that is not there; of a queue, in
#                       which each cell gets a folder
#   LEASEHOLD_RESULTS   the results folder then, as a whole path; of a queue each cell has its own
#   LEASEHOLD_PRUNE     what of it is removed after that: patterns with tabs between them
#   LEASEHOLD_SWEEP     "yes": behind them, what the sweep is
#   LEASEHOLD_CODE      empty; or which code was pushed and read back for it: the folder's name among the records (tree-folder.sh), the tree's SHA-256
#   LEASEHOLD_AFTER     the run, over by now, that this one goes on after; empty: none. Each has at most one that follows it. Where nothing
#                       stands behind "+saves", it saves into what that one did
#   LEASEHOLD_BESIDE    runs that live and save into the same, as the person was shown, a blank between them
#   LEASEHOLD_REBOOT    of a new queue, the line of the crontab that starts it again after a restart, as the person was shown; empty: none
# Prints "<mark> refused <why>" and leaves nothing, with "<mark> taken <about>" before it where another run saves into the same; "<mark> exists" where the folder is there already; "<mark> sealed" where nothing of
# it began in time, and nothing can begin any more; "<mark> launched <pid> <start>" once its keeper has begun.
set -u
own_umask=$(umask)
umask 077
own_language=${LC_ALL-unset}
LC_ALL=C
export LC_ALL
mark=$LEASEHOLD_MARK
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
# shellcheck source=resources/onbox/parts/life.sh
. ./parts/life.sh
# shellcheck source=resources/onbox/parts/run-folder.sh
. ./parts/run-folder.sh
# shellcheck source=resources/onbox/parts/hold.sh
. ./parts/hold.sh
# shellcheck source=resources/onbox/parts/saved-places.sh
. ./parts/saved-places.sh
# shellcheck source=resources/onbox/parts/time-limit.sh
. ./parts/time-limit.sh
# shellcheck source=resources/onbox/parts/why-not.sh
. ./parts/why-not.sh
# shellcheck source=resources/onbox/parts/hasher.sh
. ./parts/hasher.sh
# shellcheck source=resources/onbox/parts/tree-note.sh
. ./parts/tree-note.sh

say() { printf '%s %s\n' "$mark" "$*"; }
refuse() {
  say refused "$1"
  exit 0
}
# What this was told is no business of what it starts.
as_it_was() {
  if [ "$own_language" = unset ]; then unset LC_ALL; else LC_ALL=$own_language; fi
  unset LEASEHOLD_MARK LEASEHOLD_ID LEASEHOLD_FOLDER LEASEHOLD_LINES LEASEHOLD_DETACHER LEASEHOLD_START LEASEHOLD_CELLS LEASEHOLD_SWEEP
  unset LEASEHOLD_AFTER LEASEHOLD_SLOTS LEASEHOLD_GRACE LEASEHOLD_SAVED LEASEHOLD_COPY LEASEHOLD_RESULTS LEASEHOLD_PRUNE
  unset LEASEHOLD_REBOOT LEASEHOLD_BESIDE LEASEHOLD_CODE
}
is_run_id "$LEASEHOLD_ID" || refuse no-id
case $LEASEHOLD_LINES in '' | *[!0-9]*) refuse cut-off ;; esac
folder=$state/$LEASEHOLD_ID
line_end='
'

# All of it before anything is made: a launch that was cut off leaves nothing.
last=
job=
left=$LEASEHOLD_LINES
IFS= read -r about || refuse cut-off
IFS= read -r success || refuse cut-off
while [ "$left" -gt 0 ]; do
  IFS= read -r line || refuse cut-off
  job=$job$line$line_end
  left=$((left - 1))
done
IFS= read -r last
[ "$last" = end ] || refuse cut-off
more=$line_end$(cat)
# No cell begins with "+".
case $more in *"$line_end+end") ;; *) refuse cut-off ;; esac
# Not by the shell's own patterns, which take minutes for megabytes.
part() { # between which line, or the first one, and which other one
  printf '%s\n' "$more" | awk -v from="$1" -v to="$2" 'NR == 1 { on = from == ""; next } $0 == to { exit } on; $0 == from { on = 1 }'
}
cells=
sweep=
[ "$LEASEHOLD_CELLS" != yes ] || cells=$(part '' +saves)
if [ "$LEASEHOLD_SWEEP" = yes ]; then
  saves=$(part +saves +sweep)
  sweep=$(part +sweep +end)
  [ -n "$sweep" ] || refuse cut-off
else saves=$(part +saves +end); fi
exec </dev/null
if [ -n "$LEASEHOLD_AFTER" ]; then { is_run_id "$LEASEHOLD_AFTER" && [ -d "$state/$LEASEHOLD_AFTER" ]; } || refuse no-queue; fi

[ ! -d "$folder" ] || { say exists && exit 0; }
[ -d "${HOME:-}" ] || refuse no-home
{ [ -r "$proc/$$/stat" ] && [ -r "$proc/uptime" ]; } || refuse no-process-table
case $LEASEHOLD_FOLDER in
  \~) place=$HOME ;;
  \~/*) place=$HOME/${LEASEHOLD_FOLDER#??} ;;
  /*) place=$LEASEHOLD_FOLDER ;;
  *) refuse no-folder ;;
esac
[ -e "$place" ] || refuse no-folder
[ -d "$place" ] || refuse not-a-folder
(cd "$place") 2>/dev/null || refuse not-enterable
case $LEASEHOLD_DETACHER in
  nohup) ;;
  tmux | setsid) command -v "$LEASEHOLD_DETACHER" >/dev/null 2>&1 || refuse no-detacher ;;
  *) refuse no-detacher ;;
esac

find_life
find_own_number
read_start "$own"
own_start=$start_tick
said=$(mkdir -p "$state" 2>&1) || refuse "$(why_not not-writable "$state")"
# The claim. Never what is there already, nor a symlink.
said=$(mkdir "$folder" 2>&1) || {
  [ -d "$folder" ] && [ ! -L "$folder" ] && say exists && exit 0
  refuse "$(why_not not-writable "$state")"
}
give_up() {
  why=$(why_not not-writable "$state")
  rm -rf "$folder"
  refuse "$why"
}
# Only what is read while this goes on takes its name once.
put_once "$folder/launcher" "launcher $own $own_start $here $(date +%s) $LEASEHOLD_DETACHER ${called:--} $own_umask" || give_up
put "$folder/job.sh" "${job%"$line_end"}" || give_up
# A tmux server would give the keeper the environment that it was itself started in. Beside its POSIX mode, bash tells functions too, and
# reads on behind a name that it keeps to itself.
if [ "$LEASEHOLD_DETACHER" = tmux ]; then
  # shellcheck disable=SC3040,SC3045 # of bash alone
  put "$folder/environment" "$(
    as_it_was
    if (set +o posix) 2>/dev/null; then set +o posix && export -p && export -pf; else export -p; fi
  )" || give_up
fi
if [ -n "$success" ]; then put "$folder/success-line" "$success" || give_up; else said=$({ : >"$folder/success-line"; } 2>&1) || give_up; fi
said=$({
  cat >"$folder/keeper.sh"
} 2>&1 <<'KEEPER'
#!/bin/sh
set -u
umask 077
. ./parts/process-table.sh
. ./parts/life.sh
. ./parts/run-folder.sh
. ./parts/time-limit.sh
. ./parts/run-keeper.sh
KEEPER
) || give_up
if [ -n "$cells" ]; then
  said=$(mkdir "$folder/cells" "$folder/logs" 2>&1) || give_up
  put "$folder/cells/0001" "$cells" || give_up
  [ -z "$sweep" ] || put "$folder/sweep" "$sweep" || give_up
  said=$({
    cat >"$folder/queue.sh"
  } 2>&1 <<'QUEUE'
#!/bin/sh
set -u
. ./parts/process-table.sh
. ./parts/life.sh
. ./parts/run-folder.sh
. ./parts/time-limit.sh
. ./parts/queue-list.sh
. ./parts/run-queue.sh
QUEUE
  ) || give_up
fi
# Below the working folder it is found from there.
saved=
case $LEASEHOLD_SAVED in
  \~/*) saved=$HOME/${LEASEHOLD_SAVED#??} ;;
  /*) saved=$LEASEHOLD_SAVED ;;
esac
put "$folder/config-from" "$place${saved:+$line_end$saved}" || give_up
# shellcheck disable=SC2086 # several words
[ -z "$LEASEHOLD_SLOTS" ] || put "$folder/slots" "$(printf '%s\n' $LEASEHOLD_SLOTS)" || give_up
[ -z "$LEASEHOLD_GRACE" ] || put "$folder/grace" "$LEASEHOLD_GRACE" || give_up
if [ -n "$LEASEHOLD_COPY" ]; then
  plan=$LEASEHOLD_COPY
  [ -z "$LEASEHOLD_PRUNE" ] || plan=$plan$line_end$(printf '%s\n' "$LEASEHOLD_PRUNE" | tr '\t' '\n')
  # The keeper copies where copy.sh is there, and of a queue that is for each cell to do.
  copier=copy.sh
  if [ "$LEASEHOLD_CELLS" = yes ]; then
    copier=copy-cell.sh
    said=$(mkdir "$folder/copies" 2>&1) || give_up
    put "$folder/copy-cells" "$plan" || give_up
  else
    put "$folder/copy-plan" "$LEASEHOLD_RESULTS$line_end$plan" || give_up
  fi
  said=$({
    cat >"$folder/$copier"
  } 2>&1 <<'COPY'
#!/bin/sh
set -u
. ./parts/process-table.sh
. ./parts/run-folder.sh
. ./parts/why-not.sh
. ./parts/hasher.sh
. ./parts/fine-times.sh
. ./parts/run-copy.sh
COPY
  ) || give_up
fi
if [ -n "$saves" ]; then
  # Where the folder does not answer, and somebody launches over that, it stands there as it was named.
  real_places "$saves" "$place" || :
elif [ -n "$LEASEHOLD_AFTER" ]; then places=$(saved_by "$state/$LEASEHOLD_AFTER"); fi
if [ -n "${places:-}" ] && ! take_places "$folder/saves" "$places" "$own $own_start" "$LEASEHOLD_BESIDE"; then
  case $taken in
    '') give_up ;;
    busy) why=launch-busy ;;
    *)
      # Of two who go on after the same run, each is told that.
      if [ -n "$LEASEHOLD_AFTER" ] && [ "$(cat "$folder/job.sh")" = "$(cat "$state/$taken/job.sh" 2>/dev/null)" ]; then
        rm -rf "$folder"
        refuse resumed
      fi
      say taken "$(about_of "$taken")"
      why=taken
      ;;
  esac
  rm -rf "$folder"
  refuse "$why"
fi
if [ -n "$LEASEHOLD_CODE" ]; then
  pushed='' noted=''
  find_hasher
  # An older Leasehold keeps the first alone.
  {
    IFS= read -r pushed <"$HOME/.local/state/leasehold/trees/${LEASEHOLD_CODE%% *}"
    find_note "$place" && IFS= read -r noted <"$note"
  } 2>/dev/null
  [ "$pushed $noted" = "${LEASEHOLD_CODE#* } ${LEASEHOLD_CODE#* }" ] || { rm -rf "$folder" && refuse other-code; }
fi
put_once "$folder/about" "$about" || give_up
if [ -n "$LEASEHOLD_REBOOT" ]; then
  said=$({
    cat >"$folder/reboot.sh"
  } 2>&1 <<'REBOOT'
#!/bin/sh
set -u
umask 077
. ./parts/process-table.sh
. ./parts/life.sh
. ./parts/run-folder.sh
. ./parts/run-left.sh
. ./parts/hold.sh
. ./parts/saved-places.sh
. ./parts/time-limit.sh
. ./parts/crontab.sh
. ./parts/run-reboot.sh
REBOOT
  ) || give_up
  put "$folder/reboot-line" "$LEASEHOLD_REBOOT" || give_up
  put_once "$folder/reboot" "$LEASEHOLD_ID" || give_up
  became=$(sh "$folder/reboot.sh" on "$place" 2>/dev/null) || {
    rm -rf "$folder"
    refuse "crontab-${became:-not-written}"
  }
elif [ "$LEASEHOLD_CELLS" != yes ] && [ -n "$LEASEHOLD_AFTER" ] && [ -e "$state/$LEASEHOLD_AFTER/reboot" ]; then
  # It goes on with a queue whose line is there. In the crontab of this very machine, or of another one with this home, cron has to know
  # after the next restart, when this machine may have another name.
  armed=$(head -n 1 "$state/$LEASEHOLD_AFTER/reboot" | head -c 100)
  hard_time_limit 5
  # shellcheck disable=SC2086 # several words or none
  if is_run_id "$armed" && $limit crontab -l 2>/dev/null </dev/null | grep -qxF -f "$state/$armed/reboot-line"; then
    armed="$armed${line_end}own-crontab ${called:--}"
  fi
  put_once "$folder/reboot" "$armed" || give_up
fi
# The last of all: from now on nobody else goes on after that run.
if [ -n "$LEASEHOLD_AFTER" ] && ! put_once "$state/$LEASEHOLD_AFTER/next" "$LEASEHOLD_ID"; then
  [ ! -e "$state/$LEASEHOLD_AFTER/next" ] || said=
  why=$(why_not resumed "$state")
  rm -rf "$folder"
  refuse "$why"
fi

start_line=$LEASEHOLD_START
as_it_was
eval "$start_line"

tries=0
# It is there in a moment, as a rule.
pause=0.02
until read_process "$folder/go"; do
  if [ "$tries" -ge 100 ]; then
    # From now on a keeper that is late ends without having begun; one that was faster has begun.
    if put_once "$folder/go" "sealed $(date +%s)"; then
      # Where it cannot, the line takes itself out after the next restart: nothing of this ever began.
      disarm "$folder"
      rm -f "$folder/environment"
      say sealed
      exit 0
    fi
    [ "$tries" -lt 150 ] || { say unsettled && exit 0; }
  fi
  tries=$((tries + 1))
  [ "$tries" -lt 10 ] || pause=0.1
  sleep "$pause" 2>/dev/null || { sleep 1 && tries=$((tries + 9)); }
done
[ "$what" = keeper ] || { say sealed && exit 0; }
say launched "$pid" "$since"
