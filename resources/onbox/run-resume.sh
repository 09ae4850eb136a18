#!/bin/sh
# What a run's folder says to whoever goes on with it. Changes nothing. Values come in the environment:
#   LEASEHOLD_MARK  a nonce
#   LEASEHOLD_ID    the run, which is over
#   LEASEHOLD_OF    the first run of its chain, whose job.sh is run again; itself where it is that one
# Prints behind the mark, each on a line of its own: "job" and the text of job.sh, "success" and the text of a success, "copy" and the
# lines of copy-plan, where these are there; "hashes job.sh=<SHA-256>"; "left <processes that outlived it>"; "odd" where a line of these holds what no request can;
# and "whole".
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
# shellcheck source=resources/onbox/parts/run-left.sh
. ./parts/run-left.sh
# shellcheck source=resources/onbox/parts/hasher.sh
. ./parts/hasher.sh
# shellcheck source=resources/onbox/parts/file-hashes.sh
. ./parts/file-hashes.sh

say() { printf '\n%s %s\n' "$mark" "$*"; }
{ is_run_id "$LEASEHOLD_ID" && is_run_id "$LEASEHOLD_OF"; } || exit 2
run=$state/$LEASEHOLD_ID
find_life
told() { # word, file, bytes
  [ -f "$2" ] || return 0
  say "$1"
  head -c "$3" "$2" | tr '\000-\010\013-\037\177' '?'
}
# What is written into the new folder must be what stands in the old one.
is_carried() { # file, bytes
  [ -f "$1" ] || return 0
  [ "$(head -c "$(($2 + 1))" "$1" | wc -c)" -le "$2" ] && [ "$(head -c "$2" "$1" | tr -d '\000-\010\013-\037\177' | wc -c)" -eq "$(head -c "$2" "$1" | wc -c)" ]
}
told job "$state/$LEASEHOLD_OF/job.sh" 262144
say "hashes$(hashes_of "$state/$LEASEHOLD_OF" job.sh)"
told success "$run/success-line" 8192
told copy "$run/copy-plan" 131072
{ is_carried "$run/success-line" 8192 && is_carried "$run/copy-plan" 131072; } || say odd
left=$(outlived "$run") || exit 1
[ -z "$left" ] || say "left$left"
say whole
