import { execFileSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ResultList } from '../../shared/runs/launch/launched-run.ts';
import { readRunResults } from '../../shared/runs/launch/read-run-results.ts';
import { BOX_SHELLS, runOnboxScript, type BoxShell } from '../onbox/onbox-scripts.fixture.ts';
import { pathWith, programsOf } from './programs.fixture.ts';

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

async function listed(shell: BoxShell): Promise<ResultList> {
  const printed = await runOnboxScript(shell, 'run-results.sh', {
    PATH: pathOf(shell),
    LEASEHOLD_MARK: 'MARK',
    LEASEHOLD_FOLDER: folder,
    LEASEHOLD_RESULTS: 'out',
    LEASEHOLD_MOST: '100000',
  });
  return readRunResults(printed, 'MARK', { atMs: 0, maxFiles: 10 }) as ResultList;
}

const stampsOf = ({ files }: ResultList): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(files.map(({ path, stamp }) => [path, stamp]));

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
        expect(await listed(shell)).toMatchObject({
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

    it.skipIf(!isInstalled)(
      'a file that was written to has another stamp, whatever its size and its time',
      async () => {
        const out = join(folder, 'out');
        mkdirSync(out);
        for (const name of ['written', 'replaced', 'still']) writeFileSync(join(out, name), 'old');
        const first = await listed(shell);
        expect(first.tellsWrites).toBe(true);
        expect(first.grainMs).toBe(shell[0] === 'busybox' ? 2000 : 50);
        const before = stampsOf(first);
        const { atime, mtime } = statSync(join(out, 'written'));
        // Until the clock of the disk has gone on as far as the list said.
        await vi.waitFor(
          async () => {
            writeFileSync(join(out, 'written'), 'new');
            utimesSync(join(out, 'written'), atime, mtime);
            expect((await listed(shell)).files[2]).toMatchObject({ path: 'written', bytes: 3 });
            expect(stampsOf(await listed(shell))['written']).not.toBe(before['written']);
          },
          { interval: 100, timeout: 10_000 },
        );
        // In the same moment it still has another number.
        const other = join(folder, 'other');
        writeFileSync(other, 'new');
        rmSync(join(out, 'replaced'));
        linkSync(other, join(out, 'replaced'));
        const after = stampsOf(await listed(shell));
        expect(after['replaced']).not.toBe(before['replaced']);
        expect(after['still']).toBe(before['still']);
      },
    );

    it.skipIf(!isInstalled)('a box that tells no times is not taken for an empty one', async () => {
      mkdirSync(join(folder, 'out'));
      writeFileSync(join(folder, 'out', 'a'), '');
      const bin = join(folder, 'bin');
      const path = pathWith(bin, { find: 'exit 1', stat: 'exit 1' });
      const printed = await runOnboxScript(shell, 'run-results.sh', {
        PATH: path,
        LEASEHOLD_MARK: 'MARK',
        LEASEHOLD_FOLDER: folder,
        LEASEHOLD_RESULTS: 'out',
        LEASEHOLD_MOST: '100000',
      });
      expect(readRunResults(printed, 'MARK', { atMs: 0, maxFiles: 10 })).toBe('no-times');
    });
  },
);
