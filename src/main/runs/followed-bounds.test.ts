import { afterEach, expect, it, vi } from 'vitest';
import type { RunMetrics } from '../../shared/runs/progress/run-metrics.ts';
import { ok } from '../../shared/result.ts';
import type { Connections } from '../boxes/box-roster.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { FollowedFiles } from './followed-files.ts';
import { FollowedMetrics } from './followed-metrics.ts';
import { value } from './run-box.fixture.ts';

const MIB = 1024 * 1024;
const BOX = 'b';
const RUN = 'r-20261130-101112-00012345';
const same = (text: string): string => text;

afterEach(() => vi.useRealTimers());

it('of a log that comes faster than it is read, the figures of its last MiB are read, and the rest is counted', () => {
  vi.useFakeTimers();
  const hub = new StreamHub();
  const metrics = new FollowedMetrics({
    ...{ boxId: BOX, log: { runId: RUN }, hub, redact: same },
    scripts: {} as OnboxScripts,
    roster: { connectionOf: () => null },
    resultsOf: () => Promise.resolve(null),
    onListed: () => undefined,
    onError: () => undefined,
    onOpened: () => undefined,
    isOver: () => false,
    progressOf: () => [],
  });
  hub.addClient(1, () => undefined);
  // Six quarters of a MiB, and nobody has a turn in between.
  let [text, steps] = ['', 0];
  for (; text.length < 1.5 * MIB; steps += 1) text += `step ${String(steps)} loss 0.5\n`;
  for (let at = 0; at < text.length; at += MIB / 4) metrics.take(text.slice(at, at + MIB / 4), 1);
  vi.runAllTimers();
  const opened = value(hub.open(1, 'run-metrics', `${BOX} ${RUN}`));
  const { reading, series } = opened.state as RunMetrics;
  const skipped = text.length - MIB;
  expect(reading.skippedInFlood).toBeGreaterThanOrEqual(skipped);
  expect(reading.skippedInFlood).toBeLessThan(skipped + 100);
  expect(series[0]?.count).toBeGreaterThan(steps / 2);
  expect(series[0]?.count).toBeLessThan(steps * 0.7);
});

it('of files with figures 64 MiB are read, and it says that there are more', async () => {
  let asked = 0;
  const size = 80 * MIB;
  const stream = async (...[, script, given, , { read }]: Parameters<OnboxScripts['stream']>) => {
    const values = given as Readonly<Record<string, string>>;
    const mark = values['LEASEHOLD_MARK'] ?? '';
    async function* printed(): AsyncGenerator<Buffer, void> {
      await Promise.resolve();
      if (script === 'run-results.sh') {
        const file = `f ${String(size)} 1 1 7 metrics.csv\0`;
        yield Buffer.from(`${mark} folder 9 yes /w\n${file}\n${mark} whole\n`);
        return;
      }
      const most = Number(values['LEASEHOLD_MOST']);
      asked += most;
      yield Buffer.from(`${mark} from ${values['LEASEHOLD_FROM'] ?? ''} of ${String(size)} in 7\n`);
      yield Buffer.alloc(Math.min(most, size), 'x');
    }
    const taken = await read(printed());
    return taken.ok
      ? ok({ value: taken.value, stderr: '', end: { kind: 'exited', code: 0 } as const })
      : taken;
  };
  const files = new FollowedFiles({
    ...{ boxId: BOX, redact: same, scripts: { stream } as unknown as OnboxScripts },
    roster: { connectionOf: () => ({}) } as unknown as Connections,
    placeOf: () => Promise.resolve({ folder: '/w', results: '.' }),
    ...{ isOver: () => true, isWatched: () => true, logHasSeries: () => false },
    ...{ onListed: () => undefined, onChange: () => undefined },
  });
  files.look();
  await vi.waitFor(() => expect(files.state.reading?.isCut).toBe(true), { timeout: 30_000 });
  await files.close();
  expect(files.state.reading).toMatchObject({ read: 64 * MIB, bytes: size, problem: null });
  expect(asked).toBe(64 * MIB);
});
