#!/bin/sh
# The first program on a new terminal of the demo box: tells the server the terminal's name, sets its size, then becomes the
# shell or the command that the client asked for.
#   terminal.sh ROWS COLS TTY_FILE
set -u

tty >"$3"
stty rows "$1" cols "$2"
if [ -n "${LEASEHOLD_DEMO_COMMAND-}" ]; then
  command=$LEASEHOLD_DEMO_COMMAND
  unset LEASEHOLD_DEMO_COMMAND
  exec sh -c "$command"
fi
exec "$SHELL" -i
