#!/bin/sh
# Bytes of a file without reading those before, as tail does on some boxes. GNU's dd and busybox's count bytes; with another it takes two
# more programs, through which each byte goes.
bytes_of() { # file, from, how many
  if dd if=/dev/null iflag=fullblock,skip_bytes,count_bytes count=0 >/dev/null 2>&1; then
    dd "if=$1" bs=1048576 iflag=fullblock,skip_bytes,count_bytes "skip=$2" "count=$3" 2>/dev/null
  else
    dd "if=$1" bs=65536 "skip=$(($2 / 65536))" "count=$((($2 % 65536 + $3 + 65535) / 65536))" 2>/dev/null |
      tail -c "+$(($2 % 65536 + 1))" | head -c "$3"
  fi
}
