import type { LookDetector } from '../look-detector.ts';
import { endedBy } from './ended-by.ts';
import { says } from '../../detectors/says.ts';

const NO_KERNEL = /no kernel image/i;
const TOO_OLD =
  /\b804\b|forward compatibility|update your (?:GPU )?driver|driver .{0,40}(?:is too old|is insufficient)|OCI runtime|unsatisfied condition: cuda/i;

/** Torch warns of the fabric when it counts the cards, and what asks for one later fails for another reason. */
export const saysFabric = (end: string): boolean =>
  /Error 802: system not yet initialized/.test(end);

/** Runs that ended because what they ran on does not fit together; on each platform with what can be done there. */
export const environmentEnds: readonly LookDetector[] = [
  endedBy({
    id: 'U28',
    where: 'anywhere',
    isToldWhileAlive: false,
    fits: ({ failure, gotcha }) => failure === 'environment' && gotcha === null,
    severity: 'critical',
    says: says('U28', 'run-ended'),
  }),
  endedBy({
    id: 'U26',
    where: 'anywhere',
    isToldWhileAlive: true,
    fits: ({ gotcha }) => gotcha === 'U26',
    severity: 'warn',
    says: says('U26', 'run'),
  }),
  endedBy({
    id: 'MN1',
    where: 'anywhere',
    isToldWhileAlive: false,
    fits: ({ gotcha }, { end }) => gotcha === 'MN1' || (gotcha === 'U31' && saysFabric(end)),
    severity: 'critical',
    says: says('MN1', 'run-ended'),
  }),
  endedBy({
    id: 'AD9',
    where: 'there',
    isToldWhileAlive: false,
    fits: ({ failure, line }) => failure === 'environment' && NO_KERNEL.test(line),
    severity: 'critical',
    says: says('AD9', 'run-ended'),
  }),
  endedBy({
    id: 'PS11',
    where: 'there',
    isToldWhileAlive: false,
    fits: ({ failure, line }) =>
      failure === 'environment' && (TOO_OLD.test(line) || NO_KERNEL.test(line)),
    severity: 'warn',
    says: says('PS11', 'run-ended'),
  }),
  endedBy({
    id: 'RP9',
    where: 'there',
    isToldWhileAlive: false,
    fits: ({ failure, line }) => failure === 'environment' && TOO_OLD.test(line),
    severity: 'warn',
    says: says('RP9', 'run-ended'),
  }),
  endedBy({
    id: 'VAST5',
    where: 'there',
    isToldWhileAlive: false,
    fits: ({ failure, line }) => failure === 'environment' && TOO_OLD.test(line),
    severity: 'warn',
    says: says('VAST5', 'run-ended'),
  }),
  endedBy({
    id: 'AD6',
    where: 'there',
    isToldWhileAlive: true,
    fits: ({ line }) => /python3: (?:command )?not found/.test(line),
    severity: 'warn',
    says: says('AD6', 'asked'),
  }),
];
