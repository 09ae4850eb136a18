#!/bin/sh
# Shows a run to a TensorBoard that looks elsewhere: makes one symlink inside its log folder. Values come in the environment,
# from stdin: LEASEHOLD_FROM is the folder with the event files, LEASEHOLD_INTO the log folder, LEASEHOLD_NAME the link's name.
# Prints "linked", "exists", or "no-folder". It replaces and removes nothing; twice is the same as once.
set -eu
if [ ! -d "$LEASEHOLD_FROM" ] || [ ! -d "$LEASEHOLD_INTO" ]; then
  echo no-folder
  exit 0
fi
link=$LEASEHOLD_INTO/$LEASEHOLD_NAME
if [ -L "$link" ] && [ "$(readlink "$link" 2>/dev/null)" = "$LEASEHOLD_FROM" ]; then
  echo linked
  exit 0
fi
if [ -e "$link" ] || [ -L "$link" ]; then
  echo exists
  exit 0
fi
ln -s "$LEASEHOLD_FROM" "$link"
echo linked
