import { Grid3x3, Play } from 'lucide-react';
import { plainLine } from '../../shared/questions/hostile-text.ts';
import { selectEntries, useFleet } from '../state/feeds.ts';
import { useSweeps } from '../state/sweeps.ts';
import { overlayOpened, sweepsChosen } from '../state/view.ts';
import { Button } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { EmptyState, FailedState, LoadingState } from '../ui/panel-state.tsx';
import { SweepLines } from './sweep-lines.tsx';
import { SweepPage } from './sweep-page.tsx';
import styles from './sweeps.module.css';

/** The sweeps that are known here, or one of them. */
export function SweepsPage({ sweepId }: { readonly sweepId: string | null }) {
  return sweepId === null ? <SweepList /> : <SweepPage key={sweepId} sweepId={sweepId} />;
}

function SweepList() {
  const feed = useSweeps();
  const hasBoxes = useFleet(selectEntries).length > 0;
  const launch = (
    <Button
      look="primary"
      disabled={!hasBoxes}
      title={hasBoxes ? undefined : 'Add a box first'}
      onClick={() => overlayOpened({ kind: 'launch-sweep' })}
    >
      <Play size={14} aria-hidden /> Launch a sweep…
    </Button>
  );
  return (
    <>
      <PageHeader title="Sweeps" actions={launch} />
      {feed.kind === 'loading' && <LoadingState title="Reading the sweeps…" />}
      {feed.kind === 'failed' && <FailedState problem={feed.problem} />}
      {feed.kind === 'live' && feed.state.length === 0 && (
        <EmptyState icon={<Grid3x3 size={30} strokeWidth={1.4} />} title="No sweeps">
          <p>
            A sweep runs one command with many settings over one or more boxes. Those that were
            launched from another computer appear here once their boxes are connected.
          </p>
        </EmptyState>
      )}
      {feed.kind === 'live' && feed.state.length > 0 && (
        <div className={styles['page']}>
          <SweepLines
            lines={feed.state.map((line) => ({ ...line, name: plainLine(line.name, 120) }))}
            onOpen={sweepsChosen}
          />
        </div>
      )}
    </>
  );
}
