#!/bin/sh
# shellcheck disable=SC2034,SC2154 # for those who take this part; path: places.sh
# Where a working tree is put, what of it waits to be moved there, and what is kept of it. Needs places.sh.
#   LEASEHOLD_FOLDER   the folder    LEASEHOLD_TREE   the tree's SHA-256    LEASEHOLD_KEY   the folder's name among the records
whole_path "$LEASEHOLD_FOLDER"
place=$path
waiting=$place/.leasehold-push
staging=$waiting/${LEASEHOLD_TREE:-}
records=${HOME:-/nonexistent}/.local/state/leasehold/trees
record=$records/$LEASEHOLD_KEY
is_hash() { case $1 in '' | *[!0-9a-f]*) return 1 ;; esac; }
