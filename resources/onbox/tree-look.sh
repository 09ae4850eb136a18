#!/bin/sh
# What a folder has of a working tree. Changes nothing there. The rest of stdin: the paths that are asked for, each after "./", a NUL
# behind each. Values come in the environment, from stdin:
#   LEASEHOLD_MARK     a nonce
#   LEASEHOLD_FOLDER   the folder    LEASEHOLD_KEY   the folder's name among the records
#   LEASEHOLD_TREE     empty; or the tree's SHA-256: what waits of it to be moved into the folder is looked at in the folder's place
#   LEASEHOLD_TRUST    "yes": a file whose mode, size, times and number are those with which its hash was kept is not read again
#   LEASEHOLD_KEEP     "yes": the hashes are kept for later looks, beside the record
#   LEASEHOLD_RECORDED "yes": looked at is what hashes were kept of, and nothing is asked for
#   LEASEHOLD_ODD      "yes": the names have line breaks or backslashes in them
# Prints "<mark> <word> …" lines; "<kind> <what> <name>" for each that is there: f file, x one that can be run, d folder, o other, l link.
# <what> is the SHA-256, "-" where it follows as the hashing tool prints it, "?" where it can't be read; of a link, its target in
# hexadecimal digits. <name> may be "=" and hexadecimal digits. At last "<mark> whole".
set -u
LC_ALL=C
export LC_ALL
mark=$LEASEHOLD_MARK
# shellcheck source=resources/onbox/parts/places.sh
. ./parts/places.sh
# shellcheck source=resources/onbox/parts/tree-folder.sh
. ./parts/tree-folder.sh
# shellcheck source=resources/onbox/parts/time-limit.sh
. ./parts/time-limit.sh
# shellcheck source=resources/onbox/parts/hasher.sh
. ./parts/hasher.sh
# shellcheck source=resources/onbox/parts/tree-note.sh
. ./parts/tree-note.sh
# shellcheck source=resources/onbox/parts/tells-writes.sh
. ./parts/tells-writes.sh

say() { printf '%s %s\n' "$mark" "$*"; }
say folder "$(printf %.4000s "$place" | tr '\000-\037\177' '?')"
hard_time_limit 2
kind=$(kind_in_time "$place" "$limit")
say kind "$kind"
if [ "$kind" = late ]; then
  # Whatever is asked of it next would hold this up for ever.
  cat >/dev/null
  say near late
  say whole
  exit 0
fi
nearest "$place"
say near "$(kind_of "$near")"
# shellcheck disable=SC2086 # several words or none
room=$($limit stat -f -c '%S %b %a %c %d' -- "$near" 2>/dev/null </dev/null) && say room "$room"
if command -v tar >/dev/null 2>&1; then say tar yes; fi
find_hasher
[ -z "$hasher" ] || say hasher yes
kept=
{ IFS= read -r kept <"$record"; } 2>/dev/null
if is_hash "$kept"; then say record "$kept"; fi
noted=
[ -z "$hasher" ] || ! find_note "$place" || { IFS= read -r noted <"$note"; } 2>/dev/null
if is_hash "$noted"; then say noted "$noted"; fi

[ -z "${LEASEHOLD_TREE:-}" ] || place=$staging/files
if ! cd "$place" 2>/dev/null; then
  # Nothing is found in a folder that nobody can enter or that is not there.
  cat >/dev/null
  say whole
  exit 0
fi

# shellcheck disable=SC2090 # quotes in it are its own
export hasher
# What stat can't tell, one after the other.
# shellcheck disable=SC2016 # for the shell that xargs starts
by_itself='
  hex() { od -An -v -tx1 | tr -d " \n"; }
  for each do
    what=-
    if [ -L "$each" ]; then
      kind=l
      what=$(readlink -n "$each" | hex)
    elif [ -f "$each" ]; then
      if [ -x "$each" ]; then kind=x; else kind=f; fi
      what=$({ $hasher <"$each"; } 2>/dev/null)
      what=${what%"${what#????????????????????????????????????????????????????????????????}"}
    elif [ -d "$each" ]; then
      kind=d
    elif [ -e "$each" ]; then
      kind=o
    else continue; fi
    printf "%s %s =%s\n" "$kind" "${what:-?}" "$(printf %s "$each" | hex)"
  done'
case $LEASEHOLD_ODD$(stat -c '%f %s %.9Y %.9Z %i' . 2>/dev/null </dev/null) in
  4???' '*) ;;
  *)
    xargs -0 sh -c "$by_itself" sh
    say whole
    exit 0
    ;;
esac

# Where an unchanged time says less, no hash is kept.
hashes=
if [ -z "${LEASEHOLD_TREE:-}" ] && tells_writes .; then hashes=$record.hashes; fi
asked() {
  if [ "$LEASEHOLD_RECORDED" != yes ]; then
    cat
  elif [ -f "$hashes" ]; then
    awk '{ print substr($0, length($1) + length($2) + length($3) + length($4) + length($5) + length($6) + 7) }' "$hashes" | tr '\n' '\0'
  fi
}
trusted=
[ "$LEASEHOLD_TRUST" != yes ] || trusted=$hashes
keep=
if [ "$LEASEHOLD_KEEP" = yes ] && [ -n "$hashes" ]; then
  keep=$hashes.$$
  rm -f "$hashes".[0-9]*
  (umask 077 && mkdir -p "$records" && : >"$keep") 2>/dev/null || keep=
fi
export trusted keep
began=$(date +%s.%N)
case $began in *[!0-9.]* | *.) began=$(date +%s) ;; esac
# A line of the record is a hash and what stat said before the file was read.
exec 3>&1
todo=$(
  asked | xargs -0 stat -c '%f %s %.9Y %.9Z %i %n' -- 2>/dev/null | awk '
    BEGIN {
      answer = "cat >&3"
      # A disk that is full ends the keeping, and not the look: awk would end with it.
      keeper = "cat >\"$keep\" 2>/dev/null || { rm -f \"$keep\"; cat >/dev/null; }"
      if (ENVIRON["trusted"] != "") while ((getline line < ENVIRON["trusted"]) > 0) known[substr(line, 66)] = substr(line, 1, 64)
    }
    $1 ~ /^[8a]...$/ && !($0 in known) { print }
    $1 ~ /^a...$/ { next }
    {
      kind = "o"
      if ($1 ~ /^4...$/) kind = "d"
      if ($1 ~ /^8...$/) kind = $1 ~ /([4-7c-f].|[135789a-f])$/ ? "x" : "f"
      hash = "-"
      if ($0 in known) {
        hash = known[$0]
        if (ENVIRON["keep"] != "") print hash, $0 | keeper
      }
      print kind, hash, substr($0, length($1) + length($2) + length($3) + length($4) + length($5) + 6) | answer
    }
    END { close(answer); close(keeper) }'
)
exec 3>&-
[ -e "$keep" ] || keep=
names_of() { # which mode and size
  printf '%s\n' "$todo" | sed -n "s/^$1 [^ ]* [^ ]* [^ ]* //p" | tr '\n' '\0'
}
line_end='
'
# A hash is told as soon as it is known: of large files the next one takes a while. openssl tells all of its files at its end, so that each
# of those has one for itself.
large='8[^ ]* [0-9]\{8,\}'
hash_all() {
  # shellcheck disable=SC2086,SC2090 # several words; quotes in it are its own
  case $hasher in
    '') ;;
    openssl*)
      [ -z "$(names_of '8[^ ]* [0-9]\{1,7\}' | head -c 1)" ] || names_of '8[^ ]* [0-9]\{1,7\}' | xargs -0 $hasher
      [ -z "$(names_of "$large" | head -c 1)" ] || names_of "$large" | xargs -0 -n 1 $hasher
      ;;
    *) names_of '8[^ ]* [^ ]*' | xargs -0 $hasher ;;
  esac 2>/dev/null
}
sums=$keep.sums
case $line_end$todo in *"${line_end}a"*) names_of 'a[^ ]* [^ ]*' | xargs -0 sh -c "$by_itself" sh ;; esac
case $line_end$todo in *"${line_end}8"*)
  hash_all | if [ -z "$keep" ]; then cat; else tee "$sums" 2>/dev/null || rm -f "$sums"; fi
  ;;
esac
if [ -n "$keep" ]; then
  # What was written after it was read has a later time. So it does not count where the clock of such times may have stood still between.
  [ ! -s "$sums" ] || { cat "$sums" && printf '\n%s\n' "$todo"; } | awk -v began="$began" '
    $0 == "" { isTodo = 1; next }
    !isTodo { hash[substr($0, 67)] = substr($0, 1, 64); next }
    {
      name = substr($0, length($1) + length($2) + length($3) + length($4) + length($5) + 6)
      grain = $4 ~ /[.][0-9]*[1-9]/ ? 0.05 : 2
      if ((name in hash) && $4 + grain < began + 0) print hash[name], $0
    }' | cat >>"$keep" && mv -f "$keep" "$hashes"
  rm -f "$sums" "$keep"
fi 2>/dev/null
say whole
