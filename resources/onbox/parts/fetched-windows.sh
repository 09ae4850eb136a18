#!/bin/sh
# shellcheck disable=SC2154 # what is taken from the other parts
# Which notes of downloads (job-script.ts) count where results are listed. Needs run-folder.sh, written-since.sh and tells-writes.sh, and GNU's find.
# What came between two notes is left out of a list, so nothing that a run wrote itself may look like that: where that is not sure, it is listed.

# Prints the runs that work in the same folder, without going on after each other.
runs_beside() { # that folder, the runs of the list
  for each in "$state"/r-*; do
    case " $2 " in *" ${each##*/} "*) continue ;; esac
    { is_run_id "${each##*/}" && read_process "$each/go" && [ "$what" = keeper ]; } || continue
    if { IFS= read -r works <"$each/config-from"; } 2>/dev/null; then
      [ "$(cd -P -- "$works" 2>/dev/null && pwd -P)" = "$1" ] || continue
    fi
    printf '%s\n' "${each##*/}"
  done
}
# Whether none of these, $beside, lived meanwhile, also where the disk of the home keeps a time that is a minute off.
was_alone() { # the notes of a download
  from_s=$(find "$1" -prune -printf %T@) && until_s=$(find "$2" -prune -printf %T@) || return 1
  for each in $beside; do
    [ -z "$(find "$state/$each/launcher" -prune -newermt "@$((${until_s%%.*} + 60))" 2>/dev/null)" ] || continue
    [ -z "$(find "$state/$each/end" -prune ! -newermt "@$((${from_s%%.*} - 60))" 2>/dev/null)" ] || continue
    return 1
  done
}
# Sets $lies, a pattern of paths below the folder that is listed, and $disk. Fails where the notes do not count: of a disk that tells no parts
# of a second, or where another one is mounted below, which may keep another time.
window_of() { # the notes of a download, the folder that is listed
  { [ -f "$1" ] && [ -f "$2" ]; } || return 1
  case $(find "$1" "$2" -printf '%T@ ') in *.0000000000*) return 1 ;; esac
  { IFS= read -r into && ! IFS= read -r _; } <"$2" || return 1
  lies=$(top=$3 into=$into awk 'BEGIN {
    top = ENVIRON["top"] "/"
    into = ENVIRON["into"] "/"
    if (index(top, into) == 1) print "./*"
    if (into == top || index(into, top) != 1) exit
    into = substr(into, length(top) + 1)
    gsub(/[][*?\\]/, "\\\\&", into)
    print "./" into "*"
  }')
  [ -n "$lies" ] || return 1
  disk=$(find "$into" -prune -printf %D 2>/dev/null)
  if [ "$lies" = './*' ]; then
    [ "$(find "$3" -prune -printf %D)" = "$disk" ] || return 1
    into=$3
  fi
  [ -n "$disk" ] && alike_below "$into" '^$' && was_alone "$1" "$2"
}
