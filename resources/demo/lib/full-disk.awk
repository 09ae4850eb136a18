# Makes one row of df's table look full: used becomes the total, nothing is free, 100 %. In: mount (the row's last column).
{
  end = length($0) - length(mount)
  if (mount == "" || substr($0, end + 1) != mount || substr($0, end, 1) != " ") { print; next }
  if (!match($0, /[^ ]+ +[^ ]+ +[^ ]+ +[0-9]+%/)) { print; next }
  head = substr($0, 1, RSTART - 1)
  tail = substr($0, RSTART + RLENGTH)
  cells = substr($0, RSTART, RLENGTH)
  total = cells
  sub(/ .*/, "", total)
  # Each cell keeps its right edge, so that the table stays a table.
  rest = substr(cells, length(total) + 1)
  match(rest, /^ +[^ ]+/)
  used = sprintf("%" RLENGTH "s", total)
  if (length(total) >= RLENGTH) used = " " total
  rest = substr(rest, RLENGTH + 1)
  match(rest, /^ +[^ ]+/)
  free = sprintf("%" RLENGTH "s", "0")
  rest = substr(rest, RLENGTH + 1)
  print head total used free sprintf("%" length(rest) "s", "100%") tail
}
