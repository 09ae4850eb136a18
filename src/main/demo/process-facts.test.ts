import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eventually } from './demo-box.fixture.ts';
import { findProgram } from './find-program.ts';
import { listHolders, readLiveness, readStartTime } from './process-facts.ts';

it('tells a running process from one that is gone', async () => {
  const child = spawn('sleep', ['1000']);
  const pid = child.pid ?? 0;
  expect(await readLiveness(pid)).toBe('running');
  const started = await readStartTime(pid);
  expect(started).not.toBeNull();
  expect(await readStartTime(pid)).toBe(started);
  const exited = once(child, 'exit');
  child.kill();
  await exited;
  expect(await readLiveness(pid)).toBe('gone');
  expect(await readStartTime(pid)).toBeNull();
});

it('sees a stopped process, and that a zombie is gone', async ({ skip }) => {
  skip(process.platform !== 'linux', 'only /proc tells the state of a process');
  // Its child has ended, and it never asks for the news.
  const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 1000']);
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  await eventually(
    () => readLiveness(Number(line.toString())),
    (liveness) => liveness === 'gone',
  );
  process.kill(parent.pid ?? 0, 'SIGSTOP');
  await eventually(
    () => readLiveness(parent.pid ?? 0),
    (liveness) => liveness === 'stopped',
  );
  parent.kill('SIGKILL');
  await once(parent, 'exit');
});

it('finds who has a file open', async ({ skip }) => {
  skip((await findProgram('lsof')) === null, 'lsof is not installed');
  const folder = await mkdtemp(join(tmpdir(), 'leasehold-holders-'));
  const path = join(folder, 'with a blank');
  await writeFile(path, '');
  const file = await open(path);
  const child = spawn('sleep', ['1000'], { stdio: ['ignore', 'ignore', 'ignore', file.fd] });
  await file.close();
  expect(await listHolders(path)).toEqual([child.pid]);
  const exited = once(child, 'exit');
  child.kill();
  await exited;
  expect(await listHolders(path)).toEqual([]);
  await rm(folder, { recursive: true });
});
