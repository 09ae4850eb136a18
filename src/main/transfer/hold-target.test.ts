import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { value } from '../runs/run-box.fixture.ts';
import { letGoOfFiles, whyNoSmallDisk, withFolder } from '../storage/disk.fixture.ts';
import { sha256 } from '../storage/sha256.ts';
import { holdTarget, targetsOf } from './hold-target.ts';

it('a folder is held with all that lies in it, by whatever name, and one beside it is not', () =>
  withFolder(async (parent) => {
    const folder = realpathSync(parent);
    const targets = join(folder, 'targets');
    const at = (name: string): string => join(folder, 'home', name);
    mkdirSync(at('runs/a'), { recursive: true });
    symlinkSync(at('runs/a'), at('link'));
    const hold = (to: string) => holdTarget(targets, to);
    const release = value(await hold(at('runs/a')));
    const message = async (to: string): Promise<string | null> => {
      const held = await hold(to);
      if (held.ok) held.value();
      else expect(held.error.code).toBe('target-taken');
      return held.ok ? null : held.error.message;
    };
    const taken = (where: string): string => `Another pull is bringing results into ${where}.`;
    // Below it, also where nothing is yet.
    for (const to of [at('runs/a/deep/er'), at('link/deep')]) {
      expect(await message(to)).toBe(taken(at('runs/a')));
    }
    for (const to of [at('runs/a'), at('link'), at('runs'), at(''), dirname(folder)]) {
      expect(await message(to)).toBe(taken(`${to} or a folder in it`));
    }
    const beside = value(await hold(at('runs/ab')));
    expect(await message(at('runs/c'))).toBeNull();
    release();
    // What was refused has left nothing held.
    expect(await message(at('runs/a'))).toBeNull();
    expect(await message(at('runs'))).toBe(taken(`${at('runs')} or a folder in it`));
    beside();
    expect(await message(at('runs'))).toBeNull();
    await letGoOfFiles();
  }));

it('two data folders of one person see each other’s pulls, and one has its own where nothing else can be written', () =>
  withFolder(async (parent) => {
    const folder = realpathSync(parent);
    const to = join(folder, 'home');
    const holdBy = (data: string, config: string) =>
      holdTarget(targetsOf(join(folder, data), { XDG_CONFIG_HOME: config }, 'linux'), to);
    const config = join(folder, 'config');
    const release = value(await holdBy('one', config));
    for (const data of ['one', 'two']) {
      expect(await holdBy(data, config)).toMatchObject({ error: { code: 'target-taken' } });
    }
    release();
    value(await holdBy('two', config))();
    expect(readdirSync(folder)).toEqual(['config']);
    const file = join(folder, 'a file');
    writeFileSync(file, '');
    value(await holdBy('one', file))();
    expect(readdirSync(join(folder, 'one'))).toEqual(['pulling']);
    await letGoOfFiles();
  }));

it('a lock file that cannot be opened is a problem and not a folder that nobody holds', () =>
  withFolder(async (parent) => {
    const folder = realpathSync(parent);
    const targets = join(folder, 'targets');
    // SQLite opens no folder.
    const file = join(targets, sha256(dirname(folder)).slice(0, 32));
    mkdirSync(file, { recursive: true });
    const to = join(folder, 'home');
    expect(await holdTarget(targets, to)).toMatchObject({
      error: { code: 'results-not-pulled', detail: expect.stringContaining('CANTOPEN') as string },
    });
    rmSync(file, { recursive: true });
    value(await holdTarget(targets, to))();
    await letGoOfFiles();
  }));

it.skipIf(process.platform !== 'linux')(
  'many pulls, at once and in turn, open each file once',
  () =>
    withFolder(async (parent) => {
      const folder = realpathSync(parent);
      const targets = join(folder, 'targets');
      await letGoOfFiles();
      const opened = (): number => readdirSync('/proc/self/fd').length;
      const before = opened();
      const at = (no: number): string => join(folder, 'home', String(no));
      for (const _ of [1, 2]) {
        const held = [];
        for (let no = 0; no < 50; no += 1) held.push(value(await holdTarget(targets, at(no))));
        for (const release of held) release();
      }
      const files = readdirSync(targets).length;
      expect(files).toBeGreaterThanOrEqual(50);
      expect(opened() - before).toBeLessThanOrEqual(files);
      value(await holdTarget(targets, folder))();
    }),
);

it.skipIf(whyNoSmallDisk !== null)('a folder is held by whatever name it is mounted', () =>
  withFolder(async (parent) => {
    const folder = realpathSync(parent);
    const targets = join(folder, 'targets');
    const [one, other] = [join(folder, 'one'), join(folder, 'other')];
    mkdirSync(join(one, 'in'), { recursive: true });
    mkdirSync(other);
    execFileSync('mount', ['--bind', one, other]);
    try {
      const release = value(await holdTarget(targets, one));
      for (const to of [other, join(other, 'in'), join(other, 'new')]) {
        expect(await holdTarget(targets, to)).toMatchObject({ error: { code: 'target-taken' } });
      }
      release();
      value(await holdTarget(targets, other))();
    } finally {
      execFileSync('umount', [other]);
    }
    await letGoOfFiles();
  }),
);
