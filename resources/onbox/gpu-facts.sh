#!/bin/sh
# One look at the slow facts of a box's GPUs. Changes nothing; bounded in time and output. Values come from the environment:
#   LEASEHOLD_REFUSED  fields that this driver refused before, "a,b,c"
#   LEASEHOLD_STATIC   1: also what never changes while the driver runs
#   LEASEHOLD_SUSPECT  1: nvidia-smi did not answer lately; look for a hung one before another is started
set -u
LC_ALL=C
export LC_ALL
PATH=$PATH:/usr/lib/wsl/lib:/usr/local/nvidia/bin:/opt/rocm/bin
# shellcheck source=resources/onbox/parts/marked-sections.sh
. ./parts/marked-sections.sh
# shellcheck source=resources/onbox/parts/time-limit.sh
. ./parts/time-limit.sh
# shellcheck source=resources/onbox/parts/process-table.sh
. ./parts/process-table.sh
# shellcheck source=resources/onbox/parts/machine.sh
. ./parts/machine.sh
# shellcheck source=resources/onbox/parts/control-groups.sh
. ./parts/control-groups.sh
time_limit 20
max_processes=64
max_refusals=8
max_log_lines=200

# In D state for two seconds running: waiting for a driver that does not answer. No signal ends it.
stuck() { grep -l '(nvidia-smi) D ' "$proc"/[0-9]*/stat 2>/dev/null | head -n 8; }
hung() {
  before=$(stuck)
  [ -n "$before" ] || return 0
  sleep 2
  after=$(stuck)
  for file in $before; do
    case "
$after
" in
      *"
$file
"*)
        pid=${file%/stat}
        printf 'hung %s\n' "${pid##*/}"
        ;;
    esac
  done
}

fields=index,uuid,pci.bus_id,name,driver_version,kmd_version,vbios_version,pstate
fields=$fields,memory.total,memory.used,memory.reserved
fields=$fields,power.draw,power.limit,power.default_limit,enforced.power.limit,power.min_limit,power.max_limit
fields=$fields,clocks.current.sm,clocks.max.sm,clocks.max.memory,clocks.default_applications.graphics
fields=$fields,temperature.gpu,temperature.gpu.tlimit
fields=$fields,clocks_event_reasons.active
fields=$fields,clocks_event_reasons_counters.sw_power_cap,clocks_event_reasons_counters.sw_thermal_slowdown
fields=$fields,clocks_event_reasons_counters.hw_thermal_slowdown
fields=$fields,clocks_event_reasons_counters.hw_power_brake_slowdown,clocks_event_reasons_counters.sync_boost
fields=$fields,ecc.mode.current,ecc.errors.corrected.volatile.total,ecc.errors.uncorrected.volatile.total
fields=$fields,ecc.errors.uncorrected.aggregate.total,ecc.errors.uncorrected.aggregate.sram.thresholdExceeded
fields=$fields,remapped_rows.correctable,remapped_rows.uncorrectable,remapped_rows.pending,remapped_rows.failure
fields=$fields,retired_pages.pending,gpu_recovery_action,fabric.state,fabric.status
fields=$fields,pcie.link.gen.current,pcie.link.gen.max,pcie.link.width.current,pcie.link.width.max
fields=$fields,mig.mode.current,persistence_mode

# Until R535 the reasons had another name.
drop_field() {
  other=
  case $1 in clocks_event_reasons.*) other=clocks_throttle_reasons.${1#*.}, ;; esac
  fields=$(printf ',%s,' "$fields" | sed "s/,$1,/,$other/; s/^,//; s/,\$//")
}

# One unknown field fails the whole call, and its name is all that is told: so one call for each that is refused.
gpus() {
  for field in $(printf '%s' "$LEASEHOLD_REFUSED" | tr ',' ' '); do drop_field "$field"; done
  refusals=0
  while :; do
    # shellcheck disable=SC2086 # two words or none
    said=$($limit nvidia-smi --query-gpu="$fields" --format=csv 2>&1 </dev/null)
    code=$?
    field=$(printf '%s\n' "$said" | head -n 5 |
      sed -n 's/.*Field "\([a-zA-Z0-9._]*\)" is not a valid field to query.*/\1/p' | head -n 1)
    if [ -z "$field" ] || [ "$refusals" -ge "$max_refusals" ]; then break; fi
    refusals=$((refusals + 1))
    printf '\n%s refused %s\n' "$mark" "$field"
    drop_field "$field"
  done
  begin gpus
  printf '%s\n' "$said" | head -c "$max_bytes"
  end gpus "$code"
  # What a card is split into stands in the list alone, and each part's memory in the table. (MIG mode is the last field
  # but one.)
  if printf '%s\n' "$said" | grep -q ', Enabled, [A-Za-z]*$'; then
    section list nvidia-smi -L
    section table nvidia-smi
  fi
}

# The box's own process table may show another process under the number that nvidia-smi tells, if that number is the
# host's. So what it is called and whether it has a GPU open is told too, and main compares.
processes() {
  # shellcheck disable=SC2086 # two words or none
  said=$($limit nvidia-smi --query-compute-apps=pid,process_name,used_memory,gpu_uuid --format=csv 2>&1 </dev/null)
  code=$?
  begin apps
  printf '%s\n' "$said" | head -c "$max_bytes"
  end apps "$code"
  begin processes
  printf '%s\n' "$said" | sed -n 's/^\([1-9][0-9]*\), .*/\1/p' | sort -u | head -n "$max_processes" |
    while read -r pid; do
      [ -r "$proc/$pid/stat" ] || continue
      describe "$pid"
      if ls "$proc/$pid/fd" >/dev/null 2>&1; then
        for fd in "$proc/$pid"/fd/*; do readlink "$fd"; done 2>/dev/null | grep -q '^/dev/nvidia' &&
          printf 'gpu yes\n' || printf 'gpu no\n'
      fi
    done
  end processes 0
}

# The first line tells whether the log reaches back to the boot. Of what a lost card makes the driver say again and again,
# thousands of times, the first lines are enough: they must not push the Xid out that names the cause.
shorten_log() {
  sed -n -e '1{p;d;}' -e '/NVRM: Xid/{p;d;}' -e '/SXid/{p;d;}' -e '/NVRM: GPU at PCI/{p;d;}' \
    -e '/NVRM: The NVIDIA GPU/{p;d;}' -e '/NVRM: (PCI ID/{p;d;}' -e '/RmInitAdapter failed/b few' \
    -e '/NV_ERR_GPU_IS_LOST/b few' -e '/fallen off the bus/b few' -e '/Unable to change power state/b few' \
    -e 'd' -e ':few' -e 'x' -e '/^.\{20\}/{x;d;}' -e 's/^/./' -e 'x' -e 'p' | {
    IFS= read -r first && printf '%s\n' "$first"
    tail -n "$max_log_lines"
  } | cut -c 1-2000 | head -c "$max_bytes"
}

kernel_log() {
  begin dmesg
  dmesg 2>&1 </dev/null | shorten_log
  end dmesg 0
  dmesg >/dev/null 2>&1 </dev/null && return 0
  has journalctl || return 0
  begin journalctl
  # shellcheck disable=SC2086 # two words or none
  $limit journalctl -k -b --no-pager -o short-monotonic 2>&1 </dev/null | shorten_log
  end journalctl 0
}

begin machine
machine
end machine 0
begin cpu
cpu | head -c 16384
end cpu 0

if [ "$LEASEHOLD_SUSPECT" = 1 ]; then
  begin hung
  is_hung=$(hung)
  printf '%s\n' "$is_hung"
  end hung 0
else
  is_hung=
fi

kernel_log

if [ -n "$is_hung" ]; then
  : # another copy would hang too
elif has nvidia-smi; then
  gpus
  processes
  [ "$LEASEHOLD_STATIC" = 1 ] && section temperature nvidia-smi -q -d TEMPERATURE
elif has amd-smi; then
  section amd-static amd-smi static --json
  section amd-metric amd-smi metric --json
elif has rocm-smi; then
  section rocm rocm-smi --showproductname --showuniqueid --showbus --showmeminfo vram --showmaxpower --showuse --showpower --showtemp --showclocks --json
fi
begin whole
end whole 0
