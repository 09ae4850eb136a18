import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PatrolSeen } from '../../shared/patrol/patrol-state.ts';
import { ok } from '../../shared/result.ts';
import type { StreamBatch } from '../../shared/streams/stream.ts';
import type { BoxChange } from '../../shared/streams/meter-stream.ts';
import type { TeardownView } from '../../shared/teardown/teardown-view.ts';
import { BoxRoster } from '../boxes/box-roster.ts';
import { untouchedEntry } from '../../shared/streams/fleet-stream.ts';
import { BOX, value } from '../runs/run-box.fixture.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { findsNothing } from './finds-nothing.fixture.ts';
import { TeardownRecords } from './teardown-records.ts';
import { Teardowns } from './teardowns.ts';

const NOTHING_RUNS: PatrolSeen = {
  ...{ atMs: 0, took: null, uptimeS: 1, isWhole: true, runs: [], memoryShare: null, unread: [] },
};

describe('what the window hears of a look', () => {
  let database: Database;
  let teardowns: Teardowns;
  /** What the window was told, without any timer of the hub's. */
  let told: (string | null)[];
  let providers: (string | null)[];
  /** Who is linked. */
  let provider: string | null;
  /** Each look waits for its own. */
  let looks: (() => void)[];

  beforeEach(() => {
    // By this clock no time passes: whatever may come late would never come.
    const hub = new StreamHub(() => 0);
    const roster = new BoxRoster(new StreamHub());
    roster.put(untouchedEntry(BOX));
    database = openTemporaryDatabase();
    [told, looks, providers, provider] = [[], [], [], null];
    const never = () => Promise.reject(new Error('nothing was launched here'));
    const nothing = { runs: [], leftOut: 0, problem: null, atMs: 0 };
    teardowns = new Teardowns({
      ...{ hub, roster },
      runs: {
        look: () => new Promise((resolve) => looks.push(() => resolve(ok(nothing)))),
        ...{ proof: never, folders: () => [], list: never, hash: never },
      },
      home: { check: never, checkRecord: () => Promise.resolve(ok(null)) },
      patrol: () => Promise.resolve(ok(null)),
      seenOn: () => NOTHING_RUNS,
      ...findsNothing,
      records: new TeardownRecords(database.evidence),
      verbs: {
        aimOf: () => 'gone',
        act: () => Promise.resolve({ kind: 'by-hand' }),
        providerOf: () => provider,
        look: () => Promise.resolve(null),
      },
      costOf: () => null,
      onGone: () => undefined,
      archive: () => ok(null),
      onAgain: () => undefined,
      onProblem: ({ message }) => {
        throw new Error(message);
      },
      isOnline: () => true,
    });
    hub.addClient(1, ({ deltas }: StreamBatch<unknown>) => {
      for (const { value: view } of deltas as BoxChange<TeardownView>[]) {
        told.push(view?.doing?.kind ?? null);
        providers.push(view?.provider ?? null);
      }
    });
    value(hub.open(1, 'teardowns', ''));
  });
  afterEach(() => {
    teardowns.close();
    database.close();
  });

  /** Once the next look has begun, it is let go on. */
  async function looked(): Promise<void> {
    await expect.poll(() => looks.length).toBeGreaterThan(0);
    looks.shift()?.();
  }

  it('comes at once, when it begins as when it ends', async () => {
    const inspected = teardowns.inspect(BOX.id);
    expect(told).toEqual(['inspecting']);
    await looked();
    value(await inspected);
    expect(told.at(-1)).toBeNull();
    void teardowns.inspect(BOX.id);
    expect(told.at(-1)).toBe('inspecting');
  });

  it('has a provider that is linked later, before any look', () => {
    provider = 'Acme';
    teardowns.relinked(BOX.id);
    expect(providers.at(-1)).toBe('Acme');
    expect(looks).toEqual([]);
  });

  it('is not that a person is refused for a look that nobody asked for', async () => {
    const first = teardowns.inspect(BOX.id);
    await looked();
    value(await first);
    teardowns.cameHome(BOX.id);
    // Something more comes home while it looks, and then a person asks.
    teardowns.cameHome(BOX.id);
    const asked = teardowns.inspect(BOX.id);
    const again = teardowns.inspect(BOX.id);
    // Two of its own, and the one that was asked for.
    for (let look = 0; look < 3; look += 1) await looked();
    value(await asked);
    // Of two that ask at once the second is told that the first is at it.
    expect(await again).toMatchObject({ ok: false, error: { code: 'teardown-refused' } });
    expect(looks).toEqual([]);
  });
});
