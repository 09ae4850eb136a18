#!/bin/sh
# Lists the files of one folder, wherever it leads: "<kind> <bytes> <written> <changed> <number> <path>" and a NUL each, for a name may hold
# anything else. <kind> is f for a plain file, l for a link, another letter for what is neither. No link is followed. <written> and <changed>
# (which nobody can set back) are in seconds, with nine or ten digits behind the point where the box tells them; <number> is the inode.
#   LEASEHOLD_MARK     a nonce
#   LEASEHOLD_FOLDER   where the run works, and LEASEHOLD_RESULTS the folder, from there on or as a whole path
#   LEASEHOLD_MOST     so many bytes of the list at most
#   LEASEHOLD_BEGAN    a run: only what was written or came there since it began, by this box's clock, and of a folder that the run works in
#                      nothing that anybody can make again (caches, installed packages), nor what Leasehold wrote, nor the results folders
#                      that other runs name below it, nor, where find tells it, what its own downloads brought; empty: all of it
# A folder that this user cannot look into is listed as d, for nobody knows what is in it.
# Prints "<mark> folder <seconds now> <yes: its disk tells each writing> <path>" and those, or "<mark> refused <why>"; behind them "<mark> late"
# where it took too long, or "<mark> partly" where something could not be read; and at last "<mark> whole".
set -u
LC_ALL=C
export LC_ALL
mark=$LEASEHOLD_MARK
# shellcheck source=resources/onbox/parts/time-limit.sh
. ./parts/time-limit.sh
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
# shellcheck source=resources/onbox/parts/life.sh
. ./parts/life.sh
# shellcheck source=resources/onbox/parts/run-folder.sh
. ./parts/run-folder.sh
# shellcheck source=resources/onbox/parts/written-since.sh
. ./parts/written-since.sh
# shellcheck source=resources/onbox/parts/places.sh
. ./parts/places.sh
# shellcheck source=resources/onbox/parts/tells-writes.sh
. ./parts/tells-writes.sh
# shellcheck source=resources/onbox/parts/find-faults.sh
. ./parts/find-faults.sh
# shellcheck source=resources/onbox/parts/fetched-windows.sh
. ./parts/fetched-windows.sh

refuse() {
  printf '%s refused %s\n' "$mark" "$1"
  exit 0
}
whole_path "$LEASEHOLD_FOLDER"
# Of a run that nobody knows the place of, the whole box would be its results.
[ -n "$path" ] || refuse no-place
base=$path
if [ -n "${LEASEHOLD_BEGAN:-}" ]; then
  case $(cd -P -- "$base" 2>/dev/null && pwd -P) in / | //) refuse no-place ;; esac
fi
whole_path "$LEASEHOLD_RESULTS"
# As mounts and proofs name it, which are compared with it.
case $path in
  .) path=$base ;;
  /*) ;;
  *) path=$base/$path ;;
esac
case $path in ?*/.) path=${path%/.} ;; esac
[ -e "$path" ] || refuse no-folder
[ -d "$path" ] || refuse not-a-folder
cd "$path" 2>/dev/null || refuse not-enterable
[ -r . ] || refuse not-readable
# Without GNU's find each file is asked about; not each stat tells less than a second.
as=
if ! find . -prune -printf '' 2>/dev/null; then
  case $(stat -c '%s %.9Y %.9Z %i' . 2>/dev/null) in
    *[!0-9.\ ]* | '') as='%s %Y %Z %i' ;;
    *) as='%s %.9Y %.9Z %i' ;;
  esac
  [ -n "$(stat -c "$as" . 2>/dev/null)" ] || refuse no-times
fi
since=0
fresh=
set --
if [ -n "${LEASEHOLD_BEGAN:-}" ]; then
  is_run_id "$LEASEHOLD_BEGAN" || exit 2
  # Code that was pushed came before this was written; its times of writing may be much older, and those of results that were moved here, too.
  launcher=$state/$LEASEHOLD_BEGAN/launcher
  if [ -z "$as" ]; then
    launched=$(find "$launcher" -prune -printf '%T@' 2>/dev/null)
  else launched=$(stat -c %Y "$launcher" 2>/dev/null); fi
  launched=${launched%%.*}
  case $launched in '' | *[!0-9]*) refuse no-start ;; esac
  written_since "$LEASEHOLD_BEGAN" "$launched" || refuse no-clock
  # What came within that second, on a disk that tells no more, or just after a small step of the clock. Some code may be listed, too.
  since=$((from - 2))
  [ -n "$as" ] || fresh="-newerct @$since"
  # What other runs name as theirs is listed as theirs: not of one that never began, nor of cells that have a folder each.
  theirs=$(for each in "$state"/r-*; do
    { IFS= read -r about <"$each/about"; } 2>/dev/null || continue
    case $about in *'"cellResults":"'*) continue ;; *'"results":"'*) ;; *) continue ;; esac
    read_process "$each/go" && [ "$what" = keeper ] && cat "$each/saves" 2>/dev/null
  done | top=$(pwd -P) awk '
    BEGIN { top = ENVIRON["top"] "/" }
    sub(/^folder /, "") && index($0, top) == 1 {
      path = substr($0, length(top) + 1)
      gsub(/[][*?\\]/, "\\\\&", path)
      if (!told[path]++) print "./" path
    }')
  set -- -name .cache -o -name __pycache__ -o -name node_modules -o -name site-packages -o -name .leasehold-push \
    -o -path '*/.local/state/leasehold'
  while IFS= read -r each; do
    [ -z "$each" ] || set -- "$@" -o -path "$each"
  done <<THEIRS
$theirs
THEIRS
  set -- -type d '(' "$@" ')' -prune -o
  # Between two notes came what a download brought. A run that went on repeats its steps, which may change the owner or the mode of what is there
  # already: in such a step only that came which was also written in it, or in one before it.
  if [ -z "$as" ] && [ -n "$steady" ]; then
    top=$(pwd -P)
    beside=$(runs_beside "$(cd -P -- "$base" && pwd -P)" "$runs")
    windows=
    for run in $runs; do
      for ended in "$state/$run"/fetched-*; do
        step=${ended##*-}
        begun=$state/$run/fetching-$step
        window_of "$begun" "$ended" "$top" || continue
        windows="$windows $disk/$run/$step"
        set -- "$@" ! -type d -path "$lies" -cnewer "$begun" ! -cnewer "$ended"
        if [ "$run" != "$LEASEHOLD_BEGAN" ]; then
          set -- "$@" '(' -false
          for window in $windows; do
            [ "${window%%/*}" = "$disk" ] || continue
            window=${window#*/}
            set -- "$@" -o -newer "$state/${window%/*}/fetching-${window#*/}" ! -newer "$state/${window%/*}/fetched-${window#*/}"
          done
          set -- "$@" ')'
        fi
        set -- "$@" -o
      done
    done
  fi
fi
export as since
sure=no
hard_time_limit 2
! tells_writes . || sure=yes
printf '%s folder %s %s %s\n' "$mark" "$(date +%s)" "$sure" "$(printf %.4000s "$path" | tr '\000-\037\177' '?')"
hard_time_limit "${LEASEHOLD_LIMIT_S:-15}"
# shellcheck disable=SC2016 # for the shell that find starts
tell='
  for each; do
    kind=o
    [ ! -f "$each" ] || kind=f
    [ ! -d "$each" ] || kind=d
    [ ! -h "$each" ] || kind=l
    told=$(stat -c "$as" "$each") || [ -e "$each" ] || [ -h "$each" ] || continue
    # Its third word: seconds, where the box tells no more, so that what came within the very second counts.
    changed=${told#* * }
    changed=${changed%% *}
    # One that tells no times is told without them.
    [ "$kind" = d ] || [ -z "$told" ] || [ "${changed%.*}" -ge "$since" ] 2>/dev/null || continue
    printf "%s %s %s\000" "$kind" "$told" "${each#./}"
  done'
list() {
  # shellcheck disable=SC2016,SC2086 # for the shell that find starts; several words or none
  if [ -z "$as" ]; then
    one='%y %s %T@ %C@ %i %P\0'
    $limit find . "$@" -type d '(' ! -readable -o ! -executable ')' -printf "$one" -prune -o ! -type d $fresh -printf "$one"
  else
    $limit find . "$@" -type d ! -exec sh -c '[ -r "$1" ] && [ -x "$1" ]' sh '{}' ';' -exec sh -c "$tell" sh '{}' ';' -prune \
      -o ! -type d -exec sh -c "$tell" sh '{}' +
  fi
  printf 'ended %s\n' "$?" >&2
}
{
  # In this order: only what list says of its faults goes to tell_faults.
  list "$@" 2>&1 >&3 | tell_faults "$mark" >&3
} 3>&1 2>/dev/null | head -c "$LEASEHOLD_MOST"
printf '\n%s whole\n' "$mark"
