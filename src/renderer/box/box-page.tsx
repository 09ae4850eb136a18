import { Tabs } from 'radix-ui';
import { lazy, Suspense, type ReactNode } from 'react';
import { crowdingProblem } from '../../shared/boxes/crowding.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { selectEntry, useFleet } from '../state/feeds.ts';
import { boxTabs, tabChosen, type BoxTab } from '../state/view.ts';
import { LoadingState } from '../ui/panel-state.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { AlertsCount } from './alerts/alerts-count.tsx';
import { askingMachine } from './host-key/asking-machine.ts';
import { BoxHeader } from './box-header.tsx';
import styles from './box-page.module.css';
import { Cards } from './cards/cards.tsx';
import { FactsTab } from './facts/facts-tab.tsx';
import { FilesTab } from './files/files-tab.tsx';
import { HostKeyChanged } from './host-key/host-key-changed.tsx';
import { HostKeyRevoked } from './host-key/host-key-revoked.tsx';
import { HostKeyUnknown } from './host-key/host-key-unknown.tsx';
import { KeyOffer } from './install-key/key-offer.tsx';
import { RunsTab } from './runs/runs-tab.tsx';
import { TeardownTab } from './teardown/teardown-tab.tsx';
import { TunnelsTab } from './tunnels/tunnels-tab.tsx';

// The charts bring the largest library of the window; the frame stands before they arrive.
const Overview = lazy(async () => ({
  default: (await import('./overview/overview.tsx')).Overview,
}));

// Few look here first; the tab's count and the card's headline stand without it.
const AlertsTab = lazy(async () => ({
  default: (await import('./alerts/alerts-tab.tsx')).AlertsTab,
}));

// xterm.js is the second largest.
const TerminalTab = lazy(async () => ({
  default: (await import('./terminal/terminal-tab.tsx')).TerminalTab,
}));

const TAB_WORDS: Readonly<Record<BoxTab, string>> = {
  overview: 'Overview',
  runs: 'Runs',
  tunnels: 'Tunnels',
  terminal: 'Terminal',
  files: 'Files',
  alerts: 'Alerts',
  teardown: 'Teardown',
  facts: 'Facts',
};

export function BoxPage({ boxId, tab }: { readonly boxId: string; readonly tab: BoxTab }) {
  const entry = useFleet(selectEntry(boxId));
  if (entry === undefined) return <LoadingState title="Opening…" />;
  return (
    <>
      <BoxHeader entry={entry} />
      <div className={styles['body']}>
        <BoxBody entry={entry} tab={tab} />
      </div>
    </>
  );
}

/** A host key that needs a judgement takes the place of everything else: nothing behind it can be true. */
function BoxBody({ entry, tab }: { readonly entry: FleetEntry; readonly tab: BoxTab }) {
  const { box, link, crowding } = entry;
  if (link.kind === 'host-key-unknown')
    return (
      <HostKeyUnknown key={link.offered.fingerprint} box={askingMachine(box, link)} link={link} />
    );
  if (link.kind === 'host-key-changed')
    return (
      <HostKeyChanged key={link.offered.fingerprint} box={askingMachine(box, link)} link={link} />
    );
  if (link.kind === 'host-key-revoked')
    return (
      <HostKeyRevoked key={link.offered.fingerprint} box={askingMachine(box, link)} link={link} />
    );
  return (
    <>
      <KeyOffer box={box} />
      {crowding && (
        <div className={styles['note']}>
          <ProblemNote problem={crowdingProblem(crowding)} />
        </div>
      )}
      <Cards boxId={box.id} />
      <Tabs.Root
        className={styles['tabs']}
        value={tab}
        onValueChange={(value) => tabChosen(box.id, value as BoxTab)}
      >
        <Tabs.List className={styles['tabList']} aria-label={`Views of ${box.name}`}>
          {boxTabs.map((each) => (
            <Tabs.Trigger key={each} value={each} className={styles['tab']}>
              {TAB_WORDS[each]}
              {each === 'alerts' && <AlertsCount boxId={box.id} />}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content className={styles['panel']} value={tab}>
          <Suspense fallback={<LoadingState title="Opening…" />}>{panelOf(tab, entry)}</Suspense>
        </Tabs.Content>
      </Tabs.Root>
    </>
  );
}

function panelOf(tab: BoxTab, entry: FleetEntry): ReactNode {
  switch (tab) {
    case 'overview':
      return <Overview entry={entry} />;
    case 'runs':
      return <RunsTab />;
    case 'tunnels':
      return <TunnelsTab entry={entry} />;
    case 'terminal':
      return <TerminalTab entry={entry} />;
    case 'files':
      return <FilesTab />;
    case 'alerts':
      return <AlertsTab entry={entry} />;
    case 'teardown':
      return <TeardownTab />;
    case 'facts':
      return <FactsTab entry={entry} />;
  }
}
