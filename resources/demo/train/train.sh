#!/bin/sh
# The toy training run: a real process with real steps, log lines and exits. Its losses are read from a script that the demo
# box wrote, and the box's own writer makes the checkpoint files when it asks for them; both because a shell has no GPU.
#   train.sh RUN_FOLDER
set -u

run=${1:?the folder of this run}
sys=${LEASEHOLD_DEMO_SYS:?only runs on the demo box}
spool=$sys/trainer
read -r step_seconds steps_per_epoch epochs <"$spool/pace"

say() {
  line="$(date '+%Y-%m-%d %H:%M:%S') $*"
  # The frozen log of the fault menu: lines gather as in a block buffer and come out in one piece later.
  if [ -e "$sys/faults/frozen-log" ]; then
    printf '%s\n' "$line" >>"$spool/held.log"
    return
  fi
  if [ -s "$spool/held.log" ]; then
    cat "$spool/held.log"
    : >"$spool/held.log"
  fi
  printf '%s\n' "$line"
}

enter() { # phase epoch step
  printf '%s %s %s %s %s\n' "$$" "$1" "$2" "$3" "$run" >"$spool/status"
}

crash() {
  say 'Traceback (most recent call last):'
  for reason in "$@"; do
    say "$reason"
  done
  exit 1
}

# Asks the box's writer for this epoch's files and waits for its answer, at most 20 s.
save() { # epoch step
  enter saving "$1" "$2"
  rm -f "$spool/answer"
  printf '%s %s %s %s\n' "$$" "$1" "$2" "$run" >"$spool/request.new"
  mv "$spool/request.new" "$spool/request"
  waited=0
  while [ ! -e "$spool/answer" ]; do
    waited=$((waited + 1))
    [ -e "$sys/gpus.tsv" ] || exit 1
    if [ "$waited" -gt 100 ]; then
      say "warning: epoch $1: nobody wrote the checkpoint, going on without it"
      return
    fi
    sleep 0.2
  done
  read -r outcome path <"$spool/answer"
  case $outcome in
    saved) say "saved $path" ;;
    no-space)
      crash 'RuntimeError: basic_ios::clear: iostream error' \
        "OSError: [Errno 28] No space left on device: '$path'"
      ;;
    no-inode) crash "OSError: [Errno 28] No space left on device: '$path'" ;;
  esac
}

enter starting 0 0
say "run $run"
say "loading data: 60000 samples, 10 classes"
sleep "$step_seconds"
say "model: 2 layers, 50890 parameters; $epochs epochs of $steps_per_epoch steps"

while read -r epoch step loss rate accuracy; do
  [ -e "$sys/gpus.tsv" ] || exit 1 # the box is gone
  if [ -e "$sys/faults/xid-79" ]; then
    crash 'RuntimeError: CUDA error: device lost (the simulated card fell off the bus)'
  fi
  enter training "$epoch" "$step"
  sleep "$step_seconds"
  printf '%s %s %s %s %s\n' "$epoch" "$step" "$loss" "$rate" "$accuracy" >>"$run/steps.txt"
  say "epoch $epoch/$epochs step $step loss $loss lr $rate acc $accuracy"
  if [ $((step % steps_per_epoch)) -eq 0 ]; then
    save "$epoch" "$step"
  fi
done <"$spool/script.txt"

say 'training finished'
: >"$run/DONE"
