# Prints the box's kernel log. Each stored line: seconds since boot, facility, level, ctime, ISO time, syslog time, text.
# In: kmsg, time (boot, ctime, iso, none or syslog), decode, levels (comma list, empty for all), follow, skip (past lines).

BEGIN {
  printed = 0
  while (1) {
    count = 0
    state = 0
    while ((state = getline line < kmsg) > 0) {
      count++
      if (count <= printed) continue
      if (!skip) print_line(line)
    }
    close(kmsg)
    if (state < 0) exit printed == 0 ? 1 : 0
    printed = count # smaller after a reboot: the new log is printed from its start
    skip = 0
    if (!follow) exit 0
    fflush()
    system("sleep 1")
  }
}

function print_line(line,    cells, head) {
  split(line, cells, "\t")
  if (levels != "" && index("," levels ",", "," cells[3] ",") == 0) return
  head = decode ? sprintf("%-6s:%-6s: ", cells[2], cells[3]) : ""
  if (time == "boot") head = head sprintf("[%12s] ", cells[1])
  if (time == "ctime") head = head "[" cells[4] "] "
  if (time == "iso") head = head cells[5] " "
  if (time == "syslog") head = cells[6] " demo kernel: "
  print head cells[7]
}
