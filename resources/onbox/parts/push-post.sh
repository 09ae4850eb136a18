#!/bin/sh
# shellcheck disable=SC2154 # limit: time-limit.sh
# Posts one message. SECURITY: the address, the access token and the message are variables of this shell alone: they are in no argument
# and in no environment, where others could read them. The tools get them over a pipe.

# What can post; "none" where there is nothing, or where this shell would start a program to print a secret.
post_tool() {
  if [ "$(command -v printf)" != printf ]; then
    echo none
  elif command -v curl >/dev/null 2>&1; then
    echo curl
  elif wget --version 2>/dev/null | grep -q '^GNU Wget'; then
    echo wget # that of busybox takes an address only as an argument
  else
    echo none
  fi
}

# A variable of the environment keeps its way out when it gets another value.
unset address authorization body

quoted() { printf '%s' "$1" | sed 's/[\\"]/\\&/g'; }

# Prints the HTTP status ("000": no answer) and the exit code of the tool. Follows no redirect, and takes 30 s at most.
post() { # tool, a folder of our own
  case $1 in
    curl)
      {
        printf 'url = "%s"\n' "$(quoted "$address")"
        [ -z "$authorization" ] || printf 'header = "Authorization: %s"\n' "$(quoted "$authorization")"
        printf 'data-binary = "%s"\n' "$(quoted "$body")"
      } | curl -q -K - -s -o /dev/null -w '%{http_code}' -m "${LEASEHOLD_POST_S:-20}" --proto '=http,https' -H 'Content-Type: application/json' 2>/dev/null
      printf ' %s\n' "$?"
      ;;
    wget)
      # It reads these from a file alone, which is there for its owner, and for as long as it posts.
      rm -f "$2/wgetrc"
      (set -C && {
        [ -z "$authorization" ] || printf 'header = Authorization: %s\n' "$authorization"
        printf 'post_data = %s\n' "$body"
      } >"$2/wgetrc") 2>/dev/null
      said=$(
        # shellcheck disable=SC2086 # several words or none
        printf '%s\n' "$address" | WGETRC="$2/wgetrc" $limit wget -q -S -O /dev/null -T "${LEASEHOLD_POST_S:-15}" -t 1 --max-redirect=0 \
          --header 'Content-Type: application/json' -i - 2>&1
        printf 'exit %s\n' "$?"
      )
      rm -f "$2/wgetrc"
      answered=$(printf '%s\n' "$said" | sed -n 's|^ *HTTP/[0-9.]* \([0-9][0-9][0-9]\).*|\1|p' | tail -n 1)
      printf '%s %s\n' "${answered:-000}" "${said##*exit }"
      ;;
  esac
}
