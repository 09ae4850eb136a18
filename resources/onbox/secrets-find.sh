#!/bin/sh
# Files by whose names people and programs keep secrets. Reads folders and links, no file, and changes nothing.
#   LEASEHOLD_MARK     a nonce
#   LEASEHOLD_MOST     so many bytes of the list at most
#   LEASEHOLD_LIMIT_S  so many seconds a folder at most
#   LEASEHOLD_PASSWD   where the box says who has a home folder on it: a demo box or one of a test is no machine of its own
# The rest of stdin, a line each: "place <tag> <pattern>" is looked for in every home folder, "name <pattern>" in the folders that "look <folder>"
# names and all that they hold, and "sent <tag> <path>" is asked for by itself.
# Prints "<mark> secrets", and in hexadecimal digits: "<tag> <device> <inode> <bytes> <modified> <changed> <links> <user> <w or ->" and its whole path,
# with no link in it, and a NUL for each; "?" is the tag of what was found by its name. "w": its folder can be written to. Behind them as lines
# "<mark> closed <how many home folders>", "<mark> many" where there are more than a hundred, "<mark> many" where there are more than a hundred, "<mark> home <its own one>", "<mark> late", "<mark> partly", and "<mark> end" unless the list was cut off before. At last "<mark> whole".
set -u
LC_ALL=C
export LC_ALL
mark=$LEASEHOLD_MARK
# shellcheck source=resources/onbox/parts/time-limit.sh
. ./parts/time-limit.sh
# shellcheck source=resources/onbox/parts/places.sh
. ./parts/places.sh
# shellcheck source=resources/onbox/parts/find-faults.sh
. ./parts/find-faults.sh
# shellcheck source=resources/onbox/parts/own-files.sh
. ./parts/own-files.sh
# shellcheck source=resources/onbox/parts/fine-times.sh
. ./parts/fine-times.sh

hard_time_limit "$LEASEHOLD_LIMIT_S"
# shellcheck disable=SC2034 # for own-files.sh
skipped=
wanted=$(cat)
named() { # word
  printf '%s\n' "$wanted" | sed -n "s/^$1 //p"
}
homes() {
  printf '%s\n' "${HOME:-/}"
  awk -F : '($3 == 0 || $3 >= 1000) && $3 < 65534 && $6 ~ /^\/./ { print $6 }' "${LEASEHOLD_PASSWD:-/etc/passwd}" 2>/dev/null
}
times=$(fine_times)
export times
# Of what a link leads to, too: the secret is there.
# shellcheck disable=SC2016 # for the shells that read it
tell='
  tag=$1
  shift
  for each; do
    real=$(readlink -f "$each" 2>/dev/null; printf x)
    real=${real%?x}
    if [ -n "$real" ] && [ -f "$real" ] && facts=$(stat -c "%d %i %s $times %h %u" "$real" 2>/dev/null); then
      folder=${real%/*}
      may=-
      [ ! -w "${folder:-/}" ] || may=w
      printf "%s %s %s %s\000" "$tag" "$facts" "$may" "$real"
    fi
  done'
tell() { # tag, file
  eval "$tell"
}
in_home() { # folder
  named place | while IFS=' ' read -r tag pattern; do
    IFS=
    # shellcheck disable=SC2086 # a pattern, and no words
    for file in "$1"/$pattern; do
      [ ! -f "$file" ] || tell "$tag" "$file"
    done
  done
}
set -f
by_name() { # folder
  folder=$1
  set --
  while IFS= read -r pattern; do
    set -- "$@" -o -name "$pattern"
  done <<END
$(named name)
END
  shift
  find_own "$folder" '(' -type f -o -type l ')' '(' "$@" ')' -exec sh -c "$tell" sh '?' '{}' +
}
printf '%s user %s\n' "$mark" "$(id -u)"
printf '%s secrets\n' "$mark"
{
  {
    named sent | while IFS=' ' read -r tag given; do
      whole_path "$given"
      [ ! -f "$path" ] || tell "$tag" "$path"
    done
    closed=0
    while IFS= read -r home; do
      case $(kind_in_time "$home" "$limit") in
        open | unwritable) (set +f && in_home "$home") ;;
        closed) closed=$((closed + 1)) ;;
        late) printf 'ended 137\n' >&2 ;;
      esac
    done <<END
$(homes | awk '!known[$0]++ && ++all <= 100')
END
    [ "$(homes | sort -u | head -n 101 | wc -l)" -le 100 ] || printf '\n%s many\n' "$mark"
    named look | while IFS= read -r given; do
      whole_path "$given"
      ! is_to_be_looked_through "$path" || by_name "$path" </dev/null
    done
    printf '\n%s closed %s\n%s home %s\n' "$mark" "$closed" "$mark" "$(cd -P "${HOME:-/}" && pwd)"
  } 2>&1 >&3 | tell_faults "$mark" >&3
  printf '\n%s end\n' "$mark" >&3
} 3>&1 2>/dev/null | head -c "$LEASEHOLD_MOST" | od -An -v -tx1 | tr -d ' \n'
printf '\n%s whole\n' "$mark"
