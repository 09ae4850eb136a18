#!/bin/sh
# What find had to say of a list, told behind that list.

# Reads what each find has said of its faults, and "ended <code>" behind it. Prints "<mark> late" where one took too long, or "<mark> partly"
# where it could not read something. What went away meanwhile is no fault.
tell_faults() { # mark
  why=
  while IFS= read -r said || [ -n "$said" ]; do
    case $said in
      'ended 0') ;;
      'ended 1') why=${why:-partly} ;;
      'ended 137') why=late ;;
      *': No such file or directory') why=${why:-gone} ;;
      *) [ "$why" = late ] || why=partly ;;
    esac
  done
  case $why in partly | late) printf '\n%s %s\n' "$1" "$why" ;; esac
}
