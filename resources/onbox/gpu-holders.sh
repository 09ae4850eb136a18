#!/bin/sh
# Who has the GPUs' device nodes open, and what each of them is. Changes nothing; bounded in time and output. Everything
# stands between "<mark> begin <section>" and "<mark> end <section> <exit code>"; the mark is a nonce, so that no process name
# can pretend to be one.
#   LEASEHOLD_MARK     the nonce
set -u
LC_ALL=C
export LC_ALL
PATH=$PATH:/usr/lib/wsl/lib:/usr/local/nvidia/bin
mark=$LEASEHOLD_MARK
proc=${LEASEHOLD_PROC_ROOT:-/proc}
dev=${LEASEHOLD_DEV_ROOT:-/dev}
seconds=20
max_bytes=65536
max_processes=64

limit=
timeout 1 true 2>/dev/null && limit="timeout $seconds"

begin() { printf '\n%s begin %s\n' "$mark" "$1"; }
end() { printf '\n%s end %s %s\n' "$mark" "$1" "$2"; }

section() { # name, command …
  name=$1
  shift
  begin "$name"
  {
    # shellcheck disable=SC2086 # two words or none
    $limit "$@" 2>&1 </dev/null
    end "$name" "$?"
  } | head -c "$max_bytes"
}

# A name may hold anything, a ")" or a line break too: everything up to the last ") " goes.
fields() { { tr '\n' ' ' <"$proc/$1/stat" | sed 's/.*) //'; } 2>/dev/null; }

machine() {
  printf 'boot_id %s\n' "$(head -c 100 "$proc/sys/kernel/random/boot_id" 2>/dev/null)"
  printf 'uptime %s\n' "$(head -c 100 "$proc/uptime" 2>/dev/null)"
  printf 'tick %s\n' "$(getconf CLK_TCK 2>/dev/null)"
  printf 'uid %s\n' "$(id -u)"
  # This very session, up to its sshd: ending it would end the question.
  pid=$$
  printf 'own %s\n' "$$" "$PPID"
  while pid=$(fields "$pid" | cut -d ' ' -f 2) && [ "${pid:-0}" -gt 1 ] 2>/dev/null; do
    printf 'own %s\n' "$pid"
  done
  for file in "$proc"/driver/nvidia/gpus/*/information; do
    [ -r "$file" ] || continue
    printf 'card %s %s\n' "$(sed -n 's/^Device Minor:[[:blank:]]*//p' "$file" | head -c 10)" \
      "$(sed -n 's/^GPU UUID:[[:blank:]]*//p' "$file" | head -c 100)"
  done
}

# Not nvidiactl and nvidia-uvm: who has only those uses no GPU.
nodes() {
  for node in "$dev"/nvidia[0-9]*; do
    [ -e "$node" ] && printf '%s\n' "$node"
  done
}

by_proc() {
  # shellcheck disable=SC2012 # find -lname is not everywhere, and these names are numbers
  ls -l "$proc"/[0-9]*/fd 2>/dev/null | awk -v arrow=" -> $dev/nvidia" -v skip="$proc/" '
    /:$/ && index($0, skip) == 1 { split(substr($0, length(skip) + 1), part, "/"); pid = part[1] }
    { at = index($0, arrow) }
    at { minor = substr($0, at + length(arrow)); if (minor ~ /^[0-9]+$/) print "held " minor " " pid }' | sort -u
}

holders() {
  tool=proc
  command -v lsof >/dev/null 2>&1 && tool=lsof
  command -v fuser >/dev/null 2>&1 && tool='fuser'
  if [ "$tool" = proc ] && ! { [ -d "$proc/$$/fd" ] && command -v awk >/dev/null 2>&1; }; then
    printf 'way none\n'
    return
  fi
  printf 'way %s\n' "$tool"
  nodes | sed 's/^/node /'
  if [ "$tool" = proc ]; then
    by_proc
    return
  fi
  nodes | while IFS= read -r node; do
    # Bare numbers go to stdout, everything else of both to stderr. 1 also means "nobody".
    # shellcheck disable=SC2086 # two words or none
    case $tool in
      fuser) found=$($limit fuser "$node" 2>/dev/null </dev/null) ;;
      *) found=$($limit lsof -nP -t -- "$node" 2>/dev/null </dev/null) ;;
    esac
    code=$?
    [ "$code" -le 1 ] || printf 'broken %s\n' "$code"
    for pid in $found; do
      case $pid in *[!0-9]*) ;; *) printf 'held %s %s\n' "${node##*/nvidia}" "$pid" ;; esac
    done
  done
}

processes() {
  printf '%s\n' "$held" | sed -n 's/^held [0-9]* //p' | sort -un | head -n "$max_processes" |
    while read -r pid; do
      stat=$(fields "$pid")
      [ -n "$stat" ] || continue
      # shellcheck disable=SC2086 # its words are wanted
      set -- $stat
      printf 'pid %s\n' "$pid"
      printf 'state %s\n' "$1"
      printf 'parent %s\n' "$2"
      printf 'start %s\n' "${20:-}"
      printf 'user %s\n' "$(stat -c %U "$proc/$pid" 2>/dev/null | head -c 64)"
      printf 'uid %s\n' "$(stat -c %u "$proc/$pid" 2>/dev/null | head -c 20)"
      printf 'program %s\n' "$(readlink "$proc/$pid/exe" 2>/dev/null | head -c 300 | tr '\n' '?')"
      printf 'command %s\n' "$(head -c 2000 "$proc/$pid/cmdline" 2>/dev/null | tr '\000\n' ' ?')"
      [ -r "$proc/$2/cmdline" ] &&
        printf 'parent_command %s\n' "$(head -c 300 "$proc/$2/cmdline" | tr '\000\n' ' ?')"
    done
}

begin machine
machine
end machine 0

held=$(holders | head -c "$max_bytes")
begin holders
printf '%s\n' "$held"
end holders 0
begin processes
processes
end processes 0

if command -v nvidia-smi >/dev/null 2>&1; then
  section gpus nvidia-smi --query-gpu=index,uuid,memory.used,memory.total --format=csv
  section apps nvidia-smi --query-compute-apps=pid,gpu_uuid --format=csv
fi
begin whole
end whole 0
