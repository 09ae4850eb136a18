import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import type { Channel } from '../../shared/ipc/contract.ts';
import { startAnswering, type HostileAnswers } from '../ssh/hostile-answers.fixture.ts';
import { RUN, type HostileReaderName } from '../ssh/hostile-readers.fixture.ts';
import type { Core } from './core.ts';
import { makeDataFolder, openDoor, WINDOW } from './door.fixture.ts';

vi.mock('electron', () => ({
  app: { getVersion: () => '0.0.0' },
  safeStorage: { isEncryptionAvailable: () => false },
}));
// The library that writes it asks for Electron by itself.
vi.mock('./memory-store.ts', () => ({ openMemoryStore: () => () => undefined }));

/** In blocks of 32 KiB: a megabyte of the flood comes between two calls at least, and 64 MB while one of them is answered at most. */
const [BETWEEN, AT_MOST] = [32, 2048];
const ROUNDS = 2;

async function ask<T>(core: Core, channel: Channel, input: object): Promise<T> {
  const answer = await core.route(WINDOW, channel, input);
  if (!answer.ok)
    throw new Error(`${channel}: ${answer.error.message} ${answer.error.detail ?? ''}`);
  return answer.value as T;
}

/** As a person adds it who takes its key; its id, once the link is up. */
async function connectTo(core: Core, name: string, port: number): Promise<string> {
  const address = { host: '127.0.0.1', port, user: 'u' };
  const { id: boxId } = await ask<{ readonly id: string }>(core, 'box:add', {
    ...{ name, connection: { address, ...USUAL_WAY } },
  });
  await ask(core, 'box:set-platform', { boxId, platform: 'generic-ssh' });
  const { roster } = await core.services();
  const up = new Promise<void>((resolve, reject) => {
    const stop = roster.follow({
      changed: ({ box, link }, before) => {
        if (box.id !== boxId || link.kind === before.link.kind) return;
        if (link.kind === 'host-key-unknown') {
          const { fingerprint } = link.offered;
          void ask(core, 'link:trust-host-key', { boxId, fingerprint, expected: '' }).catch(reject);
        }
        if (link.kind === 'down' || link.kind === 'waiting')
          reject(new Error(link.problem.message));
        if (link.kind === 'up') resolve();
      },
    });
    onTestFinished(stop);
  });
  await ask(core, 'link:connect', { boxId });
  await up;
  return boxId;
}

async function openHome(): Promise<Core> {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-door-'));
  vi.stubEnv('HOME', folder);
  vi.stubEnv('SSH_AUTH_SOCK', undefined);
  makeDataFolder(join(folder, 'data'));
  const core = await openDoor(join(folder, 'data'));
  onTestFinished(async () => {
    await core.close();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  return core;
}

/** Counts a flood in blocks. */
class Flood {
  #blocks = 0;
  #listeners: (() => void)[] = [];

  readonly onBlock = (): void => {
    this.#blocks += 1;
    for (const listen of this.#listeners.splice(0)) listen();
  };

  /** So many more have come. */
  async more(blocks: number): Promise<void> {
    const end = this.#blocks + blocks;
    while (this.#blocks < end) await new Promise<void>((wake) => this.#listeners.push(wake));
  }
}

const FLOODS: readonly (readonly [HostileReaderName, string])[] = [
  ['the stream of the GPUs', 'lines without end'],
  ['the stream of the GPUs', 'rows of a card'],
  ['a log that is followed', 'lines without end'],
  ['a log that is followed', 'lines of a training'],
];

// How long a call takes meanwhile is for the bench `untrusted`.
it.each(FLOODS)('answers what the window asks during a flood on %s, of %s', async (name, what) => {
  const flood = new Flood();
  const core = await openHome();
  const boxOf = async (box: string, bounds: HostileAnswers): Promise<string> => {
    const { port, stop } = await startAnswering(name, what, bounds);
    onTestFinished(stop);
    return connectTo(core, box, port);
  };
  const flooding = await boxOf('flooding', { most: 0, blocks: Infinity, onBlock: flood.onBlock });
  const other = await boxOf('other', { most: 4096, blocks: 1 });
  const calls = [flooding, other].flatMap((boxId): [Channel, object, unknown][] => [
    ['runs:look', { boxId }, { problem: null, runs: [{ id: RUN }] }],
    ['box:tag', { boxId, tags: ['x'] }, { tags: ['x'] }],
  ]);
  for (const [channel, input] of calls) await ask(core, channel, input);
  const log = `${flooding} ${RUN}`;
  const shown = { readings: flooding, figures: '', 'run-log': log, 'run-metrics': log };
  for (const [stream, key] of Object.entries(shown))
    await ask(core, 'stream:open', { stream, key });
  for (let round = 1; round <= ROUNDS; round += 1) {
    await flood.more(BETWEEN);
    for (const [channel, input, answer] of calls) {
      const late = flood.more(AT_MOST).then(() => `${channel} waits for the end of the flood`);
      expect(await Promise.race([ask(core, channel, input), late])).toMatchObject(answer as object);
    }
  }
  await flood.more(BETWEEN);
});
