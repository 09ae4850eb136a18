#!/bin/sh
# Posts one message at once, to see whether the box can reach an address, and leaves nothing. What is secret is the rest of stdin: the
# address; the header Authorization or nothing; the message; "end". Values come in the environment, from stdin:
#   LEASEHOLD_MARK  a nonce
# Prints "<mark> refused <why>", or "<mark> posted <curl|wget> <HTTP status, 000: no answer> <exit code of the tool>".
set -u
umask 077
LC_ALL=C
export LC_ALL
mark=$LEASEHOLD_MARK
# shellcheck source=resources/onbox/parts/time-limit.sh
. ./parts/time-limit.sh
# shellcheck source=resources/onbox/parts/push-post.sh
. ./parts/push-post.sh

refuse() {
  printf '%s refused %s\n' "$mark" "$1"
  exit 0
}
last=
IFS= read -r address && IFS= read -r authorization && IFS= read -r body && IFS= read -r last
[ "$last" = end ] || refuse cut-off
tool=$(post_tool)
[ "$tool" != none ] || refuse no-tool
hard_time_limit 30
own=
if [ "$tool" = wget ]; then
  own=$(mktemp -d 2>/dev/null) || refuse no-folder
  trap 'rm -rf "$own"' EXIT
  trap 'exit 1' HUP INT TERM
fi
printf '%s posted %s %s\n' "$mark" "$tool" "$(post "$tool" "$own")"
