#!/bin/sh
# shellcheck disable=SC2154 # state: run-folder.sh
# Where the log of a run lies, or of one cell of its queue: sets $folder, $log, $named and $journal. Needs run-folder.sh.
# shellcheck disable=SC2034 # for those who take this part
is_run_id "$LEASEHOLD_ID" || exit 2
folder=$state/$LEASEHOLD_ID
log=$folder/log
journal=
if [ -n "$LEASEHOLD_CELL" ]; then
  is_run_id "$LEASEHOLD_QUEUE" || exit 2
  case $LEASEHOLD_CELL in *[!0-9]*) exit 2 ;; esac
  journal=$state/$LEASEHOLD_QUEUE/journal
  log=$state/$LEASEHOLD_QUEUE/logs/$LEASEHOLD_CELL
fi
named=$log
# A run never opens its log again: of one that was renamed, as logrotate does it, what it writes goes on into what was renamed, to which
# only its processes lead. Sets $log to that, where there is one.
find_renamed() {
  log=$named
  real=$(cd -P -- "${named%/*}" 2>/dev/null && pwd -P) || return 0
  # shellcheck disable=SC2012 # links with numbers for names
  written=$(ls -l "$proc"/[0-9]*/fd/1 2>/dev/null | real=$real/${named##*/} awk '{
    at = index($0, " -> ")
    to = substr($0, at + 4)
    if (at == 0 || index(to, ENVIRON["real"]) != 1 || substr(to, length(ENVIRON["real"]) + 1) !~ /^([.-]| [(]deleted[)]$)/) next
    words = split(substr($0, 1, at - 1), word, " ")
    print word[words]
    exit
  }')
  [ -z "$written" ] || log=$written
}
# Nobody is asked where it is there and nothing lies beside it. Where nobody writes it and its name leads to nothing, it is what was
# renamed last; but not for who has read that already, and waits for what begins.
settle_log() {
  for beside in "$named"[.-]*; do break; done
  [ -e "$beside" ] || [ ! -e "$named" ] || return 0
  find_renamed
  { [ -e "$beside" ] && [ ! -s "$log" ]; } || return 0
  [ "${LEASEHOLD_FROM:-}" != 0 ] || [ -n "${LEASEHOLD_UNTIL:-}" ] || return 0
  # shellcheck disable=SC2012 # a path of ours, whatever stands behind its name
  log=$(ls -td -- "$named"[.-]* 2>/dev/null | head -n 1)
}
settle_log
