import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLog } from './demo-box.fixture.ts';
import { Heartbeat, type HeartbeatParts } from './heartbeat.ts';
import type { ShownProcess } from './proc-tree.ts';

let proc: string;
beforeEach(() => {
  proc = mkdtempSync(join(tmpdir(), 'leasehold-proc-'));
  mkdirSync(join(proc, 'sys/kernel/random'), { recursive: true });
});
afterEach(() => rmSync(proc, { recursive: true, force: true }));

it('has what the cards list in its table of processes before they list it, and for as long as they do', async () => {
  const run = (pid: number): ShownProcess => {
    return { pid, parentPid: 1, argv: ['./train.sh'], isStopped: false, gpus: [], work: null };
  };
  const courses: readonly (readonly ShownProcess[])[] = [[], [run(7)], [run(7)], [run(8)], []];
  let beat = -1;
  const seen: (readonly number[])[] = [];
  const there = (): readonly number[] => [7, 8].filter((pid) => existsSync(join(proc, `${pid}`)));
  const heartbeat = new Heartbeat({
    folders: { proc },
    trainer: {
      load: 'idle',
      process: null,
      tick: () => Promise.resolve(void (beat += 1)),
      shownProcesses: () => courses[beat] ?? [],
    },
    stray: { look: () => Promise.resolve(null) },
    // Here it writes down who is on the cards.
    driver: { gpus: [], advance: () => Promise.resolve(void seen.push(there())) },
    cgroup: { setTraining: () => Promise.resolve(), advance: () => Promise.resolve() },
    ports: { look: () => Promise.resolve() },
    hasFault: () => false,
    log: silentLog,
  } as unknown as HeartbeatParts);
  await heartbeat.start(1);
  while (beat < courses.length) await heartbeat.shown();
  await heartbeat.stop();
  expect(seen.slice(0, courses.length)).toEqual([[], [7], [7], [7, 8], [8]]);
  expect(there()).toEqual([]);
});

it('moves on while it is looked who listens on a busy computer, and ends after that', async () => {
  let looks = 0;
  let found = (): void => undefined;
  const asked = new Promise<void>((resolve) => (found = resolve));
  let beats = 0;
  const heartbeat = new Heartbeat({
    folders: { proc },
    trainer: {
      load: 'idle',
      process: null,
      tick: () => Promise.resolve(void (beats += 1)),
      shownProcesses: () => [],
    },
    stray: { look: () => Promise.resolve(null) },
    driver: { gpus: [], advance: () => Promise.resolve() },
    cgroup: { setTraining: () => Promise.resolve(), advance: () => Promise.resolve() },
    ports: { look: () => ((looks += 1), asked) },
    hasFault: () => false,
    log: silentLog,
  } as unknown as HeartbeatParts);
  await heartbeat.start(1);
  while (looks === 0) await heartbeat.shown();
  const before = beats;
  while (beats < before + 3) await heartbeat.shown();
  let isStopped = false;
  const stopped = heartbeat.stop().then(() => (isStopped = true));
  await new Promise(setImmediate);
  expect([looks, isStopped]).toEqual([1, false]);
  found();
  await stopped;
});

it('waits for the run that was ended, not for the one that began after it', async () => {
  let beats = 0;
  const heartbeat = new Heartbeat({
    folders: { proc },
    trainer: {
      load: 'training',
      get process() {
        return { pid: beats < 3 ? 7 : 8, name: './train.sh' };
      },
      tick: () => Promise.resolve(void (beats += 1)),
      shownProcesses: () => [],
    },
    stray: { look: () => Promise.resolve(null) },
    driver: { gpus: [], advance: () => Promise.resolve() },
    cgroup: { setTraining: () => Promise.resolve(), advance: () => Promise.resolve() },
    ports: { look: () => Promise.resolve() },
    hasFault: () => false,
    log: silentLog,
  } as unknown as HeartbeatParts);
  await heartbeat.start(1);
  await heartbeat.runEnded(7);
  await heartbeat.stop();
  expect(beats).toBeGreaterThanOrEqual(3);
  expect(beats).toBeLessThan(10);
});
