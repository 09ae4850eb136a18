import { createRoot } from 'react-dom/client';
import { openFeeds } from '../state/feeds.ts';
import { createStreamClient } from '../state/stream-client.ts';
import { App } from './app.tsx';
import { watchCrashes } from './crash-reports.ts';
import { CrashScreen } from './crash-screen.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { keepDoubleClicks } from '../ui/double-click.ts';
import { holdPartsUntil } from '../ui/lazy-part.tsx';
import { markFirstUsefulPaint, painted } from './first-paint.ts';
import { firstPictureReady } from './first-picture.ts';
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
  keepDoubleClicks();
  const client = createStreamClient(window.leasehold);
  openFeeds(client);
  const ready = firstPictureReady();
  holdPartsUntil(ready.then(painted));
  // Out of the document there is no layout, so what does not need the fleet can be made while main still gathers it.
  root.remove();
  createRoot(root).render(
    <ErrorBoundary>
      <App streams={client} />
    </ErrorBoundary>,
  );
  await ready;
  document.body.replaceChildren(root);
  markFirstUsefulPaint();
}

void start();
