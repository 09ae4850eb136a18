import { createRoot } from 'react-dom/client';
import { openFeeds } from '../state/feeds.ts';
import { createStreamClient } from '../state/stream-client.ts';
import { App } from './app.tsx';
import { watchCrashes } from './crash-reports.ts';
import { CrashScreen } from './crash-screen.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { watchCommands } from './window-commands.ts';

function start(): void {
  const root = document.getElementById('root');
  if (root === null) throw new Error('index.html has no #root');
  if (!('leasehold' in window)) {
    const message = 'The window was opened without the bridge to Leasehold’s background process.';
    createRoot(root).render(<CrashScreen message={message} stack="" />);
    return;
  }
  loadFonts();
  watchCrashes();
  watchCommands(window.leasehold);
  const client = createStreamClient(window.leasehold);
  // Asked before the first render, so that main's answers and React's work overlap.
  openFeeds(client);
  createRoot(root).render(
    <ErrorBoundary>
      <App streams={client} />
    </ErrorBoundary>,
  );
}

/** Asked for before there is text: a first text without its font makes Chromium search the system's for a stand-in. */
function loadFonts(): void {
  for (const family of ['Inter Variable', 'JetBrains Mono Variable']) {
    // A font that does not load is no reason to stop: the text is then drawn in the stand-in.
    document.fonts.load(`1em "${family}"`).catch(() => undefined);
  }
}

start();
