import { isArchived } from '../../../shared/boxes/archived.ts';
import { isSignInFailed } from '../../../shared/boxes/sign-in-failed.ts';
import { CircleOff, Unplug } from 'lucide-react';
import { FRESH_MS } from '../../../shared/telemetry/current-figures.ts';
import { connectRequested } from '../../state/actions.ts';
import type { BoxEntry } from '../../state/box-entry.ts';
import { useReadings } from '../../state/readings.ts';
import { Button } from '../../ui/button.tsx';
import { useClock } from '../../ui/clock.ts';
import { EmptyState, FailedState, LoadingState } from '../../ui/panel-state.tsx';
import { SignInActions } from '../sign-in-actions.tsx';
import { ChartsPanel } from './charts-panel.tsx';
import { NoCommands } from './no-commands.tsx';
import { judgeOverview } from './overview-state.ts';
import { useHasPast } from './use-past.ts';

export function Overview({ entry }: { readonly entry: BoxEntry }) {
  const { box } = entry;
  const feed = useReadings(box.id);
  const lastAtMs = feed.kind === 'live' ? feed.state.lastAtMs : null;
  // While samples come, theirs is the time: with a tick of its own as well, all of this would be drawn twice a second.
  const nowMs = useClock((now) =>
    lastAtMs !== null && now - lastAtMs <= FRESH_MS ? lastAtMs : now,
  );
  const isEmpty = feed.kind === 'live' && lastAtMs === null;
  const hasPast = useHasPast(box.id, isEmpty);
  const state = judgeOverview(entry, feed, nowMs, hasPast);
  const connect = (words = 'Connect') => (
    <Button look="primary" onClick={() => connectRequested(box.id)}>
      {words}
    </Button>
  );
  switch (state.kind) {
    case 'loading':
      return <LoadingState title={state.title} />;
    case 'disconnected':
      if (isArchived(box)) {
        return (
          <EmptyState
            icon={<CircleOff size={28} strokeWidth={1.4} />}
            title="No readings were kept"
          />
        );
      }
      return (
        <EmptyState
          icon={<Unplug size={28} strokeWidth={1.4} />}
          title="Not connected"
          actions={connect()}
        >
          <p>Nothing is read from this box and nothing is sent to it until you connect.</p>
        </EmptyState>
      );
    case 'readings-off':
      return (
        <EmptyState icon={<CircleOff size={28} strokeWidth={1.4} />} title="GPU readings are off">
          <p>Connected, but nothing is being read from the GPUs of this box.</p>
        </EmptyState>
      );
    case 'no-commands':
      return <NoCommands boxId={box.id} problem={state.problem} />;
    case 'failed':
      return (
        <FailedState
          problem={state.problem}
          tone={state.way === 'connect' ? 'danger' : 'warn'}
          {...(state.way !== null && {
            actions: (
              <>
                {connect(state.way === 'retry' ? 'Retry now' : 'Connect')}
                {isSignInFailed(state.problem) && <SignInActions boxId={box.id} />}
              </>
            ),
          })}
        />
      );
    case 'charts':
      return <ChartsPanel entry={entry} state={state} nowMs={nowMs} />;
  }
}
