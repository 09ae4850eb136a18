import type { DetectorId } from '../detectors/finding.ts';
import type { Gotcha } from './gotcha.ts';

/** An entry with these parts; of the rest, only as much as must be there. */
export function sampleGotcha(part: Partial<Gotcha> & Pick<Gotcha, 'id'>): Gotcha {
  return {
    title: `Title of ${part.id}`,
    scope: 'universal',
    theme: 'gpu',
    severity: 'warn',
    role: 'detector',
    symptom: 'Something is seen.',
    cause: 'Something is so.',
    fix: ['Do something'],
    alert: null,
    probes: [],
    signs: [],
    related: [],
    doubt: null,
    duty: null,
    verified: null,
    source: 'general',
    answers: null,
    incident: null,
    coverage: { done: [], shown: [], planned: ['schedulers'] },
    ...part,
  };
}

/** Rules for which the catalog has no command to look with: the window has to offer something else. */
export const LOOKLESS: ReadonlySet<DetectorId> = new Set([
  'AD2',
  'MN5',
  'MN6',
  'RP5',
  'U26',
  'U34',
  'U37',
  'driver',
]);
