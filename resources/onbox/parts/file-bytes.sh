#!/bin/sh
# Bytes of a file without reading those before, as tail does on some boxes.
bytes_of() { # file, from, how many
  dd "if=$1" bs=65536 "skip=$(($2 / 65536))" "count=$((($2 % 65536 + $3 + 65535) / 65536))" 2>/dev/null |
    tail -c "+$(($2 % 65536 + 1))" | head -c "$3"
}
