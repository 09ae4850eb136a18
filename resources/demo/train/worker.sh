#!/bin/sh
# What the fault "VRAM zombie" leaves behind: a data-loading worker whose run is gone and which still holds memory of a card.
# It ends on TERM, after a moment, as a worker that is in the middle of a batch.
trap 'sleep 0.5; exit 0' TERM
[ -n "${LEASEHOLD_DEMO_SYS:-}" ] || exit 1 # only runs on the demo box
while [ -e "$LEASEHOLD_DEMO_SYS/gpus.tsv" ]; do
  sleep 0.2
done
