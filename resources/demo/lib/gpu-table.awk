# Reads the simulated driver's table: one line of names, then one line per GPU, cells separated by tabs.
# Fills GPU[row, name] and returns the number of GPUs, or -1 when the driver is gone.
function read_table(path,    line, names, cells, count, width, i) {
  count = 0
  if ((getline line < path) <= 0) { close(path); return -1 }
  width = split(line, names, "\t")
  while ((getline line < path) > 0) {
    split(line, cells, "\t")
    count++
    for (i = 1; i <= width; i++) GPU[count, names[i]] = cells[i]
  }
  close(path)
  return count
}

# Turns what was given to -i (indices, UUIDs or bus ids) into PICKED[1..n], the rows in index order. An empty list picks all.
function pick(list, count,    asked, n, row, i, picked) {
  picked = 0
  n = split(list, asked, ",")
  for (row = 1; row <= count; row++) {
    if (n == 0) { PICKED[++picked] = row; continue }
    for (i = 1; i <= n; i++) {
      if (is_same_gpu(row, asked[i])) { PICKED[++picked] = row; break }
    }
  }
  return picked
}

function is_same_gpu(row, id,    bus) {
  bus = tolower(GPU[row, "pci.bus_id"])
  return id == GPU[row, "index"] || id == GPU[row, "uuid"] || tolower(id) == bus || tolower(id) == substr(bus, 5)
}

function is_lost(row) {
  return GPU[row, "state"] == "lost"
}

# Tells of each picked card that fell off the bus, and takes it out of PICKED (facts/nvidia.md 1.4: others may still be shown).
function drop_lost(picked,    kept, i, row) {
  kept = 0
  LOST = 0
  for (i = 1; i <= picked; i++) {
    row = PICKED[i]
    if (!is_lost(row)) { PICKED[++kept] = row; continue }
    LOST++
    print "Unable to determine the device handle for GPU " short_bus(row) ": GPU is lost.  Reboot the system to recover this GPU"
  }
  return kept
}

# The four-digit domain form that error texts and the kernel use: 0000:3B:00.0
function short_bus(row) {
  return tolower(substr(GPU[row, "pci.bus_id"], 5))
}

function exit_code(picked) {
  if (LOST > 0) return 15
  if (picked == 0) { print "No devices were found"; return 6 }
  return 0
}
