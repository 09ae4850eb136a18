import { training } from './gpu/cards.ts';
import type { GpuIncident } from './gpu/gpu-incident.ts';

const MISMATCH = {
  says: 'Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 580.173\n',
  code: 18,
};
const NOT_LOADED = {
  says: "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.\n",
  code: 9,
};

export const driverBroken: readonly GpuIncident[] = [
  {
    id: 'driver',
    label: 'found',
    what: 'it was updated under a running kernel module',
    seconds: 60,
    box: { tool: MISMATCH },
  },
  {
    id: 'driver',
    label: 'found',
    what: 'the kernel module is not loaded',
    seconds: 60,
    box: { tool: NOT_LOADED },
  },
  {
    id: 'driver',
    label: 'found',
    what: 'an update in the middle of a run',
    seconds: 150,
    box: training(),
    later: [{ fromS: 60, box: { tool: MISMATCH } }],
  },
  { id: 'driver', label: 'clear', what: 'it answers', seconds: 60, box: training() },
  {
    id: 'driver',
    label: 'clear',
    what: 'the box is fresh, and its driver settles within a minute',
    seconds: 180,
    box: { ...training(), tool: MISMATCH },
    later: [{ fromS: 50, box: { tool: 'works' } }],
  },
  {
    id: 'driver',
    label: 'unknown',
    what: 'the link is down',
    seconds: 60,
    box: { ...training(), isLinkDown: true },
  },
  {
    id: 'driver',
    label: 'unknown',
    what: 'the image has no nvidia-smi',
    seconds: 60,
    box: { tool: 'missing' },
  },
];
