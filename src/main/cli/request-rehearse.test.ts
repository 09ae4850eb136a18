import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PreflightCheck } from '../../shared/runs/launch/launch-plan.ts';
import { RunBox } from '../runs/run-box.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { run, type Ran } from './cli.fixture.ts';
import { addBox } from './named-box.fixture.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-rehearse-'));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src', 'check.sh'), 'echo checked; exit 0\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const cli = (...words: readonly string[]): Promise<Ran> =>
  run(words, { env: { LEASEHOLD_DATA_FOLDER: join(folder, 'data') } });
function request(rehearsal: string, more = 'push:\n  from: src\n'): string {
  const file = join(folder, 'leasehold.yaml');
  const text = `name: a run\ncommand: echo hello\nfolder: ~/work\nrehearsal: ${rehearsal}\n${more}`;
  writeFileSync(file, text);
  return file;
}

describe('request rehearse', () => {
  it('tells what failed, what changed its own code, and what cannot be rehearsed', async () => {
    const failed = await cli('request', 'rehearse', request('sh check.sh; exit 3'));
    expect(failed).toMatchObject({ code: 1, err: '' });
    expect(failed.out).toContain('checked\nIt failed (exit 3).\n');
    const changed = await cli('request', 'rehearse', request('date >> src.log'), '--json');
    expect(changed.code).toBe(1);
    expect(JSON.parse(changed.out)).toMatchObject({ exitCode: 0, isPassed: false });
    expect((await cli('request', 'rehearse', request('sh check.sh', ''))).err).toContain(
      'pushes no code',
    );
  });
});

describe.skipIf(!hasSshd)('a launch with a rehearsal', () => {
  let box: RunBox;
  beforeEach(async () => {
    box = new RunBox();
    await box.open();
    mkdirSync(join(folder, 'data'));
    addBox(join(folder, 'data'), box.sshd);
  });
  afterEach(() => box.close());

  async function check(file: string): Promise<PreflightCheck | undefined> {
    const { out } = await cli('preflight', 'train-a', file, '--json');
    const { checks } = JSON.parse(out) as { readonly checks: readonly PreflightCheck[] };
    return checks.find(({ id }) => id === 'rehearsal');
  }

  it('is blocked until it has passed here with the very code that is pushed (GEN5)', async () => {
    const file = request('sh check.sh');
    expect(await check(file)).toMatchObject({
      answer: 'block',
      gotcha: 'GEN5',
      anyway: expect.any(String) as string,
    });
    expect(await cli('request', 'rehearse', file)).toMatchObject({ code: 0, err: '' });
    expect(await check(file)).toMatchObject({ answer: 'pass', gotcha: 'GEN5' });
    expect(await check(request('sh check.sh --all'))).toMatchObject({ answer: 'block' });
    writeFileSync(join(folder, 'src', 'check.sh'), 'echo changed; exit 0\n');
    expect(await check(request('sh check.sh'))).toMatchObject({ answer: 'block' });
    expect(await check(request('sh check.sh', ''))).toMatchObject({ answer: 'unknown' });
  });
});
