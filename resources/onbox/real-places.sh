#!/bin/sh
# Where folders really are, and where those would be that are not there. Changes nothing. The rest of stdin: a line "folder <path>" for each,
# and "+end". Values come in the environment, from stdin:
#   LEASEHOLD_MARK    a nonce
#   LEASEHOLD_FOLDER  where a path goes on from that is not whole
# Prints behind the mark "folder <where it is>" for each, in their order; "late" instead, where they did not answer in time; and "whole".
set -u
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

line_end='
'
lines=$(cat)
case $lines in *"$line_end+end") lines=${lines%"$line_end+end"} ;; *) exit 0 ;; esac
if real_places "$lines" "$LEASEHOLD_FOLDER"; then
  printf '%s\n' "$places" | sed "s/^/$mark /"
else printf '%s late\n' "$mark"; fi
printf '%s whole\n' "$mark"
