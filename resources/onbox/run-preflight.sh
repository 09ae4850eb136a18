#!/bin/sh
# What a launch has to know of a box before it begins. Changes nothing. Values come in the environment, from stdin:
#   LEASEHOLD_MARK      a nonce
#   LEASEHOLD_FOLDER    where the run will work     LEASEHOLD_RESULTS   where its results will lie; empty: not told
#   LEASEHOLD_COPY      where they are copied to; empty: nowhere
#   LEASEHOLD_DATA      where data is fetched into; empty: nowhere
#   LEASEHOLD_ACTIVATE  what is run before the command; empty: nothing
#   LEASEHOLD_WORD      the command's first word; empty: not known    LEASEHOLD_SCRIPT  a shell script that it names; empty: none
#   LEASEHOLD_SCRIPTS   shell scripts that further cells name, a tab between them
#   LEASEHOLD_PROGRAMS  what else the run starts by its name, a blank between them
#   LEASEHOLD_EXPORTS   what sets the environment of the run, in words of a shell
#   LEASEHOLD_PYTHON    the Python that the command runs; empty: none
#   LEASEHOLD_LOOKS     what else is asked because of whose box it is, as its profile says, a blank between them
#   LEASEHOLD_SECRETS   names of files in our folder of secrets, a blank between them
#   LEASEHOLD_ACCELERATORS  hosts of proxies for downloads, a blank between them
#   LEASEHOLD_ROUTES    addresses that the run must reach, a blank between them
#   LEASEHOLD_TRACKER   "wandb": its server is asked whether it takes the key that the run would send
#   LEASEHOLD_NAMED     folders that the run may read data from, a tab between them
#   LEASEHOLD_WRITES    "yes": code will be put into the folder
#   LEASEHOLD_SETTLED   "yes": until the command runs, and for it, the settings of wandb are those of the folder as it is now
#   LEASEHOLD_REBOOT    "yes": a line of the crontab is to start it again after a restart
#   LEASEHOLD_LOCAL_TYPES  file systems whose files can be counted without a wait, a blank between them
# Prints "<mark> <word> …" lines in any order, and at last "<mark> whole". What takes time is asked side by side, each with an end.
set -u
LC_ALL=C
export LC_ALL
mark=$LEASEHOLD_MARK
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
# shellcheck source=resources/onbox/parts/life.sh
. ./parts/life.sh
# shellcheck source=resources/onbox/parts/run-folder.sh
. ./parts/run-folder.sh
# shellcheck source=resources/onbox/parts/time-limit.sh
. ./parts/time-limit.sh
# shellcheck source=resources/onbox/parts/places.sh
. ./parts/places.sh
# shellcheck source=resources/onbox/parts/machine.sh
. ./parts/machine.sh
# shellcheck source=resources/onbox/parts/control-groups.sh
. ./parts/control-groups.sh
# shellcheck source=resources/onbox/parts/platform-look.sh
. ./parts/platform-look.sh
# shellcheck source=resources/onbox/parts/secret-file.sh
. ./parts/secret-file.sh
# shellcheck source=resources/onbox/parts/crontab.sh
. ./parts/crontab.sh
# shellcheck source=resources/onbox/parts/package-files.sh
. ./parts/package-files.sh
# shellcheck source=resources/onbox/parts/tracker-key.sh
. ./parts/tracker-key.sh
# shellcheck source=resources/onbox/parts/torch-sees.sh
. ./parts/torch-sees.sh
# shellcheck source=resources/onbox/parts/login-shell.sh
. ./parts/login-shell.sh

say() { printf '%s %s\n' "$mark" "$*"; }
line_of() {
  case $1 in
    *[[:cntrl:]]*) printf %.1000s "$1" | tr '\000-\037\177' '?' ;;
    *) printf %.1000s "$1" ;;
  esac
}
# A line of what a part prints becomes a line of this look.
say_each() { # word
  while IFS= read -r line; do say "$1" "$line"; done
}
hard_time_limit 2
tab=$(printf '\t')

# Where a folder really is, and on which file system: "<word>-at" and "<word>-disk". A server that went away holds this up.
tell_place() { # word, path, what of it is not there yet
  # shellcheck disable=SC2086,SC2016 # several words or none; the inner shell's own argument
  real=$($limit sh -c 'cd -P -- "$1" 2>/dev/null && pwd -P' sh "$2" 2>/dev/null </dev/null) || return 0
  case $real in */) real=${real%/} ;; esac
  say "$1-at" "$(line_of "$real${3:-}")"
  # shellcheck disable=SC2086 # several words or none
  disk=$($limit df -PTk -- "$2" 2>/dev/null </dev/null)
  disk=${disk##*"$line_end"}
  say "$1-disk" "$(line_of "$disk")"
}

tell_room() { # word, path
  # shellcheck disable=SC2086 # several words or none
  room=$($limit stat -f -c '%S %b %a %c %d' -- "$2" 2>/dev/null </dev/null) && say "$1" "$room"
}

is_local() { # the words of df
  case " $LEASEHOLD_LOCAL_TYPES " in *" ${2:-} "*) return 0 ;; esac
  return 1
}
tell_folder() {
  case $folder in
    open | unwritable) ;;
    missing)
      [ "$base" = "$place" ] || tell_place folder "$base" "/${made#/}"
      return 0
      ;;
    *) return 0 ;;
  esac
  tell_place folder "$place"
  # shellcheck disable=SC2086 # words
  if [ -n "$limit" ] && [ -n "${disk:-}" ] && ! is_local $disk; then count_files files "$place"; fi
}
# What is read again and again lies there.
tell_data() {
  find_kind data
  [ -n "$data" ] && [ "$kind" != late ] || return 0
  nearest "$data"
  rest=${data#"$near"}
  case $rest in '' | /*) ;; *) rest=/$rest ;; esac
  tell_place data "$near" "$rest"
  tell_room data-room "$near"
  # shellcheck disable=SC2086 # words
  if [ -z "$rest" ] && [ -n "$limit" ] && [ -n "${disk:-}" ] && ! is_local $disk; then count_files data-files "$data"; fi
}
# Calls a function with the place and the words of each of a list with tabs, all at once.
side_by_side() { # function, list
  at=0
  left=$2
  while [ -n "$left" ]; do
    "$1" "$at" "${left%%"$tab"*}" &
    case $left in *"$tab"*) left=${left#*"$tab"} ;; *) left= ;; esac
    at=$((at + 1))
  done
  wait
}
# The same of what the request names besides, each on its own: "named <its place in the list>-<word> …".
tell_named() { side_by_side tell_one_named "$LEASEHOLD_NAMED"; }
tell_one_named() { # its place, the folder
  from_folder "$2"
  named=$path
  kind=$(kind_in_time "$named" "$limit")
  say named "$1-kind $kind"
  case $kind in open | unwritable) ;; *) return 0 ;; esac
  tell_place "named $1" "$named"
  # shellcheck disable=SC2086 # words
  if [ -n "$limit" ] && [ -n "${disk:-}" ] && ! is_local $disk; then count_files "named $1-files" "$named"; fi
}
# "cell-script <its place in the list> <plain|returns|missing>" of each that was told in time.
# shellcheck disable=SC2153 # beside LEASEHOLD_SCRIPT, the one of the first command
tell_scripts() { side_by_side tell_one_script "$LEASEHOLD_SCRIPTS"; }
tell_one_script() { # its place, the script
  from_folder "$2"
  case $(kind_in_time "$path" "$limit") in
    other) ;;
    late | closed) return 0 ;;
    *) say cell-script "$1 missing" && return 0 ;;
  esac
  # Nobody may ever write into what is no file, and there may be no limit.
  [ -f "$path" ] || { say cell-script "$1 missing" && return 0; }
  # shellcheck disable=SC2086 # several words or none
  text=$($limit head -c 65536 "$path" 2>/dev/null | tr -dc '\r' | head -c 1 && printf x)
  if [ "$text" = x ]; then say cell-script "$1 plain"; else say cell-script "$1 returns"; fi
}
tell_results() {
  [ -n "$results" ] && [ -n "$near" ] || return 0
  rest=${results#"$near"}
  case $rest in '' | /*) ;; *) rest=/$rest ;; esac
  tell_place results "$near" "$rest"
  tell_room results-room "$near"
}

# Where the run folder will lie, in which the log of the run grows.
tell_state() {
  find_kind state
  [ "$kind" != late ] || return 0
  nearest "$state"
  tell_place state "$near"
  tell_room state-room "$near"
}

tell_copy() {
  [ -n "$LEASEHOLD_COPY" ] || return 0
  whole_path "$LEASEHOLD_COPY"
  find_kind copy
  if [ "$kind" = late ]; then
    say copy late
    return 0
  fi
  nearest "$path"
  rest=${path#"$near"}
  case $rest in '' | /*) ;; *) rest=/$rest ;; esac
  say copy "$(kind_of "$near")"
  # shellcheck disable=SC2086 # several words or none
  room=$($limit stat -f -c '%S %b %a %c %d' -- "$near" 2>/dev/null </dev/null) && say copy-room "$room"
  tell_place copy "$near" "$rest"
}

# How many files are below a folder, where each of them costs a question to a server: up to 100000, and as far as 2 s go.
count_files() { # word, folder
  # shellcheck disable=SC2086 # several words or none
  told=$({
    $limit find "$2" -type f
    printf 'end %s\n' "$?"
  } 2>/dev/null </dev/null |
    head -n 100001 | awk 'END { print NR " " $0 }')
  case $told in
    '100001 '*) say "$1" more 100000 ;;
    *' end 137') say "$1" late "$((${told%% *} - 1))" ;;
    *) say "$1" all "$((${told%% *} - 1))" ;;
  esac
}

tell_machine() {
  say arch "$(line_of "$(uname -m)")"
  cpu | say_each cpu
  { while IFS= read -r line; do
    case $line in MemTotal:* | MemAvailable:*) say memory "host $line" ;; esac
  done <"$proc/meminfo"; } 2>/dev/null
  memory | say_each memory
  # shellcheck disable=SC2086 # several words or none
  shared=$($limit stat -f -c '%S %b %a %c %d' -- /dev/shm 2>/dev/null </dev/null) && say shared "$shared"
  case " $LEASEHOLD_LOOKS " in *' pod-names '*) tell_pod_names | say_each pods ;; esac
}

# Scripts that run in the folder where code will be put (U2): "at-work <pid> <script>" of each, "at-work told" behind them. A command
# line may have a secret in it, so nothing else of one is told.
tell_at_work() {
  [ "$LEASEHOLD_WRITES" = yes ] || return 0
  case $folder in open | unwritable) ;; *) return 0 ;; esac
  # shellcheck disable=SC2086,SC2016 # several words or none; the inner shell's own argument
  inside=$($limit sh -c 'cd -P -- "$1" 2>/dev/null && pwd -P' sh "$place" 2>/dev/null </dev/null) || return 0
  # shellcheck disable=SC2012 # links with numbers for names
  ls -l "$proc"/[0-9]*/cwd 2>/dev/null | inside=$inside awk '{
    at = index($0, " -> ")
    to = substr($0, at + 4) "/"
    if (at == 0 || index(to, ENVIRON["inside"] "/") != 1) next
    parts = split(substr($0, 1, at - 1), names, "/")
    print names[parts - 1]
  }' | head -n 60 | while IFS= read -r number; do
    script=$(tr '\n\000' ' \n' <"$proc/$number/cmdline" 2>/dev/null | awk 'NR > 1 && NR < 20 && /^[^ =-][^ =]*[.](py|sh|bash)$/ { print; exit }')
    [ -z "$script" ] || say at-work "$number $(line_of "$script")"
  done
  say at-work told
}

# Cards that the cells of queues have to themselves which run now: "taken <card>" of each.
tell_taken() {
  find_kind state
  [ "$kind" != late ] || return 0
  find_life
  for cards in "$state"/r-*/slots; do
    of=${cards%/slots}
    { [ -f "$cards" ] && [ ! -e "$of/end" ]; } || continue
    for part in go job; do
      { read_process "$of/$part" && is_same_alive "$pid" "$since" "$during"; } || continue
      head -c 16384 "$cards" | tr ',' '\n' | say_each taken
      break
    done
  done
}

tell_cron() {
  [ "$LEASEHOLD_REBOOT" != yes ] || say cron "$(cron_kind)"
}

# Before anything that may take its time: whoever asked knows between which moments this was.
say now "$(date +%s)"
say home "$(line_of "${HOME:-}")"
if [ -r "$proc/$$/stat" ] && [ -r "$proc/uptime" ]; then say table yes; else say table no; fi
for detacher in tmux setsid nohup; do
  if [ "$detacher" = nohup ] || command -v "$detacher" >/dev/null 2>&1; then
    say detacher "$detacher"
    break
  fi
done
if command -v bash >/dev/null 2>&1; then set -- bash -l; elif sh -l -c : </dev/null >/dev/null 2>&1; then set -- sh -l; else set -- sh; fi
say shell "$*"
from_folder() { # path; the answer is $path
  whole_path "$1"
  case $path in /*) ;; *) path=$place/$path ;; esac
}
whole_path "$LEASEHOLD_FOLDER"
place=$path
results=
script=
copy=
data=
[ -z "$LEASEHOLD_RESULTS" ] || { from_folder "$LEASEHOLD_RESULTS" && results=$path; }
[ -z "$LEASEHOLD_SCRIPT" ] || { from_folder "$LEASEHOLD_SCRIPT" && script=$path; }
[ -z "$LEASEHOLD_COPY" ] || { whole_path "$LEASEHOLD_COPY" && copy=$path; }
[ -z "$LEASEHOLD_DATA" ] || { from_folder "$LEASEHOLD_DATA" && data=$path; }
# Asked side by side: each may lie on a server of its own that went away. One that answers does so for the way to it, too.
kinds=$(
  for each in "state $state" "folder $place" "results $results" "script $script" "copy $copy" "data $data"; do
    [ -z "${each#* }" ] || printf '%s\n' "${each%% *} $(kind_in_time "${each#* }" "$limit")" &
  done
  wait
)
# Sets $kind to what was said of it.
find_kind() {
  kind=$line_end$kinds$line_end
  case $kind in
    *"$line_end$1 "*)
      kind=${kind#*"$line_end$1 "}
      kind=${kind%%"$line_end"*}
      ;;
    *) kind= ;;
  esac
}

find_kind state
if [ "$kind" != late ]; then
  nearest "$state"
  kind=$(kind_of "$near")
fi
say state "$kind"
find_kind folder
folder=$kind
say folder "$folder"
# A push makes what is missing of it, on the disk of what there is.
base=$place
made=
if [ "$folder" = missing ] && [ "$LEASEHOLD_WRITES" = yes ]; then
  nearest "$place"
  base=$near
  made=${place#"$base"}
fi
[ "$folder" = late ] || tell_room room "$base"
near=
if [ -n "$results" ]; then
  find_kind results
  if [ "$kind" = missing ]; then
    nearest "$results"
    say results "later-$(kind_of "$near")"
  else
    say results "$kind"
    [ "$kind" = late ] || near=$results
  fi
fi
find_kind script
if [ -n "$script" ] && [ "$folder" != late ] && [ "$kind" != late ]; then
  path=$script
  # shellcheck disable=SC2086 # several words or none
  if [ -f "$path" ] && text=$($limit head -c 65536 "$path" 2>/dev/null | tr -dc '\r' | head -c 1 && printf x); then
    if [ "$text" = x ]; then say script plain; else say script returns; fi
  else say script missing; fi
fi
for name in $LEASEHOLD_SECRETS; do
  say secret "$name $(secret_state "${HOME:-/nonexistent}/.config/leasehold/$name")"
done
ask_login "$@" &
tell_machine &
tell_packages &
tell_at_work &
tell_taken &
tell_cron &
tell_folder &
tell_state &
tell_results &
tell_copy &
tell_data &
tell_named &
tell_scripts &
wait
say whole
