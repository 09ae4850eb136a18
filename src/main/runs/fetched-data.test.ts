// What the downloads of a run brought is data, and no result of a run that names no results folder.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BOX_SHELLS } from '../onbox/onbox-scripts.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { programsOf } from './programs.fixture.ts';
import { BOX, RunBox, value } from './run-box.fixture.ts';

const isLinux = process.platform === 'linux';

describe.skipIf(!hasSshd || !isLinux).each(BOX_SHELLS)(
  'data on a box with $name',
  ({ shell, isInstalled }) => {
    let box: RunBox;
    beforeEach(async () => {
      box = new RunBox();
      await box.open({ path: programsOf(shell) });
      mkdirSync(join(box.home, 'source'));
      for (const name of ['a', 'b']) writeFileSync(join(box.home, 'source', name), 'data');
    });
    afterEach(() => box.close());

    const names = async (id: string): Promise<readonly string[]> =>
      value(await box.launcher.results(BOX.id, id)).files.map(({ path }) => path);

    it.skipIf(!isInstalled)(
      'that its steps fetched is left out, and what it wrote beside that is not',
      async () => {
        const run = await box.launch({
          fetch: [
            { into: 'data [1]', run: 'cp ~/source/* . && mkdir -p sub && cp ~/source/a sub' },
            { into: 'data [1]/more', run: 'cp ~/source/b .' },
          ],
          command:
            'echo x >model.pt; echo x >"data [1]/index"; echo new >"data [1]/sub/a"; echo x >"data 1"',
        });
        await box.until(run.id, 'done');
        const written = ['data 1', 'data [1]/index', 'data [1]/sub/a', 'model.pt'];
        const fetched = ['data [1]/a', 'data [1]/b', 'data [1]/more/b'];
        // Where find tells no times of changes, all of it is listed: rather too much than too little.
        const isTold = shell[0] !== 'busybox';
        expect(await names(run.id)).toEqual(
          [...written, ...(isTold ? [] : fetched)].sort((a, b) => (a < b ? -1 : 1)),
        );
      },
    );

    it.skipIf(!isInstalled)(
      'that an interrupted step left is listed, since nobody knows what it is',
      async () => {
        const run = await box.launch({
          fetch: [{ into: 'data', run: 'cp ~/source/* . && exit 3' }],
          command: 'true',
        });
        await box.until(run.id, 'failed');
        expect(await names(run.id)).toEqual(['data/a', 'data/b']);
      },
    );
  },
);
