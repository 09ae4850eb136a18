#!/bin/sh
# Who has the GPUs' device nodes open, and what each of them is. Changes nothing; bounded in time and output.
set -u
LC_ALL=C
export LC_ALL
PATH=$PATH:/usr/lib/wsl/lib:/usr/local/nvidia/bin
# shellcheck source=resources/onbox/parts/marked-sections.sh
. ./parts/marked-sections.sh
# shellcheck source=resources/onbox/parts/time-limit.sh
. ./parts/time-limit.sh
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
# shellcheck source=resources/onbox/parts/own-session.sh
. ./parts/own-session.sh
time_limit 20
dev=${LEASEHOLD_DEV_ROOT:-/dev}
max_bytes=65536
max_processes=64

machine() {
  printf 'boot_id %s\n' "$(head -c 100 "$proc/sys/kernel/random/boot_id" 2>/dev/null)"
  printf 'uptime %s\n' "$(head -c 100 "$proc/uptime" 2>/dev/null)"
  printf 'tick %s\n' "$(getconf CLK_TCK 2>/dev/null)"
  printf 'uid %s\n' "$(id -u)"
  # Ending one of these would end the question.
  own_session | sed 's/^/own /'
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
      stat=$(fields_of "$pid")
      [ -n "$stat" ] || continue
      # shellcheck disable=SC2086 # its words are wanted
      set -- $stat
      describe "$pid"
      printf 'state %s\n' "$1"
      printf 'parent %s\n' "$2"
      printf 'uid %s\n' "$(stat -c %u "$proc/$pid" 2>/dev/null | head -c 20)"
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
