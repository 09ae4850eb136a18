# nvidia-smi -q, in the layout recorded with driver 590. In: table, processes, fields, template (files), ids, display (the
# list given to -d, empty for everything).

BEGIN {
  read_fields(fields)
  attached = read_table(table)
  picked = drop_lost(pick(ids, attached))
  code = exit_code(picked)
  if (picked == 0) exit code
  lines = read_template(template)
  first = PICKED[1]
  print ""
  print "==============NVSMI LOG=============="
  print ""
  print_pair("Timestamp", GPU[first, "q.timestamp"])
  print_pair("Driver Version", GPU[first, "driver_version"])
  print_pair("CUDA Version", GPU[first, "q.cuda_version"])
  print ""
  print_pair("Attached GPUs", attached)
  for (i = 1; i <= picked; i++) print_gpu(PICKED[i])
  exit code
}

function print_pair(key, value) {
  printf "%-55s: %s\n", key, value
}

function read_template(path,    line, count) {
  count = 0
  while ((getline line < path) > 0) TEMPLATE[++count] = line
  close(path)
  return count
}

function print_gpu(row,    n, line, limits, shown) {
  shown = 1
  for (n = 1; n <= lines; n++) {
    line = TEMPLATE[n]
    # Cards report either margins to their limit or absolute temperatures; the template holds both.
    if (substr(line, 1, 1) == "?") {
      limits = substr(line, 2, index(line, " ") - 2)
      if (limits != GPU[row, "q.limits"]) continue
      line = substr(line, index(line, " ") + 1)
    }
    if (line ~ /^    [^ ]/) shown = is_displayed(line)
    if (n == 1 || shown) print filled(row, line)
  }
  if (is_displayed("    Processes")) print_processes(row)
  if (is_displayed("    Capabilities")) {
    print "    Capabilities"
    print_pair("        EGM", "disabled")
  }
  print ""
}

function is_displayed(heading) {
  return display == "" || index("," display ",", "," group_of(heading) ",") > 0
}

function group_of(heading) {
  if (heading ~ /^    (FB|BAR1|Conf Compute Protected) /) return "MEMORY"
  if (heading ~ /^    Utilization/) return "UTILIZATION"
  if (heading ~ /^    ECC /) return "ECC"
  if (heading ~ /^    Temperature/) return "TEMPERATURE"
  if (heading ~ /Power Readings/) return "POWER"
  if (heading ~ /Clocks Event Reasons|^    (Performance State|Sparse Operation Mode)/) return "PERFORMANCE"
  if (heading ~ /Clock/) return "CLOCK"
  if (heading ~ /^    Compute Mode/) return "COMPUTE"
  if (heading ~ /^    Processes/) return "PIDS"
  if (heading ~ /^    Retired Pages/) return "PAGE_RETIREMENT"
  if (heading ~ /^    Remapped Rows/) return "ROW_REMAPPER"
  return "OTHER"
}

# Replaces the one @name@ or @name|unit@ of a line.
function filled(row, line,    from, rest, to, name, bar, unit, value) {
  from = index(line, "@")
  if (from == 0) return line
  rest = substr(line, from + 1)
  to = index(rest, "@")
  name = substr(rest, 1, to - 1)
  bar = index(name, "|")
  unit = bar > 0 ? substr(name, bar + 1) : ""
  if (bar > 0) name = substr(name, 1, bar - 1)
  value = value_of(row, name)
  if (value != "N/A") {
    if (unit == "") unit = UNIT[name]
    if (unit != "") value = value " " unit
  }
  return substr(line, 1, from - 1) value substr(rest, to + 1)
}

# This section keeps the older column 42.
function print_processes(row,    line, cells, any) {
  any = 0
  while ((getline line < processes) > 0) {
    split(line, cells, "\t")
    if (cells[1] != GPU[row, "index"]) continue
    if (!any) print "    Processes"
    any = 1
    printf "%-42s: %s\n", "        GPU instance ID", "N/A"
    printf "%-42s: %s\n", "        Compute instance ID", "N/A"
    printf "%-42s: %s\n", "        Process ID", cells[2]
    printf "%-42s: %s\n", "            Type", cells[3]
    printf "%-42s: %s\n", "            Name", cells[4]
    printf "%-42s: %s MiB\n", "            Used GPU Memory", cells[5]
  }
  close(processes)
  if (!any) printf "%-42s: None\n", "    Processes"
}
