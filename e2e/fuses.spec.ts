import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { getCurrentFuseWire } from '@electron/fuses';
import { FUSES, setFuses } from '../scripts/packaging/fuses.mjs';
import { expect, test } from './fixtures/app.ts';

/** How a fuse stands in the binary: the character one or zero. */
const ON = '1'.charCodeAt(0);
const OFF = '0'.charCodeAt(0);

test('19 · sets the fuses on a real executable, and they hold', async () => {
  const original = createRequire(import.meta.url)('electron') as string;
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-fuses-'));
  try {
    for (const name of readdirSync(dirname(original))) {
      if (name !== basename(original))
        symlinkSync(join(dirname(original), name), join(folder, name));
    }
    const copy = join(folder, basename(original));
    copyFileSync(original, copy);
    chmodSync(copy, 0o755);

    const runAsNode = (executable: string): string =>
      execFileSync(executable, ['-p', '6 * 7'], {
        env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', DISPLAY: '' },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    expect(runAsNode(copy)).toBe('42\n');

    await setFuses(copy);
    const wire = await getCurrentFuseWire(copy);
    for (const [fuse, isOn] of Object.entries(FUSES)) {
      const state = wire[Number(fuse) as keyof typeof wire];
      // An older runtime may lack the newest fuses; none that exists may be wrong.
      if (state === undefined) continue;
      expect([fuse, state]).toEqual([fuse, isOn ? ON : OFF]);
    }
    // With the fuse blown it is a desktop app again, which ends without a display.
    expect(() => runAsNode(copy)).toThrow();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
