import type { DetectorId } from '../../../shared/detectors/finding.ts';

/**
 * Commands that only read, to see on the box what a check saw (evidence of facts/gotchas.yaml, columns of
 * facts/nvidia.md §2). None for the driver: a second nvidia-smi beside one that hangs makes it worse.
 */
export const LOOK_YOURSELF: Readonly<Record<DetectorId, readonly string[]>> = {
  U3: ['uptime -s', 'tmux ls', 'cat /sys/fs/cgroup/memory.events'],
  U10: ['nvidia-smi --query-gpu=memory.free --format=csv,noheader'],
  U11: ['fuser -v /dev/nvidia*', 'nvidia-smi pmon -c 5'],
  U21: ['nvidia-smi dmon -s pucvmet -d 1 -c 5'],
  U22: ['dmesg', 'journalctl -k --no-pager', 'nvidia-smi -L'],
  U23: [
    'nvidia-smi -q -d PERFORMANCE',
    'nvidia-smi --query-gpu=temperature.gpu,clocks.current.sm,clocks.max.sm,clocks_throttle_reasons.active --format=csv,noheader',
  ],
  U24: ['nvidia-smi dmon -s u -d 1 -c 30', 'top -b -n 1'],
  U31: ['nvidia-smi -L'],
  U38: ['nvidia-smi dmon -s um -d 1 -c 10'],
  U40: ['cat /sys/fs/cgroup/cpu.max', 'nproc', 'cat /sys/fs/cgroup/cpu.stat'],
  GEN7: ['nvidia-smi --query-compute-apps=pid,gpu_uuid,used_memory --format=csv,noheader'],
  driver: [],
  ecc: ['dmesg'],
  idle: ['nvidia-smi dmon -s um -d 1 -c 10'],
  pcie: [
    'nvidia-smi --query-gpu=pcie.link.gen.current,pcie.link.gen.max,pcie.link.width.current,pcie.link.width.max --format=csv',
  ],
  'power-cap': [
    'nvidia-smi --query-gpu=power.limit,enforced.power.limit,power.default_limit --format=csv',
  ],
  straggler: ['nvidia-smi dmon -s pucvmet -d 1 -c 5'],
};
