import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BOX_SHELLS } from '../onbox/onbox-scripts.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { pathWith, programsOf, whereIs } from './programs.fixture.ts';
import { BOX, RunBox, value } from './run-box.fixture.ts';

const canRun = hasSshd && process.platform === 'linux';
const HOUR_MS = 3_600_000;

let box: RunBox;
beforeEach(() => (box = new RunBox()));
afterEach(() => box.close());

describe.skipIf(!canRun).each(BOX_SHELLS)('a box with $name', ({ shell, isInstalled }) => {
  it.skipIf(!isInstalled)('runs in a folder of whatever name', async () => {
    await box.open({ path: programsOf(shell) });
    for (const name of [`a "b" o'hara`, '-rf', '$(touch x) `y` *', 'a\\', 'é 日本']) {
      const folder = join(box.home, 'work', name);
      mkdirSync(folder);
      const results = `out ${name}`;
      const run = await box.launch({
        folder: `~/work/${name}`,
        results,
        env: { OUT: results },
        command: 'pwd -P >ran; mkdir -- "$OUT"; echo x >"./$OUT/best.pt"',
      });
      await box.until(run.id, 'done');
      const { files } = value(await box.launcher.results(BOX.id, run.id));
      expect(files.map(({ path }) => path)).toEqual(['best.pt']);
      expect(readFileSync(join(folder, 'ran'), 'utf8')).toBe(`${folder}\n`);
    }
  });
});

describe.skipIf(!canRun)('a box', () => {
  it.each([
    ['ahead', '1 day'],
    ['behind', '1 day ago'],
  ])('whose clock is %s tells when a run was by the clock of this computer', async (_way, by) => {
    const date = `exec ${whereIs('date')} -d '${by}' "$@"`;
    await box.open({ path: pathWith(join(box.home, 'bin'), { date }) });
    const { id } = await box.launch({ command: 'true' });
    const run = await box.until(id, 'done');
    const times = [run.launchedAtMs, run.status.kind === 'done' ? run.status.atMs : null];
    for (const atMs of times) expect(Math.abs((atMs ?? 0) - Date.now())).toBeLessThan(HOUR_MS);
  });

  it('with a line end in the name of a folder is told that it cannot be, and nothing is launched', async () => {
    await box.open();
    mkdirSync(join(box.home, 'work/two\nlines'));
    expect(await box.plan({ folder: '~/work/two\nlines' })).toMatchObject({
      error: { code: 'bad-input' },
    });
    expect(value(await box.watch.look(BOX.id)).runs).toEqual([]);
  });

  it('whose log is no text shows it, and the figures in it', async () => {
    await box.open();
    execFileSync('mkfifo', [join(box.home, 'gate')]);
    const { id } = await box.launch({
      command: String.raw`printf 'caf\351 \377\376\000 \033[31m\nstep 1 loss 0.5\n\303'; cat ../gate; printf '\251\n'`,
    });
    const log = box.openLog(id);
    const metrics = box.openMetrics(id);
    await vi.waitFor(() => expect(log().text).toMatch(/^caf\ufffd .*\nstep 1 loss 0\.5\n/su));
    await vi.waitFor(() => expect(metrics().series[0]).toMatchObject({ name: 'loss', count: 1 }));
    writeFileSync(join(box.home, 'gate'), '');
    // A sign that arrived in two parts is one.
    await vi.waitFor(() => expect(log().text).toMatch(/é\n$/u));
    await box.until(id, 'done');
  });

  it('whose log was emptied where it stands is followed from its beginning', async () => {
    await box.open();
    execFileSync('mkfifo', [join(box.home, 'gate')]);
    const { id } = await box.launch({
      command: 'echo a long line of before; cat ../gate; echo new; cat ../gate',
    });
    const log = box.openLog(id);
    await vi.waitFor(() => expect(log().text).toBe('a long line of before\n'));
    // As copytruncate of logrotate does it.
    truncateSync(box.place(id, 'log'));
    await vi.waitFor(() => expect(log().text).toContain('became shorter or was replaced'));
    writeFileSync(join(box.home, 'gate'), '');
    await vi.waitFor(() => expect(log().text).toMatch(/replaced[^]*\nnew\n$/));
    writeFileSync(join(box.home, 'gate'), '');
    await box.until(id, 'done');
  });
});
