#!/bin/sh
# shellcheck disable=SC2154,SC2034 # what is taken from the other parts, and given to them
# Copies the results of a run, or of a cell, to storage that outlives the box, reads the copy back, and only then says that there is one
# (U33). Leasehold put this here because you asked for it, and never writes it again (U2).
#   $1  the run folder, or what a queue has for one of its cells. In it: "copy-plan": the results folder on the first line, on the second
#       where the copy goes, and on each further one what is removed of the results then, as a pattern from their folder on
# Written beside it: "copy-manifest", the hash of each file; "pruning", from when on the results may be less than the copy; and once, at the
# end, "copied": "<copied, or why not> <files>". One that was cut off may be begun again, once nothing of it runs any more.
run=$1
cd "$run" || exit 1
# What a tool says of a disk is read here.
LC_ALL=C
export LC_ALL
tell() { printf 'leasehold: %s: %s\n' "$(date -u '+%Y-%m-%d %H:%M:%S UTC')" "$1"; }
fail() { # why
  # These words are what Leasehold looks for in logs.
  tell "SYNC FAILED: there is no checked copy of the results in $to ($1). They are in $from"
  [ -z "$part" ] || rm -rf "$part"
  put_once copied "$1 0" || exit 75
  exit 1
}
from='' to='' part=''
{ IFS= read -r from && IFS= read -r to; } <copy-plan || fail no-plan
find_hasher
[ -n "$hasher" ] || fail no-hasher
# Each file and each link below a folder. Without this line at its end it is not whole.
manifest() ( # folder
  cd "$1" || exit 1
  {
    # shellcheck disable=SC2086 # several words
    find . -type f -exec $hasher {} + || exit 1
    # shellcheck disable=SC2016 # for the shell that find starts
    find . -type l -exec sh -c 'for each do printf "link %s -> %s\n" "$each" "$(readlink "$each")"; done' sh {} + || exit 1
    echo whole
  } | LC_ALL=C sort
)
is_whole() { grep -qx whole "$1"; }

# Whether all that was hashed is there. Sets $reading to what was said of it.
is_proven() { # folder
  reading=$({ manifest "$1" >copy-read; } 2>&1)
  is_whole copy-read && cmp -s copy-manifest copy-read
}
# What is written into this folder is another disk's business than the copy.
why_not_here() { # the word where it is no such business
  why=$(why_not "$1" "$run")
  [ "$why" = "$1" ] || why=run-$why
  printf '%s' "$why"
}

[ -d "$from" ] || fail no-results
from=$(cd "$from" && pwd -P) || fail unreadable
said=$(mkdir -p "${to%/*}" 2>&1) || fail "$(why_not not-writable "$to")"
place=$(cd "${to%/*}" && pwd -P) || fail not-writable
to=${place%/}/${to##*/}
case $to in "$from"/*) fail in-the-way ;; esac
# Sets $files. It ends here where there is no copy.
make_copy() {
  tell "copies the results to $to"
  # What is written from now on may not be in the copy.
  said=$({ : >copy-began && manifest "$from" >copy-manifest; } 2>&1)
  is_whole copy-manifest || fail "$(why_not_here unreadable)"
  # Of a name with a line break, some tools print more than a line.
  files=$(count_files)
  [ "$files" -gt 0 ] || fail no-results
  if [ -e "$to" ] || [ -L "$to" ]; then
    # An earlier try may have been cut off before it could say that this is the copy.
    { [ ! -L "$to" ] && is_proven "$to"; } || fail in-the-way
    return
  fi
  # What was not yet whole when that was cut off.
  rm -rf "$to.partial"
  said=$(mkdir "$to.partial" 2>&1) || fail "$(why_not not-writable "$to")"
  part=$to.partial
  # Whether it went well is read from the copy, and here only why not.
  said=$(cd "$from" && cp -RPp . "$part/" 2>&1)
  sync -f "$part" 2>/dev/null
  if ! is_proven "$part"; then
    why=$(why_not differs "$to")
    if [ "$why" = differs ] && ! is_whole copy-read; then
      said=$reading
      why=$(why_not_here copy-unreadable)
    fi
    fail "$why"
  fi
  said=$(mv "$part" "$to" 2>&1) || fail "$(why_not not-writable "$to")"
  part=
}
count_files() { grep -cE '^.?[0-9a-f]{64} ' copy-manifest; }
if [ -e pruning ]; then
  # The results may be less than the copy by now, which is all that there is of them.
  is_proven "$to" || fail copy-gone
  files=$(count_files)
else
  make_copy
fi
rm -f copy-read
put_once copied "copied $files" || exit 75
tell "copied $files files to $to, and read all of them back"

# Only what is in the copy and was not written since: it is read once more, since the clocks of two disks may differ, and what was written to
# since that has other times or another size right before it is removed. A name with a line break would stand for two.
cd "$from" || exit 0
state_words="$(fine_times) %s %i %n"
fitting() { # the words of find
  find . -type f -path "./$pattern" ! -path "*$line_end*" ! -newer "$run/copy-began" -exec "$@" {} + 2>/dev/null
}
tail -n +3 "$run/copy-plan" | while IFS= read -r pattern; do
  { : >"$run/pruning"; } 2>/dev/null || exit
  fitting stat -c "$state_words" >"$run/prune-seen"
  # shellcheck disable=SC2086 # several words
  fitting $hasher | manifest=$run/copy-manifest seen=$run/prune-seen awk '
    BEGIN {
      while ((getline line < ENVIRON["manifest"]) > 0) isCopied[line] = 1
      while ((getline line < ENVIRON["seen"]) > 0) seen[substr(line, index(line, " ./") + 1)] = line
    }
    /^[0-9a-f]/ && $0 in isCopied && substr($0, 67) in seen { print seen[substr($0, 67)] }' >"$run/prune-proven"
  removed=0
  while IFS= read -r proven; do
    name=./${proven#* ./}
    [ "$(stat -c "$state_words" "$name" 2>/dev/null)" = "$proven" ] && rm -f "$name" 2>/dev/null && removed=$((removed + 1))
  done <"$run/prune-proven"
  tell "removed $removed copied files of $from that fit $pattern"
done
rm -f "$run/prune-seen" "$run/prune-proven"
exit 0
