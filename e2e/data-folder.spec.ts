import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, startElectron, test } from './fixtures/app.ts';

test.use({ hasDemo: false });

/** Runs in main before the app does: keeps what is asked, asks it in the system's own dialog, and closes that when told to. */
const WATCH_DIALOG = (kept: string): string => `
const { dialog } = require('electron');
const { renameSync, writeFileSync } = require('node:fs');
const ask = dialog.showMessageBox;
dialog.showMessageBox = (window, options) => {
  const closing = new AbortController();
  globalThis.closeDialog = () => closing.abort();
  const answer = ask.call(dialog, window, { ...options, signal: closing.signal });
  // Whole once it has its name: whoever finds it reads it.
  writeFileSync(${JSON.stringify(`${kept}.part`)}, JSON.stringify(options));
  renameSync(${JSON.stringify(`${kept}.part`)}, ${JSON.stringify(kept)});
  return answer;
};
`;

test('a second app over the same data, which Chromium does not find, says so and quits', async ({
  apps,
}) => {
  const folder = apps.makeFolder();
  // With no folder of its own in there, Chromium’s lock lies among the temporary files, and those of the two are not the same.
  writeFileSync(join(folder, 'session'), '');
  const first = await apps.start({ folder });
  await expect(first.page.getByRole('navigation').first()).toBeVisible();
  await expect.poll(first.log).toContain('loaded');

  const temporary = join(folder, 'other');
  mkdirSync(temporary);
  const [kept, watch] = [join(temporary, 'asked.json'), join(temporary, 'watch.cjs')];
  writeFileSync(watch, WATCH_DIALOG(kept));
  const second = await startElectron(folder, {
    env: { TMPDIR: temporary },
    switches: ['-r', watch],
  });
  const child = second.process();
  const ended = once(child, 'exit');
  try {
    await expect.poll(() => existsSync(kept)).toBe(true);
    const asked = JSON.parse(readFileSync(kept, 'utf8')) as Record<string, unknown>;
    expect(asked).toMatchObject({ message: 'Leasehold is already running.', buttons: ['Quit'] });
    expect(asked['detail']).toContain(folder);
    // It waits for the person, and nothing of it acts meanwhile.
    expect(first.log().split('"taken"').length).toBe(2);
    await second.evaluate(() =>
      (globalThis as unknown as { closeDialog: () => void }).closeDialog(),
    );
    expect(await ended).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
  expect(first.log()).toContain('another Leasehold has the data folder');
  const info = await first.page.evaluate(() => window.leasehold.call('app:info', {}));
  expect(info.ok).toBe(true);
});
