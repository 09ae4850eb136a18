#!/bin/sh
# The person's own Slurm jobs and how long each still may run. Read-only: squeue, and scontrol show where squeue says nothing.
# How long is left and not when it ends: that depends on neither the zone nor the clock of this machine.
# A session inside of a job is told by SLURM_JOB_ID, or by its control group, where pam_slurm_adopt has put it.
#   LEASEHOLD_CGROUP_FILE  for tests: in place of /proc/self/cgroup
set -u
LC_ALL=C
export LC_ALL

# shellcheck source=resources/onbox/parts/marked-sections.sh
. ./parts/marked-sections.sh
# shellcheck source=resources/onbox/parts/time-limit.sh
. ./parts/time-limit.sh
time_limit 20

own=${SLURM_JOB_ID:-}
[ -n "$own" ] ||
  own=$(sed -n 's|.*/job_\([0-9][0-9]*\)\(/.*\)*$|\1|p' "${LEASEHOLD_CGROUP_FILE:-/proc/self/cgroup}" 2>/dev/null | head -n 1)

begin own
printf 'job %s\n' "$own" | head -c 100
printf 'now %s\n' "$(date +%s)"
printf 'ends %s\n' "${SLURM_JOB_END_TIME:-}" | head -c 100
command -v squeue >/dev/null 2>&1 && printf 'tool squeue\n'
command -v scontrol >/dev/null 2>&1 && printf 'tool scontrol\n'
end own 0

if command -v squeue >/dev/null 2>&1; then
  if [ -n "$own" ]; then
    section squeue squeue -h -j "$own" -o '%i|%T|%L'
  else
    section squeue squeue -h -u "$(id -un)" -o '%i|%T|%L'
  fi
elif [ -n "$own" ] && command -v scontrol >/dev/null 2>&1; then
  section scontrol scontrol -o show job "$own"
fi
