import { createRoot } from 'react-dom/client';
import { openFeeds } from '../state/feeds.ts';
import { createStreamClient } from '../state/stream-client.ts';
import { App } from './app.tsx';
import { watchCrashes } from './crash-reports.ts';
import { CrashScreen } from './crash-screen.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { watchCommands } from './window-commands.ts';

async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (root === null) throw new Error('index.html has no #root');
  if (!('leasehold' in window)) {
    const message = 'The window was opened without the bridge to Leasehold’s background process.';
    createRoot(root).render(<CrashScreen message={message} stack="" />);
    return;
  }
  watchCrashes();
  watchCommands(window.leasehold);
  const client = createStreamClient(window.leasehold);
  // Asked before the first render, so that main's answers and React's work overlap.
  openFeeds(client);
  await fontsLoaded();
  createRoot(root).render(
    <ErrorBoundary>
      <App streams={client} />
    </ErrorBoundary>,
  );
}

/** A first text without its font makes Chromium search the system's for a stand-in, which takes longer than the font. */
async function fontsLoaded(): Promise<void> {
  const loading = [...document.fonts].filter(({ status }) => status === 'loading');
  // One that does not load is no reason to stop: its text is drawn in the stand-in.
  await Promise.allSettled(loading.map(({ loaded }) => loaded));
}

void start();
