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
 * What somebody has edited in a run folder since its launch: it would run as it is now. `launched`: as the launch wrote them, which an older
 * Leasehold did not keep, `now`: as they are on the box, as far as that could tell.
 */
export function judgeEdited(launched: FileHashes, now: FileHashes): readonly PreflightCheck[] {
  const names = Object.keys(launched);
  const edited = names.filter((name) => now[name] !== undefined && now[name] !== launched[name]);
  const untold = names.filter((name) => now[name] === undefined);
  return [...judgeFound(edited), ...judgeUntold(untold)];
}

const CHECK = { id: 'edited', title: 'Run folder as launched', gotcha: null } as const;

/** The file is gone or can't be read, or nothing on the box computes hashes. */
function judgeUntold(untold: readonly string[]): readonly PreflightCheck[] {
  if (untold.length === 0) return [];
  const says = `Whether ${listWords(untold, untold.length)} in the run folder ${untold.length === 1 ? 'is' : 'are'} as the launch wrote ${untold.length === 1 ? 'it' : 'them'} is not known: the box told no hash of ${untold.length === 1 ? 'it' : 'them'}.`;
  return [{ ...CHECK, id: 'edited-unknown', answer: 'unknown', says, anyway: null }];
}

function judgeFound(edited: readonly string[]): readonly PreflightCheck[] {
  if (edited.length === 0) return [];
  const what = `${listWords(edited, edited.length)} in the run folder ${edited.length === 1 ? 'is' : 'are'} not what the launch put there: somebody edited ${edited.length === 1 ? 'it' : 'them'} on the box.`;
  return edited.every((name) => name === CELLS)
    ? [
        {
          ...{ ...CHECK, answer: 'warn', says: `${what} The cells below are those that run now.` },
          anyway: null,
        },
      ]
    : [
        {
          ...{ ...CHECK, answer: 'block' },
          says: `${what} Read ${edited.length === 1 ? 'it' : 'them'} first, or launch the request again.`,
          anyway: 'what was edited is what runs.',
        },
      ];
}
