#!/bin/sh
# shellcheck disable=SC2154 # folder, place, limit, say, line_of: run-preflight.sh
# What the working folder says of its packages: what it asks for, what fixes all of it, and a torch that it fixes.
# shellcheck disable=SC2016 # of the awk that reads it
# Reads requirements.txt and what that names by -r and -c, at most ten files and twenty thousand lines. Prints "<packages> <not pinned>
# <without a hash> <all: all was read> <the first that are not pinned>".
pins_words='
  function tidy(line) { sub(/\r$/, "", line); sub(/(^|[ \t])#.*/, "", line); gsub(/^[ \t]+|[ \t]+$/, "", line); return line }
  function take(line, kind, name, is_pinned, is_hashed) {
    if (line == "") return
    if (line ~ /^(-[rc]|(--requirement|--constraint)[ \t=])/) {
      kind = line ~ /^--?c/ ? "limits" : "asks"
      # pip takes the short ones without a blank too.
      sub(/^(-[rc]|--[a-z]+)[ \t=]*/, "", line)
      # Only below the folder: what else is named is told as not read.
      if (line ~ /^\/|\.\.|[^A-Za-z0-9_.\/-]/ || files == 10) { is_cut = 1; return }
      if (line in seen) return
      seen[line]
      queue[files++] = kind " " line
      return
    }
    # The project itself, and what is said to pip.
    if (line ~ /^(-e|--editable)[ =]*\./ || line ~ /^\.(\/|$|\[)/ || (line ~ /^-/ && line !~ /^(-e|--editable)/)) return
    if (line ~ /^[A-Za-z0-9][A-Za-z0-9._-]*/ && line !~ /^[a-z+]+:\/\//) {
      match(line, /^[A-Za-z0-9][A-Za-z0-9._-]*/)
      name = tolower(substr(line, 1, RLENGTH))
      gsub(/[._-]+/, "-", name)
    } else name = "a-url"
    is_pinned = line ~ /===?[ \t]*[A-Za-z0-9][A-Za-z0-9.+!_-]*([ \t;,]|$)/ && line !~ /==[^,; ]*[*]/
    if (line ~ /(--hash=|#sha256=)/) { is_pinned = is_pinned || line ~ /#sha256=/; is_hashed = 1 }
    # A limit holds each line of its package. Of several lines, as for several Pythons, each counts by itself.
    if (reads == "limits") {
      if (is_pinned) pinned[name]
      if (is_hashed) hashed[name]
      return
    }
    if (!is_pinned) open_line[name]
    if (!is_hashed) bare_line[name]
    if (!(name in asked)) { asked[name]; order[all++] = name }
  }
  BEGIN {
    queue[0] = "asks requirements.txt"
    files = 1
    seen["requirements.txt"]
    for (at = 0; at < files; at++) {
      split(queue[at], next_file, " ")
      reads = next_file[1]
      held = ""
      while ((got = (getline line < next_file[2])) > 0) {
        if (++lines > 20000) { is_cut = 1; break }
        if (line ~ /\\\r?$/) { sub(/\\\r?$/, " ", line); held = held line; continue }
        take(tidy(held line))
        held = ""
      }
      take(tidy(held))
      if (got < 0) is_cut = 1
      close(next_file[2])
    }
    for (at = 0; at < all; at++) {
      if (order[at] in bare_line && !(order[at] in hashed)) bare++
      if (!(order[at] in open_line) || order[at] in pinned) continue
      loose++
      if (loose <= 8) names = names " " order[at]
    }
    print all + 0, loose + 0, bare + 0, (is_cut ? "part" : "all") substr(names, 1, 600)
  }'

tell_packages() {
  case $folder in late | closed) return 0 ;; esac
  for file in requirements.txt pyproject.toml environment.yml environment.yaml Pipfile; do
    if [ -f "$place/$file" ]; then
      say wants "$file"
      break
    fi
  done
  for file in uv.lock poetry.lock pdm.lock pixi.lock Pipfile.lock conda-lock.yml requirements.lock; do
    if [ -f "$place/$file" ]; then
      say locks "$file"
      break
    fi
  done
  [ -f "$place/requirements.txt" ] || return 0
  # shellcheck disable=SC2086 # several words or none
  torch=$($limit head -c 262144 "$place/requirements.txt" 2>/dev/null </dev/null | grep -i '^torch *[=<~!]=' | head -n 1)
  [ -z "$torch" ] || say pins "$(line_of "$torch")"
  # A pipe that one of them is would be waited for.
  [ -n "$limit" ] || return 0
  # shellcheck disable=SC2086 # several words
  told=$(cd "$place" 2>/dev/null && $limit awk "$pins_words" 2>/dev/null </dev/null) || return 0
  say requirements "$(line_of "$told")"
}
