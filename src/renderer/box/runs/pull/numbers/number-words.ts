import {
  isShortNumber,
  type NumberNow,
  type RereadNow,
  type RereadNumber,
} from '../../../../../shared/evidence/reread.ts';
import { textOf } from '../../../../../shared/runs/launch/run-words.ts';
import { hasNumbers } from '../../../../../shared/verify/numbers/number-formats.ts';
import { keyText, type NumberKey } from '../../../../../shared/verify/numbers/number-key.ts';
import type { PulledFile, PullReport } from '../../../../../shared/transfer/pull.ts';
import { formatCount } from '../../../../ui/format.ts';
import type { ProofWords, RereadFile } from '../proof-words.ts';

/** Of a number that was kept, and of what stands in its place now. */
export interface KeptNumber {
  readonly kept: RereadNumber;
  readonly now: NumberNow;
}

export function keptNumbers({ kept, now }: RereadNow): readonly KeptNumber[] {
  return kept.report.numbers.flatMap((number, at) => {
    const found = now[at];
    return found === undefined ? [] : [{ kept: number, now: found }];
  });
}

/** Where it stands, as it is typed on the command line too. */
export const placeText = ({
  path,
  key,
}: {
  readonly path: string;
  readonly key: NumberKey;
}): string => textOf(`${path}:${keyText(key)}`);

/** What a look at a number came to. It is called re-read only where it was, and from the bytes that came home. */
export function numberWords({ kept, now }: KeptNumber): ProofWords {
  const says = textOf(now.says ?? kept.says ?? '');
  switch (now.state) {
    case 'not-read':
      return { tone: 'danger', words: 'Not re-read', title: says };
    case 'changed':
      return { tone: 'danger', words: 'Changed since', title: says };
    case 'moved':
      return { tone: 'warn', words: 'File changed since', title: says };
    case 'same':
      return sameWords(kept);
  }
}

function sameWords({ verdict, sha256 }: RereadNumber): ProofWords {
  const title = `Read again from the file that came home. SHA-256: ${sha256 ?? ''}.`;
  switch (verdict) {
    case 'equal':
      return { tone: 'ok', words: 'Re-read, equal', title };
    case 'rounded':
      return {
        tone: 'ok',
        words: 'Re-read, equal rounded',
        title: `It is the number in the file, rounded as you report it. ${title}`,
      };
    case 'differs':
      return {
        tone: 'danger',
        words: 'Re-read, differs',
        title: `What you report is not what stands in the file. ${title}`,
      };
    case null:
      return { tone: 'ok', words: 'Re-read', title };
  }
}

/** Which files are proven up to the re-read level, and whether what is reported of them is what stands there. */
export function rereadFiles(now: RereadNow | null): ReadonlyMap<string, RereadFile> {
  const files = new Map<string, RereadFile>();
  for (const { kept, now: found } of now === null ? [] : keptNumbers(now)) {
    if (found.state !== 'same') continue;
    const known = files.get(kept.path);
    const isShort = known?.isShort === true || isShortNumber(kept);
    files.set(kept.path, { count: (known?.count ?? 0) + 1, isShort });
  }
  return files;
}

export function reportedSum(numbers: readonly KeptNumber[]): string {
  const short = numbers.filter(
    ({ kept, now }) => now.state !== 'same' || isShortNumber(kept),
  ).length;
  const all = formatCount(numbers.length, 'number');
  return short === 0 ? `${all} re-read` : `${all}, ${String(short)} to look at`;
}

/** Files that came home and hold numbers with keys, those that name their figures first. */
export function filesWithNumbers({ files }: PullReport): readonly PulledFile[] {
  return files
    .filter(
      ({ mark, loaded }) =>
        mark === 'equal' && loaded?.kind === 'loaded' && hasNumbers(loaded.format),
    )
    .sort((one, other) => Number(isLikely(other)) - Number(isLikely(one)));
}

const isLikely = ({ path }: PulledFile): boolean => /metric|result|eval|score|summary/i.test(path);
