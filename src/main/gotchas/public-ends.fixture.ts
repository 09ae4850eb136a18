import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { triage } from '../../shared/triage/triage.ts';

const ENDS = fileURLToPath(new URL('../../shared/triage/public-samples/', import.meta.url));

/**
 * The end of a log after one that somebody showed in public. None is proven to be verbatim: some were trimmed to what programs
 * printed, with other names for hosts and paths; some were completed, or composed from the known form of a message. Which is
 * which was not written down and cannot be told from the files, so their scores tell of these texts, not of public logs at large.
 */
export interface PublicEnd {
  readonly name: string;
  /** The class of its failure; `unknown`: it names none. */
  readonly label: string;
  /** The words of the triage are tuned on one half only, so that the other one can tell how well they do. */
  readonly half: 'tuned' | 'untouched';
  readonly answer: string;
}

export function publicEnds(): readonly PublicEnd[] {
  return readdirSync(ENDS)
    .sort()
    .map((name) => {
      const told = triage(readFileSync(`${ENDS}${name}`, 'utf8'));
      return {
        name,
        label: name.split('--')[0] ?? '',
        half: halfOf(name),
        answer: told.kind === 'found' ? told.failure.id : told.kind,
      };
    });
}

/** By the first digit of the name's hash: whoever adds one does not choose where it falls. */
function halfOf(name: string): PublicEnd['half'] {
  const digit = createHash('sha256').update(name).digest('hex').slice(0, 1);
  return parseInt(digit, 16) % 2 === 0 ? 'tuned' : 'untouched';
}

export interface EndsScore {
  readonly failures: number;
  readonly named: number;
  readonly wrong: number;
}

/** `wrong`: another class than its own, or one where there is none. */
export function scoreOf(ends: readonly PublicEnd[]): EndsScore {
  const failures = ends.filter(({ label }) => label !== 'unknown');
  return {
    failures: failures.length,
    named: failures.filter(({ label, answer }) => answer === label).length,
    wrong: ends.filter(({ label, answer }) => answer !== 'unknown' && answer !== label).length,
  };
}
