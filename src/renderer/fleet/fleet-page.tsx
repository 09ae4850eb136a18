import { Archive, Grid3x3, Plus, Scale, SearchX, Server } from 'lucide-react';
import type { DemoState } from '../../shared/demo/faults.ts';
import { fleetGroupings, type FleetGrouping } from '../../shared/settings/fleet-view.ts';
import type { Settings } from '../../shared/settings/settings.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { settingsChanged } from '../state/actions.ts';
import { selectArchived, selectEntries, useDemo, useFleet, useSettings } from '../state/feeds.ts';
import { useFiguresWhileShown } from '../state/figures.ts';
import { useSparksWhileShown } from '../state/sparks.ts';
import type { Feed } from '../state/stream-client.ts';
import { archiveChosen, factsChosen, overlayOpened, sweepsChosen } from '../state/view.ts';
import { Button } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { EmptyState, FailedState, LoadingState } from '../ui/panel-state.tsx';
import styles from './fleet-page.module.css';
import { FleetTable } from './fleet-table.tsx';
import { FleetToolbar } from './fleet-toolbar.tsx';
import { describeFleet } from './fleet-totals.ts';
import { filterCleared, groupingChosen, useFleetView } from './fleet-view.ts';
import { useFleetRows } from './use-fleet-rows.ts';

export function FleetPage() {
  const feed = useFleet();
  const entries = useFleet(selectEntries);
  const archived = useFleet(selectArchived).length;
  return (
    <>
      <PageHeader
        title="Fleet"
        {...(entries.length > 0 && { meta: describeFleet(entries) })}
        actions={
          <>
            {entries.length > 1 && <Grouping />}
            {entries.length > 0 && (
              <Button
                look="quiet"
                title="One command with many settings, over several boxes"
                onClick={() => sweepsChosen()}
              >
                <Grid3x3 size={15} aria-hidden /> Sweeps
              </Button>
            )}
            {/* Also without one: the receipts of boxes that were forgotten are there. */}
            <Button look="quiet" title="Boxes that are gone" onClick={archiveChosen}>
              <Archive size={15} aria-hidden /> Archive{archived > 0 && ` (${String(archived)})`}
            </Button>
            <Button look="quiet" title="Facts about platforms, side by side" onClick={factsChosen}>
              <Scale size={15} aria-hidden /> Facts
            </Button>
            <Button look="primary" onClick={addBox}>
              <Plus size={15} aria-hidden /> Add box
            </Button>
          </>
        }
      />
      {feed.kind === 'failed' && <FailedState problem={feed.problem} />}
      {feed.kind === 'live' && entries.length === 0 && <NoBoxes />}
      {entries.length > 0 && <Boxes entries={entries} />}
    </>
  );
}

function Boxes({ entries }: { readonly entries: readonly FleetEntry[] }) {
  useFiguresWhileShown();
  useSparksWhileShown();
  const view = useFleetView();
  const { known, shown, rows, onTouched } = useFleetRows(entries, view);
  return (
    <>
      {entries.length > 1 && <FleetToolbar known={known} shown={shown} />}
      {shown.length === 0 ? (
        <EmptyState
          icon={<SearchX size={30} strokeWidth={1.4} />}
          title="No box fits the filter"
          actions={<Button onClick={filterCleared}>Clear the filter</Button>}
        />
      ) : (
        <FleetTable known={known} shown={shown} rows={rows} order={view} onTouched={onTouched} />
      )}
    </>
  );
}

const GROUPING_WORDS: Readonly<Record<FleetGrouping, string>> = {
  none: 'none',
  platform: 'platform',
  tag: 'tag',
  state: 'state',
};

function Grouping() {
  const { groupBy } = useFleetView();
  return (
    <label className={styles['grouping']}>
      <span>Group:</span>
      <select
        value={groupBy}
        onChange={(event) => groupingChosen(event.target.value as FleetGrouping)}
      >
        {fleetGroupings.map((grouping) => (
          <option key={grouping} value={grouping}>
            {GROUPING_WORDS[grouping]}
          </option>
        ))}
      </select>
    </label>
  );
}

function addBox(): void {
  overlayOpened({ kind: 'add-box' });
}
const selectDemoIsOn = (feed: Feed<Settings>): boolean =>
  feed.kind === 'live' && feed.state.demo.isOn;
const selectDemoIsThere = (feed: Feed<DemoState>): boolean =>
  feed.kind === 'live' && feed.state.boxId !== null;
const selectDemoIsStarting = (feed: Feed<DemoState>): boolean =>
  feed.kind === 'loading' || (feed.kind === 'live' && feed.state.isStarting);

function NoBoxes() {
  const demoIsOn = useSettings(selectDemoIsOn);
  const demoIsThere = useDemo(selectDemoIsThere);
  const demoIsStarting = useDemo(selectDemoIsStarting);
  if (demoIsStarting) return <LoadingState title="Starting the demo box…" />;
  const switchDemoOn = (): void => settingsChanged({ demo: { isOn: true } });
  return (
    <EmptyState
      icon={<Server size={30} strokeWidth={1.4} />}
      title="No boxes"
      actions={
        <>
          <Button look="primary" onClick={addBox}>
            Add box
          </Button>
          {!demoIsOn && <Button onClick={switchDemoOn}>Switch the demo box on</Button>}
        </>
      }
    >
      <p>
        Paste the ssh command that your platform shows for a rented machine. Nothing is sent to it
        until you connect.
      </p>
      {demoIsOn && !demoIsThere && <p>The demo box is switched on but not running.</p>}
    </EmptyState>
  );
}
