import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRunResults } from '../../shared/runs/launch/read-run-results.ts';
import { BOX_SHELLS, runOnboxScript, type BoxShell } from '../onbox/onbox-scripts.fixture.ts';
import { programsOf } from './programs.fixture.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leasehold-results-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A busybox has a `find` of its own, which prints less. */
function pathOf(shell: BoxShell): string {
  const { PATH = '' } = process.env;
  return shell[0] === 'busybox' ? `${programsOf(shell)}:${PATH}` : PATH;
}

describe.skipIf(process.platform === 'win32').each(BOX_SHELLS)(
  'where sh is $name',
  ({ shell, isInstalled }) => {
    it.skipIf(!isInstalled)(
      'what is no plain file is listed as that, and not followed',
      async () => {
        const out = join(folder, 'out');
        mkdirSync(join(out, 'sub'), { recursive: true });
        writeFileSync(join(out, 'sub', 'a b'), '123');
        writeFileSync(join(folder, 'elsewhere'), 'not a result');
        symlinkSync('../elsewhere', join(out, 'link'));
        symlinkSync('nowhere', join(out, 'dangling'));
        symlinkSync('..', join(out, 'up'));
        execFileSync('mkfifo', [join(out, 'pipe')]);
        const printed = await runOnboxScript(shell, 'run-results.sh', {
          PATH: pathOf(shell),
          LEASEHOLD_MARK: 'MARK',
          LEASEHOLD_FOLDER: folder,
          LEASEHOLD_RESULTS: 'out',
          LEASEHOLD_MOST: '100000',
        });
        expect(readRunResults(printed, 'MARK', { atMs: 0, maxFiles: 10 })).toMatchObject({
          isCut: false,
          files: [{ path: 'sub/a b', bytes: 3 }],
          others: [
            { path: 'dangling', kind: 'link' },
            { path: 'link', kind: 'link' },
            { path: 'pipe', kind: 'special' },
            { path: 'up', kind: 'link' },
          ],
        });
      },
    );
  },
);
