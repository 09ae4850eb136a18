import { whole } from '../../probes/word-lines.ts';
import { readMarkedParts } from '../launch/marked-parts.ts';
import { readHashes, type FileHashes } from './judge-edited.ts';

/** What the folder of a run says to whoever goes on with it. */
export interface RunResume {
  /** job.sh of the first run of the chain; null: it is not there any more. */
  readonly job: string | null;
  /** Null: the exit code alone said whether it went well. */
  readonly successLine: string | null;
  /** Where its results were to be copied from and to, and what was pruned after that; null: nowhere. */
  readonly copy: {
    readonly from: string;
    readonly to: string;
    readonly prune: readonly string[];
  } | null;
  /** Of job.sh, as it is now. */
  readonly hashes: FileHashes;
  /** Processes of the run that outlived it. */
  readonly left: readonly number[];
}

const MAX_PRUNED = 50;

/** What resources/onbox/run-resume.sh printed. Null: not whole; "odd": what is there cannot be carried over as it is. */
export function readRunResume(stdout: string, mark: string): RunResume | 'odd' | null {
  const parts = readMarkedParts(stdout, mark);
  if (!parts.has('whole')) return null;
  if (parts.has('odd')) return 'odd';
  const lines = (word: string): string => parts.get(word)?.text.replace(/\n$/, '') ?? '';
  const success = lines('success');
  const [from = '', to = '', ...prune] = lines('copy').split('\n', MAX_PRUNED + 2);
  return {
    job: parts.get('job')?.text ?? null,
    hashes: readHashes(parts.get('hashes')?.rest ?? ''),
    successLine: success === '' ? null : success,
    copy: from.startsWith('/') && to.startsWith('/') ? { from, to, prune } : null,
    left: (parts.get('left')?.rest ?? '').split(' ').flatMap((word) => whole(word) ?? []),
  };
}
