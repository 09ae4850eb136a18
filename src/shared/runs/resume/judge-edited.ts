import type { PreflightCheck } from '../launch/launch-plan.ts';
import { listWords } from '../launch/checks/judged.ts';

/** SHA-256 of files of a run folder, by their names there. */
export type FileHashes = Readonly<Record<string, string>>;

const HASH = /^([\w./-]{1,80})=([0-9a-f]{64})$/;

/** As parts/file-hashes.sh prints them. */
export const readHashes = (text: string): FileHashes =>
  Object.fromEntries(
    text.split(' ').flatMap((word): readonly [string, string][] => {
      const [, name = '', hash = ''] = HASH.exec(word) ?? [];
      return name === '' ? [] : [[name, hash]];
    }),
  );

/** The other way round. */
export const hashesText = (hashes: FileHashes): string =>
  Object.entries(hashes)
    .map(([name, hash]) => `${name}=${hash}`)
    .join(' ');

/** In them a person may leave cells out, and that is no reason to stop. */
const CELLS = 'cells/0001';

/**
 * What somebody has edited in a run folder since its launch: it would run as it is now. `launched`: as the launch wrote them, `now`: as they
 * are on the box. A file that is in only one of them is not judged: an older Leasehold kept no hashes.
 */
export function judgeEdited(launched: FileHashes, now: FileHashes): readonly PreflightCheck[] {
  const edited = Object.keys(launched).filter(
    (name) => now[name] !== undefined && now[name] !== launched[name],
  );
  if (edited.length === 0) return [];
  const what = `${listWords(edited, edited.length)} in the run folder ${edited.length === 1 ? 'is' : 'are'} not what the launch put there: somebody edited ${edited.length === 1 ? 'it' : 'them'} on the box.`;
  const check = { id: 'edited', title: 'Run folder as launched', gotcha: null } as const;
  return edited.every((name) => name === CELLS)
    ? [
        {
          ...{ ...check, answer: 'warn', says: `${what} The cells below are those that run now.` },
          anyway: null,
        },
      ]
    : [
        {
          ...{ ...check, answer: 'block' },
          says: `${what} Read ${edited.length === 1 ? 'it' : 'them'} there, or launch the request again.`,
          anyway: 'what was edited is what runs.',
        },
      ];
}
