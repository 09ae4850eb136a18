# nvidia-smi pmon: the processes on each GPU, in the layout recorded with driver 590.
# In: table, processes (file), ids, delay, cycles (0: until stopped).

BEGIN {
  picked = drop_lost(pick(ids, read_table(table)))
  code = exit_code(picked)
  if (picked == 0) exit code
  print "# gpu         pid   type     sm    mem    enc    dec    jpg    ofa    command "
  print "# Idx           #    C/G      %      %      %      %      %      %    name "
  for (cycle = 1; cycles == 0 || cycle <= cycles; cycle++) {
    for (i = 1; i <= picked; i++) print_processes(PICKED[i])
    fflush()
    if (cycle == cycles) break
    system("sleep " delay)
    if (read_table(table) < 0) exit 255
  }
  exit code
}

function print_processes(row,    line, cells, found, name) {
  found = 0
  while ((getline line < processes) > 0) {
    split(line, cells, "\t")
    if (cells[1] != GPU[row, "index"] || is_lost(row)) continue
    found++
    name = cells[4]
    sub(/^.*\//, "", name)
    print_line(cells[1], cells[2], cells[3], cells[6], cells[7], substr(name, 1, 15))
  }
  close(processes)
  if (found == 0) print_line(GPU[row, "index"], "-", "-", "-", "-", "-")
}

function print_line(gpu, pid, type, sm, mem, name) {
  printf "%5s%11s%6s %6s %6s      -      -      -      -    %-15s\n", gpu, pid, type, sm, mem, name
}
