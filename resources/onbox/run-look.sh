#!/bin/sh
# One look at the runs that Leasehold launched on this box, the newest first: a hundred, and of the older ones those that live, or
# are over by a person's word alone, up to another hundred. It changes nothing, but for one thing: where a launch was
# cut off before anything began, it takes the name "go" itself, so that nothing can begin any more, and removes the environment
# that was laid down for it. Values come in the environment:
#   LEASEHOLD_MARK    a nonce
#   LEASEHOLD_BEFORE  a run: only those that are older are told; empty: all
#   LEASEHOLD_SETTLE  the id of a launch whose answer was lost, or nothing: where its folder is not there, it is made, and nothing can
#                     be launched with this id from then on
# Prints behind the mark: "table <yes|no>", "home <path>", "now <seconds>", "life <boot id>/<start>"; "closed" where the folder of
#   all runs cannot be listed; for each run
#   "run <id>", then "about <JSON>", "launcher <alive|gone> <pid> <start> <life> <seconds> <detacher>",
#   "elsewhere <the machine that launched it, where that is another one>", and where a person has said that it is gone "denied", as what
#   it writes has changed since, "unseen", as that cannot be told, or "odd", as that mark is none of ours; "machine-gone <seconds> <the machine>" where a person has said so, and nothing denies it,
#   "go <keeper|sealed> <alive|gone> <pid> <start> <life>", "job <alive|gone> <pid> <start> <life> <own|shared>",
#   "ran <exit code> <seconds>", "copier <as job>", "copied <copied, or why not> <files>",
#   "configs <how many of its trainer's settings were kept>", "cut <when the box had asked it to end>",
#   "end <outcome> <exit code> <seconds> <missing>", "next <the run that goes on after it>", "reboot", "declined", "log <bytes> <seconds>" where
#   these are known; "older <count>", and "behind <id>", the last of the hundred, where some are older; "no-such-run" where LEASEHOLD_BEFORE is not on the box; and "whole".
set -u
umask 077
LC_ALL=C
export LC_ALL
mark=$LEASEHOLD_MARK
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
# shellcheck source=resources/onbox/parts/life.sh
. ./parts/life.sh
# shellcheck source=resources/onbox/parts/run-folder.sh
. ./parts/run-folder.sh
max_runs=100
max_older=100
max_about=16384
# What has only just been made has a launcher that is about to say who it is.
fresh_s=60

say() { printf '%s %s\n' "$mark" "$*"; }
look_at_sizes() { sizes=$line_end$(cd "$folder" && stat -c '%n %s %Y' about ran copied cut end next log 2>/dev/null); }
# Sets $size to what stat said of a file of this folder: its bytes and when it was written. Fails where it was not there.
size_of() { # name
  size=${sizes#*"$line_end$1 "}
  [ "$size" != "$sizes" ] || return 1
  size=${size%%"$line_end"*}
}
# Sets $text to the one line that a file is. By the shell alone, since a look asks this of each run some five times; its size is known, so
# that it is short, and what was read is all of it.
read_line() { # name, bytes
  { size_of "$1" && [ ! -L "$folder/$1" ] && [ "${size% *}" -le "$2" ]; } || return 1
  { IFS= read -r text <"$folder/$1"; } 2>/dev/null || return 1
  case $text in *[[:cntrl:]]*) return 1 ;; esac
  [ "$((${#text} + 1))" -eq "${size% *}" ]
}
# What lies in a file may be anything by now: one line of a bounded length goes out.
told() { # name, bytes
  [ -f "$folder/$1" ] || return 0
  # It has come since: the log has all that the run wrote before that, too.
  size_of "$1" || look_at_sizes
  if ! read_line "$1" "$2"; then
    text=$(head -c "$2" "$folder/$1" 2>/dev/null | tr '\000-\037\177' '?')
    text=${text%\?}
  fi
  say "$1" "$text"
}
# Sets $word to what a word of ours may be made of. What is one already needs no process: a look asks this of each run some twenty times.
word_of() { # text
  word=$1
  case $word in *[!a-z0-9/.-]*) word=$(printf %.80s "$1" | tr -dc 'a-z0-9/.-') ;; esac
  [ "${#word}" -le 80 ] || word=$(printf %.80s "$word")
}
# Sets $living.
tell_process() { # word, file
  living=none
  [ -f "$2" ] && read_process "$2" || return 0
  living=gone
  is_same_alive "$pid" "$since" "$during" && living=alive
  line="$1 $living"
  for part in "$what" "$pid" "$since" "$during"; do
    word_of "$part"
    line="$line $word"
  done
  case $rest in *[!a-z0-9\ ]*) rest=$(printf %.40s "$rest" | tr -dc 'a-z0-9 ') ;; esac
  [ "${#rest}" -le 40 ] || rest=$(printf %.40s "$rest")
  say "$line" "$rest"
}
is_fresh() { # folder
  made=$(stat -c %Y "$1" 2>/dev/null) || return 1
  [ "$now" -lt $((made + fresh_s)) ]
}
# Nothing of it can begin any more, and nothing reads any more what it was to begin with.
seal() { ! put_once "$folder/go" "sealed $now" || rm -f "$folder/environment"; }
tell_run() { # id
  folder=$state/$1
  say run "$1"
  look_at_sizes
  was_told=
  [ ! -f "$folder/about" ] || was_told=yes
  told about "$max_about"
  tell_process launcher "$folder/launcher"
  if launched_elsewhere "$folder"; then
    say elsewhere "$(printf %.64s "$other")"
    [ -z "$doubt" ] || say "$doubt"
    # There it may live.
    living=none
  elif [ -n "$gone" ]; then say machine-gone "$gone_since $(printf %.64s "$gone")"; fi
  if [ ! -e "$folder/go" ] && [ "$table" = yes ]; then
    case $living in
      gone) seal ;;
      none) is_fresh "$folder" || seal ;;
    esac
  fi
  tell_process go "$folder/go"
  # A launch writes it before anything begins: this one has gone on since the look began.
  [ -n "$was_told" ] || told about "$max_about"
  tell_process job "$folder/job"
  tell_process copier "$folder/copier"
  told ran 100
  told copied 100
  told cut 100
  told end 200
  told next 100
  [ ! -e "$folder/reboot" ] || say reboot
  [ ! -e "$folder/declined" ] || say declined
  # At most twenty lines.
  [ ! -f "$folder/config-files" ] || say configs "$(head -n 20 "$folder/config-files" 2>/dev/null | wc -l | tr -dc 0-9)"
  if size_of log; then say log "$size"; fi
}

# That its machine is gone was only said, and nobody has gone on after it or declined to.
is_open_word() { [ -n "$gone" ] && [ ! -e "$1/next" ] && [ ! -e "$1/declined" ]; } # the run's folder

table=no
{ [ -r "$proc/$$/stat" ] && [ -r "$proc/uptime" ]; } && table=yes
say table "$table"
case ${HOME:-} in
  *[[:cntrl:]]*) say home "$(printf %.4000s "$HOME" | tr '\000-\037\177' '?')" ;;
  *) printf '%s home %.4000s\n' "$mark" "${HOME:-}" ;;
esac
now=$(date +%s)
find_life
say now "$now"
say life "$here"
if is_run_id "$LEASEHOLD_SETTLE" && [ "$table" = yes ]; then
  mkdir -p "$state" 2>/dev/null
  if mkdir "$state/$LEASEHOLD_SETTLE" 2>/dev/null; then put_once "$state/$LEASEHOLD_SETTLE/go" "sealed $now"; fi
fi
# Where it is not there yet, as before the first launch or while that makes it, there are no runs; what is closed to us is another thing.
is_listable() {
  near=$state
  while [ -n "$near" ] && [ ! -e "$near" ] && [ ! -h "$near" ]; do near=${near%/*}; done
  [ -d "${near:-/}" ] && [ -x "${near:-/}" ] || return 1
  [ "$near" != "$state" ] || [ -r "$state" ]
}
is_listable || say closed
# Their names begin with the time of the launch.
count=0
behind=
set --
for folder in "$state"/r-*; do
  { [ -d "$folder" ] && [ ! -L "$folder" ] && is_run_id "${folder##*/}"; } || continue
  set -- "${folder##*/}" "$@"
  count=$((count + 1))
done
for id in "$@"; do
  if [ -n "$LEASEHOLD_BEFORE" ]; then
    [ "$id" != "$LEASEHOLD_BEFORE" ] || LEASEHOLD_BEFORE=
    count=$((count - 1))
    continue
  fi
  if [ "$max_runs" -gt 0 ]; then
    max_runs=$((max_runs - 1))
    behind=$id
  else
    gone=
    { [ "$max_older" -gt 0 ] && { lives "$state/$id" || is_open_word "$state/$id"; }; } || continue
    max_older=$((max_older - 1))
  fi
  count=$((count - 1))
  tell_run "$id"
done
say older "$count"
# Those that are told behind it have gaps between them.
[ "$max_runs" -gt 0 ] || say behind "$behind"
[ -z "$LEASEHOLD_BEFORE" ] || say no-such-run
say whole
