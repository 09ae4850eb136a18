import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../shared/settings/settings.ts';
import {
  makeReadOnly,
  runAndKill,
  runFixture,
  whyNoReadOnly,
  whyNoSmallDisk,
  withFolder,
  withSmallDisk,
} from './disk.fixture.ts';
import { openSettings, SETTINGS_FILE } from './settings.ts';

const FIXTURE = new URL('./settings.fixture.ts', import.meta.url);
const NOON = Date.parse('2025-11-21T12:00:00Z');
const KEPT = 'settings.unreadable-2025-11-21T12-00-00Z.json';

function write(folder: string, text: string): void {
  writeFileSync(join(folder, SETTINGS_FILE), text);
}

function read(folder: string, file = SETTINGS_FILE): string {
  return readFileSync(join(folder, file), 'utf8');
}

describe('openSettings', () => {
  it('starts with the defaults and writes nothing before the first change', () =>
    withFolder(async (parent) => {
      const folder = join(parent, 'data');
      const { store, problems } = await openSettings(folder);
      expect(store.current()).toEqual(DEFAULT_SETTINGS);
      expect(problems).toEqual([]);
      expect(readdirSync(parent)).toEqual([]);
      expect(await store.change({ theme: 'dark' })).toMatchObject({ ok: true });
      if (process.platform !== 'win32') {
        expect(statSync(folder).mode & 0o777).toBe(0o700);
        expect(statSync(join(folder, SETTINGS_FILE)).mode & 0o777).toBe(0o600);
      }
    }));

  it.skipIf(process.platform === 'win32')('does not wait for a FIFO in its place', () =>
    withFolder(async (folder) => {
      spawnSync('mkfifo', [join(folder, SETTINGS_FILE)]);
      const { store, problems } = await openSettings(folder);
      expect(problems).toMatchObject([{ code: 'settings-unreadable' }]);
      expect(await store.change({ theme: 'dark' })).toMatchObject({ ok: false });
      expect(lstatSync(join(folder, SETTINGS_FILE)).isFIFO()).toBe(true);
    }),
  );

  it('waits for a disk that is away instead of beginning anew', () =>
    withFolder(async (folder) => {
      const disk = join(folder, 'disk');
      mkdirSync(disk);
      writeFileSync(join(disk, 'mine.json'), '{"theme":"dark"}');
      symlinkSync(join(disk, 'mine.json'), join(folder, SETTINGS_FILE));
      renameSync(disk, `${disk}-away`);
      const { store, problems } = await openSettings(folder);
      expect(problems).toMatchObject([
        { code: 'settings-unreadable', nextStep: expect.stringContaining('Connect the disk') },
      ]);
      expect(await store.change({ theme: 'light' })).toMatchObject({ ok: false });
      renameSync(`${disk}-away`, disk);
      expect((await openSettings(folder)).store.current().theme).toBe('dark');
    }));

  it('keeps changes over a restart, asked for one by one or all at once', () =>
    withFolder(async (folder) => {
      const { store } = await openSettings(folder);
      void store.change({ theme: 'dark' });
      void store.change({ demo: { gpuCount: 5 } });
      void store.change({ notifications: false });
      await store.settled();
      const again = await openSettings(folder);
      expect(again.store.current()).toEqual({
        ...DEFAULT_SETTINGS,
        theme: 'dark',
        notifications: false,
        demo: { ...DEFAULT_SETTINGS.demo, gpuCount: 5 },
      });
    }));

  it('tells listeners after saving, until they stop', () =>
    withFolder(async (folder) => {
      const { store } = await openSettings(folder);
      const listener = vi.fn(() => {
        expect(read(folder)).toContain('"dark"');
      });
      const stop = store.onChange(listener);
      await store.change({ theme: 'dark' });
      stop();
      await store.change({ theme: 'light' });
      expect(listener).toHaveBeenCalledTimes(1);
    }));

  it.each(['{"theme": "da', '', 'not json', '[]', '\0'.repeat(100)])(
    'moves %j aside whole, says where, and goes on with the defaults',
    (text) =>
      withFolder(async (folder) => {
        write(folder, text);
        const { store, problems } = await openSettings(folder, () => NOON);
        expect(store.current()).toEqual(DEFAULT_SETTINGS);
        expect(problems).toMatchObject([{ code: 'settings-unreadable' }]);
        expect(problems[0]?.message).toContain(KEPT);
        expect(readdirSync(folder)).toEqual([KEPT]);
        expect(read(folder, KEPT)).toBe(text);
        expect((await store.change({ theme: 'dark' })).ok).toBe(true);
        expect((await openSettings(folder)).problems).toEqual([]);
      }),
  );

  it('never overwrites what it kept before', () =>
    withFolder(async (folder) => {
      for (const text of ['first', 'second', 'third']) {
        write(folder, text);
        await openSettings(folder, () => NOON);
      }
      expect(readdirSync(folder)).toHaveLength(3);
      expect(
        readdirSync(folder)
          .map((name) => read(folder, name))
          .sort(),
      ).toEqual(['first', 'second', 'third']);
    }));

  it('moves a file of absurd size aside without reading it', () =>
    withFolder(async (folder) => {
      write(folder, '{}');
      truncateSync(join(folder, SETTINGS_FILE), 5 * 1024 ** 3);
      const { problems } = await openSettings(folder, () => NOON);
      expect(problems).toMatchObject([{ code: 'settings-unreadable' }]);
      expect(readdirSync(folder)).toEqual([KEPT]);
    }));

  it('keeps the other fields when one is invalid, names it, keeps the original, and is quiet next time', () =>
    withFolder(async (folder) => {
      const text = '{"theme":"purple","keepInTray":true,"future":1}';
      write(folder, text);
      const { store, problems } = await openSettings(folder, () => NOON);
      expect(store.current()).toEqual({ ...DEFAULT_SETTINGS, keepInTray: true });
      expect(problems).toMatchObject([{ code: 'settings-unreadable' }]);
      expect(problems[0]?.message).toContain('theme');
      expect(problems[0]?.message).toContain(KEPT);
      expect(read(folder, KEPT)).toBe(text);
      expect(JSON.parse(read(folder))).toMatchObject({ theme: 'system', future: 1 });
      expect((await openSettings(folder)).problems).toEqual([]);
    }));

  it('keeps what a newer version wrote', () =>
    withFolder(async (folder) => {
      write(folder, '{"future":{"deep":[1,2]},"demo":{"isOn":false,"later":"x"}}');
      const { store } = await openSettings(folder);
      await store.change({ theme: 'dark' });
      expect(JSON.parse(read(folder))).toMatchObject({
        theme: 'dark',
        future: { deep: [1, 2] },
        demo: { isOn: false, later: 'x' },
      });
    }));

  it('leaves alone what it can neither read nor move, and refuses to write over it', () =>
    withFolder(async (folder) => {
      mkdirSync(join(folder, SETTINGS_FILE));
      const { store, problems } = await openSettings(folder);
      expect(problems).toMatchObject([{ code: 'settings-unreadable' }]);
      expect(await store.change({ theme: 'dark' })).toMatchObject({
        ok: false,
        error: { code: 'settings-unreadable' },
      });
      expect(store.current()).toEqual(DEFAULT_SETTINGS);
      expect(statSync(join(folder, SETTINGS_FILE)).isDirectory()).toBe(true);
    }));

  it.for([0, 4096])('saves nothing and says so with %d bytes free', async (left, { skip }) => {
    skip(whyNoSmallDisk !== null, whyNoSmallDisk ?? '');
    await withSmallDisk(128, async ({ folder, fill, free }) => {
      // Large enough that 4096 bytes are not: what another version wrote has to be written back.
      write(folder, JSON.stringify({ theme: 'dark', future: 'x'.repeat(9000) }));
      const { store } = await openSettings(folder);
      const before = read(folder);
      fill(left);
      const listener = vi.fn();
      store.onChange(listener);
      expect(await store.change({ theme: 'light' })).toMatchObject({
        ok: false,
        error: { code: 'disk-full' },
      });
      expect(store.current().theme).toBe('dark');
      expect(listener).not.toHaveBeenCalled();
      expect(read(folder)).toBe(before);
      free();
      expect(await store.change({ theme: 'light' })).toMatchObject({ ok: true });
      expect((await openSettings(folder)).store.current().theme).toBe('light');
    });
  });

  it.each([1, 3, 20, 50])('survives kill -9 after %d saved changes', (after) =>
    withFolder(async (folder) => {
      const told = await runAndKill(FIXTURE, ['write', folder], after);
      const { store, problems } = await openSettings(folder);
      expect(problems).toEqual([]);
      const last = Number(told.at(-1));
      expect([last, (last % 8) + 1]).toContain(store.current().demo.gpuCount);
      expect(readdirSync(folder)).toEqual([SETTINGS_FILE]);
    }),
  );
});

describe('openSettings in a read-only folder', () => {
  interface Tried {
    readonly problems: readonly Problem[];
    readonly opened: Settings;
    readonly changed: Result<Settings, Problem>;
    readonly after: Settings;
  }

  async function tryAsOrdinaryUser(folder: string): Promise<Tried> {
    const { lines, stderr } = await runFixture(FIXTURE, ['try', folder]);
    if (lines.length !== 1) throw new Error(stderr);
    return JSON.parse(lines[0] ?? '') as Tried;
  }

  it('reads, refuses to change, and says why', ({ skip }) => {
    skip(whyNoReadOnly !== null, whyNoReadOnly ?? '');
    return withFolder(async (folder) => {
      write(folder, '{"theme":"dark"}');
      makeReadOnly(folder, [SETTINGS_FILE]);
      const tried = await tryAsOrdinaryUser(folder);
      expect(tried.problems).toEqual([]);
      expect(tried.opened.theme).toBe('dark');
      expect(tried.changed).toMatchObject({ ok: false, error: { code: 'folder-read-only' } });
      expect(tried.after.theme).toBe('dark');
      expect(read(folder)).toBe('{"theme":"dark"}');
    });
  });

  it('leaves a damaged file where it is', ({ skip }) => {
    skip(whyNoReadOnly !== null, whyNoReadOnly ?? '');
    return withFolder(async (folder) => {
      write(folder, '{"theme":');
      makeReadOnly(folder, [SETTINGS_FILE]);
      const tried = await tryAsOrdinaryUser(folder);
      expect(tried.problems).toMatchObject([{ code: 'settings-unreadable' }]);
      expect(tried.opened).toEqual(DEFAULT_SETTINGS);
      expect(tried.changed.ok).toBe(false);
      expect(readdirSync(folder)).toEqual([SETTINGS_FILE]);
      expect(read(folder)).toBe('{"theme":');
    });
  });

  it('still uses the valid part of a half-valid file', ({ skip }) => {
    skip(whyNoReadOnly !== null, whyNoReadOnly ?? '');
    return withFolder(async (folder) => {
      write(folder, '{"theme":"dark","keepInTray":7}');
      makeReadOnly(folder, [SETTINGS_FILE]);
      const tried = await tryAsOrdinaryUser(folder);
      expect(tried.problems).toMatchObject([{ code: 'settings-unreadable' }]);
      expect(tried.opened.theme).toBe('dark');
      expect(tried.changed.ok).toBe(false);
    });
  });

  it('does not write over a file that it may not read', ({ skip }) => {
    skip(whyNoReadOnly !== null, whyNoReadOnly ?? '');
    return withFolder(async (folder) => {
      write(folder, '{"theme":"dark"}');
      chmodSync(join(folder, SETTINGS_FILE), 0o000);
      chmodSync(folder, 0o777);
      const tried = await tryAsOrdinaryUser(folder);
      expect(tried.problems).toMatchObject([{ code: 'settings-unreadable' }]);
      expect(tried.changed.ok).toBe(false);
      chmodSync(join(folder, SETTINGS_FILE), 0o600);
      expect(read(folder)).toBe('{"theme":"dark"}');
    });
  });
});
