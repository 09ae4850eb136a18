import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import { aboutText } from '../../shared/runs/launch/run-about.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { AwaitedEnds } from './awaited-ends.ts';
import { BoxRuns } from './box-runs.ts';
import { BOX, memoryEntries, request, value } from './run-box.fixture.ts';

const ID = 'r-20261123-023000-1a2b3c4d';

let state: 'running' | 'done' | 'none' | 'failing';
let looks: number;
let hub: StreamHub;
let runs: BoxRuns;

/** A box that answers at once what `state` says. */
const connection = {
  run: (_command: string, { input = '' } = {}) => {
    looks += 1;
    if (state === 'failing') {
      return Promise.resolve(err({ ...problem('command-timeout', 'Late.'), mayHaveRun: true }));
    }
    const mark = /^leasehold-[0-9a-f]+$/m.exec(input)?.[0] ?? '';
    const life = 'a-0/1';
    const lines = [
      ...['table yes', 'home /root', 'now 1000', `life ${life}`],
      ...(state === 'none' ? [] : [`run ${ID}`, `about ${aboutText(ID, request())}`]),
      ...(state === 'none' ? [] : [`go alive keeper 10 7 ${life}`]),
      ...(state === 'done' ? ['end done 0 999 no'] : []),
      ...['older 0', 'whole'],
    ];
    const stdout = lines.map((line) => `${mark} ${line}\n`).join('');
    return Promise.resolve(ok({ end: { kind: 'exited', code: 0 }, stdout, stderr: '' }));
  },
} as unknown as SshConnection;

beforeEach(() => {
  vi.useFakeTimers();
  [state, looks] = ['none', 0];
  hub = new StreamHub();
  hub.addClient(1, () => undefined);
  runs = new BoxRuns({
    boxId: BOX.id,
    hub,
    roster: { connectionOf: () => connection },
    scripts: onboxScripts,
    redact: (text) => text,
    entries: memoryEntries(),
    onProblem: () => undefined,
    cellResultsOf: () => Promise.resolve(null),
    ends: new AwaitedEnds({ entries: memoryEntries(), onProblem: () => undefined }),
    onOver: () => undefined,
    onLooked: () => undefined,
  });
});
afterEach(async () => {
  await runs.close();
  hub.dispose();
  vi.useRealTimers();
});

/** The script's text is read from the disk. */
const pass = async (ms: number): Promise<void> => {
  await onboxScripts.textOf('run-look.sh');
  await vi.advanceTimersByTimeAsync(ms);
};

it('looks once where nothing lives, and never again', async () => {
  runs.linkIs(true, 0);
  await pass(1);
  await pass(3_600_000);
  expect(looks).toBe(1);
});

it('looks every minute while a run lives, oftener while somebody watches, and not once it is over', async () => {
  state = 'running';
  runs.linkIs(true, 0);
  await pass(1);
  await pass(180_000);
  expect(looks).toBe(4);
  const opened = value(hub.open(1, 'launched-runs', BOX.id));
  await pass(1);
  const before = looks;
  await pass(30_000);
  expect(looks - before).toBe(3);
  hub.close(1, opened.subscription);
  state = 'done';
  await pass(60_000);
  const then = looks;
  await pass(3_600_000);
  expect(looks).toBe(then);
  runs.linkIs(false, 0);
});

it('asks a box that cannot tell its runs again only where somebody waits for one, and ever less often', async () => {
  state = 'failing';
  runs.linkIs(true, 0);
  await pass(1);
  await pass(3_600_000);
  expect(looks).toBe(1);
  value(hub.open(1, 'launched-runs', BOX.id));
  await pass(1);
  await pass(3_600_000);
  expect(looks).toBeGreaterThan(10);
  expect(looks).toBeLessThan(17);
});
