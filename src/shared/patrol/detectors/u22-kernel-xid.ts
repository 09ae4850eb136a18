import { xid } from '../../detectors/u22-xid.ts';
import { BOX, type LookDetector } from '../look-detector.ts';

/** U22: the same rule as over the slow probe's facts, for what the kernel's log says since the last look. */
export const kernelXid: LookDetector = {
  id: 'U22',
  judge({ look: { atMs, kernel, machine, cardAddresses } }) {
    const judged = xid.judge({
      atMs,
      gpus: [],
      telemetry: { kind: 'off' },
      facts: {
        atMs,
        vendor: 'nvidia',
        gpus: [],
        processes: { kind: 'unknown', because: 'a check does not ask for them' },
        kernelLog: {
          outcome:
            kernel.gpuEvents.length > 0
              ? { kind: 'found' }
              : kernel.closedBecause === null
                ? { kind: 'clear' }
                : { kind: 'cannot-rule-out', because: kernel.closedBecause },
          events: kernel.gpuEvents,
          source: 'dmesg',
        },
        machine: { ...machine, cudaMaxVersion: null },
        cpu: null,
        unknown: [],
      },
      factsProblem: null,
      vanished: [],
      ownAddresses: new Set(cardAddresses),
      cpu: null,
      patrol: null,
      pricePerHour: null,
    });
    if (judged.kind === 'found') return [{ subject: BOX, answer: judged, isEvent: true }];
    return [{ subject: BOX, answer: judged.kind === 'between' ? { kind: 'clear' } : judged }];
  },
};
