// A log of a gigabyte in the window: opened, and gone through to its first error.
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { RunningApp } from '../e2e/fixtures/app.ts';
import { ERROR_HINT } from '../src/shared/runs/launch/log-lines.ts';
import type { BenchRow } from './harness.ts';
import { clickToText } from './launch-page.ts';
import { growthRows, pidsOf, watchGrowth } from './process-figures.ts';

const NAME = 'a long log';
/** Newer than what was launched. */
const ID = 'r-29990101-000000-0a1b2c3d';
const BYTES = 1_000_000_000;
const MAX_OPEN_MS = 1500;
/** The box reads as far as that, line by line. */
const MAX_TO_GREP = 3;
const ERROR = 'RuntimeError: the first of all errors';
const END = 'the very last line of it';

export async function readLongLog(
  { app, page }: RunningApp,
  home: string,
): Promise<readonly BenchRow[]> {
  const log = placeLog(join(home, '.local/state/leasehold/runs'));
  await page.getByRole('button', { name: 'Check again' }).click();
  await page.getByRole('button', { name: NAME }).waitFor();
  const { result, growthMiB } = await watchGrowth(await pidsOf(app), async () => ({
    openMs: await clickToText(page, NAME, END),
    jumpMs: await clickToText(page, 'Jump to first error', ERROR),
  }));
  await page.getByRole('button', { name: 'All runs' }).click();
  const beganMs = performance.now();
  execFileSync('grep', ['-abE', '-m1', ERROR_HINT, log], { env: { ...process.env, LC_ALL: 'C' } });
  const grepMs = performance.now() - beganMs;
  const { openMs, jumpMs } = result;
  return [
    {
      measure: 'a log of 1 GB, from the click to its newest lines',
      value: openMs,
      unit: 'ms',
      goal: `at most ${String(MAX_OPEN_MS)} ms`,
      isMet: openMs <= MAX_OPEN_MS,
    },
    {
      measure: 'to its first error, behind two thirds of it',
      value: jumpMs,
      unit: 'ms',
      baseline: grepMs,
      ratio: jumpMs / grepMs,
      goal: `at most ${String(MAX_TO_GREP)}× grep for the same`,
      isMet: jumpMs / grepMs <= MAX_TO_GREP,
    },
    ...growthRows(growthMiB, 'with a log of 1 GB'),
  ];
}

/** Beside a run that is over, the same with another log, which nobody has opened so far. */
function placeLog(runs: string): string {
  const past = readdirSync(runs).sort().at(-1) ?? '';
  const [from, to] = [join(runs, past), join(runs, ID)];
  cpSync(from, to, { recursive: true });
  const about = JSON.parse(readFileSync(join(to, 'about'), 'utf8')) as object;
  writeFileSync(join(to, 'about'), `${JSON.stringify({ ...about, id: ID, name: NAME })}\n`);
  const lines = Array.from(
    { length: 10_000 },
    (_, step) => `step ${String(step)} loss ${(4 / (1 + step / 500)).toFixed(4)} lr 3.00e-04\n`,
  ).join('');
  const log = openSync(join(to, 'log'), 'w');
  const times = Math.ceil(BYTES / lines.length);
  for (let time = 0; time < times; time += 1) {
    writeSync(log, lines);
    if (time === Math.floor((times * 2) / 3)) writeSync(log, `${ERROR}\n`);
  }
  writeSync(log, `${END}\n`);
  closeSync(log);
  return join(to, 'log');
}
