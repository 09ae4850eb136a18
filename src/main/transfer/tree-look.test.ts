import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTreeLook } from '../../shared/transfer/read-tree-look.ts';
import { BOX_SHELLS, runOnboxScript } from '../onbox/onbox-scripts.fixture.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-tree-'));
  mkdirSync(join(home, 'bin'));
  // As whoever enters a folder of a dead server: deaf to everything but KILL.
  const hung = `#!/bin/sh\ncase $* in *hung*) trap '' TERM HUP INT; exec sleep 600 ;; esac\nexec /bin/sh "$@"\n`;
  writeFileSync(join(home, 'bin/sh'), hung, { mode: 0o755 });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe.skipIf(process.platform !== 'linux').each(BOX_SHELLS)(
  'a look at a folder for code, by $name',
  ({ shell, isInstalled }) => {
    it.skipIf(!isInstalled).each([true, false])(
      'ends where that never answers (the box has timeout: %s)',
      async (hasTimeout) => {
        if (!hasTimeout) {
          writeFileSync(join(home, 'bin/timeout'), '#!/bin/sh\nexit 127\n', { mode: 0o755 });
        }
        const said = await runOnboxScript(shell, 'tree-look.sh', {
          PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`,
          HOME: home,
          LEASEHOLD_MARK: 'MARK',
          LEASEHOLD_FOLDER: '~/hung',
          LEASEHOLD_KEY: 'key',
          LEASEHOLD_TREE: '',
          LEASEHOLD_TRUST: '',
          LEASEHOLD_KEEP: '',
          LEASEHOLD_RECORDED: '',
          LEASEHOLD_ODD: '',
        });
        expect(readTreeLook(said, 'MARK')).toMatchObject({ kind: 'late', near: 'late' });
      },
    );
  },
);
