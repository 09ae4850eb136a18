import { line } from '../../detectors/finding.ts';
import { clear, found, unknown, type LookDetector, type LookDetectorId } from '../look-detector.ts';
import { endsWith, hasUnreadLogs, logEnds } from './log-words.ts';

/** An entry whose words stand in the last lines of a run's log, also of one that goes on. */
interface LogSays {
  readonly id: LookDetectorId;
  readonly title: string;
  /** Only there; null: anywhere. */
  readonly platforms: readonly string[] | null;
  readonly words: RegExp;
  readonly severity: 'critical' | 'warn' | 'info';
  readonly headline: string;
  readonly means: string;
  readonly fix: readonly string[];
}

const entries: readonly LogSays[] = [
  {
    id: 'U33',
    title: 'A "synced" line that never checked the copy',
    platforms: null,
    words: /\bSYNC FAILED\b/,
    severity: 'critical',
    headline: 'A run says that its results were not copied.',
    means:
      'The durable directory lacks what the run made, for instance when the durable mount is out of inodes.',
    fix: [
      'On failure say so loudly and keep the data-disk copy as the source of truth',
      'Trust nothing until a local pull is verified',
    ],
  },
  {
    id: 'U40',
    title: 'Thread pools sized for the host starve a sliced box',
    platforms: null,
    words:
      /can't start new thread|pthread_create failed|libgomp: Thread creation failed|Our suggested max number of worker in current system is \d/,
    severity: 'warn',
    headline: 'A run starts more threads or workers than this box has CPUs for.',
    means:
      'Torch and OpenMP take the physical core count although the cgroup grants far fewer CPUs.',
    fix: [
      'Read the quota from cpu.max: vCPU = quota / period',
      'Export OMP_NUM_THREADS and MKL_NUM_THREADS at or below the slice before launch',
      'Confirm torch.get_num_threads()',
    ],
  },
  {
    id: 'LAM7',
    title: 'pip install torch shadows or breaks Lambda Stack',
    platforms: ['lambda'],
    words: /Defaulting to user installation because normal site-packages is not writeable/,
    severity: 'warn',
    headline: 'pip installed for this user only, beside the packages of Lambda Stack.',
    means: 'Stack PyTorch lives in system dist-packages that ubuntu cannot write.',
    fix: ['Use the Stack build', 'Loosen pins', 'Or isolate fully in a fresh env'],
  },
];

export const logSays: readonly LookDetector[] = entries.map((entry) => ({
  id: entry.id,
  title: entry.title,
  judge(view) {
    const { platforms, words, severity, headline, means, fix } = entry;
    if (platforms !== null && !platforms.includes(view.platform ?? '')) return [clear()];
    const told = logEnds(view).flatMap(({ subject, isGone, end, source }) => {
      const said = endsWith(end, words);
      if (said === null) return [];
      const evidence = [line(said, source)];
      const answer = found(subject, { severity, headline, means, fix, evidence, caveat: null });
      return [isGone ? { ...answer, isEvent: true as const } : answer];
    });
    if (told.length > 0) return told;
    return [hasUnreadLogs(view) ? unknown('a run’s log could not be read') : clear()];
  },
}));
