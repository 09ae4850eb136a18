# nvidia-smi dmon, layout (c) of facts/nvidia.md 1.1: columns 7 wide, each line ends with one blank.
# In: table, letters, ids, delay, cycles (0: until stopped), stamp ("", "T", "D" or "DT").

BEGIN {
  define_groups()
  width = columns_of(letters)
  picked = pick(ids, read_table(table))
  picked = drop_lost(picked)
  code = exit_code(picked)
  if (picked == 0) exit code

  for (cycle = 1; cycles == 0 || cycle <= cycles; cycle++) {
    # A real dmon repeats its header now and then; after how many rows is not known, so 30 cycles are an invention.
    if ((cycle - 1) % 30 == 0) print_header()
    prefix = stamp == "" ? "" : stamp_cells()
    for (i = 1; i <= picked; i++) print_row(PICKED[i], prefix)
    if (cycle == cycles) break
    system("sleep " delay)
    if (read_table(table) < 0) exit 255 # the box is gone: nobody is left to read this stream
  }
  exit code
}

function define_groups() {
  NAMES["p"] = "pwr gtemp mtemp"
  UNITS["p"] = "W C C"
  NAMES["u"] = "sm mem enc dec jpg ofa"
  UNITS["u"] = "% % % % % %"
  NAMES["c"] = "mclk pclk"
  UNITS["c"] = "MHz MHz"
  NAMES["v"] = "pviol tviol"
  UNITS["v"] = "% bool"
  NAMES["m"] = "fb bar1 ccpm"
  UNITS["m"] = "MB MB MB"
  NAMES["e"] = "sbecc dbecc pci"
  UNITS["e"] = "errs errs errs"
  NAMES["t"] = "rxpci txpci"
  UNITS["t"] = "MB/s MB/s"
}

# Groups come in the order of the letters typed.
function columns_of(typed,    i, j, n, names, units, total) {
  total = 0
  for (i = 1; i <= length(typed); i++) {
    n = split(NAMES[substr(typed, i, 1)], names, " ")
    split(UNITS[substr(typed, i, 1)], units, " ")
    for (j = 1; j <= n; j++) {
      COLUMN[++total] = names[j]
      UNIT[total] = units[j]
    }
  }
  return total
}

function print_header(    names, units, i) {
  names = stamp == "" ? "# gpu" : stamp_header("Date", "Time") "gpu"
  units = stamp == "" ? "# Idx" : stamp_header("YYYYMMDD", "HH:MM:SS") "Idx"
  for (i = 1; i <= width; i++) {
    names = names sprintf("%7s", COLUMN[i])
    units = units sprintf("%7s", UNIT[i])
  }
  print names " "
  print units " "
  fflush()
}

function stamp_header(date, time) {
  if (stamp == "D") return sprintf("%-12s", "#" date)
  if (stamp == "T") return sprintf("%-12s", "#" time)
  return sprintf("%-12s%-12s", "#" date, time)
}

# The box's own clock, read once per cycle and only when it was asked for.
function stamp_cells(    command, now, parts) {
  command = "date '+%Y%m%d %H:%M:%S'"
  command | getline now
  close(command)
  split(now, parts, " ")
  if (stamp == "D") return sprintf(" %-11s", parts[1])
  if (stamp == "T") return sprintf(" %-11s", parts[2])
  return sprintf(" %-11s%-12s", parts[1], parts[2])
}

# A card that was lost while the stream ran keeps its row and answers "-" everywhere. No recording of that moment exists
# (facts/nvidia.md 1.2); this is the demo box's choice among the plausible ones.
function print_row(row, prefix,    line, i) {
  line = prefix == "" ? sprintf("%5s", GPU[row, "index"]) : prefix sprintf("%3s", GPU[row, "index"])
  for (i = 1; i <= width; i++) line = line sprintf("%7s", is_lost(row) ? "-" : GPU[row, "dmon." COLUMN[i]])
  print line " "
  fflush() # line by line, also into a pipe
}
