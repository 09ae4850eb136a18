#!/bin/sh
# shellcheck disable=SC2154,SC2034 # what is taken from the other parts, and set for them
# Runs the cells of a queue, each once. Leasehold put this here because you asked for it, and never writes it again (U2).
#   $1  the folder of the run that does it   $2  "stop": a cell that fails is the last one of this run
# The queue is the folder that this lies in:
#   cells/0001, cells/0002 …  what was added, in this order: a line "+<id>", then a cell on each line, "<name><tab><command>", and where it
#               has a results folder of its own, "<tab><that>", in which a backslash stands before "n" for a line break, "t" for a tab and
#               another backslash. Its index is the number of its line, over all of them and without those with "+". Put a "#" in front of
#               a line, and the cell is left out and keeps its index.
#   journal     "begin <index> <seconds> <run> <slot, where the run has any> .", "exit <index> <code> <seconds> .",
#               "cut <index> <code> <seconds> .", and where results are copied: "ran <index> <seconds> <run> .", once the cell has succeeded
#               and its copy begins, and "copied <index> <files> <seconds> ." or "uncopied <index> <why not> <seconds> ."; behind "begin"
#               "changed <index> <files> <seconds> .", where so many files of code were changed since the launch of the run
#   logs/<index>  what the cell prints, and its copy
#   copy-cells  where it is there, each cell's results are copied before it counts as done: into which folder, on the first line, and what
#               of them is removed after that, on each further one, as parts/run-copy.sh has it
#   copies/<index>  what the copy of a cell has written down
# Files of the run: "slots": so many cells at once as it has lines, each with the cards on its line and no others; where it is not there, one
# after another. "pause", as long as no further cell is to begin; "stop-after", so that none begins any more.
queue=${0%/*}
run=$1
stops=${2:-}
tab=$(printf '\t')
# Sets $now, in seconds, and $clock, as a log has it. Asked of a program once in a second of the box's life: ten thousand short cells ask for
# it forty thousand times.
asked_at=
ask_clock() {
  life_second=
  { IFS=. read -r life_second rest <"$proc/uptime"; } 2>/dev/null
  [ -z "$life_second" ] || [ "$life_second" != "$asked_at" ] || return 0
  clock=$(date -u '+%s %Y-%m-%d %H:%M:%S UTC')
  now=${clock%% *}
  clock=${clock#* }
  asked_at=$life_second
}
say() {
  ask_clock
  printf 'leasehold: %s: %s\n' "$clock" "$1"
}
# One job of one run, which is alone with this queue (run-launch.sh): a second one would run every cell twice.
{ read_process "$run/job" && [ "$pid" = $$ ]; } || {
  say 'a queue is begun by Leasehold alone, so that no cell runs twice'
  exit 75
}
find_life
# Each line stands between line breaks and ends with a dot: what a full disk has cut off is never taken for one. This process alone
# writes it, however many cells there are at once.
record() {
  for pause in 5 30 120 600 0; do
    { printf '\n%s .\n' "$1" >>"$queue/journal"; } 2>/dev/null && return 0
    sleep "$pause"
  done
  say "this could not be written down (is the disk full?): $1"
  over=75
  return 1
}

go_second=$(stat -Lc %Z "$run/go" 2>/dev/null)
heard=0
trap 'heard=$((heard + 1))' TERM INT
trap '' HUP
shell='sh'
if command -v bash >/dev/null 2>&1; then shell=bash; fi
# Those whose copy runs.
copying=' '
# Why no further cell begins, once none does: an exit code, or "stopped".
over=
slots=1
[ ! -s "$run/slots" ] || slots=$(awk 'END { print NR }' "$run/slots")
free=
slot=0
while [ "$slot" -lt "$slots" ]; do
  slot=$((slot + 1))
  free="$free $slot"
done
# "<slot>:<process>:<its start>:<index>" of each cell that runs.
running=

# A cell that begins later may run other code than the first one did (U42): what of it in the working folder was changed since the launch.
# Sets $changed to "<how many> <the names of the first>", or nothing. A folder that takes longer is not looked through again.
hard_time_limit 2
code_limit=$limit
has_changes=
if find / -prune -cnewer / >/dev/null 2>&1; then has_changes=yes; fi
changed=
look_at_code() {
  changed=
  [ -n "$code_limit" ] || return 0
  set -- -newer "$run/launcher"
  [ -z "$has_changes" ] || set -- "$@" -o -cnewer "$run/launcher"
  # What a cell writes into the folder of its results is no code of it, nor is what Leasehold wrote for this launch, where that is below.
  top=
  if [ -n "$results" ]; then
    top=${results#"$(pwd -P)"/}
    case $top in "$results") top= ;; *) top=./${top%%/*}/ ;; esac
  fi
  # shellcheck disable=SC2086 # several words
  found=$($code_limit find . -maxdepth 8 -type d \( -name .git -o -name .venv -o -name node_modules -o -name site-packages -o -name __pycache__ \
    -o -name wandb -o -name outputs -o -name results -o -path '*/.local/state/leasehold' \) -prune -o -type f \( "$@" \) \( -name '*.py' -o -name '*.pyx' -o -name '*.sh' \
    -o -name '*.cu' -o -name '*.cpp' -o -name '*.c' -o -name '*.h' \) -print 2>/dev/null)
  [ "$?" -ne 137 ] || code_limit=
  [ -n "$found" ] || return 0
  changed=$(printf '%s\n' "$found" | top=$top LC_ALL=C awk '
    ENVIRON["top"] != "" && index($0, ENVIRON["top"]) == 1 { next }
    ++n <= 3 { names = names (n > 1 ? ", " : "") substr($0, 3, 200) }
    END { if (n) printf("%d %s%s\n", n, names, (n > 3 ? " and " (n - 3) " more" : "")) }' | tr '\000-\011\013-\037\177' '?')
}
is_paused() { [ -e "$run/pause" ] && [ ! -e "$run/stop-after" ] && [ "$heard" -eq 0 ]; }
# In the first slot that is free, unless the run is to end.
begin() {
  if [ "$heard" -gt 0 ]; then
    over=143
    return
  fi
  if [ -e "$run/stop-after" ]; then
    say "stopped before cell $at, as you asked"
    over=stopped
    return
  fi
  plain "${line%%"$tab"*}"
  name=$text
  command=${line#*"$tab"}
  plain "${command%%"$tab"*}"
  command=$text
  own_results
  # Not by ":", of which a shell ends where that fails.
  { printf '' >>"$queue/logs/$at"; } 2>/dev/null || {
    say "the log of cell $at cannot be written (is the disk full?), so it was not begun"
    over=75
    return
  }
  free=${free# }
  slot=${free%% *}
  if [ "$todo" = ran ]; then
    free=${free#"$slot"}
    copy "$at" "$slot" && running="$running $begun" || free="$free $slot"
    return
  fi
  cards=
  [ ! -s "$run/slots" ] || cards=$(sed -n "${slot}p" "$run/slots")
  look_at_code
  ask_clock
  # That takes its time, and the box may have asked meanwhile.
  if [ "$heard" -gt 0 ]; then
    over=143
    return
  fi
  record "begin $at $now ${run##*/}${cards:+ $slot}" || return
  free=${free#"$slot"}
  say "cell $at begins${cards:+ on $cards}: $name"
  if [ -n "$changed" ]; then
    record "changed $at ${changed%% *} $now" || return
    say "code in the working folder was changed since the launch: ${changed#* }" | tee -a "$queue/logs/$at"
  fi
  (
    # What asked just before would be forgotten with the traps of the shell that this comes from.
    [ "$heard" -eq 0 ] || exit 143
    if [ -n "$cards" ]; then
      CUDA_VISIBLE_DEVICES=$cards
      LEASEHOLD_SLOT=$slot
      export CUDA_VISIBLE_DEVICES LEASEHOLD_SLOT
    fi
    LEASEHOLD_CELL=$at
    LEASEHOLD_CELL_NAME=$name
    export LEASEHOLD_CELL LEASEHOLD_CELL_NAME
    if [ -n "$results" ]; then
      LEASEHOLD_CELL_RESULTS=$results
      export LEASEHOLD_CELL_RESULTS
      mkdir -p -- "$results" || exit 1
    fi
    # A space in front, since a command may begin with a dash.
    exec "$shell" -c " $command"
  ) </dev/null >>"$queue/logs/$at" 2>&1 &
  cell=$!
  # Its start tells it apart where it is looked for, and with one slot it is waited for.
  started=
  [ "$slots" -eq 1 ] || started=$(start_of "$cell")
  running="$running $slot:$cell:$started:$at"
  # Who was asked just before the cell was there has to pass it on.
  [ "$heard" -eq 0 ] || kill -TERM "$cell" 2>/dev/null || :
}
# Sets $results of the cell on $line, as a whole path; empty where it has no folder of its own.
own_results() {
  results=${line#*"$tab"}
  case $results in *"$tab"*) plain "${results#*"$tab"}" && results=$text ;; *) results= ;; esac
  case $results in
    '' | /*) ;;
    \~/*) results=$HOME/${results#??} ;;
    *) results=$(pwd -P)/$results ;;
  esac
}
# Copies the results of a cell that has succeeded, in its slot. Sets $begun, as in $running.
copy() { # index, slot
  line=$(cell_at "$1") || line=
  own_results
  work=$queue/copies/$1
  { IFS= read -r into <"$queue/copy-cells"; } 2>/dev/null || into=
  # Nothing of an earlier try runs any more, and what it has begun to remove is known by what it wrote down.
  [ -e "$work/pruning" ] || rm -rf "$work"
  rm -f "$work/copied"
  ask_clock
  record "ran $1 $now ${run##*/}" || return
  mkdir -p "$work" 2>/dev/null && {
    printf '%s\n%s\n' "$results" "$into/$1-${results##*/}"
    tail -n +2 "$queue/copy-cells"
  } >"$work/copy-plan.tmp" 2>/dev/null && mv "$work/copy-plan.tmp" "$work/copy-plan"
  say "cell $1: its results are copied"
  (
    # To cut a copy off helps nobody: it goes on for as long as the box, or the person who ends the run, lets it.
    trap '' TERM INT
    exec sh "$queue/copy-cell.sh" "$work"
  ) </dev/null >>"$queue/logs/$1" 2>&1 &
  begun=$2:$!:$(start_of "$!"):$1
  copying="$copying$1 "
}
settle_copy() { # index
  word='' files=0
  { IFS=' ' read -r word files <"$queue/copies/$1/copied"; } 2>/dev/null
  word=$(printf '%s' "$word" | tr -dc a-z-)
  ask_clock
  case $word in
    copied)
      record "copied $1 $files $now" || return
      # Of each copy the hashes are kept, and not four files more.
      (cd "$queue/copies/$1" && rm -f copied copy-plan copy-began pruning)
      say "cell $1: its $files files are copied and read back"
      return
      ;;
    '')
      if [ "$heard" -gt 0 ]; then
        over=143
        say "the copy of cell $1 was cut off; whoever resumes this queue copies again, and does not run it again"
        return
      fi
      word=cut-off
      [ "$code" -ne 75 ] || word=not-noted
      ;;
  esac
  record "uncopied $1 $word $now" || return
  say "cell $1 has succeeded, and there is no checked copy of its results ($word)"
  failed_one
}
failed_one() {
  if [ "$stops" = stop ] && [ -z "$over" ]; then
    say 'no further cell begins, because this one failed'
    over=1
  fi
}
# What became of a cell that is over, or that alone is waited for. Where its copy has begun, that is $begun.
settle() { # process, index, slot
  begun=
  wait "$1"
  code=$?
  # A signal ends the wait, and not the cell.
  told=0
  while [ "$heard" -gt "$told" ]; do
    told=$heard
    wait "$1" 2>/dev/null
    again=$?
    [ "$again" -eq 127 ] || code=$again
  done
  # Whoever ends the whole run may reach the cell first, and this a moment later.
  if [ "$code" -gt 128 ] && [ "$heard" -eq 0 ]; then
    [ -e "$run/asked" ] || sleep 1
    [ ! -e "$run/asked" ] || heard=1
  fi
  case $copying in *" $2 "*)
    settle_copy "$2"
    return
    ;;
  esac
  ask_clock
  if [ "$heard" -gt 0 ]; then
    over=143
    record "cut $2 $code $now" && say "cell $2 was interrupted (exit $code); whoever resumes this queue runs it again"
    return
  fi
  if [ "$code" -eq 0 ] && [ -e "$queue/copy-cells" ]; then
    say "cell $2 ended with exit code 0"
    copy "$2" "$3"
    return
  fi
  record "exit $2 $code $now" || return
  say "cell $2 ended with exit code $code"
  [ "$code" -eq 0 ] || failed_one
}
# Frees the slots of the cells that are over. With one slot there is nothing else to do than to wait for its cell.
settle_ended() {
  left=
  for each in $running; do
    index=${each##*:} process=${each%:*}
    began=${process##*:} process=${process%:*}
    slot=${process%%:*} process=${process#*:}
    if [ "$slots" -gt 1 ] && is_same_alive "$process" "$began" "$here"; then
      left="$left $each"
    else
      settle "$process" "$index" "$slot"
      if [ -n "$begun" ]; then left="$left $begun"; else free="$free $slot"; fi
    fi
  done
  running=$left
}

while :; do
  settle_ended
  if [ -z "$over" ] && [ -n "$free" ] && ! is_paused && next_cell; then
    begin
    continue
  fi
  # With no cell to begin, nobody else looks whether this was asked to end.
  [ -z "$doubt" ] || [ "$heard" -eq 0 ] || over=143
  if [ -z "$running" ] && { [ -n "$over" ] || { [ -z "$doubt" ] && ! is_paused; }; }; then break; fi
  # Not every shell of a box can wait for any one of several processes: it looks at them, which starts no process but this one.
  sleep 0.2 2>/dev/null || sleep 1
done
case $over in
  '') ;;
  stopped)
    put_once "$run/stopped" "stopped $(date +%s)"
    exit 0
    ;;
  *) exit "$over" ;;
esac
# shellcheck disable=SC2016 # for awk
failed=$(journal=$queue/journal awk "$states"'
  BEGIN {
    read_states(ENVIRON["journal"])
    for (cell in state) if (state[cell] !~ /^(exit 0|copied)$/) failed++
    print failed + 0
  }')
say "no further cell; $failed failed"
[ "$failed" -eq 0 ]
