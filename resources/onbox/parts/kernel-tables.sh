#!/bin/sh
# shellcheck disable=SC2154 # mark: marked-sections.sh, proc: process-table.sh, pseudo: mount-words.sh
# What the kernel's own tables say: memory of the host, mounts, processes, open files and the log, by one reader, for each process
# that a look starts costs the box a millisecond. No mounted file system is touched. It prints first what is to be asked further
# ("run <pid>", "waiter <pid>", "mount local|far <path with octal escapes>") up to a line "<mark> rest", then sections.
#   LEASEHOLD_SYSTEM_FOLDERS  mounts at or below these belong to the system, a blank between them
#   LEASEHOLD_LOCAL_TYPES     file systems whose size can be asked without a wait, a blank between them
#   LEASEHOLD_KERNEL_AFTER    "<boot id> <stamp>": lines of that boot's log up to this stamp were told before
info=${LEASEHOLD_MOUNTINFO:-$proc/self/mountinfo}
max_mounts=24

kernel_tables() {
  {
    # The paths of mounts have no line break, unlike the name of a process: so no process can pretend to be a mount.
    cat "$proc/meminfo" "$proc/vmstat" "$info" "$proc"/[0-9]*/stat
    printf '\n%s open\n' "$mark"
    # With something beside it, since of a single folder ls does not tell the name.
    # shellcheck disable=SC2012 # one process for all of them, where find would need GNU to tell where a link leads
    ls -ln /dev/null "$proc"/[0-9]*/fd
    printf '\n%s kernel\n' "$mark"
    if has dmesg; then dmesg 2>&1; else printf 'missing\n'; fi
  } 2>/dev/null </dev/null | awk -v mark="$mark" -v max_runs="$max_runs" -v max_mounts="$max_mounts" -v pseudo="^($pseudo)\$" '
    BEGIN {
      max_kernel = 20
      after = ENVIRON["LEASEHOLD_KERNEL_AFTER"]
      n = split(ENVIRON["LEASEHOLD_SYSTEM_FOLDERS"], words, " ")
      for (i = 1; i <= n; i++) is_system[words[i]] = 1
      n = split(ENVIRON["LEASEHOLD_LOCAL_TYPES"], words, " ")
      for (i = 1; i <= n; i++) is_local[words[i]] = 1
      part = "tables"
    }
    $0 == mark " open" || $0 == mark " kernel" { part = $2; next }
    part == "kernel" { read_kernel(); next }
    part == "open" { read_open(); next }
    !processes && /^(MemTotal|MemAvailable|SwapTotal|SwapFree):/ { host = host "host " $0 "\n"; next }
    !processes && /^oom_kill [0-9]/ { host = host "host " $0 "\n"; next }
    !processes && /^[0-9]+ [0-9]+ [0-9]+:[0-9]+ \// { read_mount(); next }
    / \(/ { read_process() }

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
        print "mount " (local ? "local " : "far ") path
        told_mounts = told_mounts mount_line[path] "\n"
      }
    }

    # pid ppid group session terminal state user-ticks system-ticks threads start resident-pages name; kernel threads are left out.
    function read_process(    at, step, start, f, name) {
      processes = 1
      while ((step = index(substr($0, at + 1), ") ")) > 0) at += step
      start = index($0, " (")
      if (at == 0 || start == 0 || split(substr($0, at + 2), f, " ") < 22 || f[2] == 2 || $1 == 2) return
      began[$1] = f[20] # numbers of processes begin anew when they reach their end
      if (rows == 2000) { table_cut = 1; return }
      name = substr($0, start + 2, at - start - 2)
      row[++rows] = $1 " " f[2] " " f[3] " " f[4] " " f[5] " " f[1] " " f[12] " " f[13] " " f[18] " " f[20] " " f[22] " " name
      name_of[$1] = name
      if (name == "tail") waits[$1] = 1
      # A loop in a shell sleeps between its looks.
      if (name ~ /^(sleep|tail|grep|inotifywait)$/) waits[f[2]] = 1
    }
    function tell_waiters(    pid, told) {
      for (pid in waits) {
        if (name_of[pid] !~ /^(tail|sh|bash|dash|ash|zsh|ksh|busybox)$/) continue
        if (++told > 12) return
        print "waiter " pid
      }
    }

    # Which processes hold a GPU ("gpu pid"), and which are runs: those, and of the processes that write their output to one file
    # the oldest. Of processes whose table we may read.
    function read_open(    at, n, p, left, path) {
      if ($0 ~ /^\/.*\/fd:$/) { n = split($0, p, "/"); owner = p[n - 1] + 0; return }
      at = index($0, " -> ")
      if (at == 0 || owner == 0) return
      n = split(substr($0, 1, at - 1), left, " ")
      path = substr($0, at + 4)
      if (path ~ /^\/dev\/nvidia/) run[owner] = 1
      # What lies in the last of these belongs to services of the machine.
      else if (left[n] != 1 && left[n] != 2 || path !~ /^\// || path ~ /^\/(dev|proc|sys|var\/log)\//) return
      else if (!(path in first) || is_older(owner, first[path])) first[path] = owner
    }
    function is_older(one, other) {
      return began[one] + 0 < began[other] + 0 || began[one] + 0 == began[other] + 0 && one + 0 < other + 0
    }
    function tell_runs(    pid, path, told, other) {
      for (pid in run) if (++told <= 200) open_lines = open_lines "gpu " pid "\n"
      for (path in first) if (!(first[path] in run)) other[first[path]] = 1
      tell_newest(run)
      tell_newest(other)
    }
    function tell_newest(pids,    pid, newest) {
      for (;;) {
        newest = 0
        for (pid in pids) if (newest == 0 || is_older(newest, pid)) newest = pid
        if (newest == 0) return
        if (++runs > max_runs) { open_lines = open_lines "cut\n"; return }
        print "run " newest
        delete pids[newest]
      }
    }

    # The newest lines that tell of a fault, of those that were not told before, and how far back the log reaches.
    function read_kernel(    text, stamp) {
      if ($0 == "missing" || /^dmesg: /) { closed = substr($0, 1, 200); return }
      if (match($0, /\[ *[0-9]+\.[0-9]+\]/) == 1) {
        text = substr($0, 2, RLENGTH - 2)
        sub(/^ */, "", text)
        if (kernel_from == "") kernel_from = text
        kernel_to = text # as it is written, for a number loses its end in print
        if (after != "" && text + 0 <= after + 0) return
      }
      if (/NVRM|SXid|NV_ERR_|fallen off the bus|oom-kill:|[Oo]ut of memory: Kill/) kernel[++faults] = substr($0, 1, 600)
    }

    END {
      tell_runs()
      tell_waiters()
      choose_mounts()
      print mark " rest"
      print mark " begin host"
      printf "%s", host
      print mark " end host 0\n\n" mark " begin table"
      for (i = 1; i <= rows; i++) print row[i]
      if (table_cut) print "cut"
      print mark " end table 0\n\n" mark " begin open"
      printf "%s", open_lines
      print mark " end open 0\n\n" mark " begin mounts"
      printf "%s", told_mounts
      print mark " end mounts 0\n\n" mark " begin kernel"
      print "from " kernel_from "\nto " kernel_to "\nleft_out " (faults > max_kernel ? faults - max_kernel : 0)
      if (closed != "") print "closed " closed
      for (i = faults > max_kernel ? faults - max_kernel + 1 : 1; i <= faults; i++) print "line " kernel[i]
      print mark " end kernel 0"
      print "\n" mark " left-out " left_out + 0
    }'
}
