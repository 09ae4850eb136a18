import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PreflightCheck } from '../../shared/runs/launch/launch-plan.ts';
import { ownFirst, programsBut } from '../runs/programs.fixture.ts';
import { RunBox } from '../runs/run-box.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { run, type Ran } from './cli.fixture.ts';
import { addBox } from './named-box.fixture.ts';

/** Answers as a driver does that is not loaded. */
const NO_DRIVER = `#!/bin/sh
echo "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running."
exit 9
`;

let folder: string;
let box: RunBox;
beforeEach(async () => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-preflight-'));
  box = new RunBox();
  await box.open({ path: ownFirst(join(box.home, 'bin'), programsBut(['nvidia-smi'])) });
  addBox(folder, box.sshd);
});
afterEach(async () => {
  await box.close();
  rmSync(folder, { recursive: true, force: true });
});

function request(more = ''): string {
  const file = join(folder, 'leasehold.yaml');
  writeFileSync(file, `name: a run\ncommand: echo hello\nfolder: ~/work\n${more}`);
  return file;
}
const preflight = (file: string, ...more: readonly string[]): Promise<Ran> =>
  run(['preflight', 'train-a', file, ...more], { env: { LEASEHOLD_DATA_FOLDER: folder } });

async function checks(file: string): Promise<readonly PreflightCheck[]> {
  const told = JSON.parse((await preflight(file, '--json')).out) as {
    readonly checks: readonly PreflightCheck[];
  };
  return told.checks;
}

describe.skipIf(!hasSshd)('preflight', () => {
  it('says what passed, the worst first, and changes nothing on the box', async () => {
    const { code, out, err } = await preflight(request());
    expect(err).toBe('');
    expect(code).toBe(0);
    const [head = '', ...lines] = out.trimEnd().split('\n');
    expect(head).toMatch(/^train-a · .*\d+ passed$/);
    expect(lines.join('\n')).toContain('  passed   Working folder: ~/work can be entered');
    const order = lines.map((line) =>
      ['warning', 'unknown', 'passed'].indexOf(line.trim().split(' ')[0] ?? ''),
    );
    expect(order).toEqual([...order].sort());
    const told = await checks(request());
    expect(told.find(({ id }) => id === 'gpus')).toMatchObject({
      answer: 'unknown',
      says: expect.stringContaining('nvidia-smi') as string,
    });
    expect(await box.watch.look('7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01')).toMatchObject({
      value: { runs: [] },
    });
  });

  it('exits with 1 where something blocks, also what only the tool of the GPUs tells', async () => {
    const none = await preflight(request());
    expect(none.code).toBe(0);
    writeFileSync(join(box.home, 'bin/nvidia-smi'), NO_DRIVER);
    chmodSync(join(box.home, 'bin/nvidia-smi'), 0o755);
    const broken = await preflight(request());
    expect(broken.code).toBe(1);
    expect(broken.out).toMatch(/^ {2}blocks {3}GPUs: .*\(DRIVER\)$/m);
  });

  it('asks what the plan of the window asks, also of the code and the disk that a request needs', async () => {
    writeFileSync(join(folder, 'start.sh'), 'echo hello\r\n');
    const { code, out } = await preflight(request('disk_gib: 900000\npush:\n  from: .\n'));
    expect(code).toBe(1);
    expect(out).toMatch(/^ {2}blocks .*start\.sh/m);
    expect(out).toMatch(/^ {2}blocks .*900,?000/m);
  });

  it('refuses a request file that cannot be used, with its place, and a box that is not there', async () => {
    const wrong = await preflight(request('comand: x\n'));
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain('leasehold.yaml:4');
    const other = await run(['preflight', 'other', request()], {
      env: { LEASEHOLD_DATA_FOLDER: folder },
    });
    expect(other).toMatchObject({
      code: 2,
      err: expect.stringContaining('No box is called other') as string,
    });
  });

  it('says that it reached nothing, and judges nothing then', async () => {
    await box.sshd.stop();
    const { code, out } = await preflight(request(), '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ box: 'train-a', checks: null });
  });
});
