import { training } from './gpu/cards.ts';
import type { GpuIncident } from './gpu/gpu-incident.ts';

export const u31NoGpu: readonly GpuIncident[] = [
  {
    id: 'U31',
    label: 'found',
    what: 'the container was given no GPU',
    seconds: 60,
    box: { tool: { says: 'No devices were found\n', code: 6 } },
  },
  {
    id: 'U31',
    label: 'found',
    what: 'the container lost its device rules while it trained',
    seconds: 150,
    box: training(),
    later: [
      {
        fromS: 60,
        box: { tool: { says: 'Failed to initialize NVML: Unknown Error\n', code: 255 } },
      },
    ],
  },
  {
    id: 'U31',
    label: 'found',
    what: 'this user may not use the driver',
    seconds: 60,
    box: { tool: { says: 'Failed to initialize NVML: Insufficient Permissions\n', code: 4 } },
  },
  {
    id: 'U31',
    label: 'found',
    what: 'the system blocks the access',
    seconds: 60,
    box: {
      tool: {
        says: 'Failed to initialize NVML: GPU access blocked by the operating system\n',
        code: 17,
      },
    },
  },
  { id: 'U31', label: 'clear', what: 'one card, at work', seconds: 60, box: training() },
  {
    id: 'U31',
    label: 'clear',
    what: 'nvidia-smi fails once and works again',
    seconds: 120,
    box: training(),
    later: [
      {
        fromS: 40,
        box: { tool: { says: 'Failed to initialize NVML: Unknown Error\n', code: 255 } },
      },
      { fromS: 44, box: { tool: 'works' } },
    ],
  },
  {
    id: 'U31',
    label: 'clear',
    what: 'the link was down for half a minute',
    seconds: 120,
    box: training(),
    later: [
      { fromS: 40, box: { isLinkDown: true } },
      { fromS: 70, box: { isLinkDown: false } },
    ],
  },
  {
    id: 'U31',
    label: 'unknown',
    what: 'the image has no nvidia-smi',
    seconds: 60,
    box: { tool: 'missing' },
  },
  {
    id: 'U31',
    label: 'unknown',
    what: 'the driver does not match its library',
    also: ['driver'],
    seconds: 60,
    box: {
      tool: {
        says: 'Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 580.173\n',
        code: 18,
      },
    },
  },
];
