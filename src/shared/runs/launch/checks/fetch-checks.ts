import { plainLine } from '../../../questions/hostile-text.ts';
import type { RunRequest } from '../run-request.ts';
import { listWords, MAX_SHOWN_CHARS, pass, warn, type Judged } from './judged.ts';

/** What begins anew after a cut, and the form that goes on. `goesOn`: options with which it already does. */
interface Fetcher {
  readonly is: RegExp;
  readonly goesOn: RegExp;
  readonly better: string;
}

const FETCHERS: readonly Fetcher[] = [
  // -nc is no such option: what was cut off counts as there.
  {
    is: /\bwget\b/,
    goesOn: /\s(?:(?!-nc\b)-[a-zA-Z]*c(?![a-zA-Z])|--continue\b)/,
    better: 'wget -c',
  },
  { is: /\bcurl\b/, goesOn: /\s(?:-[a-zA-Z]*C\b|--continue-at\b)/, better: 'curl -C -' },
  { is: /\baws\s+s3\s+(?:cp|mv)\b/, goesOn: /(?!)/, better: 'aws s3 sync' },
  { is: /\bscp\b/, goesOn: /(?!)/, better: 'rsync --partial' },
  {
    is: /\brsync\b/,
    goesOn: /\s(?:--partial(?:-dir)?\b|--append(?:-verify)?\b|-[a-zA-Z]*P\b)/,
    better: 'rsync --partial',
  },
];

/** A download that was cut off should go on where it stopped: data is large, and lines break (GEN3). */
export function judgeFetch({ fetch = [] }: Pick<RunRequest, 'fetch'>): Judged | null {
  if (fetch.length === 0) return null;
  const anew = fetch.flatMap(({ run }) =>
    run.split(/\s*(?:&&|\|\||[;|&\n])\s*/).flatMap((command) =>
      FETCHERS.filter(({ is, goesOn }) => is.test(command) && !goesOn.test(command))
        .slice(0, 1)
        .map(({ better }) => ({ command: plainLine(command, MAX_SHOWN_CHARS / 2), better })),
    ),
  );
  const [first] = anew;
  if (first === undefined)
    return pass('Nothing is seen that would begin a download again.', 'GEN3');
  const told = listWords(anew.map(({ command }) => `“${command}”`));
  const better = listWords([...new Set(anew.map((each) => `“${each.better}”`))]);
  return warn(
    `After a cut, ${told} ${anew.length === 1 ? 'begins' : 'begin'} from the start. Write ${better}, which goes on.`,
    'GEN3',
  );
}
