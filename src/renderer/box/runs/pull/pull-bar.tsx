import type { PullProgress } from '../../../../shared/transfer/pull.ts';
import { wayWords, whyThisWay } from '../../../../shared/transfer/pull-way.ts';
import { call } from '../../../state/bridge.ts';
import { TransferBar } from '../../../ui/transfer-bar.tsx';

const STAGES: Readonly<Record<PullProgress['stage'], string>> = {
  hashing: 'The box hashes its files…',
  pulling: 'Bringing home and proving…',
  'looking-again': 'Checking that nothing changed on the box…',
  waiting: 'The connection was lost. It goes on by itself when the box is connected.',
};

interface PullBarProps {
  readonly boxId: string;
  readonly progress: PullProgress;
}

/** How far the results of a run are on their way home. */
export function PullBar({ boxId, progress }: PullBarProps) {
  const { way } = progress;
  return (
    <TransferBar
      label="Results brought home"
      stage={STAGES[progress.stage]}
      isMoving={progress.stage === 'pulling'}
      progress={progress}
      way={way === undefined ? null : { words: wayWords(way), why: whyThisWay(way) }}
      stop="Stop"
      onStop={() => void call('runs:stop-pull', { boxId })}
    />
  );
}
