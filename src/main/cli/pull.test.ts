import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
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
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-pull-'));
  box = new RunBox();
  await box.open();
  addBox(folder, box.sshd);
});
afterEach(async () => {
  await box.close();
  rmSync(folder, { recursive: true, force: true });
});

const cli = (...words: readonly string[]): Promise<Ran> =>
  run(words, { env: { LEASEHOLD_DATA_FOLDER: folder, XDG_CONFIG_HOME: folder } });

describe.skipIf(!hasSshd)('pull', () => {
  it('brings results home, keeps that as evidence, and says what came short', async () => {
    const out = join(box.home, 'work', 'out');
    mkdirSync(out);
    writeFileSync(join(out, 'metrics.json'), '{"loss":0.1}');
    writeFileSync(join(out, 'model.bin'), 'bytes');
    const { id } = await box.launch({ name: 'short', results: 'out', command: 'true' });
    await box.until(id, 'done');
    const to = join(folder, 'home');
    expect(await cli('pull', 'train-a', 'short')).toMatchObject({ code: 2, out: '' });
    for (const limit of ['fast', '-1', '0']) {
      const refused = await cli('pull', 'train-a', 'short', '--to', to, '--limit', limit);
      expect(refused).toMatchObject({ code: 2, out: '' });
    }
    const fine = await cli('pull', 'train-a', 'short', '--to', to, '--limit', '5');
    expect(fine).toMatchObject({ code: 0, err: '' });
    expect(fine.out).toMatch(/^metrics\.json +12 +equal +loaded +[a-z-]+ /m);
    expect(fine.out).toMatch(
      /^model\.bin +5 +equal +hashed +(?:stays|lost-on-stop|lost-on-destroy|depends|unknown) /m,
    );
    expect(fine.out).toContain(`short: 2 files in ${to}: 2 fine, 0 not; evidence 1`);
    const still = await cli('home', 'train-a', 'short');
    expect(still).toMatchObject({ code: 0, err: '' });
    expect(still.out).toMatch(
      /2 files of .*, manifest [0-9a-f]{64}: all home, as evidence 1 proved/,
    );
    expect(readFileSync(join(to, 'metrics.json'), 'utf8')).toBe('{"loss":0.1}');
    expect(await cli('evidence', 'check')).toMatchObject({ code: 0 });
    const receipt = join(folder, 'receipt.json');
    const printed = await cli('evidence', 'export', '--receipt', '1', '--json');
    writeFileSync(receipt, printed.out);
    const checked = () => cli('evidence', 'check', '--receipt', receipt);
    expect(await checked()).toMatchObject({
      ...{ code: 0, out: '1 entry, 2 copied files: as they were.\n' },
    });
    // One of an older Leasehold has none, which is said.
    const { seal: _seal, ...bare } = JSON.parse(printed.out) as Readonly<Record<string, unknown>>;
    writeFileSync(receipt, JSON.stringify({ ...bare, format: 1 }));
    expect((await checked()).out).toMatch(/as they were\.\nIt has no seal/);
    writeFileSync(receipt, printed.out);
    writeFileSync(join(to, 'model.bin'), 'mine!');
    expect(await checked()).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        /^model\.bin: the copy has other bytes than were proven\n/,
      ) as string,
    });
    writeFileSync(receipt, printed.out.replace('model.bin', 'other.bin'));
    expect((await checked()).out).toContain('Entry 1 was changed.');
    writeFileSync(receipt, '{}');
    expect(await checked()).toMatchObject({ code: 2, out: '' });
    const other = await cli('pull', 'train-a', 'short', '--to', to, '--json');
    expect(other.code).toBe(1);
    expect(JSON.parse(other.out)).toMatchObject({
      box: 'train-a',
      problem: null,
      pull: {
        seq: 2,
        report: { files: [{ mark: 'equal' }, { path: 'model.bin', mark: 'differs' }] },
      },
    });
    expect(readFileSync(join(to, 'model.bin'), 'utf8')).toBe('mine!');
    writeFileSync(join(out, 'late.json'), '{}');
    rmSync(join(to, 'metrics.json'));
    const not = await cli('home', 'train-a', 'short');
    expect(not.code).toBe(1);
    expect(not.out).toContain('late.json: added on the box since\n');
    expect(not.out).toContain('metrics.json: its copy here is gone or has changed\n');
    expect(not.out).toContain('model.bin: short\n');
    expect(await cli('home', 'train-a', 'nobody')).toMatchObject({ code: 1, out: '' });
    // A folder that no run has told of is brought home like what runs leave.
    const plain = join(box.home, 'plain');
    mkdirSync(plain);
    writeFileSync(join(plain, 'a.txt'), 'a');
    const there = join(folder, 'plain');
    expect(await cli('pull', 'train-a', plain, '--to', there)).toMatchObject({ code: 0 });
    expect(readFileSync(join(there, 'a.txt'), 'utf8')).toBe('a');
    expect(await cli('home', 'train-a', `${plain}/`)).toMatchObject({ code: 0 });
    expect(await cli('pull', 'train-a', '/nowhere', '--to', there)).toMatchObject({ code: 1 });
    const none = await cli('pull', 'train-a', 'nobody', '--to', to);
    expect(none).toMatchObject({ code: 1, out: '' });
    expect(none.err).toContain('No launched run on the box is called nobody.');
  });

  it('counts a file that is damaged on the box too only where it is accepted by name, with a reason', async () => {
    const out = join(box.home, 'work', 'out');
    mkdirSync(out);
    writeFileSync(join(out, 'a.npy'), 'no array');
    writeFileSync(join(out, 'b.npy'), 'no array either');
    writeFileSync(join(out, 'metrics.json'), '{"loss":0.1}');
    const { id } = await box.launch({ name: 'torn', results: 'out', command: 'true' });
    await box.until(id, 'done');
    const pull = (...more: readonly string[]) =>
      cli('pull', 'train-a', 'torn', '--to', join(folder, 'home'), ...more);
    expect(await pull('--accept', 'a.npy')).toMatchObject({ code: 2, out: '' });
    expect(await pull('--because', 'all there is')).toMatchObject({ code: 2, out: '' });
    const fine = await pull('--accept', 'metrics.json', '--because', 'all there is');
    expect(fine).toMatchObject({ code: 1, out: '' });
    expect(fine.err).toContain('“metrics.json” did not come home damaged');
    const one = await pull('--accept', 'a.npy', '--because', 'all there is');
    expect(one.code).toBe(1);
    expect(one.out).toMatch(/^a\.npy .*damaged: .*; accepted: all there is$/m);
    expect(one.out).toContain('2 fine, 1 not');
    const both = await pull('--accept', 'b.npy', '--because', 'so is this');
    expect(both.out).toContain('3 fine, 0 not');
    expect(both.code).toBe(0);
    // It holds for these bytes, and for no others.
    expect(await pull()).toMatchObject({ code: 0 });
    writeFileSync(join(out, 'b.npy'), 'no array and longer now');
    rmSync(join(folder, 'home', 'b.npy'));
    const other = await pull();
    expect(other.code).toBe(1);
    expect(other.out).toContain('2 fine, 1 not');
    expect(await cli('evidence', 'check')).toMatchObject({ code: 0 });
  });
});
