#!/bin/sh
# Whether each writing to a file below here changes one of its times, and no other machine writes: on these alone an unchanged time says
# that nothing was written. Of what is mounted below, too.
local_kinds='^(ext[234]|xfs|btrfs|f2fs|zfs|tmpfs|overlay)$'
tells_writes() { # folder
  case $(stat -f -c %T -- "$1" 2>/dev/null </dev/null) in
    ext2/ext3 | xfs | btrfs | f2fs | zfs | tmpfs | overlay | overlayfs) ;;
    *) return 1 ;;
  esac
  alike_below "$1" "$local_kinds" && ! mapped_below "$1"
}
# Whether a program has a file below a folder mapped into its memory to write there, as numpy.memmap does: only the first of its writings to a
# page changes a time, until the kernel has put that page on the disk, which it never does for tmpfs. Of other users' programs nobody is told. One
# that hangs in the kernel may hold up who looks at it: needs $limit, and what was not seen in time counts as mapped.
mapped_below() { # folder
  [ -r /proc/self/maps ] || return 1
  below=$(cd -P -- "$1" 2>/dev/null && printf '%sx' "$PWD") || return 0
  below=${below%x}
  case $below in */) ;; *) below=$below/ ;; esac
  # The path is the sixth of its words, as it is but for line breaks.
  # shellcheck disable=SC2086 # several words or none
  {
    ${limit:-} grep -hs '^[^ ]* .w.s ' /proc/[0-9]*/maps </dev/null
    # 2: another user's, or one that has just ended.
    [ $? -le 2 ] || printf -- '- - - - - %s\n' "$below"
  } | below=$below awk '
    BEGIN { below = ENVIRON["below"]; gsub(/\n/, "\\012", below) }
    { path = $0; sub(/^[^ ]* +[^ ]* +[^ ]* +[^ ]* +[^ ]* +/, "", path) }
    index(path, below) == 1 { found = 1 }
    END { exit !found }'
}
# Whether all that is mounted below a folder is of such a kind.
alike_below() { # folder, the kinds, for awk
  # The kernel writes a blank, a line break and a backslash of a path as "\040" and the like; none of these is asked for anything.
  below=$(cd -P -- "$1" 2>/dev/null && printf '%sx' "$PWD") || return 1
  info=${LEASEHOLD_MOUNTINFO:-/proc/self/mountinfo}
  [ -r "$info" ] || return 1
  below=${below%x} kinds=$2 awk '
    function plain(text, out, at) {
      while ((at = match(text, /\\[0-7][0-7][0-7]/)) > 0) {
        out = out substr(text, 1, at - 1) sprintf("%c", substr(text, at + 1, 1) * 64 + substr(text, at + 2, 1) * 8 + substr(text, at + 3, 1))
        text = substr(text, at + 4)
      }
      return out text
    }
    BEGIN { below = ENVIRON["below"]; if (below != "/") below = below "/" }
    { path = plain($5, "") "/" }
    index(path, below) == 1 && path != below {
      for (at = 7; at < NF && $at != "-"; at++);
      if ($(at + 1) !~ ENVIRON["kinds"]) { found = 1; exit }
    }
    END { exit found }' "$info" 2>/dev/null </dev/null
}
