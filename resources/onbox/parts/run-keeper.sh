#!/bin/sh
# shellcheck disable=SC2154,SC2034 # what is taken from the other parts
# Runs job.sh of one run, keeps its exit code, and ends. Leasehold put this here and started it because you asked for it. It is there
# for one run only and is never written again (U2). To end the run by hand: kill -TERM <the number behind "keeper" in the file "go">.
#   $1  the run folder   $2  "job": this is the process that becomes job.sh   "copier": the one that becomes copy.sh
#   $3  "as-launched": its environment is that of the launch already
# Files: "go" says that this has begun, and which process it is; "job" which one the job is; "log" is what the job prints; "end" what
# became of it: "<done|failed|ended> <exit code> <seconds> <whether the text of a success was missing>"; where copy.sh is there, the
# job's success is in "ran" before that, "<exit code> <seconds>", "copier" says which process copies, and "end" has a word more:
# "copied", or why there is no copy. "cut" says that the box had asked it to end before it was done. "reserve" and "reserve-name" keep
# room for "end" until it is written, and "unread" has a word in it until the login files are read and job.sh begins. "environment" is that
# of the launch, where a tmux server starts this, which has one of its own; it is removed once this has begun.
folder=$1
cd "$folder" || exit 1
find_life

if [ -z "${2:-}${3:-}" ] && [ -f environment ]; then
  # shellcheck disable=SC2016 # for the shell that reads it
  exec env -i "PATH=$PATH" sh -c '
    (set +o posix) 2>/dev/null && set +o posix
    . ./environment
    unset TMUX TMUX_PANE
    [ -z "$2" ] || export TMUX="$2" TMUX_PANE="$3"
    exec sh ./keeper.sh "$1" "" as-launched' sh "$folder" "${TMUX:-}" "${TMUX_PANE:-}"
fi

# Noted by the job itself, before it is one: a keeper that is killed in between leaves no job that nobody knows.
if [ -n "${2:-}" ]; then
  part=$2
  session=shared
  # shellcheck disable=SC2086 # a letter and numbers
  read_entry $$ && set -- "$1" ${entry##*) }
  [ "${5:-}" = $$ ] && session=own
  put_once "$part" "$part $$ ${21:-} $here $session" || {
    echo 'leasehold: which process this is could not be written down (is the disk full?), so it was not begun'
    exit 75
  }
  # A login file may put another shell in place of this one (exec) or end it (exit), with code 0: that is no run.
  [ "$part" != job ] || { printf 'unread\n' >unread; } 2>/dev/null
  # Files of the job have the rights that they would have had from a terminal.
  read_process launcher && case ${rest##* } in '' | *[!0-7]*) ;; *) umask "${rest##* }" ;; esac
  [ "$part" = job ] || exec sh ./copy.sh "$1"
  if command -v bash >/dev/null 2>&1; then exec bash -l "$1/job.sh"; fi
  if sh -l -c : >/dev/null 2>&1; then exec sh -l "$1/job.sh"; fi
  exec sh "$1/job.sh"
fi

# One keeper, and none after somebody wrote down here that nothing is to begin any more.
read_start $$
put_once go "keeper $$ $start_tick $here"
taken=$?
# Whichever keeper it is by now, it has read it.
rm -f environment
[ "$taken" -eq 0 ] || exit 0
# Room to write down the end on a disk that the run fills: a block, and two names, since that takes two for a moment.
{ head -c 4096 /dev/zero >reserve && ln reserve reserve-name; } 2>/dev/null
note() { printf 'leasehold: %s: %s\n' "$(date -u '+%Y-%m-%d %H:%M:%S UTC')" "$1" >>log; }
finish() { # outcome, exit code, text is missing, what became of the copy
  # Nobody heard it.
  case $2 in -*) set -- "$1" - "$3" "${4:-}" ;; esac
  text="$1 $2 $(date +%s) $3${4:+ $4}"
  rm -f reserve reserve-name
  for pause in 5 30 120 600 0; do
    put_once end "$text" && return 0
    # The run was cleared away: there is nothing to write it in.
    [ -d "$folder" ] || return 0
    # Somebody may make room on the disk, or have written it down already.
    [ ! -e end ] && sleep "$pause"
  done
}

heard=0
passed=0
asked_at=
has_grace=
{ IFS= read -r seconds <grace && has_grace=", which has about $seconds s on this platform"; } 2>/dev/null
job=
asked_to_end() {
  heard=$((heard + 1))
  pass_on
}
pass_on() {
  [ -n "$job" ] || return 0
  passed=$heard
  # Whoever asked from Leasehold tells the others by itself: a second signal means "at once" to some of them.
  [ -e asked ] && return 0
  # To cut a copy off helps nobody: it goes on for as long as the box lets it.
  [ ! -e ran ] || return 0
  asked_at=$(date +%s)
  note "the box asks to end (SIGTERM); passed on to the run$has_grace"
  kill -TERM "-$job" 2>/dev/null || kill -TERM "$job" 2>/dev/null
}
trap asked_to_end TERM INT
: >>log
# In tmux this has a screen: whoever attaches sees there what the run prints. The hang-up that comes with the end of this ends it.
if [ -t 1 ]; then
  tail -n +1 -f log &
fi
# A hang-up reaches neither this nor what it starts from here on.
trap '' HUP

# What a trainer made of its settings, as it wrote it while this ran: a run is told apart by that, and not by what was typed (U27).
# "config-files" has a line for each copy in "config": its name, and where it was. A folder on a server that went away is left.
keep_configs() {
  hard_time_limit 5
  [ -n "$limit" ] && [ -f config-from ] || return 0
  # shellcheck disable=SC2086 # several words
  while IFS= read -r from; do
    [ -z "$from" ] || $limit find "$from" -maxdepth 6 \( -name node_modules -o -name .git -o -name site-packages \) -prune -o \
      -type f -newer launcher -size -2048 \( -path '*/.hydra/config.yaml' -o -path '*/.hydra/overrides.yaml' \
      -o -path '*/wandb/*/files/config.yaml' -o -name hparams.yaml -o -name args.yaml -o -name args.json -o -name training_args.bin \) \
      -print 2>/dev/null
  done <config-from | sort -u | head -n 20 >config-found
  at=0
  while IFS= read -r path; do
    at=$((at + 1))
    # shellcheck disable=SC2086 # several words
    { mkdir -p config && $limit cp "$path" "config/$at-${path##*/}"; } 2>/dev/null && printf '%s %s\n' "$at-${path##*/}" "$path"
  done <config-found >config-copied
  if [ -s config-copied ]; then mv config-copied config-files; else rm -f config-copied; fi
  rm -f config-found
}

# Runs one of the two in a session of its own where the box has setsid, so that everything that belongs to the run can be told and
# ended. Sets $code.
keep() { # job or copier
  if command -v setsid >/dev/null 2>&1; then
    setsid sh ./keeper.sh "$folder" "$1" </dev/null >>log 2>&1 &
  else
    sh ./keeper.sh "$folder" "$1" </dev/null >>log 2>&1 &
  fi
  job=$!
  [ "$passed" -eq "$heard" ] || pass_on
  wait "$job"
  code=$?
  # A signal ends the wait, and not what is waited for. A second wait that knows nothing any more leaves what the first one said; of
  # one that a signal meets just so, bash says -1.
  told=0
  while [ "$heard" -gt "$told" ]; do
    told=$heard
    wait "$job" 2>/dev/null
    again=$?
    case $again in 127 | -*) ;; *) code=$again ;; esac
  done
  # Its number may be another one's from now on.
  job=
}

keep job
if [ -s unread ]; then
  # What ended it while it read them was a signal, and none of them.
  [ "$heard" -gt 0 ] || [ "$code" -ge 128 ] || note 'job.sh was not run: a login file of the box (~/.bash_profile, ~/.profile or one in /etc) ended the shell, or put another program in its place, before that'
  [ "$code" -ne 0 ] || code=127
fi
rm -f unread
[ -z "$asked_at" ] || note "the run ended $(($(date +%s) - asked_at)) s after it was asked to, with exit code $code"
missing=no
if [ "$code" -eq 0 ] && [ -s success-line ]; then
  grep -qF -f success-line log || missing=yes
fi
outcome='done'
[ "$code" -eq 0 ] && [ "$missing" = no ] || outcome=failed
[ "$heard" -eq 0 ] || [ ! -e asked ] || outcome=ended
# Trainers save and exit with 0 when they are asked to end: that is no success, unless the text of one says so. Nothing is copied, and
# nothing pruned: the checkpoint is what it goes on from.
if [ -n "$asked_at" ] && [ "$outcome" != ended ] && { [ "$outcome" = failed ] || [ ! -s success-line ]; }; then
  outcome=failed
  put_once cut "cut $asked_at"
fi
# A queue that was asked to begin no further cell.
[ ! -e stopped ] || outcome=ended
copied=
if [ "$outcome" = 'done' ] && [ -f copy.sh ]; then
  put_once ran "$code $(date +%s)"
  ran=$code
  keep copier
  lost=cut-off
  [ "$code" -ne 75 ] || lost=not-noted
  code=$ran
  copied=$({ IFS=' ' read -r word rest <copied && printf '%s' "$word"; } 2>/dev/null | tr -dc a-z-)
  copied=${copied:-$lost}
  [ "$copied" = copied ] || outcome=failed
  [ "$heard" -eq 0 ] || [ ! -e asked ] || outcome=ended
fi
# A box that is about to end may not leave the time.
[ "$heard" -gt 0 ] || keep_configs
finish "$outcome" "$code" "$missing" "$copied"
# What the box has cut off starts again with it, where that was asked for; what is over does not.
[ -e cut ] || disarm "$folder" || note 'the line that starts this again could not be taken out of the crontab'
