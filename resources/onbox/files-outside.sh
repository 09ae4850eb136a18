#!/bin/sh
# What an end of the box would take besides the results: large files, and what looks like curves, in some folders. Reads folders and no file.
#   LEASEHOLD_MARK     a nonce
#   LEASEHOLD_MOST     so many bytes of the list at most
#   LEASEHOLD_LIMIT_S  so many seconds a folder at most
# The rest of stdin: "look <folder>" and "skip <folder>" lines, whole paths or from the home folder on. What programs bring along (packages,
# environments, caches) is no file of anybody and is left out, as are other disks than the one that each folder is on.
# Prints "<mark> life <boot id>/<start>", then "<mark> files" and each as "<bytes> <seconds> <path>" and a NUL, for a name may hold anything else;
# behind them "<mark> late" where it took too long, "<mark> partly" where something could not be read, and at last "<mark> whole".
set -u
LC_ALL=C
export LC_ALL
mark=$LEASEHOLD_MARK
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
# shellcheck source=resources/onbox/parts/life.sh
. ./parts/life.sh
# shellcheck source=resources/onbox/parts/time-limit.sh
. ./parts/time-limit.sh
# shellcheck source=resources/onbox/parts/places.sh
. ./parts/places.sh
# shellcheck source=resources/onbox/parts/find-faults.sh
. ./parts/find-faults.sh

printf '%s life %s\n' "$mark" "$(life)"
limit=$(hard_time_limit "$LEASEHOLD_LIMIT_S")
wanted=$(cat)
named() { # word
  printf '%s\n' "$wanted" | while IFS= read -r line; do
    case $line in "$1 "?*) whole_path "${line#"$1 "}" && printf '%s\n' "$path" ;; esac
  done
}
IFS='
'
set -f
set --
for folder in $(named skip); do
  # What find takes for a pattern is a letter like others.
  set -- "$@" -o -path "$(printf '%s' "$folder" | sed 's/[][*?\\]/\\&/g')"
done
# shellcheck disable=SC2016 # for the shell that find starts
tell='
  for each; do
    printf "%s %s\000" "$(stat -c "%s %Y" "$each" 2>/dev/null || printf "? ?")" "$each"
  done'
has_printf=yes
find . -prune -printf '' 2>/dev/null || has_printf=no
look_through() { # folder, then what is skipped
  folder=$1
  shift
  set -- '(' -name node_modules -o -name site-packages -o -name dist-packages -o -name __pycache__ -o -name .git -o -name .cache \
    -o -name .venv -o -name venv -o -name .conda -o -name 'miniconda*' -o -name 'anaconda*' -o -name miniforge3 -o -name mambaforge \
    -o -name .vscode-server -o -name .cursor-server -o -name .npm -o -name .nv -o -name .triton -o -name .rustup -o -name .cargo \
    -o -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /usr -o -path /etc -o -path /boot -o -path '/lib*' -o -path /snap \
    -o -path '/var/lib/*' -o -path '/var/cache' -o -path '*/.local/state/leasehold' "$@" ')' -prune -o -type f \
    '(' -size +2047 -o -name '*tfevents*' -o -name 'metrics.json' -o -name 'metrics.jsonl' -o -name 'metrics.csv' -o -name '*.wandb' \
    -o -path '*/trackio/*.db' ')'
  case $has_printf in
    yes) set -- "$@" -printf '%s %T@ %p\0' ;;
    *) set -- "$@" -exec sh -c "$tell" sh '{}' + ;;
  esac
  IFS=' '
  # A folder that is a link is looked through as what it leads to.
  # shellcheck disable=SC2086 # several words or none
  $limit find -H "$folder" -xdev "$@"
  printf 'ended %s\n' "$?" >&2
  IFS='
'
}
printf '%s files\n' "$mark"
{
  {
    for folder in $(named look); do
      [ ! -d "$folder" ] || look_through "$folder" "$@"
    done
  } 2>&1 >&3 | tell_faults "$mark" >&3
} 3>&1 2>/dev/null | head -c "$LEASEHOLD_MOST"
printf '\n%s whole\n' "$mark"
