import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { Problem } from '../../shared/problem.ts';
import { silentLog } from '../demo/demo-box.fixture.ts';
import { withFolder } from '../storage/disk.fixture.ts';
import { HeardHub } from '../streams/stream-hub.fixture.ts';
import { SHIPPED } from './profiles.fixture.ts';
import { openProfiles, type ProfileBook } from './profile-book.ts';

interface Opened {
  readonly book: ProfileBook;
  readonly own: string;
  readonly problems: readonly Problem[];
  readonly changed: readonly (readonly string[])[];
  /** Waits until the window is told of so many changes. */
  readonly told: (revision: number) => Promise<void>;
}

async function withBook(
  first: string | null,
  work: (opened: Opened) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    const own = join(folder, 'profiles');
    if (first !== null) {
      mkdirSync(own);
      writeFileSync(join(own, 'runpod.yaml'), first);
    }
    const hub = new HeardHub();
    const problems: Problem[] = [];
    const changed: (readonly string[])[] = [];
    let revision = 0;
    hub.hear('profiles', '', (delta) => (revision = delta.revision));
    const book = await openProfiles({
      folders: { shipped: SHIPPED, own },
      hub,
      log: silentLog,
      onProblem: (found) => void problems.push(found),
    });
    book.changes.follow((platforms) => changed.push([...platforms]));
    const told = (wanted: number): Promise<void> => vi.waitFor(() => expect(revision).toBe(wanted));
    try {
      await work({ book, own, problems, changed, told });
    } finally {
      book.close();
      hub.dispose();
    }
  });
}
const named = (name: string): string => `format: 1\nid: runpod\nname: ${name}\n`;

it('reads a file anew when it is saved, as an editor saves it, and tells whose facts changed', () =>
  withBook(named('First'), async ({ book, own, changed, told }) => {
    expect(book.profileOf('runpod')?.name).toBe('First');
    writeFileSync(join(own, 'draft'), named('Second'));
    renameSync(join(own, 'draft'), join(own, 'runpod.yaml'));
    await told(1);
    expect(book.profileOf('runpod')?.name).toBe('Second');
    expect(changed).toEqual([['runpod']]);
    rmSync(join(own, 'runpod.yaml'));
    await told(2);
    expect(book.profileOf('runpod')?.name).toBe('RunPod Pods');
  }));

it('uses the shipped one while a file is broken, and says so once at the start', () =>
  withBook('format: 1\nid: runpod\nnam: x\n', async ({ book, own, problems, changed }) => {
    expect(problems).toMatchObject([{ code: 'profile-unusable' }]);
    expect(problems[0]?.message).toContain('runpod.yaml:3');
    expect((await book.look()).faults).toHaveLength(1);
    writeFileSync(join(own, 'runpod.yaml'), 'format: 1\nid: runpod\nname: "x\n');
    expect((await book.look()).faults).toMatchObject([{ line: 3 }]);
    // What is broken changes no fact, and a draft that is saved now and then is no news.
    expect(changed).toEqual([]);
    expect(problems).toHaveLength(1);
  }));

it('makes the folder when it is asked for, and follows it from then on', () =>
  withBook(null, async ({ book, own, told }) => {
    expect(await book.ownFolder()).toEqual({ ok: true, value: own });
    expect(statSync(own).isDirectory()).toBe(true);
    await told(1);
    writeFileSync(join(own, 'mine.yaml'), named('Mine'));
    await told(2);
    expect(book.profileOf('runpod')?.name).toBe('Mine');
  }));

it('says why the folder could not be made', () =>
  withBook(null, async ({ book, own }) => {
    writeFileSync(own, 'a file in its place');
    expect(await book.ownFolder()).toMatchObject({ ok: false });
  }));

it('reads nothing while nothing has changed, and nothing after it is closed', () =>
  withBook(named('First'), async ({ book, own, changed }) => {
    const first = await book.look();
    expect(await book.look()).toBe(first);
    book.close();
    writeFileSync(join(own, 'runpod.yaml'), named('Late'));
    expect(await book.look()).toBe(first);
    expect(changed).toEqual([]);
  }));
