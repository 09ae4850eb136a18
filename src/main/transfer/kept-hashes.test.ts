import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PushRequest } from '../../shared/runs/launch/run-request.ts';
import { BOX_SHELLS } from '../onbox/onbox-scripts.fixture.ts';
import { programsBut, programsOf } from '../runs/programs.fixture.ts';
import { BOX, RunBox, value } from '../runs/run-box.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { Project } from './project.fixture.ts';

const isLinux = process.platform === 'linux';

let project: Project;
let box: RunBox;
beforeEach(() => {
  project = new Project().write('main.txt', 'main').write('other.txt', 'other');
  box = new RunBox();
});
afterEach(async () => {
  await box.close();
  project.remove();
});

const work = (path: string): string => join(box.home, 'work', path);
const planOf = async (more: Partial<PushRequest> = {}) =>
  value(await box.plan({ push: project.push(more), command: 'true' }));
const launch = async (...over: readonly string[]): Promise<void> => {
  const { plan } = await planOf();
  value(await box.launcher.launch(BOX.id, plan, new Set(over)));
};
const hashesFile = (): string | null => {
  const records = join(box.home, '.local/state/leasehold/trees');
  const name = existsSync(records)
    ? readdirSync(records).find((each) => each.endsWith('.hashes'))
    : undefined;
  return name === undefined ? null : join(records, name);
};
const kept = (): string => {
  const file = hashesFile();
  return file === null ? '' : readFileSync(file, 'utf8');
};
/** A box whose files have times of whole seconds keeps a hash only once such a time is past. */
const untilKept = (): Promise<void> =>
  vi.waitFor(
    async () => {
      await launch();
      expect(kept().match(/^[0-9a-f]{64} 8\S+ .* \.\/\w+\.txt$/gm)).toHaveLength(2);
    },
    { interval: 200 },
  );

describe.skipIf(!hasSshd || !isLinux).each(BOX_SHELLS)(
  'hashes that a box with $name has kept',
  ({ shell, isInstalled }) => {
    beforeEach(() => box.open({ path: programsOf(shell) }));

    it.skipIf(!isInstalled)('stand for files that nobody has written to since', async () => {
      await untilKept();
      // What no box does: so it shows whether the file itself was read.
      const [mine] = /^[0-9a-f]{64}(?= .* \.\/main\.txt$)/m.exec(kept()) ?? [];
      writeFileSync(hashesFile() ?? '', kept().replace(mine ?? '', '0'.repeat(64)));
      expect((await planOf()).push).toMatchObject({
        send: { count: 1, first: ['main.txt'] },
      });
      expect((await planOf({ rehash: true })).push).toMatchObject({
        send: { count: 0 },
      });
    });

    it.skipIf(!isInstalled)(
      'do not stand for one that was changed and given its size and time again',
      async () => {
        await untilKept();
        const { mtimeMs } = statSync(work('main.txt'));
        writeFileSync(work('main.txt'), 'MAIN');
        utimesSync(work('main.txt'), mtimeMs / 1000, mtimeMs / 1000);
        expect((await planOf()).push).toMatchObject({
          send: { count: 1, first: ['main.txt'] },
        });
      },
    );
  },
);

describe.skipIf(!hasSshd || !isLinux)('hashes of a push', () => {
  it('are not kept of what is written once more in the same moment, on either side', async () => {
    await box.open();
    for (const [mine, theirs] of ['1234', '5678', '9012', '3456']) {
      project.write('main.txt', `${String(mine)}aa`);
      expect((await planOf()).push?.send.count).toBeGreaterThan(0);
      project.write('main.txt', `${String(mine)}bb`);
      // What was written on the box might be of a run.
      await launch('overwritten');
      expect(readFileSync(work('main.txt'), 'utf8')).toBe(`${String(mine)}bb`);
      writeFileSync(work('main.txt'), `${String(theirs)}cc`);
      expect((await planOf()).push).toMatchObject({
        send: { count: 1, first: ['main.txt'] },
      });
    }
  });

  it('are read again each time where the box has no stat', async () => {
    await box.open({ path: programsBut(['stat']) });
    await launch();
    expect(kept()).toBe('');
    expect((await planOf()).push).toMatchObject({ send: { count: 0 } });
    writeFileSync(work('main.txt'), 'MAIN');
    expect((await planOf()).push).toMatchObject({ send: { count: 1 } });
  });
});
