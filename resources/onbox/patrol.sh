#!/bin/sh
# One look at what runs on a box and at what could end it. Changes nothing and needs no root; bounded in time and output. A name
# on the box may hold anything: a line break in one is shown as "?", so that none can pretend to be another line.
#   LEASEHOLD_MARK     the nonce of the sections
#   LEASEHOLD_LOGS     logs of runs that were seen before, a tab between them: told again also when their run is gone
#   LEASEHOLD_FOLDERS  the folders of those runs, a tab between them
set -u
LC_ALL=C
export LC_ALL
# shellcheck source=resources/onbox/parts/marked-sections.sh
. ./parts/marked-sections.sh
# shellcheck source=resources/onbox/parts/time-limit.sh
. ./parts/time-limit.sh
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
# shellcheck source=resources/onbox/parts/machine.sh
. ./parts/machine.sh
# shellcheck source=resources/onbox/parts/control-groups.sh
. ./parts/control-groups.sh
max_runs=12
max_files=60
# With all of these full, an answer is still half of what main takes.
tail_bytes=6144

# What may lie on a server that went away: asked with an end in time, and not again after two that had none.
silent=0
ask() {
  [ "$silent" -lt 2 ] || return 137
  # shellcheck disable=SC2086 # several words or none
  $quick "$@" 2>/dev/null </dev/null
}
heard() { [ "$1" -ne 137 ] || silent=$((silent + 1)); } # exit code; apart, since what is asked in "$( )" cannot count

# pid ppid group session terminal state user-ticks system-ticks threads start resident-pages name; kernel threads are left out.
table() {
  cat "$proc"/[0-9]*/stat 2>/dev/null | awk '
    { at = 0
      while ((step = index(substr($0, at + 1), ") ")) > 0) at += step
      open = index($0, " (")
      if (at == 0 || open == 0) next
      n = split(substr($0, at + 2), f, " ")
      if (n < 22 || f[2] == 2 || $1 == 2) next
      print $1, f[2], f[3], f[4], f[5], f[1], f[12], f[13], f[18], f[20], f[22], substr($0, open + 2, at - open - 2)
      if (++told == 2000) { print "cut"; exit }
    }'
}

# Which processes hold a GPU ("gpu pid"), and which are runs ("run pid"): those, and of the processes that write their output to
# one file the oldest. Of processes whose table we may read.
open_files() {
  # shellcheck disable=SC2012 # one process for all of them, where find would need GNU to tell where a link leads
  # With something beside it, since of a single folder ls does not tell the name.
  ls -ln /dev/null "$proc"/[0-9]*/fd 2>/dev/null | awk -v max_runs="$max_runs" '
    /^\/.*\/fd:$/ { n = split($0, p, "/"); pid = p[n - 1] + 0; next }
    { at = index($0, " -> ")
      if (at == 0 || pid == 0) next
      n = split(substr($0, 1, at - 1), left, " ")
      path = substr($0, at + 4)
      if (path ~ /^\/dev\/nvidia/) run[pid] = 1
      # What lies in the last of these belongs to services of the machine.
      else if (left[n] != 1 && left[n] != 2 || path !~ /^\// || path ~ /^\/(dev|proc|sys|var\/log)\//) next
      else if (!(path in first) || pid < first[path]) first[path] = pid
    }
    END {
      for (pid in run) if (++told <= 200) print "gpu " pid
      for (path in first) if (!(first[path] in run)) other[first[path]] = 1
      tell_newest(run)
      tell_newest(other)
      if (is_cut) print "cut"
    }
    function tell_newest(pids,    pid, newest) {
      for (;;) {
        newest = 0
        for (pid in pids) if (pid + 0 > newest) newest = pid + 0
        if (newest == 0) return
        if (++runs > max_runs) { is_cut = 1; return }
        print "run " newest
        delete pids[newest]
      }
    }'
}

one_line() { head -c 1000 | tr '\000-\037\177' '?'; }

tell_run() { # pid
  describe "$1"
  printf 'arguments %s\n' "$(tr -dc '\000' <"$proc/$1/cmdline" 2>/dev/null | wc -c | tr -d ' ')"
  printf 'cwd %s\n' "$(readlink "$proc/$1/cwd" 2>/dev/null | one_line | sed 's/?$//')"
  sed -n 's/^SigIgn:[[:blank:]]*/ignores /p' "$proc/$1/status" 2>/dev/null
  if [ -r "$proc/$1/environ" ]; then
    printf 'unbuffered %s\n' "$(tr '\000' '\n' <"$proc/$1/environ" 2>/dev/null | grep -c '^PYTHONUNBUFFERED=.')"
  fi
  for stream in $(streams_of "$1"); do
    # Through the process, so that a log which was moved or deleted is still the run's own.
    tell_log "log $stream" "$proc/$1/fd/$stream" "$(readlink "$proc/$1/fd/$stream" 2>/dev/null | one_line | sed 's/?$//')"
  done
}

# One of the two where both go to the same place.
streams_of() { # pid
  [ "$(readlink "$proc/$1/fd/1" 2>/dev/null)" = "$(readlink "$proc/$1/fd/2" 2>/dev/null)" ] && echo 1 || echo 1 2
}

is_file() {
  kind=$(ask stat -Lc %F "$1")
  heard $?
  case $kind in regular*) return 0 ;; *) return 1 ;; esac
}
tell_log() { # word, path to ask, path to tell
  is_file "$2" || return 0
  figures=$(ask stat -Lc '%Y %s %i %h' "$2")
  heard $?
  printf '%s %s %s\n' "$1" "$figures" "$3"
}
log_end() { # section, path
  is_file "$2" || return 0
  begin "$1"
  ask tail -c "$tail_bytes" "$2" | tr '\000\r' '?\n'
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
      -type f '(' -name '*.pt' -o -name '*.pth' -o -name '*.ckpt' -o -name '*.safetensors' -o -name '*.tfevents.*' \
      -o -name 'DONE*' -o -name '*.done' -o -name '*_DONE' -o -name 'FAILED*' -o -name '*.failed' ')' \
      -exec stat -c '%Y %s %i %n' '{}' +
    [ $? -ne 137 ] || printf 'cut\n'
  done | sort -rn | head -n "$max_files"
}

begin machine
machine
end machine 0
begin cpu
cpu
end cpu 0
begin memory
memory
end memory 0
begin table
table
end table 0
opened=$(open_files)
begin open
printf '%s\n' "$opened"
end open 0
pids=
while read -r word pid; do
  [ "$word" = run ] && pids="$pids $pid"
done <<END
$opened
END
quick=
if [ -n "$pids$LEASEHOLD_LOGS$LEASEHOLD_FOLDERS" ]; then
  quick=$(hard_time_limit "${LEASEHOLD_LIMIT_S:-3}")
  begin runs
  for pid in $pids; do tell_run "$pid"; done
  end runs 0
  for pid in $pids; do
    for stream in $(streams_of "$pid"); do log_end "log-$pid-$stream" "$proc/$pid/fd/$stream"; done
  done
  begin artefacts
  artefacts "$pids"
  end artefacts 0
  printf '%s\n' "$LEASEHOLD_LOGS" | tr '\t' '\n' | head -n "$max_runs" | {
    n=0
    while IFS= read -r path; do
      begin "known-$n"
      tell_log log "$path" "$path"
      end "known-$n" 0
      log_end "known-end-$n" "$path"
      n=$((n + 1))
    done
  }
fi
# Asked only where a server of somebody's has its door.
for door in "${TMUX_TMPDIR:-/tmp}"/tmux-*/*; do
  { [ -S "$door" ] && has tmux; } || continue
  [ -n "$quick" ] || quick=$(hard_time_limit "${LEASEHOLD_LIMIT_S:-3}")
  begin tmux
  # shellcheck disable=SC2086 # several words or none
  $quick tmux list-panes -a -F '#{session_id} #{session_created} #{pane_pid} #{pane_dead} #{pane_dead_status} #{session_name}' 2>&1 </dev/null | head -n 200
  end tmux 0
  break
done
begin whole
end whole 0
