import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LOOK, RUN } from '../../shared/patrol/look.fixture.ts';
import { rememberLook, type PatrolMemory } from '../../shared/patrol/patrol-memory.ts';
import {
  runFixture,
  whyNoReadOnly,
  whyNoSmallDisk,
  withFolder,
  withSmallDisk,
} from '../storage/disk.fixture.ts';
import { changeMemory, readMemory } from './memory-file.ts';

const BOX = '0d4f5a3e-1111-4222-8333-444455556666';
const OTHER = { ...RUN, pid: 77, startTicks: 900, command: 'python eval.py' };
const MEMORY = rememberLook(
  { look: { ...LOOK, runs: [RUN, OTHER] }, before: null, alive: [], missing: [], judged: [] },
  null,
);
const [FIRST, SECOND] = MEMORY.runs;
const UNTOLD = {
  detector: 'U6',
  subject: { kind: 'box' },
  sinceMs: 1,
  seenAtMs: 2,
  found: {
    kind: 'found',
    severity: 'warn',
    headline: 'h',
    means: 'm',
    fix: [],
    wastedShare: null,
    clues: [],
    caveat: null,
  },
};

function keep(folder: string, text: string): void {
  mkdirSync(join(folder, 'patrol'), { recursive: true });
  writeFileSync(join(folder, 'patrol', `${BOX}.json`), text);
}

/** What lies beside the file, by its content. */
function kept(folder: string): readonly string[] {
  return readdirSync(join(folder, 'patrol'))
    .filter((name) => name !== `${BOX}.json`)
    .map((name) => readFileSync(join(folder, 'patrol', name), 'utf8'));
}

const same = <M extends PatrolMemory | null>(current: M): M => current;
const pids = (memory: PatrolMemory | null): readonly number[] | undefined =>
  memory?.runs.map(({ pid }) => pid);

describe('a file of which something cannot be read', () => {
  it('is told of as any other where it is nested without end, and where its end is missing', async () => {
    for (const text of [`${'['.repeat(20_000)}${']'.repeat(20_000)}`, '[[],'.repeat(20_000)]) {
      await withFolder(async (folder) => {
        keep(folder, text);
        const { memory, fault } = await readMemory(folder, BOX);
        expect(memory).toBeNull();
        expect(fault?.code).toBe('patrol-memory-unreadable');
      });
    }
  });

  it.each<readonly [string, unknown, readonly number[]]>([
    [
      'what a rule found that is gone',
      { ...MEMORY, untold: [{ ...UNTOLD, detector: 'U99' }] },
      [RUN.pid, 77],
    ],
    ['a field of a newer version', { ...MEMORY, colour: 'red' }, [RUN.pid, 77]],
    [
      'a field of a run of a newer version',
      { ...MEMORY, runs: [{ ...FIRST, nodes: 2 }, SECOND] },
      [RUN.pid, 77],
    ],
    [
      'a field of a run that has another name now',
      { ...MEMORY, runs: [{ ...FIRST, user: undefined }, SECOND] },
      [RUN.pid, 77],
    ],
    [
      'a word of a run that is not known',
      { ...MEMORY, runs: [{ ...FIRST, tracker: 'new' }, SECOND] },
      [RUN.pid, 77],
    ],
    ['a run without a number', { ...MEMORY, runs: [{ ...FIRST, pid: 'x' }, SECOND] }, [77]],
    ['the machine', { ...MEMORY, machine: 'x86' }, [RUN.pid, 77]],
  ])('loses %s, and no run', (_what, stored, runs) =>
    withFolder(async (folder) => {
      const text = JSON.stringify(stored);
      keep(folder, text);
      const read = await readMemory(folder, BOX);
      expect(pids(read.memory)).toEqual(runs);
      expect(read.fault).toMatchObject({ code: 'patrol-memory-unreadable' });
      expect(kept(folder)).toEqual([]);

      const changed = await changeMemory(folder, BOX, same);
      expect(changed).toMatchObject({
        ok: true,
        value: { fault: { code: 'patrol-memory-unreadable' } },
      });
      expect(kept(folder)).toEqual([text]);
      expect(await readMemory(folder, BOX)).toEqual({ memory: read.memory, fault: null });
      // Once is enough.
      expect(await changeMemory(folder, BOX, same)).toMatchObject({ value: { fault: null } });
      expect(kept(folder)).toEqual([text]);
    }),
  );

  it('keeps the runs that stand in the half of it that is left', () =>
    withFolder(async (folder) => {
      const text = JSON.stringify(MEMORY);
      const half = text.slice(0, text.indexOf('"ageS"', text.indexOf('"pid":77')));
      keep(folder, half);
      const changed = await changeMemory(folder, BOX, same);
      expect(pids(changed.ok ? changed.value.memory : null)).toEqual([RUN.pid, 77]);
      expect(changed).toMatchObject({
        value: { fault: { detail: expect.stringContaining('the end') } },
      });
      expect(kept(folder)).toEqual([half]);
    }));

  it.each(['', '\0\0\0', '[]', '{"version":9}'])(
    'is put aside where nothing of it can be read: %j',
    (text) =>
      withFolder(async (folder) => {
        keep(folder, text);
        expect(await changeMemory(folder, BOX, () => MEMORY)).toMatchObject({
          value: { memory: MEMORY, fault: { code: 'patrol-memory-unreadable' } },
        });
        expect(kept(folder)).toEqual([text]);
        expect(await readMemory(folder, BOX)).toEqual({ memory: MEMORY, fault: null });
      }),
  );

  it('is put aside where it may not be read', ({ skip }) => {
    skip(whyNoReadOnly !== null, whyNoReadOnly ?? '');
    return withFolder(async (folder) => {
      keep(folder, JSON.stringify(MEMORY));
      chmodSync(folder, 0o777);
      chmodSync(join(folder, 'patrol'), 0o777);
      chmodSync(join(folder, 'patrol', `${BOX}.json`), 0o000);
      const { lines, stderr } = await runFixture(
        new URL('./memory-file.fixture.ts', import.meta.url),
        [folder, BOX],
      );
      expect(JSON.parse(lines[0] ?? stderr)).toMatchObject({
        ok: true,
        value: { memory: null, fault: { detail: expect.stringContaining('EACCES') } },
      });
      expect(kept(folder)).toEqual([JSON.stringify(MEMORY)]);
    });
  });

  it('stays where it is while nothing can be put aside or why it cannot be read may pass', async () => {
    await withFolder(async (folder) => {
      mkdirSync(join(folder, 'patrol', `${BOX}.json`), { recursive: true });
      expect(await changeMemory(folder, BOX, () => MEMORY)).toMatchObject({
        ok: false,
        error: { code: 'patrol-memory-unreadable', detail: expect.stringContaining('EISDIR') },
      });
    });
  });

  it('stays as it is on a full disk, and the runs of it are known all the same', ({ skip }) => {
    skip(whyNoSmallDisk !== null, whyNoSmallDisk ?? '');
    return withSmallDisk(256, async ({ folder, fill, free }) => {
      const text = JSON.stringify({ ...MEMORY, colour: 'x'.repeat(20_000) });
      keep(folder, text);
      fill(8192);
      expect(await changeMemory(folder, BOX, same)).toMatchObject({
        ok: false,
        error: { code: 'disk-full' },
      });
      expect(pids((await readMemory(folder, BOX)).memory)).toEqual([RUN.pid, 77]);
      expect(kept(folder)).toEqual([]);
      expect(readFileSync(join(folder, 'patrol', `${BOX}.json`), 'utf8')).toBe(text);
      free();
      expect(await changeMemory(folder, BOX, same)).toMatchObject({ ok: true });
      expect(kept(folder)).toEqual([text]);
    });
  });
});
