#!/bin/sh
# What was told to end this box, from whatever computer: another one that takes over would not know, and would tell it a second time.
#   LEASEHOLD_MARK  a nonce
#   LEASEHOLD_DO    write, remove, or tell
#   LEASEHOLD_ACT   what the order is known by
#   LEASEHOLD_SAYS  one line about it
# Prints "<mark> order <act> <seconds> <line>" for each that is there then, and "<mark> whole"; "<mark> failed" where it could not.
set -u
LC_ALL=C
export LC_ALL
mark=$LEASEHOLD_MARK
place=${HOME:-}/.local/state/leasehold/teardown
fail() {
  printf '%s failed\n' "$mark"
  exit 0
}
case $LEASEHOLD_DO in
  write)
    umask 077
    mkdir -p "$place" 2>/dev/null || fail
    # A line that was cut off is an order, too: its name alone says so.
    { printf '%s %s\n' "$(date +%s)" "$LEASEHOLD_SAYS" >"$place/$LEASEHOLD_ACT"; } 2>/dev/null || fail
    ;;
  remove) rm -f "$place/$LEASEHOLD_ACT" 2>/dev/null || fail ;;
esac
if [ -e "$place" ]; then
  { [ -d "$place" ] && [ -r "$place" ] && [ -x "$place" ]; } || fail
  told=0
  for each in "$place"/*; do
    [ -f "$each" ] || continue
    told=$((told + 1))
    [ "$told" -le 50 ] || break
    said=
    { IFS= read -r said <"$each"; } 2>/dev/null
    printf '%s order %.60s %.200s\n' "$mark" "${each##*/}" "$said"
  done
fi
printf '%s whole\n' "$mark"
