import type { DetectorId } from '../../../shared/detectors/finding.ts';

/**
 * Commands that only read, to see on the box what a check saw (evidence of facts/gotchas.yaml, columns of
 * facts/nvidia.md §2). None for the driver: a second nvidia-smi beside one that hangs makes it worse.
 */
export const LOOK_YOURSELF: Readonly<Record<DetectorId, readonly string[]>> = {
  U3: ['uptime -s', 'tmux ls', 'cat /sys/fs/cgroup/memory.events'],
  U6: ['df -hP'],
  U7: ['df -iP', 'df -hP', 'readlink -f ~/.cache/huggingface'],
  U9: [
    'cat /sys/fs/cgroup/memory.current /sys/fs/cgroup/memory.max',
    'grep oom_kill /sys/fs/cgroup/memory.events',
    'dmesg',
  ],
  U10: ['nvidia-smi --query-gpu=memory.free --format=csv,noheader'],
  U11: ['fuser -v /dev/nvidia*', 'nvidia-smi pmon -c 5'],
  U16: ['ps -eo pid,etimes,args'],
  U21: ['nvidia-smi dmon -s pucvmet -d 1 -c 5'],
  U22: ['dmesg', 'journalctl -k --no-pager', 'nvidia-smi -L'],
  U23: [
    'nvidia-smi -q -d PERFORMANCE',
    'nvidia-smi --query-gpu=temperature.gpu,clocks.current.sm,clocks.max.sm,clocks_throttle_reasons.active --format=csv,noheader',
  ],
  U24: ['nvidia-smi dmon -s u -d 1 -c 30', 'top -b -n 1'],
  U31: ['nvidia-smi -L'],
  U35: ['ls -d wandb/offline-run-* wandb/run-*'],
  U37: [],
  U38: ['nvidia-smi dmon -s um -d 1 -c 10'],
  U40: ['cat /sys/fs/cgroup/cpu.max', 'nproc', 'cat /sys/fs/cgroup/cpu.stat'],
  U41: [
    'cat /proc/loadavg',
    'cat /sys/fs/cgroup/cpu.pressure',
    'cat /sys/fs/cgroup/memory.current /sys/fs/cgroup/memory.max',
  ],
  U43: ['nvidia-smi dmon -s u -d 1 -c 10', 'top -b -n 1'],
  GEN6: ['uptime -s', 'cat /proc/sys/kernel/random/boot_id', 'tmux ls'],
  GEN7: ['nvidia-smi --query-compute-apps=pid,gpu_uuid,used_memory --format=csv,noheader'],
  AD4: ['df -iP /root/autodl-fs', 'df -P /root/autodl-fs'],
  AD5: [
    'df -P /root/autodl-tmp',
    'readlink -f ~/.cache/huggingface',
    'du -sh ~/.cache/huggingface/hub/models--*',
  ],
  AD8: ['cat /sys/fs/cgroup/memory.current', 'cat /sys/fs/cgroup/memory.peak'],
  FZ3: ['du -sx /home/featurize /cloud'],
  GS2: ['env | grep -i _proxy='],
  MP1: ['find /mnt -name "*.snap" -size +10M', 'df -P /mnt'],
  RP11: ['df -P / /workspace', 'du -xsh /root/.cache'],
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
