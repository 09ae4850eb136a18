import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PatrolState } from '../../shared/patrol/patrol-state.ts';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import { patrolStream } from '../../shared/streams/patrol-stream.ts';
import { NO_PATROL } from '../../shared/patrol/patrol-state.ts';
import { reading } from '../../shared/detectors/box.fixture.ts';
import { foldReadings, type LatestFigures } from '../../shared/telemetry/latest-figures.ts';
import { untouchedEntry } from '../../shared/streams/fleet-stream.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import { ReachedRoster } from '../boxes/box-roster.fixture.ts';
import { BOX } from '../meter/meter.fixture.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { shippedWatched } from '../profiles/profiles.fixture.ts';
import type { RunOptions } from '../ssh/run-command.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { Source, type OfBox } from '../streams/source.ts';
import { HeardHub } from '../streams/stream-hub.fixture.ts';
import { PatrolWatch } from './patrol-watch.ts';

const MINUTE_MS = 60_000;
const UP = { kind: 'up', sinceMs: 0, latencyMs: 20 } as const;

let folder: string;
let hub: HeardHub;
let roster: BoxRoster;
let watch: PatrolWatch;
let everyMs: number;
let sleptMs: number;
/** When each look was asked for. */
let asked: number[];
let isAnswering: boolean;
/** A box that is slow: it answers when this is settled. */
let answers: Promise<void>;
/** Lines of the answer beside the process table. */
let told: string;
let chance: number;
let figures: Source<OfBox<LatestFigures>>;
const states = new Map<string, PatrolState>();

/** What a box answers, at the edge: the channel. */
const connection = {
  run: async (_command: string, { input = '' }: RunOptions) => {
    asked.push(performance.now());
    await answers;
    const mark = /^leasehold-[0-9a-f]{24}$/m.exec(input)?.[0] ?? '';
    if (!isAnswering) return err(problem('exec-refused', 'No.'));
    const section = (name: string, text: string): string =>
      `${mark} begin ${name}\n${text}${mark} end ${name} 0\n`;
    const init = '1 0 1 1 0 S 5 5 1 7 10 init\n';
    const stdout = `${section('table', init)}${told}${section('whole', '')}`;
    return ok({ end: { kind: 'exit', code: 0 }, stdout, stderr: '' });
  },
} as unknown as SshConnection;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  folder = mkdtempSync(join(tmpdir(), 'leasehold-cadence-'));
  [everyMs, sleptMs, asked, isAnswering, told, chance] = [5 * MINUTE_MS, 0, [], true, '', 0.5];
  answers = Promise.resolve();
  states.clear();
  figures = new Source();
  hub = new HeardHub();
  roster = new ReachedRoster(hub, () => connection);
  watch = new PatrolWatch({
    hub,
    roster,
    figures,
    figuresOf: () => null,
    watchedOn: shippedWatched,
    scripts: onboxScripts,
    dataFolder: folder,
    everyMs: () => everyMs,
    upMs: () => performance.now() + sleptMs,
    onProblem: () => undefined,
    log: { warn: () => undefined },
    random: () => chance,
  });
});
afterEach(async () => {
  await watch.close();
  expect(vi.getTimerCount()).toBe(0);
  hub.dispose();
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

function appears(id: string): void {
  states.set(id, NO_PATROL);
  hub.hear('patrol', id, (part) => {
    states.set(id, patrolStream.apply(states.get(id) ?? NO_PATROL, part));
  });
  roster.put({ ...untouchedEntry({ ...BOX, id }), link: UP });
}

const state = (id = BOX.id): PatrolState => states.get(id) ?? NO_PATROL;

/** Files are real, and time stands still for them. */
async function goOn(ms: number): Promise<void> {
  const until = performance.now() + ms;
  for (;;) {
    const next = [...states.values()].flatMap(({ phase }) =>
      phase.kind === 'waiting' ? [phase.nextAtMs - Date.now()] : [],
    );
    const step = Math.min(until - performance.now(), ...next.map((each) => Math.max(0, each)));
    await vi.advanceTimersByTimeAsync(Math.max(0, step));
    await quiet();
    if (performance.now() >= until) return;
  }
}

async function quiet(): Promise<void> {
  const isLooking = ({ phase }: PatrolState): boolean => phase.kind === 'looking';
  while ([...states.values()].some(isLooking)) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

it('looks soon after the link is up, then every five minutes, and says when', async () => {
  appears(BOX.id);
  await goOn(9000);
  expect(asked).toHaveLength(0);
  await goOn(2000);
  expect(asked).toHaveLength(1);
  expect(state()).toMatchObject({ phase: { kind: 'waiting', pace: 'usual' }, failed: null });
  const { phase, seen } = state();
  expect(phase.kind === 'waiting' && phase.nextAtMs - (seen?.atMs ?? 0)).toBe(5 * MINUTE_MS);
  await goOn(5 * MINUTE_MS);
  expect(asked).toHaveLength(2);
});

it('looks more seldom where nothing runs, and as chosen again when something does', async () => {
  appears(BOX.id);
  await goOn(11 * MINUTE_MS);
  expect(asked).toHaveLength(3);
  expect(state().phase).toMatchObject({ pace: 'idle' });
  await goOn(14 * MINUTE_MS);
  expect(asked).toHaveLength(3);
  await goOn(2 * MINUTE_MS);
  expect(asked).toHaveLength(4);
});

it('takes another cadence at once, and no other setting for one', async () => {
  appears(BOX.id);
  await goOn(15_000);
  const before = state().phase;
  watch.settingsChanged();
  expect(state().phase).toBe(before);
  everyMs = MINUTE_MS;
  watch.settingsChanged();
  await goOn(MINUTE_MS);
  expect(asked).toHaveLength(2);
});

it('asks a box that refuses less and less often, and says why each time', async () => {
  isAnswering = false;
  appears(BOX.id);
  await goOn(11_000);
  expect(state()).toMatchObject({
    phase: { pace: 'failed' },
    failed: { times: 1, problem: { code: 'exec-refused' } },
    seen: null,
  });
  await goOn(20 * MINUTE_MS);
  const pauses = asked.slice(1).map((atMs, i) => Math.round((atMs - (asked[i] ?? 0)) / 1000));
  expect(pauses).toEqual([30, 60, 120, 240, 300, 300]);
  isAnswering = true;
  await watch.now(BOX.id);
  expect(state()).toMatchObject({ failed: null, phase: { pace: 'usual' } });
});

/** A second of the live stream: the load of each of the two cards. */
function sample(first: number | null, second: number | null): void {
  const readings = [first, second].map((smPct, index) => reading({ index, smPct }));
  figures.tell({ boxId: BOX.id, value: foldReadings(Date.now(), readings) });
}

it('looks at once when all cards fall idle, and not again for each pause of the same job', async () => {
  appears(BOX.id);
  await goOn(20_000);
  const second = async (load: number): Promise<void> => {
    sample(load, load);
    await goOn(1000);
  };
  const before = asked.length;
  for (const load of [90, 90, 0, 90, 0, 0]) await second(load);
  expect(asked).toHaveLength(before);
  for (const load of [0, 0, 0]) await second(load);
  expect(asked).toHaveLength(before + 1);
  // Work and rest by turns: one look for all of it until a minute has passed.
  for (const load of [90, 0, 0, 0, 0, 90, 0, 0, 0, 0]) await second(load);
  expect(asked).toHaveLength(before + 1);
  await goOn(50_000);
  expect(asked).toHaveLength(before + 2);
});

it('looks again where all cards fell idle within the pause and during a look', async () => {
  appears(BOX.id);
  await goOn(20_000);
  const second = async (load: number): Promise<void> => {
    sample(load, load);
    await goOn(1000);
  };
  for (const load of [90, 90, 0, 0, 0, 0]) await second(load);
  for (const load of [90, 90]) await second(load);
  const before = asked.length;
  let answer = (): void => undefined;
  answers = new Promise((resolve) => (answer = resolve));
  const looking = watch.now(BOX.id);
  for (let s = 0; s < 5; s += 1) {
    sample(0, 0);
    await vi.advanceTimersByTimeAsync(1000);
  }
  answer();
  await looking;
  await goOn(60_000);
  expect(asked).toHaveLength(before + 2);
});

it('takes no card that reports nothing for an idle one', async () => {
  appears(BOX.id);
  await goOn(20_000);
  const before = asked.length;
  sample(90, 90);
  for (let s = 0; s < 8; s += 1) {
    await goOn(1000);
    sample(0, null);
  }
  expect(asked).toHaveLength(before);
});

it('makes up for what was due while this machine slept', async () => {
  appears(BOX.id);
  await goOn(15_000);
  watch.wake(); // a change of the network: nothing is due
  await goOn(1000);
  expect(asked).toHaveLength(1);
  sleptMs = 60 * MINUTE_MS; // timers stood still
  watch.wake();
  await goOn(1000);
  expect(asked).toHaveLength(2);
});

it('does not look at a hundred boxes in one second, neither at the start nor after a sleep', async () => {
  let seed = 7;
  const dice = vi.spyOn(Math, 'random').mockImplementation(() => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  });
  await watch.close();
  watch = new PatrolWatch({
    hub,
    roster,
    figures,
    figuresOf: () => null,
    watchedOn: shippedWatched,
    scripts: onboxScripts,
    dataFolder: folder,
    everyMs: () => everyMs,
    upMs: () => performance.now() + sleptMs,
    onProblem: () => undefined,
    log: { warn: () => undefined },
  });
  const ids = Array.from(
    { length: 100 },
    (_none, i) => `b7b7f0de-0000-4222-8333-${String(i).padStart(12, '0')}`,
  );
  for (const id of ids) appears(id);
  const busiest = (): number => {
    const perSecond = new Map<number, number>();
    for (const atMs of asked) {
      const second = Math.floor(atMs / 1000);
      perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
    }
    return Math.max(...perSecond.values());
  };
  await goOn(50_000);
  expect(asked).toHaveLength(100);
  expect(busiest()).toBeLessThanOrEqual(12);
  asked = [];
  sleptMs = 60 * MINUTE_MS;
  watch.wake();
  await goOn(40_000);
  expect(asked).toHaveLength(100);
  expect(busiest()).toBeLessThanOrEqual(12);
  dice.mockRestore();
});

it('stops with the link, and a box that is gone is asked no more', async () => {
  appears(BOX.id);
  await goOn(15_000);
  roster.change(BOX.id, { link: { kind: 'idle' } });
  expect(state().phase).toEqual({ kind: 'off' });
  expect(vi.getTimerCount()).toBe(0);
  await goOn(20 * MINUTE_MS);
  expect(asked).toHaveLength(1);
  expect(await watch.now(BOX.id)).toMatchObject({ error: { code: 'not-connected' } });
  expect(state().seen).not.toBeNull(); // what was seen stays what it was
});
