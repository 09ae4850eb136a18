import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readWeighed } from '../../shared/transfer/weighed-folder.ts';
import { BOX_SHELLS, onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { afterMark } from '../onbox/onbox-scripts.ts';
import { pathWith } from '../runs/programs.fixture.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-weigh-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe.skipIf(process.platform === 'win32').each(BOX_SHELLS)(
  'where sh is $name',
  ({ shell, isInstalled }) => {
    async function weighed(
      folders: readonly string[],
      path = process.env['PATH'],
    ): Promise<ReturnType<typeof readWeighed>> {
      const script = join(root, 'script.sh');
      writeFileSync(script, await onboxScripts.textOf('weigh-folders.sh'));
      const { stdout } = spawnSync(shell[0], [...shell.slice(1), script], {
        encoding: 'utf8',
        env: { PATH: path, HOME: root, LEASEHOLD_MARK: 'MARK', LEASEHOLD_LIMIT_S: '60' },
        input: folders.map((folder) => `${folder}\n`).join(''),
      });
      return readWeighed(afterMark(stdout, 'MARK'), folders);
    }

    it.skipIf(!isInstalled)('says how much lies in each folder that is there', async () => {
      mkdirSync(join(root, 'a b'));
      writeFileSync(join(root, 'a b', 'file'), Buffer.alloc(3_000_000, 1));
      writeFileSync(join(root, 'no folder'), '');
      const [found, gone, file] = await weighed(['~/a b', '/nowhere/at/all', '~/no folder']);
      expect(found?.size.kind === 'weighed' && found.size.bytes).toBeGreaterThan(2_900_000);
      expect(gone?.size).toEqual({ kind: 'gone' });
      expect(file?.size).toEqual({ kind: 'gone' });
    });

    it.skipIf(!isInstalled)(
      'says nothing of one that could not be looked at as a whole',
      async () => {
        mkdirSync(join(root, 'closed'));
        const path = pathWith(join(root, 'bin'), { du: 'echo "4 $4"; exit 1' });
        expect(await weighed(['~/closed'], path)).toEqual([
          { folder: '~/closed', size: { kind: 'late' } },
        ]);
      },
    );
  },
);
