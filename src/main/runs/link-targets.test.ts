import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLinks } from '../../shared/runs/launch/read-links.ts';
import { BOX_SHELLS, runOnboxScript } from '../onbox/onbox-scripts.fixture.ts';
import { pathWith, programsOf } from './programs.fixture.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-links-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(process.platform === 'win32').each(BOX_SHELLS)(
  'link-targets.sh, where sh is $name',
  ({ shell, isInstalled }) => {
    const { PATH: ours = '' } = process.env;
    const own = shell[0] === 'busybox' ? `${programsOf(shell)}:${ours}` : ours;

    async function told(more: Readonly<Record<string, string>> = {}): Promise<string> {
      return runOnboxScript(shell, 'link-targets.sh', {
        ...{ PATH: own, LEASEHOLD_MARK: 'MARK', LEASEHOLD_FOLDER: join(folder, 'named') },
        ...{ LEASEHOLD_MOST: '100000', LEASEHOLD_LIMIT_S: '60' },
        ...more,
      });
    }

    it.skipIf(!isInstalled)(
      'tells where each link leads, follows none, and says where the folder really lies',
      async () => {
        const out = join(folder, 'out');
        mkdirSync(join(out, 'ckpt'), { recursive: true });
        symlinkSync('out', join(folder, 'named'));
        writeFileSync(join(out, 'a.pt'), 'a');
        symlinkSync('/srv/ckpt', join(out, 'elsewhere'));
        symlinkSync('../a.pt', join(out, 'ckpt/best'));
        symlinkSync(join(folder, 'named/a.pt'), join(out, '-new\nline'));
        symlinkSync('missing', join(out, 'dangling'));
        const expected = new Map([
          ['elsewhere', { target: '/srv/ckpt', path: '/srv/ckpt', isInside: false }],
          ['ckpt/best', { target: '../a.pt', path: join(out, 'a.pt'), isInside: true }],
          [
            '-new\nline',
            {
              target: join(folder, 'named/a.pt'),
              path: join(folder, 'named/a.pt'),
              isInside: true,
            },
          ],
          ['dangling', { target: 'missing', path: join(out, 'missing'), isInside: true }],
        ]);
        const named = join(folder, 'named');
        expect(readLinks(await told(), 'MARK', named)).toEqual(expected);
        // Where find prints nothing of its own, and where no more than so much is asked for.
        const plain = pathWith(join(folder, 'bin'), {
          find: `case " $* " in *" -printf "*) exit 1 ;; esac\nPATH='${own}' exec find "$@"`,
        });
        expect(readLinks(await told({ PATH: plain }), 'MARK', named)).toEqual(expected);
        expect(readLinks(await told({ LEASEHOLD_MOST: '3' }), 'MARK', named).size).toBe(0);
        expect(readLinks(await told({ LEASEHOLD_FOLDER: '/no/such' }), 'MARK', named).size).toBe(0);
      },
    );
  },
);
