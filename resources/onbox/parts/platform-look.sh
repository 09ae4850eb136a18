#!/bin/sh
# shellcheck disable=SC2154 # proc: process-table.sh
# What only one platform makes worth a look, and only while something runs there; no other box pays for it.
#   LEASEHOLD_LOOKS  which of these, as the profile of the box says, a blank between them
apt_log=${LEASEHOLD_APT_LOG:-/var/log/apt/history.log}

platform_look() { # pids
  for look in $LEASEHOLD_LOOKS; do
    case $look in
      python-mix)
        for pid in $1; do tell_env "$pid"; done
        tell_torch "${HOME:-/root}"/.local/lib/python3*/site-packages/torch /usr/lib/python3/dist-packages/torch /usr/local/lib/python3*/dist-packages/torch
        tell_upgrade
        ;;
      pod-names) tell_pod_names ;;
    esac
  done
}

# The environment that a Python belongs to lies around it: LAM8.
tell_env() { # pid
  program=$(tr '\000' '\n' <"$proc/$1/cmdline" 2>/dev/null | head -n 1 | head -c 300)
  env=${program%/bin/*}
  case $program in
    /*/bin/python*) ;;
    # By the name that was typed: below its folder, or of the environment that was activated.
    */bin/python*)
      link_of "$proc/$1/cwd"
      env=$link/$env
      ;;
    python*) env=$(tr '\000' '\n' 2>/dev/null <"$proc/$1/environ" | sed -n 's/^VIRTUAL_ENV=\(.\{1,300\}\)$/\1/p' | head -n 1) ;;
    *) return 0 ;;
  esac
  [ -r "$env/pyvenv.cfg" ] || return 0
  borrows=no
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in include-system-site-packages*true*) borrows=yes ;; esac
  done <"$env/pyvenv.cfg"
  printf 'env %s %s %s\n' "$1" "$borrows" "$(printf '%s\n' "$env" | tr '\001-\037\177' '?' | sed 's/?$//')"
  tell_torch "$env"/lib/python3*/site-packages/torch
}
tell_torch() { # folders
  for folder in "$@"; do [ -d "$folder" ] && printf 'torch %s\n' "$folder" | tr '\001-\011\013-\037\177' '?'; done
}

# The last upgrade of everything: LAM11.
tell_upgrade() {
  [ -r "$apt_log" ] || { printf 'upgrade unread\n' && return 0; }
  tail -c 65536 "$apt_log" 2>/dev/null | awk '
    /^Start-Date: / { began = $2 " " $3 }
    /^Commandline: .*(apt|apt-get|aptitude) (.* )?((full|dist|safe)-)?upgrade( |$)/ && !/ install / { told = began " " substr($0, 14, 200) }
    END { print "upgrade " (told == "" ? "none" : told) }'
}

# SECURITY: names that are in this list, and never a value. What process 1 was given reaches no shell of sshd: RP12.
tell_pod_names() {
  [ -r "$proc/1/environ" ] || { printf 'pod unread\n' && return 0; }
  tr '\000' '\n' <"$proc/1/environ" 2>/dev/null | awk '
    /^(WANDB_API_KEY|HF_TOKEN|HUGGING_FACE_HUB_TOKEN)=./ { sub(/=.*/, ""); print "pod " $0 }
    END { print "pod read" }'
}
