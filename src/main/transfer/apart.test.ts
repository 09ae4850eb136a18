import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ok } from '../../shared/result.ts';
import type { PullReport } from '../../shared/transfer/pull.ts';
import { value } from '../runs/run-box.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { IN_THE_WAY } from './pulled-file.ts';
import { PullingBox } from './pulling-box.fixture.ts';

let box: PullingBox;
beforeEach(() => {
  box = new PullingBox();
});
afterEach(() => box.close());

const marksOf = ({ files }: PullReport): Readonly<Record<string, string>> =>
  Object.fromEntries(files.map(({ path, mark }) => [path, mark]));

describe.skipIf(!hasSshd)('results that are proven', () => {
  it('come into no folder that the box lists among them, whatever that is called here', async () => {
    await box.open();
    box.write('model.bin', 'a').write('sub/b', 'b');
    const own = join(box.here, 'a mount of the box');
    symlinkSync(join(box.home, 'out'), own);
    for (const to of [own, join(own, 'sub'), join(own, 'not', 'made yet')]) {
      const planned = await box.puller.plan(box.connection, box.run, to);
      expect(planned).toMatchObject({ error: { code: 'results-not-pulled' } });
      expect(planned.ok ? '' : planned.error.message).toMatch(/is the box’s own results folder/);
    }
    expect(readdirSync(join(box.home, 'out')).sort()).toEqual(['model.bin', 'sub']);
    rmSync(own);
    // Beside it on the same machine there is room for copies.
    const report = await box.pull({ to: join(box.home, 'copies', 'new') });
    expect(marksOf(report)).toEqual({ 'model.bin': 'equal', 'sub/b': 'equal' });
    expect(box.left()).toEqual([]);
  });

  it.each([1, 12])('are not proven by links to the box’s own, of %i', async (count) => {
    await box.open();
    const names = Array.from({ length: count }, (_, no) => `${String(no)}.txt`);
    for (const name of names) {
      box.write(name, name);
      symlinkSync(join(box.home, 'out', name), join(box.here, name));
    }
    const report = await box.pull();
    expect(report.files.map(({ mark, level, says }) => [mark, level, says])).toEqual(
      names.map(() => ['differs', 'listed', IN_THE_WAY]),
    );
  });

  it('are told as in the way where a folder here is a link', async () => {
    await box.open();
    box.write('sub/a', 'a');
    symlinkSync(join(box.home, 'out', 'sub'), join(box.here, 'sub'));
    const { shown } = value(await box.puller.plan(box.connection, box.run, box.here));
    expect(shown.files).toMatchObject([{ path: 'sub/a', here: 'in-the-way', missingBytes: 0 }]);
  });

  it('are hashed only once a writing shows in the list of the end, also what grows', async () => {
    await box.open({
      openssl: 'exit 1',
      sha256sum: 'date +%s%3N >"$HOME/hashed"\nexec /usr/bin/sha256sum "$@"',
    });
    box.write('log.txt', 'a line\n');
    const kept = value(await box.puller.plan(box.connection, box.run, box.here));
    const round = {
      copiesOf: () => [],
      note: () => ok(null),
      growing: new Set(['log.txt']),
      others: [],
    };
    const late = { ...kept, round, hashFromMs: performance.now() + 3_600_000 };
    let fromMs = Infinity;
    const pulled = await box.puller.pull(
      late,
      { connection: box.connection, connect: () => Promise.resolve(ok(box.connection)) },
      {
        boxId: 'a box',
        signal: new AbortController().signal,
        onProgress: ({ doneBytes }) => {
          if (doneBytes === 0 || fromMs !== Infinity) return;
          late.hashFromMs = performance.now() + 2000;
          fromMs = Date.now() + 2000;
        },
      },
    );
    expect(marksOf(value(pulled))).toEqual({ 'log.txt': 'equal' });
    const hashedMs = Number(readFileSync(join(box.home, 'hashed'), 'utf8'));
    // A timer may be a millisecond early.
    expect(hashedMs).toBeGreaterThanOrEqual(fromMs - 5);
  });

  it('are not told as gone where the list of the end is cut off', async () => {
    await box.open({ find: '[ ! -e "$HOME/late" ] || exit 137\nexec /usr/bin/find "$@"' });
    box.write('model.bin', 'a');
    const pulled = await box.tryPull({
      onProgress: ({ stage }) => {
        if (stage === 'looking-again') writeFileSync(join(box.home, 'late'), '');
      },
    });
    expect(pulled).toMatchObject({
      error: { code: 'results-not-pulled', message: expect.stringMatching(/more files than one/) },
    });
  });
});
