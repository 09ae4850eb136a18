#!/bin/sh
# What the box's process table says of a process. Nothing here trusts a name: it may hold anything, a line break too.
proc=${LEASEHOLD_PROC_ROOT:-/proc}

# The fields after the name, which may hold a ")" and a line break as well: everything up to the last ") " goes. By the shell
# alone, since a look asks this of many processes. Fails where the process is gone.
read_entry() { # pid
  entry=
  { while IFS= read -r stat_line || [ -n "$stat_line" ]; do entry="$entry$stat_line "; done <"$proc/$1/stat"; } 2>/dev/null
  [ -n "$entry" ]
}
fields_of() { read_entry "$1" && printf '%s\n' "${entry##*) }"; } # pid
# Sets $start_tick; empty, and fails, where the process is gone.
read_start() { # pid
  start_tick=
  read_entry "$1" || return 1
  # shellcheck disable=SC2086 # a letter and numbers
  set -- ${entry##*) }
  [ "$#" -ge 20 ] || return 1
  shift 19
  start_tick=$1
}
# Sets $own to the number of this very shell: "$$" is another one's where main's command stands in brackets.
# shellcheck disable=SC2034 # for who asks for it
find_own_number() {
  { IFS=' ' read -r own _ </proc/self/stat; } 2>/dev/null || own=$(exec sh -c 'echo "$PPID"')
}
# What this awk says of all processes, whose files are its arguments. mawk ends where a process does between the opening of its file and its
# reading, and what it has said until then is no answer: it is asked once more. Fails where that does not stop: nothing is known then.
of_all_processes() { # the words of awk
  asked=0
  until answer=$(awk "$@" "$proc"/[0-9]*/stat 2>/dev/null); do
    asked=$((asked + 1))
    [ "$asked" -lt 10 ] || return 1
  done
  printf '%s' "$answer"
}
start_of() { read_start "$1" && printf '%s\n' "$start_tick"; } # pid
told_start() { # word, pid; without a process of its own
  printf '%s ' "$1"
  start_of "$2" || printf '\n'
}

# Where a link leads, in one line; it costs one process, for a look asks this of many.
line_end='
'
link_of() { # path; the answer is $link
  link=$(readlink "$1" 2>/dev/null && printf x)
  link=${link%"$line_end"x}
  case $link in *[[:cntrl:]]*) link=$(printf '%s' "$link" | tr '\000-\037\177' '?') ;; esac
}

# The start comes first: where the number goes to another process in the middle, what follows belongs to no start that exists,
# and nothing can be done to it by mistake.
describe() { # pid
  printf 'pid %s\n' "$1"
  told_start start "$1"
  printf 'user %.64s\n' "$(stat -c %U "$proc/$1" 2>/dev/null)"
  link_of "$proc/$1/exe"
  printf 'program %.300s\n' "$link"
  printf 'command %s\n' "$(head -c 2000 "$proc/$1/cmdline" 2>/dev/null | tr '\000\n' ' ?')"
}
