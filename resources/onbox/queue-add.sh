#!/bin/sh
# Adds cells to a queue, all of them or none, and once: what was added together is one file, whose name only one can take. The rest of
# stdin: the cells as parts/run-queue.sh has them, each on a line, the first line "+<id>"; and "+end".
#   LEASEHOLD_MARK   a nonce
#   LEASEHOLD_QUEUE  the run whose folder holds the queue
# Prints "<mark> added" also where these had been added before; "<mark> refused <why>"; or "<mark> taken <index>" for each cell whose name
# or results folder another one has.
set -u
umask 077
LC_ALL=C
export LC_ALL
mark=$LEASEHOLD_MARK
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
# shellcheck source=resources/onbox/parts/run-folder.sh
. ./parts/run-folder.sh
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
id=${added%%"$line_end"*}
case $id in +*) ;; *) refuse cut-off ;; esac
[ -d "$queue/cells" ] || refuse no-queue
tries=0
while [ "$tries" -lt 20 ]; do
  tries=$((tries + 1))
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
    printf '%s\n' "$taken" | head -n 100
    exit 0
  fi
  # Behind "1", since a number that begins with 0 is none in base ten.
  next=$((1$last + 1))
  put_once "$queue/cells/${next#1}" "$added" && say added && exit 0
  [ -e "$queue/cells/${next#1}" ] || refuse "$(why_not not-writable)"
done
refuse busy
