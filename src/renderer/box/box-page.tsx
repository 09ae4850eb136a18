import * as Tabs from 'radix-ui/tabs';
import { lazy, memo, Suspense, type ReactNode } from 'react';
import { isArchived } from '../../shared/boxes/archived.ts';
import { isKeyQuestion } from '../../shared/boxes/host-key.ts';
import { useBoxEntry, type BoxEntry } from '../state/box-entry.ts';
import { boxTabs, tabChosen, type BoxTab } from '../state/view.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { LoadingState } from '../ui/panel-state.tsx';
import { BoxHeader } from './box-header.tsx';
import styles from './box-page.module.css';
import { Cards } from './cards/cards.tsx';

// The frame with the tabs is all that the window's first picture needs of this page; what stands in it comes after that.
const ArchivedBox = lazyPart(async () => (await import('../archive/archived-box.tsx')).ArchivedBox);
const Overview = lazyPart(async () => (await import('./overview/overview.tsx')).Overview);
const RunsTab = lazyPart(async () => (await import('./runs/runs-tab.tsx')).RunsTab);
const TunnelsTab = lazyPart(async () => (await import('./tunnels/tunnels-tab.tsx')).TunnelsTab);
const FilesTab = lazyPart(async () => (await import('./files/files-tab.tsx')).FilesTab);
const AlertsTab = lazyPart(async () => (await import('./alerts/alerts-tab.tsx')).AlertsTab);
const AlertsCount = lazyPart(async () => (await import('./alerts/alerts-count.tsx')).AlertsCount);
const TeardownTab = lazyPart(async () => (await import('./teardown/teardown-tab.tsx')).TeardownTab);
const FactsTab = lazyPart(async () => (await import('./facts/facts-tab.tsx')).FactsTab);
const BoxNotes = lazyPart(async () => (await import('./box-notes.tsx')).BoxNotes);
const HostKeyScreen = lazyPart(
  async () => (await import('./host-key/host-key-screen.tsx')).HostKeyScreen,
);

// xterm.js is large, and many never look here.
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

interface BoxPageProps {
  readonly boxId: string;
  readonly tab: BoxTab;
}

/** Whoever shows it is drawn anew with every reading of any box. */
export const BoxPage = memo(function BoxPage({ boxId, tab }: BoxPageProps) {
  const entry = useBoxEntry(boxId);
  if (entry === null) return <LoadingState title="Opening…" />;
  if (isArchived(entry.box)) return <ArchivedBox entry={entry} tab={tab} />;
  return (
    <>
      <BoxHeader entry={entry} />
      <div className={styles['body']}>
        <BoxBody entry={entry} tab={tab} />
      </div>
    </>
  );
});

/** A host key that needs a judgement takes the place of everything else: nothing behind it can be true. */
function BoxBody({ entry, tab }: { readonly entry: BoxEntry; readonly tab: BoxTab }) {
  const { box, link } = entry;
  // What is above the tabs leaves the page to what it is about.
  const isStrip = tab !== 'overview';
  if (isKeyQuestion(link)) {
    return (
      <Suspense fallback={<LoadingState title="Opening…" />}>
        <HostKeyScreen box={box} link={link} />
      </Suspense>
    );
  }
  return (
    <>
      <Suspense fallback={null}>
        <BoxNotes entry={entry} isStrip={isStrip} />
      </Suspense>
      <Cards entry={entry} isStrip={isStrip} />
      <Tabs.Root
        className={styles['tabs']}
        value={tab}
        onValueChange={(value) => tabChosen(box.id, value as BoxTab)}
      >
        <Tabs.List className={styles['tabList']} aria-label={`Views of ${box.name}`}>
          {boxTabs.map((each) => (
            <Tabs.Trigger key={each} value={each} className={styles['tab']}>
              {TAB_WORDS[each]}
              {each === 'alerts' && (
                <Suspense fallback={null}>
                  <AlertsCount boxId={box.id} />
                </Suspense>
              )}
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

function panelOf(tab: BoxTab, entry: BoxEntry): ReactNode {
  switch (tab) {
    case 'overview':
      return <Overview entry={entry} />;
    case 'runs':
      return <RunsTab entry={entry} />;
    case 'tunnels':
      return <TunnelsTab entry={entry} />;
    case 'terminal':
      return <TerminalTab entry={entry} />;
    case 'files':
      return <FilesTab entry={entry} />;
    case 'alerts':
      return <AlertsTab entry={entry} />;
    case 'teardown':
      return <TeardownTab entry={entry} />;
    case 'facts':
      return <FactsTab entry={entry} />;
  }
}
