import type { ElectronApplication, Page } from '@playwright/test';
import { startSshd, type TestSshd } from '../src/main/ssh/sshd.fixture.ts';
import { startTcpProxy, type TcpProxy } from '../src/main/ssh/tcp-proxy.fixture.ts';
import type { LinkState } from '../src/shared/boxes/box.ts';
import { expectAccessible } from './fixtures/accessibility.ts';
import { expect, startForFile, test } from './fixtures/app.ts';
import { addBoxAt } from './fixtures/real-box.ts';

const started = startForFile({ hasDemo: false });

let sshd: TestSshd;
/** Between the app and the box. */
let network: TcpProxy;

test.beforeEach(async () => {
  sshd = await startSshd();
  network = await startTcpProxy(sshd.port);
});
test.afterEach(async () => {
  await network.stop();
  await sshd.stop();
});

/** Every state of the box's link from now on, until it is up. */
async function followUntilUp(page: Page): Promise<{ readonly seen: Promise<LinkState[]> }> {
  const { boxId, subscription } = await page.evaluate(async () => {
    const opened = await window.leasehold.call('stream:open', { stream: 'fleet', key: '' });
    if (!opened.ok) throw new Error(opened.error.message);
    const { entries } = opened.value.state as { entries: { box: { id: string; name: string } }[] };
    const real = entries.find(({ box }) => box.name === 'real');
    return { boxId: real?.box.id, subscription: opened.value.subscription };
  });
  // The page's own subscription brings the same once more.
  const seen = page.evaluate(
    ([ours, wanted]) =>
      new Promise<LinkState[]>((resolve) => {
        const states: LinkState[] = [];
        window.leasehold.on('stream:batch', (batch) => {
          if (batch.subscription !== ours) return;
          for (const delta of batch.deltas as { boxId?: string; part?: { link?: LinkState } }[]) {
            if (delta.boxId !== wanted || delta.part?.link === undefined) continue;
            states.push(delta.part.link);
            if (delta.part.link.kind === 'up') resolve(states);
          }
        });
      }),
    [subscription, boxId] as const,
  );
  return { seen };
}

/** Before the fifth or a later try, with at least ten seconds to go. */
const LONG_WAIT = /in [1-9]\d\ss \(attempt ([5-9]|\d\d)\)/;

/** What the system does when a laptop's lid is opened. */
async function wake(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ powerMonitor }) => void powerMonitor.emit('resume'));
}

test('a box that does not answer says which try comes when, and waking tries at once @waits', async () => {
  const { app, page, log, consoleErrors } = await started();
  await addBoxAt(page, sshd, network.port);
  await network.refuse(true);
  const header = page.getByRole('main');
  await expect(header.getByText(new RegExp(`Reconnecting ${LONG_WAIT.source}`))).toBeVisible();
  await expectAccessible(page, 'a link that waits for its next try');
  // Last: by itself it tries only after the steps below.
  await expect(page.getByRole('navigation').getByText(LONG_WAIT)).toBeVisible();

  await network.refuse(false);
  const { seen } = await followUntilUp(page);
  await wake(app);
  expect(await seen).toMatchObject([{ kind: 'connecting', attempt: 1 }, { kind: 'up' }]);
  await expect.poll(log).toContain('looking at every link');
  expect(consoleErrors).toEqual([]);
});

test('Retry now does not wait and counts anew @waits', async () => {
  const { app, page } = await started();
  await addBoxAt(page, sshd, network.port);
  await network.refuse(true);
  await expect(page.getByText(new RegExp(`Reconnecting ${LONG_WAIT.source}`))).toBeVisible();
  // What is said of the link gives way before the name of the box does.
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.setContentSize(1024, 700),
  );
  const name = page.getByRole('heading', { level: 1 });
  await expect.poll(() => page.evaluate(() => innerWidth)).toBe(1024);
  expect(await name.evaluate((title) => title.scrollWidth - title.clientWidth)).toBe(0);
  await expect(page.getByRole('navigation').getByText(LONG_WAIT)).toBeVisible();
  await network.refuse(false);
  const { seen } = await followUntilUp(page);
  await page.getByRole('button', { name: 'Retry now' }).first().click();
  expect(await seen).toMatchObject([{ kind: 'connecting', attempt: 1 }, { kind: 'up' }]);
});

test('after sleep a half-open link is found out and made anew; one that stands is left alone @waits', async () => {
  const { app, page } = await started();
  await addBoxAt(page, sshd, network.port);
  await wake(app);
  await expect(page.getByText(/Connected/).first()).toBeVisible();
  network.freeze(true);
  const { seen } = await followUntilUp(page);
  await wake(app);
  // The rest after the first wake, five seconds of silence, and then a try that the frozen network holds up.
  await expect(page.getByText('Connecting', { exact: true }).first()).toBeVisible();
  network.freeze(false);
  expect(await seen).toMatchObject([{ kind: 'connecting', attempt: 1 }, { kind: 'up' }]);
});
