#!/bin/sh
# The cells of a queue, one a line, as parts/run-queue.sh has them: without the lines that name what was added together.
cells_of() { # the queue's folder
  cat "$1"/cells/[0-9][0-9][0-9][0-9] 2>/dev/null | grep -v '^[+]'
}
