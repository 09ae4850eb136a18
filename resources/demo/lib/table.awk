# nvidia-smi without options: the table, in the layout recorded with driver 590. In: table, processes (file), ids.

BEGIN {
  picked = drop_lost(pick(ids, read_table(table)))
  code = exit_code(picked)
  if (picked == 0) exit code
  first = PICKED[1]
  print GPU[first, "q.timestamp"] "       "
  rule = "+-----------------------------------------------------------------------------------------+"
  columns = "+-----------------------------------------+------------------------+----------------------+"
  print rule
  printf "| NVIDIA-SMI %-23sDriver Version: %-15sCUDA Version: %-9s|\n", GPU[first, "driver_version"], GPU[first, "driver_version"], GPU[first, "q.cuda_version"]
  print columns
  print "| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |"
  print "| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |"
  print "|                                         |                        |               MIG M. |"
  print "|=========================================+========================+======================|"
  for (i = 1; i <= picked; i++) print_gpu(PICKED[i])
  print ""
  print rule
  print "| Processes:                                                                              |"
  print "|  GPU   GI   CI              PID   Type   Process name                        GPU Memory |"
  print "|        ID   ID                                                               Usage      |"
  print "|=========================================================================================|"
  listed = 0
  for (i = 1; i <= picked; i++) listed += print_processes(PICKED[i])
  if (listed == 0) print "|  No running processes found                                                             |"
  print rule
  exit code
}

function print_gpu(row,    name, ecc, persistence) {
  name = GPU[row, "name"]
  if (length(name) > 27) name = substr(name, 1, 24) "..."
  ecc = GPU[row, "ecc.mode.current"] == "Enabled" ? GPU[row, "dmon.dbecc"] : "N/A"
  persistence = GPU[row, "persistence_mode"] == "Enabled" ? "On" : "Off"
  printf "| %3s  %-27s    %-3s |   %16s Off | %20s |\n", GPU[row, "index"], name, persistence, GPU[row, "pci.bus_id"], ecc
  printf "| %3s%5sC%6s%16s / %5s |", fan(row), GPU[row, "temperature.gpu"], GPU[row, "pstate"], whole(GPU[row, "power.draw"]), whole(GPU[row, "power.limit"])
  printf "%8sMiB / %6sMiB |%8s %12s |\n", GPU[row, "memory.used"], GPU[row, "memory.total"], GPU[row, "utilization.gpu"] "%", "Default"
  printf "|                                         |                        | %20s |\n", GPU[row, "mig.mode.current"]
  print columns
}

function fan(row) {
  return GPU[row, "fan.speed"] == "N/A" ? "N/A" : GPU[row, "fan.speed"] "%"
}

function whole(watts) {
  return sprintf("%dW", watts + 0.5)
}

function print_processes(row,    line, cells, name, printed) {
  printed = 0
  while ((getline line < processes) > 0) {
    split(line, cells, "\t")
    if (cells[1] != GPU[row, "index"]) continue
    printed++
    name = cells[4]
    if (length(name) > 36) name = "..." substr(name, length(name) - 32)
    printf "|  %3s   N/A  N/A %15s %6s   %-38s%5sMiB |\n", cells[1], cells[2], cells[3], name, cells[5]
  }
  close(processes)
  return printed
}
