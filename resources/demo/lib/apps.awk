# nvidia-smi --query-compute-apps as CSV: one row per process and GPU. In: table, processes (file), ask, ids, header, units.

BEGIN {
  known = " timestamp gpu_name gpu_bus_id gpu_serial gpu_uuid pid process_name used_gpu_memory used_memory "
  wanted = split(ask, ASKED, ",")
  for (i = 1; i <= wanted; i++) {
    gsub(/^ +| +$/, "", ASKED[i])
    if (!index(known, " " ASKED[i] " ")) {
      print "Field \"" ASKED[i] "\" is not a valid field to query."
      print ""
      exit 2
    }
  }
  picked = drop_lost(pick(ids, read_table(table)))
  code = exit_code(picked)
  if (picked == 0) exit code
  if (header) print_header()
  for (i = 1; i <= picked; i++) print_processes(PICKED[i])
  exit code
}

function print_header(    line, i) {
  line = ""
  for (i = 1; i <= wanted; i++) line = line (i > 1 ? ", " : "") ASKED[i] (ASKED[i] ~ /memory$/ ? " [MiB]" : "")
  print line
}

function print_processes(row,    line, cells, out, i) {
  while ((getline line < processes) > 0) {
    split(line, cells, "\t")
    if (cells[1] != GPU[row, "index"]) continue
    out = ""
    for (i = 1; i <= wanted; i++) out = out (i > 1 ? ", " : "") cell(row, cells, ASKED[i])
    print out
  }
  close(processes)
}

function cell(row, cells, name) {
  if (name == "timestamp") return GPU[row, "timestamp"]
  if (name == "gpu_name") return GPU[row, "name"]
  if (name == "gpu_bus_id") return GPU[row, "pci.bus_id"]
  if (name == "gpu_serial") return GPU[row, "serial"] == "N/A" ? "[N/A]" : GPU[row, "serial"]
  if (name == "gpu_uuid") return GPU[row, "uuid"]
  if (name == "pid") return cells[2]
  if (name == "process_name") return cells[4]
  return units ? cells[5] " MiB" : cells[5]
}
