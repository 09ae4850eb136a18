// A table in an Electron window of nothing else: what scrolling costs on this machine, now.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from '../e2e/fixtures/app.ts';
import { watchFleet, type FleetProbe, type Frames } from './fleet-page.ts';
import type { Page } from '@playwright/test';

const MAIN = `const { app, BrowserWindow } = require('electron');
app.setPath('userData', process.env.LEASEHOLD_DATA_FOLDER);
app.whenReady().then(() => {
  new BrowserWindow({ width: 1440, height: 900 }).loadFile(__dirname + '/list.html');
});
`;

/** Rows and columns as the table of a sweep has them, all of them in the page: no script runs while it is scrolled. */
const pageOf = (count: number): string => `<!doctype html><title>bare</title>
<style>body { margin: 0; font: 13px sans-serif } div { height: 800px; overflow: auto } tr { height: 30px } td { width: 160px }</style>
<main><div><table role="grid"></table></div></main>
<script>document.querySelector('table').innerHTML = Array.from({ length: ${String(count)} }, (_none, at) =>
  '<tr><td>' + [at + 1, 'seed=' + at, 'Waiting', 'real', '–', '–', '–', '–'].join('</td><td>')).join('');</script>`;

/** Seven thousand pixels a second, and back at twice that: a wheel that is turned fast. */
const SCROLL_PX = 120;
const SCROLL_FRAMES = 240;

/** Every frame while the table is scrolled. */
export async function scrollTable(page: Page): Promise<Frames> {
  await page.evaluate(watchFleet, 'main');
  await page.evaluate(
    async ({ px, frames }) => {
      const scroller = document.querySelector('[role=grid]')?.parentElement;
      if (scroller === null || scroller === undefined) throw new Error('there is no table');
      for (let frame = 0; frame < frames; frame += 1) {
        scroller.scrollTop += frame < frames * 0.75 ? px : -px * 2;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    },
    { px: SCROLL_PX, frames: SCROLL_FRAMES },
  );
  return page.evaluate(() =>
    (window as unknown as { fleetProbe: FleetProbe }).fleetProbe.takeFrames(),
  );
}

/** The same in the bare window. */
export const scrollBareList = (folder: string, count: number): Promise<Frames> =>
  inBareWindow(folder, pageOf(count), (page) => scrollTable(page));

/** From frame to frame in a window that does nothing, while something else is done. */
export const bareFrames = (
  folder: string,
  act: () => Promise<unknown>,
): Promise<readonly number[]> =>
  inBareWindow(folder, pageOf(1), async (page) => {
    await page.evaluate(watchFleet, 'main');
    await act();
    const { intervalMs } = await page.evaluate(() =>
      (window as unknown as { fleetProbe: FleetProbe }).fleetProbe.takeFrames(),
    );
    return intervalMs;
  });

async function inBareWindow<T>(
  folder: string,
  html: string,
  measure: (page: Page) => Promise<T>,
): Promise<T> {
  const app = mkdtempSync(join(folder, 'bare-'));
  writeFileSync(join(app, 'package.json'), '{"name":"bare","version":"1.0.0","main":"main.cjs"}');
  writeFileSync(join(app, 'main.cjs'), MAIN);
  writeFileSync(join(app, 'list.html'), html);
  const running = await launch({ app, folder: join(app, 'data') });
  try {
    await running.page.locator('tr').first().waitFor();
    await running.page.evaluate('globalThis.__name = (named) => named'); // tsx calls it in every function that it compiles
    return await measure(running.page);
  } finally {
    await running.app.close();
  }
}
