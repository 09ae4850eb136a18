import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { NOTHING_REMEMBERED } from '../../shared/settings/remembered.ts';
import { createLog } from '../log/log.ts';
import { runAndKill, whyNoSmallDisk, withFolder, withSmallDisk } from '../storage/disk.fixture.ts';
import { openSettings, SETTINGS_FILE } from '../storage/settings.ts';
import { openMemoryStore } from './memory-store.ts';
import { peekWindowState } from './peek-window-state.ts';
import { openWindowMemory, type WindowMemory } from './window-memory.ts';

// Outside of Electron its package is a path; named, it is not looked for, and electron-store takes the folder that it is given.
vi.hoisted(() => {
  process.env['ELECTRON_OVERRIDE_DIST_PATH'] = '/no-electron-here';
});

const BOX = '11111111-1111-4111-8111-111111111111';
const WINDOW = { bounds: { x: 40, y: 30, width: 1100, height: 720 }, isMaximized: false } as const;
const FORMER_SETTINGS = {
  theme: 'dark',
  fleet: { sortBy: 'sm', isDescending: true, groupBy: 'tag' },
  facts: { maxAgeMonths: 9, briefed: ['runpod'], guessesDeclined: [BOX] },
  boxKeys: { [BOX]: '/home/me/.ssh/leasehold_ed25519' },
  keyOffersDismissed: [BOX],
};

const open = async (folder: string, openStore = openMemoryStore): Promise<WindowMemory> => {
  const { store, found } = await openSettings(folder);
  const log = createLog({
    folder: join(folder, 'logs'),
    level: 'warn',
    onWriteFailure: () => undefined,
  });
  return openWindowMemory({
    folder,
    log,
    settings: { found, dropFormer: store.dropFormer },
    openStore: async (at) => openStore(at),
  });
};
const logOf = (folder: string): string => {
  const file = join(folder, 'logs', 'leasehold.log');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};
const jsonIn = (folder: string, name: string): unknown =>
  JSON.parse(readFileSync(join(folder, name), 'utf8'));
const writeJson = (folder: string, name: string, value: unknown): void =>
  writeFileSync(join(folder, name), JSON.stringify(value));

describe('what the window remembers', () => {
  it('is there at the next start, and costs no write and no library without a change', () =>
    withFolder(async (folder) => {
      const openStore = vi.fn(openMemoryStore);
      const first = await open(folder, openStore);
      await first.settled();
      expect(openStore).not.toHaveBeenCalled();
      const fleet = { ...NOTHING_REMEMBERED.fleet, filter: { text: 'a100', states: [] } };
      first.change({ fleet });
      first.change({ window: { ...WINDOW, theme: 'dark' }, briefed: ['runpod'] });
      expect(first.view()).toMatchObject({ fleet, briefed: ['runpod'] });
      await first.settled();
      expect((await open(folder)).view()).toEqual({
        fleet,
        briefed: ['runpod'],
        guessesDeclined: [],
      });
      expect(peekWindowState(folder)).toEqual({ ...WINDOW, theme: 'dark' });
      expect(statSync(join(folder, 'remembered.json')).mode & 0o777).toBe(0o600);
      expect(logOf(folder)).toBe('');
    }));

  it('sweeps at the next start what killed sessions left half-written, and nothing else', () =>
    withFolder(async (folder) => {
      const first = await open(folder);
      first.change({ briefed: ['runpod'] });
      await first.settled();
      const halves = ['window.json.tmp-1764abc', 'remembered.json.tmp-1764abc'];
      for (const name of [...halves, 'settings.json.tmp-1']) writeFileSync(join(folder, name), '{');
      await (await open(folder)).settled();
      expect(readdirSync(folder).filter((name) => name.includes('.tmp-'))).toEqual([
        'settings.json.tmp-1',
      ]);
    }));

  it('is left as it is on a disk that is away, also once that is back', () =>
    withFolder(async (folder) => {
      const first = await open(folder);
      first.change({ briefed: ['runpod'] });
      await first.settled();
      const file = join(folder, 'remembered.json');
      const disk = join(folder, 'disk');
      mkdirSync(disk);
      renameSync(file, join(disk, 'mine.json'));
      symlinkSync(join(disk, 'mine.json'), file);
      renameSync(disk, `${disk}-away`);
      const second = await open(folder);
      expect(second.view().briefed).toEqual([]);
      renameSync(`${disk}-away`, disk);
      second.change({ briefed: ['vast'] });
      await second.settled();
      expect(logOf(folder)).toContain('disk that is away');
      expect(lstatSync(file).isSymbolicLink()).toBe(true);
      expect((await open(folder)).view().briefed).toEqual(['runpod']);
    }));

  it('is taken over from an earlier version once, which then keeps nothing of it', () =>
    withFolder(async (folder) => {
      writeJson(folder, SETTINGS_FILE, FORMER_SETTINGS);
      writeJson(folder, 'window.json', { ...WINDOW, theme: 'dark' });
      expect(peekWindowState(folder)).toEqual({ ...WINDOW, theme: 'dark' });
      const first = await open(folder);
      expect(first.current()).toMatchObject({
        fleet: { sortBy: 'sm', isDescending: true, groupBy: 'tag', filter: { text: '' } },
        briefed: ['runpod'],
        guessesDeclined: [BOX],
        boxKeys: FORMER_SETTINGS.boxKeys,
        keyOffersDismissed: [BOX],
      });
      await first.settled();
      expect(existsSync(join(folder, 'window.json'))).toBe(false);
      expect(readFileSync(join(folder, SETTINGS_FILE), 'utf8')).not.toContain(BOX);
      expect(jsonIn(folder, SETTINGS_FILE)).toMatchObject({
        theme: 'dark',
        facts: { maxAgeMonths: 9 },
      });
      expect(peekWindowState(folder)).toEqual({ ...WINDOW, theme: 'dark' });
      expect((await open(folder)).current()).toEqual(first.current());
    }));

  it('is not taken over again where an earlier version was started in between', () =>
    withFolder(async (folder) => {
      const first = await open(folder);
      first.change({ briefed: ['lambda'] });
      await first.settled();
      writeJson(folder, SETTINGS_FILE, FORMER_SETTINGS);
      const second = await open(folder);
      expect(second.current().briefed).toEqual(['lambda']);
      await second.settled();
      expect(readFileSync(join(folder, SETTINGS_FILE), 'utf8')).not.toContain(BOX);
    }));

  it('costs only what is not understood of an earlier version', () =>
    withFolder(async (folder) => {
      writeJson(folder, SETTINGS_FILE, { ...FORMER_SETTINGS, fleet: { sortBy: 'colour' } });
      const memory = await open(folder);
      expect(memory.current()).toMatchObject({
        fleet: NOTHING_REMEMBERED.fleet,
        briefed: ['runpod'],
      });
      expect(logOf(folder)).toContain('"name":"fleet"');
      await memory.settled();
    }));

  it.each([
    ['damaged', '{"version":1,"win'],
    ['of a newer Leasehold', '{"version":2,"tabs":[]}'],
    ['no memory at all', '[]'],
  ])('is put aside and told in the log where the file is %s', (_what, text) =>
    withFolder(async (folder) => {
      writeFileSync(join(folder, 'remembered.json'), text);
      const memory = await open(folder);
      expect(memory.current()).toMatchObject(NOTHING_REMEMBERED);
      const aside = readdirSync(folder).filter((name) => name.startsWith('remembered.unreadable-'));
      expect(aside.map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual([text]);
      expect(logOf(folder)).toContain('put aside');
      memory.change({ briefed: ['vastai'] });
      await memory.settled();
      expect((await open(folder)).current().briefed).toEqual(['vastai']);
    }),
  );

  it('is whole, the newest or the one before, after kill -9 while it is written', () =>
    withFolder(async (folder) => {
      const fixture = new URL('./window-memory-killed.fixture.ts', import.meta.url);
      for (const after of [1, 3, 20]) {
        const told = Number((await runAndKill(fixture, [folder], after)).at(-1));
        const { sortBy, collapsed } = (await open(folder)).current().fleet;
        expect(sortBy).toBeNull();
        expect([told, told + 1]).toContain(Number(collapsed[0]));
      }
      const memory = await open(folder);
      memory.change({ briefed: ['runpod'] });
      await memory.settled();
      expect(readdirSync(folder).filter((name) => name.startsWith('remembered'))).toEqual([
        'remembered.json',
      ]);
      expect(logOf(folder)).toBe('');
    }));

  it.skipIf(whyNoSmallDisk !== null)(
    'is never reported as kept by a full disk, and is kept once there is room',
    () =>
      withSmallDisk(256, async ({ folder, fill, free }) => {
        const collapsed = Array.from(
          { length: 400 },
          (_, i) => `tag:${'x'.repeat(80)}${String(i)}`,
        );
        const memory = await open(folder);
        memory.change({ briefed: ['runpod'] });
        await memory.settled();
        fill(8192); // for a part of it
        memory.change({ fleet: { ...NOTHING_REMEMBERED.fleet, collapsed } });
        await memory.settled();
        free();
        // On a full disk the log itself is cut short; what the next start finds is either whole or not there.
        const next = await open(folder);
        expect([[], ['runpod']]).toContainEqual(next.current().briefed);
        expect(next.current().fleet.collapsed).toEqual([]);
        await memory.settled();
        expect((await open(folder)).current()).toMatchObject({
          briefed: ['runpod'],
          fleet: { collapsed },
        });
        expect(readdirSync(folder).filter((name) => name.includes('unreadable'))).toEqual([]);
      }),
  );
});
