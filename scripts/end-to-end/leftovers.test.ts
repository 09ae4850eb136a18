import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { endLeftovers, findLeftovers } from './leftovers.mjs';

describe.skipIf(process.platform !== 'linux')('what a run left behind (Linux only)', () => {
  it('is found by its environment, named, and ended', async () => {
    const mark = `LEASEHOLD_TEST_MARK=${String(process.pid)}`;
    const child = spawn('sleep', ['600'], {
      env: { LEASEHOLD_TEST_MARK: String(process.pid), PATH: process.env['PATH'] },
    });
    await once(child, 'spawn');
    const isOurs = ({ environment }: { environment: string }): boolean =>
      environment.split('\0').includes(mark);
    const found = await findLeftovers(isOurs, 0);
    expect(found).toEqual([{ pid: child.pid, command: 'sleep 600' }]);
    const exited = once(child, 'exit');
    expect(endLeftovers(found)).toEqual([`left behind: ${String(child.pid)} sleep 600`]);
    expect(await exited).toEqual([null, 'SIGKILL']);
    expect(await findLeftovers(isOurs)).toEqual([]);
  });

  it('tells users apart', async () => {
    const uid = process.getuid?.();
    const child = spawn('sleep', ['600']);
    await once(child, 'spawn');
    const isChild = (process: { pid: number; uid: number }): boolean =>
      process.pid === child.pid && process.uid === uid;
    expect(await findLeftovers(isChild, 0)).toHaveLength(1);
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
});
