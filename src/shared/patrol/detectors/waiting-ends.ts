import type { LookDetector } from '../look-detector.ts';
import { endedBy } from './ended-by.ts';
import { says } from '../../detectors/says.ts';

/** The backend that the mirror does not cover. A mirror that answers, if only to refuse, is another matter. */
const XET = /cas-(?:bridge|server)|xethub|CAS service error/i;

/** Runs whose log ends with others that waited: for a rank, for workers, for something outside. */
export const waitingEnds: readonly LookDetector[] = [
  endedBy({
    id: 'MN3',
    where: 'anywhere',
    // The watchdog speaks, and the process may stay there for a long time.
    isToldWhileAlive: true,
    fits: ({ failure, gotcha }) => failure === 'collective-timeout' && gotcha === null,
    severity: 'warn',
    says: says('MN3', 'waited'),
  }),
  endedBy({
    id: 'MN6',
    where: 'anywhere',
    isToldWhileAlive: true,
    fits: ({ gotcha }) => gotcha === 'MN6',
    severity: 'warn',
    says: says('MN6', 'waits'),
  }),
  endedBy({
    id: 'SLURM4',
    where: 'anywhere',
    isToldWhileAlive: true,
    fits: ({ gotcha }) => gotcha === 'SLURM4',
    severity: 'critical',
    says: says('SLURM4', 'out-of-memory'),
  }),
  endedBy({
    id: 'AD1',
    where: 'there',
    isToldWhileAlive: false,
    // With a proxy, of whatever kind, it is something else.
    fits: ({ failure }, { run }) => failure === 'network' && run.proxy === 'none',
    severity: 'critical',
    says: says('AD1', 'run-ended'),
  }),
  endedBy({
    id: 'AD2',
    where: 'there',
    isToldWhileAlive: true,
    fits: ({ failure, line }) =>
      failure === 'network' &&
      (XET.test(line) || (/hf-mirror/i.test(line) && /timed out|timeout/i.test(line))),
    severity: 'warn',
    says: says('AD2', 'failed'),
  }),
  endedBy({
    id: 'NB3',
    where: 'there',
    isToldWhileAlive: false,
    fits: ({ failure, gotcha }) => failure === 'network' || gotcha === 'U31',
    severity: 'warn',
    says: says('NB3', 'run-ended'),
  }),
  endedBy({
    id: 'RP5',
    where: 'anywhere',
    isToldWhileAlive: true,
    fits: ({ failure, line }, _told, { traps, webHosts }) =>
      failure === 'network' &&
      /\b524\b/.test(line) &&
      (traps.includes('RP5') || (webHosts['RP5'] ?? []).some((host) => line.includes(host))),
    severity: 'info',
    says: says('RP5', 'cut'),
  }),
];
