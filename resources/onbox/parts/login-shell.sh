#!/bin/sh
# shellcheck disable=SC2154,SC2034 # what is taken from run-preflight.sh, and set for time-limit.sh
# What the login shell of a run finds: its environment, its programs, what it reaches, and its Python. Needs run-preflight.sh's values and
# places, time-limit.sh, tracker-key.sh and torch-sees.sh.
# In the very shell that the job will have, with its environment, after what the person runs first.
# SECURITY: of what is set there only names are told, and of no file anything but that it knows a name.
ask_login() {
  LEASEHOLD_BESIDE=
  if [ "$folder" = late ] || ! cd "$place" 2>/dev/null; then
    # What fails elsewhere may work in the folder, and what a push brings is not there. It is run elsewhere only for what it makes reachable.
    LEASEHOLD_BESIDE=yes
    [ -n "$LEASEHOLD_ROUTES" ] || [ -z "$LEASEHOLD_ACTIVATE" ] || return 0
    # Only a folder that is not there, and that a push makes, has no settings: of one that cannot be looked into they are not known.
    { [ "$base" != "$place" ] && cd "$base" 2>/dev/null; } || LEASEHOLD_WORD='' LEASEHOLD_PYTHON='' LEASEHOLD_SETTLED=''
    case $LEASEHOLD_WORD in [!/]*/*) LEASEHOLD_WORD='' ;; esac
    case $LEASEHOLD_PYTHON in [!/]*/*) LEASEHOLD_PYTHON='' ;; esac
  fi
  [ -n "$LEASEHOLD_ACTIVATE$LEASEHOLD_WORD$LEASEHOLD_PYTHON$LEASEHOLD_ROUTES$LEASEHOLD_PROGRAMS$LEASEHOLD_TRACKER" ] || return 0
  LEASEHOLD_MARK=$mark
  LEASEHOLD_SHORT=$limit
  LEASEHOLD_IN=$(pwd)
  LEASEHOLD_TRY=$ask_key
  LEASEHOLD_ASK=$ask_torch
  export LEASEHOLD_MARK LEASEHOLD_SHORT LEASEHOLD_IN LEASEHOLD_ASK LEASEHOLD_BESIDE LEASEHOLD_SETTLED LEASEHOLD_TRY
  hard_time_limit "${LEASEHOLD_LIMIT_S:-10}"
  # shellcheck disable=SC2016,SC2086 # for the shell that is asked; several words or none
  said=$($limit "$@" -c '
    printf "\n%s login begun\n" "$LEASEHOLD_MARK"
    # Says so where a login file sends elsewhere what is printed.
    trap "exit 97" EXIT
    eval "$LEASEHOLD_EXPORTS"
    # As job.sh does it, since a login file may have gone elsewhere.
    cd -- "$LEASEHOLD_IN" || exit 0
    if [ -n "$LEASEHOLD_ACTIVATE" ]; then
      eval "$LEASEHOLD_ACTIVATE"
      if [ "$?" -ne 0 ]; then
        [ -n "$LEASEHOLD_BESIDE" ] || printf "\n%s activate failed\n" "$LEASEHOLD_MARK"
        exit 0
      fi
      printf "\n%s activate passed\n" "$LEASEHOLD_MARK"
    fi
    for name in $LEASEHOLD_PROGRAMS; do printf "\n%s program %s %s\n" "$LEASEHOLD_MARK" "$name" "$(command -v "$name")"; done
    [ -z "$LEASEHOLD_WORD" ] || printf "\n%s found %s\n" "$LEASEHOLD_MARK" "$(command -v "$LEASEHOLD_WORD")"
    for name in WANDB_API_KEY WANDB_MODE HF_TOKEN HUGGING_FACE_HUB_TOKEN HF_ENDPOINT https_proxy HTTPS_PROXY OMP_NUM_THREADS CUDA_VISIBLE_DEVICES SRUN_CPUS_PER_TASK; do
      eval "is_empty=\${$name:-}"
      [ -z "$is_empty" ] || printf "\n%s set %s\n" "$LEASEHOLD_MARK" "$name"
    done
    for host in $LEASEHOLD_ACCELERATORS; do
      case "${http_proxy:-} ${https_proxy:-} ${HTTP_PROXY:-} ${HTTPS_PROXY:-} ${all_proxy:-} ${ALL_PROXY:-}" in
        *"$host"*) printf "\n%s set accelerator\n" "$LEASEHOLD_MARK" ;;
      esac
    done
    printf "\n%s login told\n" "$LEASEHOLD_MARK"
    at=0
    asked=
    for python in "$LEASEHOLD_PYTHON" python3 python; do
      { [ -n "$LEASEHOLD_TRY" ] && [ -n "$LEASEHOLD_SHORT" ] && [ -n "$python" ] && command -v "$python" >/dev/null 2>&1; } || continue
      $LEASEHOLD_SHORT "$python" -c "$LEASEHOLD_TRY" 2>/dev/null &
      asked="$asked $!"
      break
    done
    for address in $LEASEHOLD_ROUTES; do
      if command -v curl >/dev/null 2>&1; then
        { said=$(curl -sI -m 2 -o /dev/null -w "%{http_code}" "$address")
        printf "\n%s route %s curl %s %s\n" "$LEASEHOLD_MARK" "$at" "$?" "$said"; } 2>/dev/null &
        asked="$asked $!"
      elif command -v wget >/dev/null 2>&1; then
        { $LEASEHOLD_SHORT wget -q --spider -T 2 "$address"
        printf "\n%s route %s wget %s\n" "$LEASEHOLD_MARK" "$at" "$?"; } 2>/dev/null &
        asked="$asked $!"
      else printf "\n%s route %s none\n" "$LEASEHOLD_MARK" "$at"; fi
      at=$((at + 1))
    done
    if [ -n "$LEASEHOLD_PYTHON" ] && [ -n "$LEASEHOLD_SHORT" ] && command -v "$LEASEHOLD_PYTHON" >/dev/null 2>&1; then
      $LEASEHOLD_SHORT "$LEASEHOLD_PYTHON" -c "$LEASEHOLD_ASK"
      [ "$?" -ne 137 ] || printf "\n%s asked late\n" "$LEASEHOLD_MARK"
    fi
    [ -z "$asked" ] || wait $asked' </dev/null 2>/dev/null)
  code=$?
  say login asked
  case $code in
    97) say login begun ;;
    137) say login late ;;
  esac
  printf '%s\n' "$said" |
    awk 'index($0, ENVIRON["LEASEHOLD_MARK"] " ") { print substr($0, 1, 1000); if (++told == 80) exit }' | tr '\001-\011\013-\037\177' '?'
  [ -e "${HOME:-/nonexistent}/.netrc" ] && grep -qF api.wandb.ai "$HOME/.netrc" 2>/dev/null </dev/null && say netrc wandb
}
