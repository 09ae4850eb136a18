import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RunBox } from '../runs/run-box.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { run, type Ran } from './cli.fixture.ts';
import { addBox } from './named-box.fixture.ts';

let folder: string;
let box: RunBox;
beforeEach(async () => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-end-'));
  box = new RunBox();
  await box.open();
  addBox(folder, box.sshd);
});
afterEach(async () => {
  await box.close();
  rmSync(folder, { recursive: true, force: true });
});

const cli = (...words: readonly string[]): Promise<Ran> =>
  run(words, { env: { LEASEHOLD_DATA_FOLDER: folder } });

describe.skipIf(!hasSshd)('teardown', () => {
  it('says what is in the way, and of the copies once they were read again', async () => {
    const { id } = await box.launch({
      ...{ name: 'base', results: 'out' },
      command: 'mkdir -p out && echo 1 >out/loss.txt',
    });
    await box.until(id, 'done');
    mkdirSync(join(box.home, 'old'));
    writeFileSync(join(box.home, 'old/model.pt'), Buffer.alloc(1_200_000));
    const before = await cli('teardown', 'inspect', 'train-a');
    expect(before).toMatchObject({ code: 1, err: '' });
    expect(before.out).toContain('The results of “base” were never brought home: 1 file.');
    expect(before.out).toContain('  → Bring the results home.');

    const to = join(folder, 'home');
    expect(await cli('pull', 'train-a', 'base', '--to', to)).toMatchObject({ code: 0 });
    const kindsIn = async (what: 'inspect' | 'plan'): Promise<readonly string[]> => {
      const told = await cli('teardown', what, 'train-a', '--json');
      expect(told.code).toBe(1);
      const said = JSON.parse(told.out) as Record<string, { blockers: { kind: string }[] }>;
      return (said[what === 'plan' ? 'plan' : 'inspection']?.blockers ?? []).map(
        ({ kind }) => kind,
      );
    };
    expect(await kindsIn('inspect')).toContain('copies-unread');
    const planned = await kindsIn('plan');
    expect(planned).not.toContain('copies-unread');
    expect(planned).toEqual(expect.arrayContaining(['elsewhere', 'tier-goes']));
    expect(await cli('teardown', 'inspect', 'nobody')).toMatchObject({ code: 2 });
    expect(await cli('teardown', 'approve', 'train-a')).toMatchObject({ code: 2, out: '' });
  });
});
