#!/bin/sh
# Lists the files of figures in the results folders of cells: "f <bytes> <seconds> <path>" and a NUL each.
# No link is followed. Changes nothing. The rest of stdin: a folder on each line, and "+end". Values come in the environment:
#   LEASEHOLD_MARK     a nonce
#   LEASEHOLD_FOLDER   what they are relative to
#   LEASEHOLD_MOST     so many bytes of the list of one folder at most
#   LEASEHOLD_LIMIT_S  how long one folder may take
# Prints "<mark> cell <line>" on a line before the files of each that is there, and "<mark> whole"; or "<mark> refused <why>".
set -u
LC_ALL=C
export LC_ALL
mark=$LEASEHOLD_MARK
# shellcheck source=resources/onbox/parts/time-limit.sh
. ./parts/time-limit.sh
# shellcheck source=resources/onbox/parts/places.sh
. ./parts/places.sh
refuse() {
  printf '%s refused %s\n' "$mark" "$1"
  exit 0
}
whole_path "$LEASEHOLD_FOLDER"
base=$path
hard_time_limit "$LEASEHOLD_LIMIT_S"
has_printf=
find / -prune -printf '' 2>/dev/null && has_printf=1
list() { # of the folder that it stands in
  # shellcheck disable=SC2016,SC2086 # for the shell that find starts; several words or none
  if [ -n "$has_printf" ]; then
    $limit find . -type f \( -name 'events.out.tfevents.*' -o -name '*.[cC][sS][vV]' -o -name '*.jsonl' -o -name '*.ndjson' \) \
      -printf 'f %s %Ts %P\0' 2>/dev/null
  else
    $limit find . -type f \( -name 'events.out.tfevents.*' -o -name '*.[cC][sS][vV]' -o -name '*.jsonl' -o -name '*.ndjson' \) \
      -exec sh -c '
        for each; do printf "f %s %s\000" "$(stat -c "%s %Y" "$each" 2>/dev/null)" "${each#./}"; done' sh '{}' + 2>/dev/null
  fi
}
at=0
last=
while IFS= read -r folder; do
  last=$folder
  [ "$folder" = +end ] && break
  at=$((at + 1))
  whole_path "$folder"
  case $path in /*) ;; *) path=$base/$path ;; esac
  cd -- "$path" 2>/dev/null || continue
  printf '\n%s cell %s\n' "$mark" "$at"
  list </dev/null | head -c "$LEASEHOLD_MOST"
done
[ "$last" = +end ] || refuse cut-off
printf '\n%s whole\n' "$mark"
