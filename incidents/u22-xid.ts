import { cards, kernelBusOf, RESTING_CARD, training } from './gpu/cards.ts';
import { HEALTHY_LOG } from './gpu/gpu-box.ts';
import type { GpuIncident } from './gpu/gpu-incident.ts';

const card = kernelBusOf(0);
const logOf = (...lines: readonly string[]): string =>
  HEALTHY_LOG + lines.map((line, i) => `[${(80_000 + i / 10).toFixed(6)}] ${line}\n`).join('');

export const u22Xid: readonly GpuIncident[] = [
  {
    id: 'U22',
    label: 'found',
    what: 'Xid 79 after an hour of training',
    also: ['idle'],
    seconds: 90,
    box: training(),
    later: [
      {
        fromS: 30,
        box: {
          kernelLog: logOf(
            `NVRM: Xid (PCI:${card}): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.`,
          ),
        },
      },
    ],
  },
  {
    id: 'U22',
    label: 'found',
    what: 'Xid 48 with an old-style line',
    seconds: 60,
    box: {
      ...training(),
      kernelLog: logOf(
        `NVRM: Xid (PCI:${card}): 48, An uncorrectable double bit error (DBE) has been detected on GPU in the framebuffer at partition 6, subpartition 0.`,
      ),
    },
  },
  {
    id: 'U22',
    label: 'found',
    what: 'the card is lost, and the kernel log is closed',
    also: ['straggler'],
    seconds: 90,
    box: { ...training(2), kernelLog: null },
    later: [{ fromS: 40, box: { cards: [{}, { isLost: true }] } }],
  },
  {
    id: 'U22',
    label: 'found',
    what: 'one of four cards is not listed any more',
    seconds: 120,
    box: training(4),
    later: [{ fromS: 40, box: { cards: cards(3), processes: training(3).processes ?? [] } }],
  },
  {
    id: 'U22',
    label: 'found',
    what: 'Xid 79 a thousand harmless lines ago',
    seconds: 60,
    box: {
      ...training(),
      kernelLog: logOf(
        `NVRM: Xid (PCI:${card}): 79, GPU has fallen off the bus.`,
        ...Array.from({ length: 1000 }, (_none, i) => `eth0: renamed from veth${i}`),
      ),
    },
  },
  {
    id: 'U22',
    label: 'found',
    what: 'Xid 79 between lines of bytes that are no text',
    seconds: 60,
    box: {
      ...training(),
      kernelLog: logOf(
        '\u0001\u0002binary\u001b[31m',
        `NVRM: Xid (PCI:${card.toUpperCase()}): 79, GPU has fallen off the bus.`,
      ),
    },
  },
  {
    id: 'U22',
    label: 'clear',
    what: 'another tenant’s card, in the host’s log',
    seconds: 60,
    box: {
      ...training(),
      kernelLog: logOf('NVRM: Xid (PCI:0000:f1:00): 79, GPU has fallen off the bus.'),
    },
  },
  {
    id: 'U22',
    label: 'clear',
    what: 'the driver’s own words at its start',
    seconds: 60,
    box: {
      ...training(),
      kernelLog: logOf(
        'NVRM: loading NVIDIA UNIX x86_64 Kernel Module  590.48.01',
        'nvidia-modeset: Loading NVIDIA Kernel Mode Setting Driver',
      ),
    },
  },
  {
    id: 'U22',
    label: 'clear',
    what: 'a program writes the words of an Xid into the kernel log of its network card',
    seconds: 60,
    box: {
      ...training(),
      kernelLog: logOf('mlx5_core 0000:3b:00.0: Xid 79 retries, health poll ok'),
    },
  },
  {
    id: 'U22',
    label: 'clear',
    what: 'the recovery that an Xid 154 asked for is over',
    seconds: 60,
    box: {
      ...training(),
      kernelLog: logOf(
        `NVRM: Xid (PCI:${card}): 154, GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)`,
        `NVRM: Xid (PCI:${card}): 154, GPU recovery action changed from 0x1 (GPU Reset Required) to 0x0 (None)`,
      ),
    },
  },
  {
    id: 'U22',
    label: 'unknown',
    what: 'the log is closed and there is no journal',
    seconds: 60,
    box: { ...training(), kernelLog: null },
  },
  {
    id: 'U22',
    label: 'unknown',
    what: 'the log does not reach back to the boot',
    seconds: 60,
    box: {
      ...training(),
      kernelLog:
        '[71234.100000] eth0: renamed from veth1\n[71235.100000] eth0: entered promiscuous mode\n',
    },
  },
  {
    id: 'U22',
    label: 'clear',
    what: 'a box that rests',
    seconds: 60,
    box: { cards: [RESTING_CARD], processes: [] },
  },
];
