#!/bin/sh
# Prints what was kept of the tree that was put into a folder last: its SHA-256, and for each file its own and its path, a NUL behind
# each. Changes nothing. Nothing where nothing is kept.
#   LEASEHOLD_FOLDER   the folder    LEASEHOLD_KEY   its name among the records
set -u
# shellcheck source=resources/onbox/parts/places.sh
. ./parts/places.sh
# shellcheck source=resources/onbox/parts/tree-folder.sh
. ./parts/tree-folder.sh
[ ! -f "$record" ] || cat "$record"
