#!/bin/sh
# Adds cells to a queue, all of them or none, and once: what was added together is one file, whose name only one can take. The rest of
# stdin: the cells as parts/run-queue.sh has them, each on a line, the first line "+<id>"; "+saves", and what they save into, as
# parts/saved-places.sh has it; and "+end".
#   LEASEHOLD_MARK   a nonce
#   LEASEHOLD_QUEUE  the run whose folder holds the queue
# Prints "<mark> added" also where these had been added before; "<mark> refused <why>"; "<mark> taken <index>" for each cell whose name
# or results folder another one has; or "<mark> shared <about>" where a run saves into one of the folders that this queue shared none with.
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
# shellcheck source=resources/onbox/parts/hold.sh
. ./parts/hold.sh
# shellcheck source=resources/onbox/parts/saved-places.sh
. ./parts/saved-places.sh
# shellcheck source=resources/onbox/parts/time-limit.sh
. ./parts/time-limit.sh
# shellcheck source=resources/onbox/parts/why-not.sh
. ./parts/why-not.sh
# shellcheck source=resources/onbox/parts/queue-cells.sh
. ./parts/queue-cells.sh

say() { printf '%s %s\n' "$mark" "$*"; }
refuse() {
  say refused "$1"
  exit 0
}
is_run_id "$LEASEHOLD_QUEUE" || exit 2
queue=$state/$LEASEHOLD_QUEUE
line_end='
'
added=$(cat)
case $added in *"$line_end+end") added=${added%"$line_end+end"} ;; *) refuse cut-off ;; esac
saves=$(printf '%s\n' "$added" | awk 'on; $0 == "+saves" { on = 1 }')
added=$(printf '%s\n' "$added" | awk '$0 == "+saves" { exit } 1')
id=${added%%"$line_end"*}
case $id in '' | + | [!+]* | +*[!a-z0-9-]*) refuse cut-off ;; esac
[ -d "$queue/cells" ] || refuse no-queue
find_life
# The folders of the cells, by the run that goes through the queue. Whom it shares folders with already, a person has let it.
newest_run "$queue"
take_theirs() {
  IFS= read -r place <"$queue/config-from" || refuse no-queue
  real_places "$saves" "$place" || :
  # shellcheck disable=SC2046 # ids
  beside=$(sharing "$(saved_by "$run")" $(living_runs "${run##*/}") | tr '\n' ' ')
  take_places "$run/saves-${id#+}" "$places" "$own $(start_of "$own")" "$beside" && return 0
  case $taken in
    # An earlier try has them.
    '') [ -e "$run/saves-${id#+}" ] || refuse "$(why_not not-writable "$queue")" ;;
    busy) refuse busy ;;
    *) say shared "$(about_of "$taken")" && exit 0 ;;
  esac
}
find_own_number
rounds=0
while [ "$rounds" -lt 20 ]; do
  rounds=$((rounds + 1))
  for file in "$queue"/cells/[0-9][0-9][0-9][0-9]; do :; done
  last=${file##*/}
  case $last in '['*) refuse no-queue ;; 9999) refuse full ;; esac
  if grep -qxF -- "$id" "$queue"/cells/[0-9][0-9][0-9][0-9]; then say added && exit 0; fi
  taken=$({ cells_of "$queue"; printf '+\n%s\n' "$added"; } | awk -F '\t' -v mark="$mark" '
    /^[+]$/ { isNew = 1; next }
    /^[+]/ { next }
    isNew { n++ }
    /^#/ { next }
    $1 in has || ($3 != "" && $3 in isFolder) { if (isNew) print mark " taken " n }
    { has[$1] = 1; isFolder[$3] = 1 }')
  if [ -n "$taken" ]; then
    rm -f "$run/saves-${id#+}"
    printf '%s\n' "$taken" | head -n 100
    exit 0
  fi
  [ -z "$saves" ] || take_theirs
  # Behind "1", since a number that begins with 0 is none in base ten.
  next=$((1$last + 1))
  put_once "$queue/cells/${next#1}" "$added" && say added && exit 0
  [ -e "$queue/cells/${next#1}" ] || refuse "$(why_not not-writable "$queue")"
done
refuse busy
