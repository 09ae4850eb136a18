#!/bin/sh
# One look at everything that a person waits for on this box. Changes nothing and needs no root; bounded in time, in what it reads
# and in what it says. A name or a line on the box may hold anything: it is told on one line, "?" for what cannot be seen.
#   LEASEHOLD_MARK       the nonce of the sections
#   LEASEHOLD_SENTINELS  what is waited for, a tab between one and the next, and between the fields of each the character 037:
#     process <pid> <yes|no>   whether its command is told
#     path <path>
#     line <path> <text> <inode> <offset> <from> <print>   how far its log was read: see tell_line
#     count <folder> <pattern of names>
#     newest <folder> <pattern of names>
set -u
LC_ALL=C
export LC_ALL
LEASEHOLD_LIMIT_S=${LEASEHOLD_LIMIT_S:-10}
# shellcheck source=resources/onbox/parts/marked-sections.sh
. ./parts/marked-sections.sh
# shellcheck source=resources/onbox/parts/time-limit.sh
. ./parts/time-limit.sh
# shellcheck source=resources/onbox/parts/bounded-questions.sh
. ./parts/bounded-questions.sh
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
# shellcheck source=resources/onbox/parts/machine.sh
. ./parts/machine.sh
unit=$(printf '\037')
line_break='
'
max_files=10000
# Of one log and of all together, in one look; what is beyond is read by the next one.
max_read=${LEASEHOLD_READ_BYTES:-8388608}
left_to_read=$((max_read * 3))
block=65536
print_bytes=1024

visible() { tr '\001-\011\013-\037\177' '?'; }

# "path there <seconds> <bytes> <inode> <kind>", "path absent", "path silent", or why it cannot be told.
tell_path() { # path
  kind=
  size=0
  inode=
  if [ "$silent" -lt 2 ]; then
    # shellcheck disable=SC2086 # several words or none
    told=$($quick stat -Lc '%Y %s %i %F' "$1" 2>&1 </dev/null)
    code=$?
    heard "$code"
  else
    code=137
  fi
  case $code in
    0)
      printf 'path there %s\n' "$told"
      # shellcheck disable=SC2086 # three numbers and some words
      set -- $told
      size=$2
      inode=$3
      shift 3
      kind=$*
      ;;
    137) printf 'path silent\n' ;;
    *)
      case $told in
        *': No such file or directory' | *': Not a directory') printf 'path absent\n' ;;
        *) printf 'path because %s\n' "$(printf '%s' "${told##*: }" | one_line)" ;;
      esac
      ;;
  esac
}

# By its start, since numbers of processes come again.
tell_process() { # pid, whether to tell its command
  if read_entry "$1"; then
    told=$2
    pid=$1
    # shellcheck disable=SC2086 # a letter and numbers
    set -- ${entry##*) }
    [ "$#" -ge 20 ] || return 0
    state=$1
    shift 19
    printf 'process %s %s\n' "$1" "$state"
    [ "$told" = no ] || printf 'command %s\n' "$(head -c 1000 "$proc/$pid/cmdline" 2>/dev/null | tr '\000' ' ' | one_line)"
  elif [ -d "$proc/$1" ]; then
    printf 'process closed\n'
  else
    printf 'process gone\n'
  fi
}

# Bytes of a file from an offset on, without reading those before, as tail does on some boxes. How that went is told on 3.
bytes() { # path, from, how many
  {
    ask dd "if=$1" "bs=$block" "skip=$(($2 / block))" "count=$((($2 % block + $3 + block - 1) / block))"
    printf 'code %s\n' "$?" >&3
  } | tail -c "+$(($2 % block + 1))" | head -c "$3"
}

# A sum over the last bytes before an offset: whoever finds the same there reads the same log. Fails where they could not be read.
print_before() { # path, offset
  back=$(($2 < print_bytes ? $2 : print_bytes))
  [ "$back" -gt 0 ] || { print=none && return 0; }
  # shellcheck disable=SC2046 # two numbers
  set -- $(bytes "$1" "$(($2 - back))" "$back" 3>/dev/null | cksum)
  print=$1
  [ "$2" -eq "$back" ]
}

# Reads on from where the last look ended, from a little before that: a text may stand on both sides. Needs $print of the offset.
read_on() { # path, size, text, offset, from
  to=$2
  most=$((max_read < left_to_read ? max_read : left_to_read))
  [ $((to - $4)) -le "$most" ] || to=$(($4 + most))
  left_to_read=$((left_to_read - (to - $4)))
  if [ "$to" -gt "$4" ]; then
    found=$({ bytes "$1" "$5" "$((to - $5))" | tr '\000\r' ' \n' | first_with "$3"; } 3>&1)
    printf '%s\n' "$found"
    case $line_break$found$line_break in *"${line_break}code 137$line_break"*) heard 137 ;; esac
    print_before "$1" "$to" || { unreadable && return 0; }
  fi
  printf 'read %s %s %s\n' "$to" "$2" "$print"
}
unreadable() { printf 'unread it could not be read\n'; }
first_with() { # text
  LEASEHOLD_TEXT=$1 awk '
    (at = index($0, ENVIRON["LEASEHOLD_TEXT"])) > 0 {
      print "match " substr($0, at > 200 ? at - 200 : 1, 600)
      exit
    }
    END { print "searched yes" }' | visible
}

# A log is the same as long as the bytes before the offset are, whatever its name or its number has become: "log same", or "log old"
# for one that was moved away in its folder, which is read to its end first. "log other": it was replaced or emptied, and is
# read from its beginning; what stood at the end of the old one is out of reach.
#   inode   empty: it was not there
#   offset  "end": nothing of it counts that is there now
#   print   what print_before said of that offset
tell_line() { # path, text, inode, offset, from, print
  tell_path "$1"
  case $kind in
    regular*)
      if [ "$4" = end ]; then
        printf 'log same\n'
        if print_before "$1" "$size"; then printf 'read %s %s %s\n' "$size" "$size" "$print"; else unreadable; fi
        return 0
      fi
      # Of a log that is still empty only its number tells, which some file systems change at will.
      if [ "$4" -gt 0 ] || [ "$size" -eq 0 ] || [ -z "$3" ] || [ "$3" = "$inode" ]; then
        is_same "$1" "$size" "$4" "$6"
        case $? in
          0)
            printf 'log same\n'
            read_on "$1" "$size" "$2" "$4" "$5"
            return 0
            ;;
          2)
            unreadable
            return 0
            ;;
        esac
      fi
      ;;
    *) [ "$code" -ne 0 ] || return 0 ;;
  esac
  [ "$code" -ne 137 ] || return 0
  if [ -n "$3" ] && [ "$4" != end ]; then
    old=$(ask find "${1%/*}/" -xdev -maxdepth 1 -type f -inum "$3" | head -n 1)
    if [ -n "$old" ] && [ "$old" != "$1" ]; then
      old_size=$(ask stat -c %s "$old")
      if is_same "$old" "${old_size:-0}" "$4" "$6"; then
        printf 'log old\n'
        read_on "$old" "$old_size" "$2" "$4" "$5"
        return 0
      fi
    fi
  fi
  [ -n "$kind" ] || return 0
  printf 'log other\n'
  print=none
  read_on "$1" "$size" "$2" 0 0
}
is_same() { # path, size, offset, print; 2: could not be read
  [ "$2" -ge "$3" ] || return 1
  print_before "$1" "$3" || return 2
  [ "$print" = "$4" ]
}

# What lies in a folder and below it. A name with a line break is counted, and is no newest file.
tell_files() { # word, folder, pattern
  tell_path "$2"
  [ "$kind" = directory ] || return 0
  if [ "$1" = count ]; then
    found=$({
      ask find "$2/" -xdev -maxdepth 5 -type f -name "$3" -exec stat -c %i '{}' +
      printf 'code %s\n' "$?"
    } | awk -v most="$max_files" '
      /^code / { code = $2; next }
      ++files >= most { cut = 1; exit }
      END { print "files " files + 0 "\n" (cut ? "cut yes" : "code " code) }')
  else
    found=$({
      ask find "$2/" -xdev -maxdepth 5 -type f -name "$3" ! -path "*$line_break*" -exec stat -c '%Y %s %i %n' '{}' +
      printf 'code %s\n' "$?"
    } | awk -v most="$max_files" '
      /^code / { code = $2; next }
      ++files >= most { cut = 1; exit }
      $1 + 0 > newest { newest = $1 + 0; line = $0 }
      END {
        if (line != "") print "newest " substr(line, 1, 1200)
        print "files " files + 0 "\n" (cut ? "cut yes" : "code " code)
      }' | visible)
  fi
  printf '%s\n' "$found"
  case $line_break$found$line_break in *"${line_break}code 137$line_break"*) heard 137 ;; esac
}

limits
begin machine
machine
for each in "$proc"/[0-9]*; do
  # A table in which nothing is, not even this look, says nothing of who is gone.
  if [ -d "$each" ]; then printf 'table yes\n'; fi
  break
done
end machine 0
printf '%s\n' "$LEASEHOLD_SENTINELS" | tr '\t' '\n' | {
  n=0
  while IFS=$unit read -r what one two three four five six; do
    begin "s-$n"
    case $what in
      process) tell_process "$one" "$two" ;;
      path) tell_path "$one" ;;
      line) tell_line "$one" "$two" "$three" "$four" "$five" "$six" ;;
      count | newest) tell_files "$what" "$one" "$two" ;;
    esac
    end "s-$n" 0
    n=$((n + 1))
  done
}
begin whole
end whole 0
