#!/bin/sh
# The words that end a command in time. Of two kinds of timeout only this one takes the seconds as a word; where there is none,
# they are none, and main's own limit remains.
time_limit() { # seconds
  timeout 1 true 2>/dev/null && printf 'timeout %s' "$1"
}
# For what may lie on a server that went away: who waits for that hears no other signal.
hard_time_limit() { # seconds
  timeout -s KILL 1 true 2>/dev/null && printf 'timeout -s KILL %s' "$1"
}
