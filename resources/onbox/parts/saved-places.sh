#!/bin/sh
# shellcheck disable=SC2154 # state, pid, since, during: run-folder.sh
# What runs save into. The file "saves" of a run has a line for each folder, "folder <where it really is>"; of a run that names none it is
# "job <digest of what runs> <where it really works>". Of cells that were added to a queue, "saves-<what they were added as>" has theirs. Two
# that live share none. Needs hold.sh, run-folder.sh, time-limit.sh, and $here.

# From lines as the request has them, "folder <path>" and "job <digest>", to whole paths by their names alone: nobody is asked.
named_places() { # the lines, where the run works
  printf '%s\n' "$1" | home=${HOME:-} from=$2 awk '
    function tidy(path) {
      gsub(/\/\/+/, "/", path)
      gsub(/\/(\.\/)+/, "/", path)
      sub(/\/\.?$/, "", path)
      return path == "" ? "/" : path
    }
    !sub(/^folder /, "") { print $0 " " tidy(ENVIRON["from"]); next }
    $0 == "~" || /^~\// { $0 = ENVIRON["home"] substr($0, 2) }
    !/^\// { $0 = ENVIRON["from"] "/" $0 }
    { print "folder " tidy($0) }'
}
# From these to where they really are. For a shell of its own, since a server that went away answers nobody; without a process for each,
# since a sweep has ten thousand.
# shellcheck disable=SC2016 # of the shell that reads them
real_words='
  while IFS= read -r line; do
    path=/${line#*" /"}
    near=$path
    while [ ! -d "$near" ] && [ -n "$near" ]; do near=${near%/*}; done
    rest=${path#"$near"}
    cd -P -- "${near:-/}" 2>/dev/null && near=${PWD%/}
    near=$near/${rest#/}
    [ "$near" = / ] || near=${near%/}
    printf "%s %s\n" "${line%%" /"*}" "$near"
  done
'
# One second more for each five hundred folders of a slow disk.
places_limit() { # the lines
  many=0
  [ "${#1}" -lt 4000 ] || many=$(printf '%s\n' "$1" | wc -l)
  hard_time_limit $((2 + many / 500))
}
# shellcheck disable=SC2034 # for who asks for it
# Sets $places; by their names alone, and fails, where nothing answered in time.
real_places() { # the lines, where the run works
  named=$(named_places "$1" "$2")
  places_limit "$1"
  # shellcheck disable=SC2086,SC2154 # several words or none, of time-limit.sh
  if places=$(printf '%s\n' "$named" | $limit sh -c "$real_words" 2>/dev/null); then return 0; fi
  places=$named
  return 1
}

about_of() { head -c 1200 "$state/$1/about" 2>/dev/null | tr '\000-\037\177' '?'; } # id
saved_by() { cat "$1/saves" "$1"/saves-[a-z0-9]* 2>/dev/null; } # the run's folder
living_runs() { # but this one
  for each in "$state"/r-*; do
    if [ "${each##*/}" != "$1" ] && lives "$each"; then printf '%s\n' "${each##*/}"; fi
  done
}
past_runs() { # the newest, at most so many
  for each in "$state"/r-*; do
    if [ -f "$each/saves" ] && ! lives "$each"; then printf '%s\n' "${each##*/}"; fi
  done | tail -n "$1"
}
# Which of these runs save into one of the places, into a folder above one, or below one.
sharing() { # the places, the runs
  {
    printf '%s\n' "$1"
    shift
    for each in "$@"; do
      printf '+%s\n' "$each"
      saved_by "$state/$each"
    done
  } | awk '
    function up(path) { return sub(/\/[^\/]*$/, "", path) ? path : "" }
    sub(/^[+]/, "") { theirs = $0; next }
    theirs == "" {
      mine[$0]
      if (sub(/^folder /, "")) for (path = $0; path != ""; path = up(path)) above[path]
      next
    }
    theirs == found { next }
    $0 in mine { print found = theirs; next }
    sub(/^folder /, "") {
      is_shared = $0 in above
      for (path = up($0); path != "" && !is_shared; path = up(path)) is_shared = ("folder " path) in mine
      if (is_shared) print found = theirs
    }'
}
# Takes the places for a run, in a file of its folder, unless a run that lives has one of them: then $taken is that run. Fails, too, where
# nothing can be written ($taken is empty), or where others hold this up for long ("busy").
take_places() { # the file, the places, for which process (number and start), runs that may share them, a blank between
  taken=busy
  hold "$state/launch-lock" "$3" 100 0.1 || return 1
  taken=
  taker=${1%/*}
  living=$(living_runs "${taker##*/}")
  # shellcheck disable=SC2046,SC2086 # ids
  [ -z "$living" ] || for other in $(sharing "$2" $living); do
    case " $4 " in *" $other "*) ;; *) taken=$other ;; esac
  done
  [ -z "$taken" ] && put_once "$1" "$2"
  is_taken=$?
  rm -f "$state/launch-lock"
  return "$is_taken"
}
