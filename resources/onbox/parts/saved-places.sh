#!/bin/sh
# shellcheck disable=SC2154 # state, pid, since, during: run-folder.sh
# What runs save into. The file "saves" of a run has a line for each folder, "folder <where it really is>"; of a run that names none it is
# "job <digest of what runs> <where it really works>". Two that live share none. Needs hold.sh, run-folder.sh, and $here.

# From lines as the request has them, "folder <path>" and "job <digest>", to those above. For a shell of its own, since a server that went
# away answers nobody; without a process for each, since a sweep has ten thousand.
# shellcheck disable=SC2016 # of the shell that reads them
real_words='
  cd -P -- "$1" 2>/dev/null && from=$PWD || from=$1
  while IFS= read -r line; do
    case $line in
      "folder "*) path=${line#folder } ;;
      *)
        printf "%s %s\n" "$line" "$from"
        continue
        ;;
    esac
    case $path in
      \~) path=$HOME ;;
      \~/*) path=$HOME/${path#??} ;;
      /*) ;;
      *) path=$from/$path ;;
    esac
    near=$path
    while [ ! -d "$near" ] && [ -n "$near" ]; do near=${near%/*}; done
    rest=${path#"$near"}
    cd -P -- "${near:-/}" 2>/dev/null && near=${PWD%/}
    printf "folder %s/%s\n" "$near" "$rest"
  done
'
# Sets $places; fails where nothing answered in time.
real_places() { # the lines, where the run works, the words of a limit
  # shellcheck disable=SC2086 # several words or none
  places=$(printf '%s\n' "$1" | $3 sh -c "$real_words" sh "$2" 2>/dev/null) || return 1
  places=$(printf '%s\n' "$places" | sed -e 's://*:/:g' -e 's:/\(\./\)\{1,\}:/:g' -e 's:/\.$::' -e 's:\(.\)/$:\1:')
}

living_runs() { # but this one
  for run in "$state"/r-*; do
    if [ -f "$run/saves" ] && [ "${run##*/}" != "$1" ] && lives "$run"; then printf '%s\n' "${run##*/}"; fi
  done
}
past_runs() { # the newest, at most so many
  for run in "$state"/r-*; do
    if [ -f "$run/saves" ] && ! lives "$run"; then printf '%s\n' "${run##*/}"; fi
  done | tail -n "$1"
}
# Which of these runs save into one of the places, into a folder above one, or below one.
sharing() { # the places, the runs
  printf '%s\n' "$1" | {
    shift
    cat
    for run in "$@"; do
      printf '+%s\n' "$run"
      cat "$state/$run/saves" 2>/dev/null
    done
  } | awk '
    function up(path) {
      sub(/\/[^\/]*$/, "", path)
      return path
    }
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
# Takes the places for a run, in its file "saves", unless a run that lives has one of them: then $taken is that run. Fails, too, where
# nothing can be written ($taken is empty), or where others hold this up for long ("busy").
take_places() { # the run's folder, the places, for which process (number and start), runs that may share them, a blank between
  taken=busy
  hold "$state/launch-lock" "$3" 100 0.1 || return 1
  taken=
  # shellcheck disable=SC2046 # ids
  for other in $(sharing "$2" $(living_runs "${1##*/}")); do
    case " $4 " in *" $other "*) ;; *) taken=$other ;; esac
  done
  [ -z "$taken" ] && put_once "$1/saves" "$2"
  is_taken=$?
  rm -f "$state/launch-lock"
  return "$is_taken"
}
