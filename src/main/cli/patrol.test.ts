import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasSshd, startSshd, type TestSshd } from '../ssh/sshd.fixture.ts';
import { run } from './cli.fixture.ts';
import { addBox } from './named-box.fixture.ts';

let folder: string;
let work: string;
let sshd: TestSshd;
let child: ChildProcess | null;
beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'leasehold-patrol-')));
  work = join(folder, 'work');
  mkdirSync(work);
  child = null;
  sshd = await startSshd();
});
afterEach(async () => {
  await end();
  await sshd.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(script: string): Promise<void> {
  child = spawn('sh', ['-c', `exec >log 2>&1; ${script}`], {
    cwd: work,
    detached: true,
    stdio: 'ignore',
  });
  await vi.waitFor(() => {
    expect(readFileSync(join(work, 'log'), 'utf8')).toContain('last words');
  });
  expect((await look()).out).toContain('last words');
}

async function end(): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  process.kill(-Number(child.pid), 'SIGKILL');
  await gone;
}

const look = (...more: readonly string[]) =>
  run(['patrol', 'train-a', ...more], { env: { LEASEHOLD_DATA_FOLDER: folder } });

describe.skipIf(!hasSshd)('patrol', () => {
  it('tells of a run, and later why it is gone', async () => {
    addBox(folder, sshd);
    await start('echo last words; sleep 600 & wait');
    const before = await look();
    expect(before.err).toBe('');
    expect(before.out.split('\n')[0]).toMatch(/^train-a · \S+Z · up .* · memory \d+ %$/);
    expect(before.out).toMatch(/ log written \d+ s ago: last words$/m);

    await end();
    writeFileSync(join(work, 'log'), 'OSError: [Errno 28] No space left on device\n', {
      flag: 'a',
    });
    const after = await look('--json');
    expect(after.code).toBe(1);
    const told = JSON.parse(after.out) as { missing: { run: { pid: number } }[] };
    expect(told.missing.find((each) => each.run.pid === child?.pid)).toMatchObject({
      judgement: { kind: 'gone', cause: 'disk-full' },
    });
    // Told once: what is gone is not asked after again.
    const later = JSON.parse((await look('--json')).out) as { missing: { run: { pid: number } }[] };
    expect(later.missing.filter((each) => each.run.pid === child?.pid)).toEqual([]);
  });

  it('does not take a box that cannot be reached for one on which nothing runs', async () => {
    addBox(folder, sshd);
    await start('echo last words; sleep 600 & wait');
    await sshd.stop();
    const lost = await look('--json');
    expect(lost.code).toBe(1);
    expect(JSON.parse(lost.out)).toMatchObject({ state: 'unreachable', runs: null });
    expect((await look()).out).toContain('nothing is known');
  });

  it('does not log in to a machine whose key nobody has trusted', async () => {
    addBox(folder, sshd, { isTrusted: false });
    const refused = await look('--json');
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.out)).toMatchObject({ problem: { code: 'host-key-unknown' } });
  });

  it('says when it cannot keep what it saw, and tells it all the same', async () => {
    addBox(folder, sshd);
    writeFileSync(join(folder, 'patrol'), 'a file where the folder should be');
    const told = await look();
    expect(told.code).toBe(1);
    expect(told.out).toMatch(/^train-a · /);
    expect(told.err).toContain('What was seen was not kept for the next check');
  });

  it('names a box that is not there', async () => {
    addBox(folder, sshd);
    expect(
      await run(['patrol', 'other'], { env: { LEASEHOLD_DATA_FOLDER: folder } }),
    ).toMatchObject({ code: 2, err: expect.stringContaining('No box is called other') as string });
  });
});
