# The fields that --query-gpu knows, with unit and default (recorded with driver 590 on an H100), under what the live table
# says of a card. Fills UNIT and DEFAULT.
function read_fields(path,    line, cells) {
  while ((getline line < path) > 0) {
    split(line, cells, "\t")
    UNIT[cells[1]] = cells[2]
    DEFAULT[cells[1]] = cells[3]
  }
  close(path)
}

# A value without its unit; "N/A" where the card lacks the thing.
function value_of(row, name) {
  if ((row, name) in GPU) return GPU[row, name]
  if (name ~ /^ecc\.errors\./ && GPU[row, "ecc.mode.current"] == "N/A") return "N/A"
  if (name ~ /^remapped_rows\./ && GPU[row, "remapped_rows.histogram.max"] == "N/A") return "N/A"
  return DEFAULT[name]
}
