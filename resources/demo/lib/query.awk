# nvidia-smi --query-gpu as CSV (facts/nvidia.md 2.1). In: table, fields (file of known names, units, defaults), ask (the
# comma list), ids, header (1 or 0), units (1 or 0), every ("" once, else seconds).

BEGIN {
  read_fields(fields)
  wanted = split(ask, ASKED, ",")
  for (i = 1; i <= wanted; i++) {
    gsub(/^ +| +$/, "", ASKED[i])
    FIELD[i] = canonical(ASKED[i])
    if (!(FIELD[i] in UNIT)) {
      print "Field \"" ASKED[i] "\" is not a valid field to query."
      print ""
      exit 2
    }
  }
  count = read_table(table)
  picked = drop_lost(pick(ids, count))
  code = exit_code(picked)
  if (picked == 0) exit code
  if (header) print_header()
  while (1) {
    for (i = 1; i <= picked; i++) print_row(PICKED[i])
    fflush()
    if (every == "") break
    system("sleep " every)
    if (read_table(table) < 0) exit 255
  }
  exit code
}

# 590 still accepts the names of before R535, and the two short ones of the process queries.
function canonical(name) {
  sub(/^clocks_throttle_reasons\./, "clocks_event_reasons.", name)
  if (name == "gpu_uuid") return "uuid"
  if (name == "gpu_name") return "name"
  if (name == "gpu_bus_id") return "pci.bus_id"
  if (name == "gpu_serial") return "serial"
  return name
}

# The unit stands in the header even when nounits was asked for.
function print_header(    line, i, unit) {
  line = ""
  for (i = 1; i <= wanted; i++) {
    unit = UNIT[FIELD[i]]
    line = line (i > 1 ? ", " : "") ASKED[i] (unit == "" ? "" : " [" unit "]")
  }
  print line
}

function print_row(row,    line, i) {
  line = ""
  for (i = 1; i <= wanted; i++) line = line (i > 1 ? ", " : "") cell(row, FIELD[i])
  print line
}

function cell(row, name,    value) {
  # A card lost while a loop runs: the words that stand in a cell then (facts/nvidia.md 2.1).
  if (is_lost(row)) return "[GPU is lost]"
  value = value_of(row, name)
  # These two print a bare N/A, all others put it into brackets.
  if (value == "N/A") return name == "temperature.memory" || name ~ /^fabric\./ ? "N/A" : "[N/A]"
  return value ~ /^\[/ || !units || UNIT[name] == "" ? value : value " " UNIT[name]
}
