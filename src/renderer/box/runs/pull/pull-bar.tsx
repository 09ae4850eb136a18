import type { PullProgress } from '../../../../shared/transfer/pull.ts';
import { wayWords, whyThisWay } from '../../../../shared/transfer/pull-way.ts';
import { call } from '../../../state/bridge.ts';
import { Button } from '../../../ui/button.tsx';
import { formatBytes, formatCount } from '../../../ui/format.ts';
import { Glyph } from '../../../ui/glyph.tsx';
import { rateWords, TransferBar } from '../../../ui/transfer-bar.tsx';
import { useTransferRate } from '../../../ui/transfer-rate.ts';
import { NextTry } from '../next-try.tsx';
import styles from './pull.module.css';

const STAGES: Readonly<Record<PullProgress['stage'], string>> = {
  hashing: 'The box hashes its files…',
  pulling: 'Bringing home and proving…',
  'looking-again': 'Checking that nothing changed on the box…',
  'cut-off':
    'Cut off when Leasehold ended. It goes on by itself once the box has been looked at; nothing that has arrived is sent again.',
  paused: 'Paused. What has arrived stays here, and is not sent again.',
  waiting:
    'The connection was lost. The transfer resumes by itself; nothing that has arrived is sent again.',
};

interface PullBarProps {
  readonly boxId: string;
  readonly progress: PullProgress;
  readonly isUp: boolean;
  readonly onResume: () => void;
}

/** How far the results of a run are on their way home. */
export function PullBar({ boxId, progress, isUp, onResume }: PullBarProps) {
  const { stage, isRound } = progress;
  const isStill = stage === 'paused' || stage === 'cut-off';
  const isHashing = progress.hashedFiles < progress.files && stage !== 'looking-again' && !isStill;
  const isWaiting = stage === 'waiting';
  const { way, limitBytesPerS: limit } = progress;
  const words = [
    ...(way === undefined ? [] : [wayWords(way)]),
    ...(limit === undefined ? [] : [`limited to ${formatBytes(limit)}/s`]),
  ];
  return (
    <TransferBar
      label="Results brought home"
      stage={STAGES[progress.stage]}
      isMoving={progress.stage === 'pulling'}
      progress={progress}
      notes={
        isWaiting ? (
          <NextTry retry={progress.retry} className={styles['note']} />
        ) : isHashing ? (
          <Hashed progress={progress} />
        ) : (
          progress.because !== undefined && (
            <p className={styles['note']} role="status">
              <Glyph tone="warn" /> {progress.because}
            </p>
          )
        )
      }
      actions={
        <>
          {isWaiting && (
            <Button size="small" onClick={() => void call('runs:try-pull-now', { boxId })}>
              Try now
            </Button>
          )}
          {stage === 'paused' && (
            <Button
              size="small"
              disabled={!isUp}
              title={isUp ? undefined : 'Connect to the box first'}
              onClick={onResume}
            >
              Resume
            </Button>
          )}
          {!isStill && isRound !== true && (
            <Button
              size="small"
              title="What has arrived stays. It stays paused over a restart, until you resume it."
              onClick={() => void call('runs:pause-pull', { boxId })}
            >
              Pause
            </Button>
          )}
        </>
      }
      way={way === undefined ? null : { words: words.join(', '), why: whyThisWay(way) }}
      stop="Stop"
      onStop={() => void call('runs:stop-pull', { boxId })}
    />
  );
}

/** A file is home only when the box has told its hash, which it does while others come. */
function Hashed({ progress }: Pick<PullBarProps, 'progress'>) {
  const { hashedFiles, files, hashedBytes, bytes } = progress;
  const rate = useTransferRate(hashedBytes);
  const figures = [
    `Hashed on the box: ${String(hashedFiles)} of ${formatCount(files, 'file')}`,
    `${formatBytes(hashedBytes)} of ${formatBytes(bytes)}`,
    // A large file is told when all of it was read: until then nothing says how fast that goes.
    ...(rate.stillMs === null ? rateWords(rate, bytes - hashedBytes) : []),
  ];
  return (
    <p
      className={styles['note']}
      title="The box reads each file to its end for its SHA-256, and tells it then. A file counts as home only when the hash here is the same."
    >
      {figures.join(' · ')}
    </p>
  );
}
