# nvidia-smi -L. In: table, ids.
BEGIN {
  picked = drop_lost(pick(ids, read_table(table)))
  code = exit_code(picked)
  for (i = 1; i <= picked; i++) {
    row = PICKED[i]
    print "GPU " GPU[row, "index"] ": " GPU[row, "name"] " (UUID: " GPU[row, "uuid"] ")"
  }
  exit code
}
