import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { triage } from '../../shared/triage/triage.ts';

const folderOf = (name: string): string =>
  fileURLToPath(new URL(`../../shared/triage/${name}/`, import.meta.url));
const ENDS = folderOf('public-samples');
const GATHERED = folderOf('gathered-samples');

export interface LabelledEnd {
  readonly name: string;
  /** The class of its failure; `unknown`: it names none; `clear`: it shows none. */
  readonly label: string;
  readonly answer: string;
}

/**
 * The end of a log after one that somebody showed in public. None is proven to be verbatim: some were trimmed to what programs
 * printed, with other names for hosts and paths; some were completed, or composed from the known form of a message. Which is
 * which was not written down and cannot be told from the files, so their scores tell of these texts, not of public logs at large.
 */
export interface PublicEnd extends LabelledEnd {
  /** The words of the triage are tuned on one half only, so that the other one can tell how well they do. */
  readonly half: 'tuned' | 'untouched';
}

export function publicEnds(): readonly PublicEnd[] {
  return endsIn(ENDS).map((end) => ({ ...end, half: halfOf(end.name) }));
}

/** An end as its public thread shows it, cut where that is cut, with other names for hosts, people and paths. */
export interface GatheredEnd extends LabelledEnd {
  /** The repository and the number of the thread. */
  readonly thread: string;
  /** `completed`: a line was joined to it from elsewhere in its thread, or begins in its known form. */
  readonly text: 'trimmed' | 'completed';
  /** `measured`: no word was tuned on it, so that the score of these tells how ends are named that nobody has seen. */
  readonly use: 'tuned' | 'measured';
}

export function gatheredEnds(): readonly GatheredEnd[] {
  const sources = new Map(
    readFileSync(`${GATHERED}sources.tsv`, 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t'))
      .map(([name = '', thread = '', text = '', use = '']) => [
        `${name}.txt`,
        { thread, text, use },
      ]),
  );
  return endsIn(GATHERED).map((end) => {
    const { thread = '', text, use } = sources.get(end.name) ?? {};
    if (text !== 'trimmed' && text !== 'completed') throw new Error(`${end.name} has no source`);
    if (use !== 'tuned' && use !== 'measured') throw new Error(`${end.name} has no use`);
    return { ...end, thread, text, use };
  });
}

function endsIn(folder: string): readonly LabelledEnd[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .map((name) => {
      const told = triage(readFileSync(`${folder}${name}`, 'utf8'));
      return {
        name,
        label: name.split('--')[0] ?? '',
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

/** Answers and labels that are no class. */
const NONE: readonly string[] = ['unknown', 'clear'];

/** `wrong`: another class than its own, or one where there is none. */
export function scoreOf(ends: readonly LabelledEnd[]): EndsScore {
  const failures = ends.filter(({ label }) => !NONE.includes(label));
  return {
    failures: failures.length,
    named: failures.filter(({ label, answer }) => answer === label).length,
    wrong: ends.filter(({ label, answer }) => !NONE.includes(answer) && answer !== label).length,
  };
}
