#!/bin/sh
# shellcheck disable=SC2154 # mark: marked-sections.sh, proc: process-table.sh, pseudo: mount-words.sh
# What the kernel's own tables say: memory of the host, mounts, processes, open files and the log, by one reader, for each process
# that a look starts costs the box a millisecond. No mounted file system is touched. To its errors it says what is to be asked
# further: "run <pid>", "waiter <pid>[:<file descriptor>:<1 where somebody writes to it>]", "tee <pid>:<stream>:<pid of the
# tee>:<file descriptor>", "script <pid>", "mount local|far <path with octal escapes>". To its output it prints sections.
#   LEASEHOLD_SYSTEM_FOLDERS  mounts at or below these belong to the system, a blank between them
#   LEASEHOLD_LOCAL_TYPES     file systems whose size can be asked without a wait, a blank between them
#   LEASEHOLD_KERNEL_AFTER    "<boot id> <stamp>": lines of that boot's log up to this stamp were told before
info=${LEASEHOLD_MOUNTINFO:-$proc/self/mountinfo}
max_mounts=24

kernel_tables() {
  {
    # With something beside it, since of a single folder ls does not tell the name.
    # shellcheck disable=SC2012 # one process for all of them, where find would need GNU to tell where a link leads
    ls -ln /dev/null "$proc"/[0-9]*/fd
    printf '\n%s kernel\n' "$mark"
    # Ordinary users may have the journal where dmesg is closed to them; asked only where a run could be missing by now.
    if [ -n "$LEASEHOLD_LOGS" ] && has journalctl; then
      { has dmesg && dmesg 2>&1; } || {
        has dmesg || printf 'missing\n'
        # shellcheck disable=SC2086 # several words or none
        exec $quick journalctl -q -k -b --no-pager -o short-monotonic -n 2000
      }
    elif has dmesg; then exec dmesg 2>&1; else printf 'missing\n'; fi
  } 2>/dev/null </dev/null | awk -v mark="$mark" -v max_runs="$max_runs" -v max_mounts="$max_mounts" -v pseudo="^($pseudo)\$" -v proc="$proc" -v info="$info" '
    BEGIN {
      max_kernel = 20
      after = ENVIRON["LEASEHOLD_KERNEL_AFTER"]
      n = split(ENVIRON["LEASEHOLD_SYSTEM_FOLDERS"], words, " ")
      for (i = 1; i <= n; i++) is_system[words[i]] = 1
      n = split(ENVIRON["LEASEHOLD_LOCAL_TYPES"], words, " ")
      for (i = 1; i <= n; i++) is_local[words[i]] = 1
      kernel_begins = mark " kernel"
      # What cannot be opened any more ended in this moment.
      while ((getline line < (proc "/meminfo")) > 0) if (line ~ /^(MemTotal|MemAvailable|SwapTotal|SwapFree):/) host = host "host " line "\n"
      while ((getline line < (proc "/vmstat")) > 0) if (line ~ /^oom_kill [0-9]/) { host = host "host " line "\n"; break }
      # How large the pages are that processes are told in.
      while ((getline line < (proc "/self/smaps")) > 0) if (line ~ /^KernelPageSize:/) { host = host "host " line "\n"; break }
      while ((getline < info) > 0) if (/^[0-9]+ [0-9]+ [0-9]+:[0-9]+ \//) read_mount()
      for (i = 1; i < ARGC; i++) {
        entry = ""
        # The name of a process may hold a line break.
        while ((getline line < ARGV[i]) > 0) entry = entry line " "
        close(ARGV[i])
        if (entry != "") read_process(entry)
      }
      ARGC = 1 # the rest comes in a pipe
    }
    is_kernel { read_kernel(); next }
    $0 == kernel_begins { is_kernel = 1; next }
    { read_open() }

    # "36 35 98:0 /root /mnt rw,noatime master:1 - ext3 /dev/root rw": any number of fields before the hyphen.
    function read_mount(    hyphen) {
      for (hyphen = 7; hyphen < NF && $hyphen != "-";) hyphen++
      # What nobody can write to does not fill.
      if ($(hyphen + 1) ~ pseudo || $6 ~ /^ro(,|$)/) { delete mount_line[$5]; return }
      if (!($5 in mount_device)) mount_path[++mounts] = $5
      # A later mount hides an earlier one at the same place.
      mount_line[$5] = substr($0, 1, 600)
      mount_device[$5] = $3
      mount_type[$5] = $(hyphen + 1)
    }
    function is_of_system(path) {
      for (;;) {
        if (path in is_system) return 1
        if (!sub(/\/[^\/]*$/, "", path)) return 0
      }
    }
    # The root, the memory that data loaders share, and each further file system once, at its shortest path.
    function choose_mounts(    i, path, place, chosen) {
      for (i = 1; i <= mounts; i++) {
        path = mount_path[i]
        if (!(path in mount_line)) continue
        if (path == "/" || path == "/dev/shm") { chosen[path] = 1; if (path == "/") taken[mount_device[path]] = path }
      }
      for (i = 1; i <= mounts; i++) {
        path = mount_path[i]
        if (!(path in mount_line) || path in chosen || is_of_system(path)) continue
        place = taken[mount_device[path]]
        if (place == "") { taken[mount_device[path]] = path; chosen[path] = 1 }
        else if (place != "/" && length(path) < length(place)) {
          delete chosen[place]
          taken[mount_device[path]] = path
          chosen[path] = 1
        }
      }
      # What cannot hang is asked first: after some that did, no further one is.
      tell_mounts(chosen, 1)
      tell_mounts(chosen, 0)
    }
    function tell_mounts(chosen, local,    i, path) {
      for (i = 1; i <= mounts; i++) {
        path = mount_path[i]
        if (!(path in chosen) || (mount_type[path] in is_local) != local) continue
        delete chosen[path]
        if (++asked > max_mounts) { left_out++; continue }
        say("mount " (local ? "local " : "far ") path)
        told_mounts = told_mounts mount_line[path] "\n"
      }
    }

    # pid ppid group session terminal state user-ticks system-ticks threads start resident-pages name; kernel threads are left out.
    function read_process(entry,    at, step, start, f, name, pid) {
      while ((step = index(substr(entry, at + 1), ") ")) > 0) at += step
      start = index(entry, " (")
      if (at == 0 || start == 0 || split(substr(entry, at + 2), f, " ") < 22) return
      pid = substr(entry, 1, start - 1)
      name = substr(entry, start + 2, at - start - 2)
      if (pid == 2 && name == "kthreadd") host = host "host kernel-threads\n"
      if (f[2] == 2 || pid == 2) return
      began[pid] = f[20] # numbers of processes begin anew when they reach their end
      if (rows == 2000) { table_cut = 1; return }
      row[++rows] = pid " " f[2] " " f[3] " " f[4] " " f[5] " " f[1] " " f[12] " " f[13] " " f[18] " " f[20] " " f[22] " " name
      name_of[pid] = name
      if (name == "tail") waits[pid] = 1
      # A loop in a shell sleeps between its looks.
      if (name ~ /^(sleep|tail|grep|inotifywait)$/) waits[f[2]] = 1
    }
    function tell_waiters(    pid, told) {
      for (pid in waits) {
        if (name_of[pid] !~ /^(tail|sh|bash|dash|ash|zsh|ksh|busybox)$/) continue
        if (++told > 12) return
        say("waiter " pid (pid in follows ? ":" followed_by[pid] ":" (follows[pid] in written) + 0 : ""))
      }
    }

    # Which processes hold a GPU ("gpu pid"), and which are runs: those, and of the processes that write their output to one file
    # the oldest, itself or by a tee. Of processes whose table we may read.
    function read_open(    at, n, p, left, path, fd) {
      at = index($0, " -> ")
      if (at == 0) {
        if ($0 ~ /^\/.*\/fd:$/) { n = split($0, p, "/"); owner = p[n - 1] + 0 }
        return
      }
      path = substr($0, at + 4)
      if (owner == 0 || path !~ /^(\/|pipe:)/) return
      n = split(substr($0, 1, at - 1), left, " ")
      fd = left[n]
      if (path ~ /^pipe:/) {
        if (fd == 0 && name_of[owner] == "tee") tee_of[path] = owner
        else if (fd == 1 || fd == 2) {
          pipe_of[owner ":" fd] = path
          if (!(path in piped) || is_older(owner, piped[path])) piped[path] = owner
        }
        return
      }
      if (path ~ /^\/dev\/nvidia/) { run[owner] = 1; return }
      if (path ~ /^\/(dev|proc|sys)\//) return
      if (fd > 2) {
        # A shell reads its script from there, piece by piece.
        if (fd == 255 && name_of[owner] ~ /^(ba)?sh$/ && ++scripts <= 6) { say("script " owner); return }
        if (name_of[owner] == "tail") { follows[owner] = path; followed_by[owner] = fd; return }
        if (name_of[owner] == "tee" && !(owner in tee_writes)) tee_writes[owner] = fd
      }
      if (left[1] ~ /^l.w/) written[path] = 1
      # What lies in the last of these belongs to services of the machine.
      if (fd != 1 && fd != 2 || path ~ /^\/var\/log\//) return
      if (!(path in first) || is_older(owner, first[path])) first[path] = owner
    }
    function is_older(one, other) {
      return began[one] + 0 < began[other] + 0 || began[one] + 0 == began[other] + 0 && one + 0 < other + 0
    }
    function tell_runs(    pid, path, told, other, stream) {
      for (pid in run) if (++told <= 200) open_lines = open_lines "gpu " pid "\n"
      for (path in first) if (!(first[path] in run)) other[first[path]] = 1
      for (stream in pipe_of) {
        path = pipe_of[stream]
        pid = stream + 0
        if (!(path in tee_of) || !(tee_of[path] in tee_writes) || !(pid in run) && piped[path] != pid) continue
        if (!(pid in run)) other[pid] = 1
        say("tee " stream ":" tee_of[path] ":" tee_writes[tee_of[path]])
      }
      tell_newest(run)
      tell_newest(other)
    }
    function say(text) { print text > "/dev/stderr" }
    function tell_newest(pids,    pid, newest) {
      for (;;) {
        newest = 0
        for (pid in pids) if (newest == 0 || is_older(newest, pid)) newest = pid
        if (newest == 0) return
        if (++runs > max_runs) { open_lines = open_lines "cut\n"; return }
        say("run " newest)
        delete pids[newest]
      }
    }

    # The newest lines that tell of a fault, of those that were not told before, and how far back the log reaches.
    function read_kernel() {
      if (kernel_lines == 0 && ($0 == "missing" || /^dmesg: /)) { closed = substr($0, 1, 200); return }
      if (kernel_lines++ == 0) kernel_from = stamp_of($0)
      kernel_last = $0
      if (!/NVRM|SXid|NV_ERR_|fallen off the bus|oom-kill:|[Oo]ut of memory: Kill|Killed process [0-9]/) return
      if (after != "" && stamp_of($0) != "" && stamp_of($0) + 0 <= after + 0) return
      kernel[++faults] = substr($0, 1, 600)
    }
    # As it is written, for a number loses its end in print.
    function stamp_of(text) {
      if (match(text, /\[ *[0-9]+\.[0-9]+\]/) != 1) return ""
      text = substr(text, 2, RLENGTH - 2)
      sub(/^ */, "", text)
      return text
    }

    END {
      tell_runs()
      tell_waiters()
      choose_mounts()
      print "\n" mark " begin host"
      printf "%s", host
      print mark " end host 0\n\n" mark " begin table"
      for (i = 1; i <= rows; i++) print row[i]
      if (table_cut) print "cut"
      print mark " end table 0\n\n" mark " begin open"
      printf "%s", open_lines
      print mark " end open 0\n\n" mark " begin mounts"
      printf "%s", told_mounts
      print mark " end mounts 0\n\n" mark " begin kernel"
      print "from " kernel_from "\nto " stamp_of(kernel_last) "\nleft_out " (faults > max_kernel ? faults - max_kernel : 0)
      if (closed != "" && kernel_lines == 0) print "closed " closed
      for (i = faults > max_kernel ? faults - max_kernel + 1 : 1; i <= faults; i++) print "line " kernel[i]
      print mark " end kernel 0"
      print "\n" mark " left-out " left_out + 0
    }' "$proc"/[0-9]*/stat
}
