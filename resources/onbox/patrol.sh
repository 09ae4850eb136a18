#!/bin/sh
# One look at what runs on a box and at what could end it. Changes nothing and needs no root; bounded in time and output. A name
# on the box may hold anything: a line break in one is shown as "?", so that none can pretend to be another line.
#   LEASEHOLD_MARK       the nonce of the sections
#   LEASEHOLD_LOGS       logs of runs that were seen before, a tab between them: told again also when their run is gone
#   LEASEHOLD_FOLDERS    the folders of those runs, a tab between them
#   LEASEHOLD_SNAPSHOTS  where the platform keeps snapshots, a tab between them
#   LEASEHOLD_ACCELERATORS  hosts of the platform's proxies for downloads, a blank between them
# and what parts/kernel-tables.sh and parts/platform-look.sh take.
set -u
LC_ALL=C
export LC_ALL
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
# shellcheck source=resources/onbox/parts/control-groups.sh
. ./parts/control-groups.sh
# shellcheck source=resources/onbox/parts/mount-words.sh
. ./parts/mount-words.sh
# shellcheck source=resources/onbox/parts/kernel-tables.sh
. ./parts/kernel-tables.sh
# shellcheck source=resources/onbox/parts/platform-look.sh
. ./parts/platform-look.sh
max_runs=12
max_files=60
# With all of these full, an answer is still half of what main takes.
tail_bytes=6144
head_bytes=131072

tell_run() { # pid
  describe "$1"
  printf 'arguments %s\n' "$(($(tr -dc '\000' 2>/dev/null <"$proc/$1/cmdline" | wc -c)))"
  link_of "$proc/$1/cwd"
  printf 'cwd %.1000s\n' "$link"
  sed -n 's/^SigIgn:[[:blank:]]*/ignores /p' "$proc/$1/status" 2>/dev/null
  [ -r "$proc/$1/environ" ] && tell_environment "$1"
  link_of "$proc/$1/fd/1"
  output=$link
  tell_stream "$1" 1
  link_of "$proc/$1/fd/2"
  # One of the two where both go to the same place.
  [ "$link" = "$output" ] || tell_stream "$1" 2
}
tell_stream() { # pid, stream that leads to $link
  find_log "$1" "$2"
  tell_log "log $2" "$log" "$link" && streams="$streams $1:$2"
}

# Through the process, so that a log which was moved or deleted is still the run's own; through the tee where one writes it.
find_log() { # pid, stream
  log=$proc/$1/fd/$2
  case $tees in
    *" $1:$2:"*)
      log=${tees#*" $1:$2:"}
      log=${log%% *}
      log=$proc/${log%:*}/fd/${log#*:}
      link_of "$log"
      ;;
  esac
}

# SECURITY: a process's environment holds keys and passwords. Only words of ours leave the box, never a value: of a proxy the host
# that was asked about, if it is one of those.
tell_environment() { # pid
  tr '\000' '\n' <"$proc/$1/environ" 2>/dev/null | awk -v hosts="$LEASEHOLD_ACCELERATORS" '
    BEGIN { many = split(hosts, known, " ") }
    function named(value, at) {
      sub(/^[^=]*=([^\/]*:\/\/)?/, "", value)
      sub(/^[^\/]*@/, "", value)
      sub(/[:\/].*/, "", value)
      for (at = 1; at <= many; at++) if (tolower(value) == known[at]) return known[at]
      return "other"
    }
    /^PYTHONUNBUFFERED=./ { unbuffered = 1 }
    /^([Hh][Tt][Tt][Pp][Ss]?|[Aa][Ll][Ll])_[Pp][Rr][Oo][Xx][Yy]=./ && (proxy == "" || proxy == "other") { proxy = named($0) }
    /^(WANDB_API_KEY|HF_TOKEN|HUGGING_FACE_HUB_TOKEN)=./ { sub(/=.*/, ""); print "has " $0 }
    /^WANDB_MODE=(offline|dryrun)$/ { tracker = "offline" }
    /^WANDB_MODE=online$/ { tracker = "online" }
    /^WANDB_(MODE=disabled$|DISABLED=[1tT])/ { tracker = "disabled" }
    /^WANDB_DIR=./ { elsewhere = 1 }
    /^WANDB_SILENT=[1tT]/ { silent = 1 }
    /^WANDB_(PROJECT|NAME|RUN_ID|ENTITY|API_KEY)=./ && tracker == "" { tracker = "unset" }
    END {
      # It says nothing, and its folder is not where it is looked for.
      if (elsewhere && silent && tracker ~ /^o/) tracker = "unset"
      print "unbuffered " unbuffered + 0
      print "proxy " (proxy == "" ? "none" : proxy)
      print "tracker " (tracker == "" ? "none" : tracker)
    }'
}

# Fails where there is no file that can be read in time.
tell_log() { # word, path to ask, path to tell
  told=$(ask stat -Lc '%F %Y %s %i %h' "$2")
  heard $?
  # "regular file", "regular empty file"
  case $told in regular*) printf '%s %s %.1000s\n' "$1" "${told#*file }" "$3" ;; *) return 1 ;; esac
}
log_end() { # section, path of a file
  begin "$1"
  ask tail -c "$tail_bytes" "$2" | tr '\000\r' '?\n'
  end "$1" 0
}
# What a tracker says when it starts, which the end of a log has long lost.
log_start() { # section, path of a file
  begin "$1"
  ask head -c "$head_bytes" "$2" | tr '\000\r' '?\n' |
    awk '/Disabled WandB due to initialization error|No API key configured|api_key not configured|W&B disabled due to login timeout|Syncing run |Tracking run with|Run data is saved locally in/ {
      print substr($0, 1, 200)
      if (++told == 3) exit
    }'
  end "$1" 0
}

# What a run writes lies below the folder it works in: "seconds bytes inode path", the newest first.
artefacts() { # pids
  {
    for pid in $1; do readlink "$proc/$pid/cwd" 2>/dev/null; done
    printf '%s\n' "$LEASEHOLD_FOLDERS" | tr '\t' '\n'
  } | sort -u | head -n 8 | while IFS= read -r folder; do
    case $folder in '' | / | /proc* | /sys* | /dev*) continue ;; esac
    ask find "$folder/" -xdev -maxdepth 5 '(' -name .git -o -name node_modules -o -name __pycache__ -o -name site-packages ')' -prune -o \
      -type d '(' -path '*/wandb/run-*' -o -path '*/wandb/offline-run-*' ')' -exec stat -c '%Y %s %i %n' '{}' + -o \
      -type f '(' -name '*.pt' -o -name '*.pth' -o -name '*.ckpt' -o -name '*.safetensors' -o -name '*.keras' -o -name '*.weights.h5' \
      -o -name '*.tfevents.*' -o -name '*.tmp' -o -name 'DONE*' -o -name '*.done' -o -name '*_DONE' -o -name 'FAILED*' -o -name '*.failed' ')' \
      -exec stat -c '%Y %s %i %n' '{}' +
    [ $? -ne 137 ] || printf 'cut\n'
  done | sort -rn | head -n "$max_files"
}

# "<pid> <start> <seconds> <bytes> <inode> <links> <path>" of the script that a shell reads while it runs it.
tell_script() { # pid
  told=$(ask stat -Lc '%Y %s %i %h' "$proc/$1/fd/255")
  heard $?
  [ -n "$told" ] || { printf 'script %s unread\n' "$1" && return 0; }
  link_of "$proc/$1/fd/255"
  printf 'script %s %s %s %.1000s\n' "$1" "$(start_of "$1")" "$told" "$link"
}

tell_waiter() { # pid, or pid:file descriptor:1 where somebody writes to it
  pid=${1%%:*}
  describe "$pid"
  link_of "$proc/$pid/fd/0"
  printf 'terminal %.1000s\n' "$link"
  case $1 in
    *:*:*)
      fd=${1#*:}
      fd=$proc/$pid/fd/${fd%:*}
      link_of "$fd"
      tell_log "follows ${1##*:}" "$fd" "$link"
      ;;
  esac
}

# Block bytes, blocks, free for ordinary users, free, inodes, inodes free, path.
space_form='%S %b %a %f %c %d %n'
far_space() { # number, path
  [ -n "$quick" ] || { printf '\n%s unasked %s\n' "$mark" "$1" && return 0; }
  said=$(ask stat -f -c "$space_form" -- "$2")
  code=$?
  heard "$code"
  begin "far-$1"
  printf '%s\n' "$said"
  end "far-$1" "$code"
}

# Where the model cache really lies and what in it is large; snapshots of a platform that keeps them beside the data. Looked for
# only where a disk is nearly full, for it reads folders.
what_fills() {
  hub=${HF_HOME:-${HOME:-/root}/.cache/huggingface}
  ask test -e "$hub/."
  case $? in
    1) printf 'cache none\n' ;;
    *) printf 'cache %s\n' "$(ask readlink -f "$hub" | one_line | sed 's/?$//')" ;;
  esac
  ask find "$hub/hub/" -maxdepth 1 -name 'models--*' -prune -exec du -sk '{}' + | sort -rn | head -n 8 | sed 's/^/model /'
  printf '%s\n' "$LEASEHOLD_SNAPSHOTS" | tr '\t' '\n' | while IFS= read -r folder; do
    [ -n "$folder" ] || continue
    ask find "$folder/" -xdev -maxdepth 3 -type f -name '*.snap' -size +10240k -exec stat -c '%s %n' '{}' +
  done | sort -rn | head -n 8 | sed 's/^/snapshot /'
}
is_nearly_full() { # lines of space
  while read -r _ blocks free _; do
    case $blocks$free in '' | *[!0-9]*) continue ;; esac
    [ "$blocks" -gt 0 ] && [ "$free" -le "$((blocks / 10))" ] && return 0
  done <<END
$1
END
  return 1
}

begin machine
machine
# The driver's own list, without a question to a card.
for card in "$proc"/driver/nvidia/gpus/*; do [ -d "$card" ] && printf 'card %s\n' "${card##*/}"; done
end machine 0
begin cpu
cpu
end cpu 0
begin memory
memory
end memory 0
# Stamps begin anew with each boot.
first_line boot "$proc/sys/kernel/random/boot_id" >/dev/null
case $LEASEHOLD_KERNEL_AFTER in
  "$said "*) LEASEHOLD_KERNEL_AFTER=${LEASEHOLD_KERNEL_AFTER#* } ;;
  *) LEASEHOLD_KERNEL_AFTER= ;;
esac
# What it says to its errors is what is to be asked further; the tables themselves go out by the shortest way.
exec 4>&1
[ -z "$LEASEHOLD_LOGS" ] || limits
# mawk ends where a process does between the opening of its file and its reading, before it has told anything: it is asked once more.
tries=0
until asked=$(kernel_tables 2>&1 >&4 4>&-) || [ "$tries" -ge 9 ]; do tries=$((tries + 1)); done
exec 4>&-
pids=
tees=
scripts=
waiters=
far=
set --
while IFS= read -r line; do
  case $line in
    'run '*) pids="$pids ${line#run }" ;;
    'tee '*) tees="$tees ${line#tee }" ;;
    'script '*) scripts="$scripts ${line#script }" ;;
    'waiter '*) waiters="$waiters ${line#waiter }" ;;
    'mount '*\\*)
      path=$(plain "${line#mount * }")
      path=${path%x}
      ;;
    'mount '*) path=${line#mount * } ;;
  esac
  case $line in
    'mount local '*) set -- "$@" "$path" ;;
    'mount far '*) far="$far$path
" ;;
  esac
done <<END
$asked
END
spaces=
if [ "$#" -gt 0 ]; then
  spaces=$(exec stat -f -c "$space_form" -- "$@" 2>&1 </dev/null)
  begin space
  printf '%s\n' "$spaces"
  end space 0
fi
if [ -n "$far" ]; then
  limits
  n=0
  while IFS= read -r path; do
    [ -n "$path" ] || continue
    far_space "$n" "$path"
    spaces="$spaces
$said"
    n=$((n + 1))
  done <<END
$far
END
fi
if is_nearly_full "$spaces"; then
  limits
  begin fills
  what_fills
  end fills 0
fi
if [ -n "$waiters" ]; then
  limits
  begin waiters
  for waiter in $waiters; do tell_waiter "$waiter"; done
  end waiters 0
fi
if [ -n "$pids$LEASEHOLD_LOGS$LEASEHOLD_FOLDERS" ]; then
  limits
  streams=
  begin runs
  for pid in $pids; do tell_run "$pid"; done
  end runs 0
  # Of a run that is gone, too, it may say why.
  if [ -n "$pids$scripts$LEASEHOLD_LOGS" ]; then
    begin beside
    for pid in $scripts; do tell_script "$pid"; done
    platform_look "$pids"
    end beside 0
  fi
  for stream in $streams; do
    find_log "${stream%:*}" "${stream#*:}"
    name=${stream%:*}-${stream#*:}
    log_end "log-$name" "$log"
    log_start "start-$name" "$log"
  done
  begin artefacts
  artefacts "$pids"
  end artefacts 0
  printf '%s\n' "$LEASEHOLD_LOGS" | tr '\t' '\n' | head -n "$max_runs" | {
    n=0
    while IFS= read -r path; do
      begin "known-$n"
      if tell_log log "$path" "$path"; then is_there=yes; else is_there=; fi
      # Of a run that Leasehold launched, its folder keeps the end.
      case $path in */.local/state/leasehold/runs/r-*/log) first_line end "${path%/*}/end" ;; esac
      end "known-$n" 0
      [ -z "$is_there" ] || log_end "known-end-$n" "$path"
      n=$((n + 1))
    done
  }
fi
# Asked only where a server of somebody's has its door.
for door in "${TMUX_TMPDIR:-/tmp}"/tmux-*/*; do
  { [ -S "$door" ] && has tmux; } || continue
  limits
  begin tmux
  # shellcheck disable=SC2086 # several words or none
  $quick tmux list-panes -a -F '#{session_id} #{session_created} #{pane_pid} #{pane_dead} #{pane_dead_status} #{session_name}' 2>&1 </dev/null | head -n 200
  end tmux 0
  break
done
begin whole
end whole 0
