import { lazy, Suspense } from 'react';
import { BoxPage } from '../box/box-page.tsx';
import { FleetPage } from '../fleet/fleet-page.tsx';
import { Rail } from '../fleet/rail.tsx';
import { selectAllEntries, useFleet } from '../state/feeds.ts';
import type { StreamClient } from '../state/stream-client.ts';
import { StreamProvider } from '../state/stream-context.ts';
import { useView } from '../state/view.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { LoadingState } from '../ui/panel-state.tsx';
import styles from './app.module.css';
import { Notices } from './notices.tsx';
import { OverlayHost } from './overlay-host.tsx';
import { resolvePage } from './resolve-page.ts';

const Announcer = lazyPart(async () => (await import('./announcer.tsx')).Announcer);
const QuestionBar = lazyPart(
  async () => (await import('../questions/question-bar.tsx')).QuestionBar,
);

const SettingsPage = lazy(async () => ({
  default: (await import('../settings/settings-page.tsx')).SettingsPage,
}));

const LaterPages = lazyPart(async () => (await import('./later-pages.tsx')).LaterPages);
const SweepsPage = lazyPart(async () => (await import('../sweeps/sweeps-page.tsx')).SweepsPage);
const FactsPage = lazyPart(async () => (await import('../facts/facts-page.tsx')).FactsPage);
const HandbookPage = lazyPart(
  async () => (await import('../handbook/handbook-page.tsx')).HandbookPage,
);

export function App({ streams }: { readonly streams: StreamClient }) {
  return (
    <StreamProvider value={streams}>
      <div className={styles['app']}>
        <Rail />
        <main className={styles['main']}>
          <Notices />
          <Suspense fallback={null}>
            <QuestionBar />
          </Suspense>
          <div className={styles['page']}>
            <Suspense fallback={<LoadingState title="Opening…" />}>
              <CurrentPage />
            </Suspense>
          </div>
        </main>
      </div>
      <OverlayHost />
      <Suspense fallback={null}>
        <Announcer />
      </Suspense>
    </StreamProvider>
  );
}

function CurrentPage() {
  const isLoading = useFleet((feed) => feed.kind === 'loading');
  const entries = useFleet(selectAllEntries);
  const page = resolvePage(
    useView((view) => view.page),
    entries,
  );
  // Which page it will be is not known yet; this is its frame, as in index.html.
  const isReadyWithoutFleet = ['settings', 'handbook', 'facts'].includes(page.kind);
  if (isLoading && !isReadyWithoutFleet) return <div className="boot-head" />;
  switch (page.kind) {
    case 'box':
      return <BoxPage key={page.boxId} boxId={page.boxId} tab={page.tab} />;
    case 'archive':
    case 'costs':
    case 'receipt':
    case 'teardowns':
    case 'timeline':
      return <LaterPages page={page} />;
    case 'sweeps':
      return <SweepsPage key={page.sweepId} sweepId={page.sweepId} />;
    case 'settings':
      return <SettingsPage />;
    case 'facts':
      return <FactsPage />;
    case 'handbook':
      return <HandbookPage entry={page.entry} />;
    case 'fleet':
      return <FleetPage />;
  }
}
