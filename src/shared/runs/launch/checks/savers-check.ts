import { plainLine } from '../../../questions/hostile-text.ts';
import type { PreflightCheck } from '../launch-plan.ts';
import type { Saver, Savers } from '../savers.ts';
import { block, listWords, MAX_SHOWN_CHARS, pass, unknown, warn, type Judged } from './judged.ts';

/** What a run saves into. */
interface Saving {
  /** As the request names it; null: it names none. */
  readonly results: string | null;
  /** Of a sweep, how many cells have a folder of their own; null: all of it is one folder. */
  readonly cells: number | null;
  /** It goes on with what an earlier run has left there. */
  readonly goesOn: boolean;
}

/** Two runs that save into one folder write over each other's checkpoints, and the last one looks like both. */
export function judgeSavers(saving: Saving, savers: Savers | null): readonly PreflightCheck[] {
  const judged = judge(saving, savers);
  return judged === null ? [] : [{ id: 'savers', title: 'Shared folder', ...judged }];
}

function judge({ results, cells, goesOn }: Saving, savers: Savers | null): Judged | null {
  const into =
    cells === null
      ? plainLine(results ?? '', MAX_SHOWN_CHARS)
      : cells === 1
        ? 'the folder of the cell'
        : `the folders of the ${String(cells)} cells`;
  if (savers === null || savers.isLate) {
    return unknown('Whether another run saves into the same folder is not known.');
  }
  const { live, unplaced, past, held } = savers;
  if (live.length > 0) {
    const many = live.length > 1;
    const names = listWords(live.map(saverWords));
    if (live.every(({ isElsewhere }) => isElsewhere === true)) {
      const what =
        results === null && cells === null
          ? 'the same command in the same folder'
          : `what saves into ${into}, or into a folder above or below`;
      return block(
        `${names} ${many ? 'were' : 'was'} launched on another machine that has this home, or on this one under another name, and no end is written down: ${what} may still run there.`,
        null,
        `${many ? 'they' : 'it'} may still run there, and write over the same files.`,
      );
    }
    return results === null && cells === null
      ? block(
          `${names} ${many ? 'run' : 'runs'} the same command in the same folder right now.`,
          null,
          'they may write over each other’s files.',
        )
      : block(
          `${names} ${many ? 'save' : 'saves'} into ${into} right now, or into a folder above or below.`,
          null,
          'they may write over each other’s files.',
        );
  }
  if (unplaced.length > 0) {
    const names = listWords(unplaced.map(saverWords));
    const they = unplaced.length > 1 ? ['save', 'them'] : ['saves', 'it'];
    return unknown(
      `Where ${names} ${they[0]} is not known, because an older version launched ${they[1]}. Another run may save into the same folder.`,
    );
  }
  if (results === null && cells === null) return null;
  if (goesOn) return pass(`No other run saves into ${into}.`);
  if (cells !== null && held !== null && held > 0) {
    return warn(
      `${String(held)} of the ${String(cells)} cell folders ${held === 1 ? 'holds' : 'hold'} files already${past === null ? '' : `, as of ${saverWords(past)}`}. The cells may write over them.`,
    );
  }
  if (past !== null && held !== 0) {
    return warn(
      `${capital(into)} ${held === null ? 'may hold' : 'holds'} results of ${saverWords(past)}, which is over. The run may write over them.`,
    );
  }
  const more = held !== null && held > 0 ? ' It holds files of no run that is known.' : '';
  return pass(`No other run saves into ${into}.${more}`);
}

/** “a run”, or its id where its folder does not say what it is called. */
export function saverWords({ id, name }: Saver): string {
  const told = plainLine(name ?? '', 80);
  return told === '' ? id : `“${told}”`;
}

/** A path stays as it is. */
const capital = (text: string): string => text.replace(/^the /, 'The ');
