import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { ChainCheck, type EvidenceEntry } from '../../shared/evidence/chain.ts';
import type { SetFound } from '../../shared/verify/sets.ts';
import { DATABASE_FILE } from '../storage/database-file.ts';
import { openConnection } from '../storage/connection.ts';
import { openDatabase } from '../storage/database.ts';
import { HEAD } from '../storage/evidence-head.ts';
import { withFolder } from '../storage/disk.fixture.ts';
import { setSpecimen } from '../verify/sets/sets.fixture.ts';
import { run } from './cli.fixture.ts';

const SPECIMENS = new URL('../verify/specimens/arrays/', import.meta.url);
const MODEL = 'safetensors-0.8.0--plain.safetensors';

function lay(folder: string): void {
  mkdirSync(join(folder, 'sub'));
  copyFileSync(new URL(MODEL, SPECIMENS), join(folder, 'model.safetensors'));
  writeFileSync(join(folder, 'sub', 'two\nlines.txt'), 'x');
}

interface Told {
  readonly short: number;
  readonly files: readonly { path: string; mark: string; level: string; says: string | null }[];
}
async function verified(...argv: string[]): Promise<Told & { readonly code: number }> {
  const { code, out, err } = await run(['verify', ...argv, '--json']);
  expect(err).toBe('');
  return { code, ...(JSON.parse(out) as Told) };
}
const short = ({ files }: Told) =>
  files.map(({ path, mark, level }) => `${path}: ${mark}, ${level}`);

it('proves a folder, each file as far as it can be', () =>
  withFolder(async (folder) => {
    lay(folder);
    const told = await verified(folder);
    expect(told).toMatchObject({ code: 0, short: 0 });
    expect(short(told)).toEqual([
      'model.safetensors: not compared, loaded',
      'sub/two\nlines.txt: not compared, hashed',
    ]);
    const { code, out } = await run(['verify', folder]);
    expect(code).toBe(0);
    expect(out).toContain('no reader for such a file');
    expect(out).toContain('2 files: 2 fine, 0 not');
  }));

it('finds what is damaged, no plain file, or cannot be read', () =>
  withFolder(async (folder) => {
    lay(folder);
    truncateSync(join(folder, 'model.safetensors'), 1000);
    symlinkSync('/dev/zero', join(folder, 'endless'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const told = await verified(folder);
    expect(told).toMatchObject({ code: 1, short: 2 });
    expect(short(told)).toEqual([
      'endless: not compared, listed',
      'model.safetensors: not compared, hashed',
      'pipe: could not read, listed',
      'sub/two\nlines.txt: not compared, hashed',
    ]);
  }));

it('curves of trackers are told with whether their server has them, and are no shortfall', () =>
  withFolder(async (folder) => {
    const laid = join(folder, 'wandb', 'offline-run-20261126_060544-xyqvjojt');
    mkdirSync(laid, { recursive: true });
    mkdirSync(join(folder, 'trackio'));
    const of = (name: string) => new URL(`../verify/specimens/${name}`, import.meta.url);
    copyFileSync(of('wandb/wandb-0.31.0--run.wandb'), join(laid, 'run-xyqvjojt.wandb'));
    copyFileSync(of('sqlite/trackio-0.43.0--sent.db'), join(folder, 'trackio', 'demo.db'));
    const told = async () => (await verified(folder)) as unknown as Record<string, unknown>;
    expect(await told()).toMatchObject({
      short: 0,
      trackers: [
        { tracker: 'trackio', state: 'uploaded' },
        { tracker: 'wandb', state: 'not uploaded' },
      ],
    });
    expect((await run(['verify', folder])).out).toContain(
      'not uploaded: these files are all that there is',
    );
    // What was written last lies beside the database.
    writeFileSync(join(folder, 'trackio', 'demo.db-wal'), 'x');
    writeFileSync(join(laid, 'run-xyqvjojt.wandb.synced'), '');
    expect(await told()).toMatchObject({
      trackers: [{ state: 'unknown' }, { state: 'uploaded' }],
    });
  }));

it('a link is told and is no shortfall, but where a manifest wants what it leads to', () =>
  withFolder(async (folder) => {
    lay(folder);
    symlinkSync('model.safetensors', join(folder, 'latest'));
    const told = await verified(folder);
    expect(told).toMatchObject({ code: 0, short: 0 });
    expect(told.files[0]).toMatchObject({ path: 'latest', says: 'A link, not followed.' });
    const manifest = join(folder, '..', `${basename(folder)}.sha256`);
    writeFileSync(manifest, `${'0'.repeat(64)}  latest\n`);
    const against = await verified(folder, '--manifest', manifest);
    rmSync(manifest);
    expect(short(against)).toContain('latest: could not read, listed');
  }));

it('reads numbers that are reported again, and falls short where one differs or is not there', () =>
  withFolder(async (folder) => {
    writeFileSync(join(folder, 'metrics.json'), '{"eval": {"acc": 0.91298}, "a=b": 2}');
    writeFileSync(join(folder, 'a:b.csv'), 'step,loss\n1,0.5\n2,0.25\n');
    const asked = (...numbers: string[]) =>
      run(['verify', folder, ...numbers.flatMap((each) => ['--number', each])]);
    const good = ['metrics.json:eval.acc=0.913', 'a:b.csv:loss@lowest=0.250', 'a:b.csv:loss@1'];
    const fine = await asked(...good, 'metrics.json:["a=b"]=2');
    expect(fine).toMatchObject({ code: 0, err: '' });
    expect(fine.out).toMatch(
      /metrics\.json:eval\.acc +0\.91298 +0\.913 +re-read, equal as rounded/,
    );
    expect(fine.out).toContain('2 files, 4 numbers: 6 fine, 0 not');
    const short = await verified(
      ...[folder, '--number', 'metrics.json:eval.acc=0.92', '--number', 'a:b.csv:acc@last=1'],
    );
    expect(short).toMatchObject({
      ...{ code: 1, short: 2 },
      numbers: [
        { literal: '0.91298', verdict: 'differs' },
        { literal: null, says: 'it has no number under this key' },
      ],
    });
    // Nothing is told as re-read that was only loaded.
    expect(short.files.map(({ level }) => level)).toEqual(['loaded', 're-read']);
    writeFileSync(join(folder, 'metrics.json'), '{"eval": {"acc": 0.91298}');
    const broken = await verified(folder, '--number', 'metrics.json:eval.acc=0.913');
    expect(broken).toMatchObject({ code: 1, numbers: [{ literal: null }] });
  }));

it.each(['none.json:a=1', 'metrics.json', 'metrics.json:=1', 'metrics.json:a=one'])(
  '--number %s is wrong use',
  (number) =>
    withFolder(async (folder) => {
      writeFileSync(join(folder, 'metrics.json'), '{"a": 1}');
      expect(await run(['verify', folder, '--number', number])).toMatchObject({ code: 2 });
    }),
);

it('compares with a manifest as sha256sum writes it: missing, more, different', () =>
  withFolder(async (folder) => {
    lay(folder);
    const manifest = execFileSync('sh', ['-c', 'find . -type f -exec sha256sum {} +'], {
      cwd: folder,
    });
    await withFolder(async (other) => {
      const file = join(other, 'sums');
      writeFileSync(file, manifest);
      expect(short(await verified(folder, '--manifest', file))).toEqual([
        'model.safetensors: equal, loaded',
        'sub/two\nlines.txt: equal, hashed',
      ]);
      writeFileSync(join(folder, 'more.json'), '{}');
      writeFileSync(join(folder, 'sub', 'two\nlines.txt'), 'y');
      writeFileSync(file, `${manifest.toString()}${'0'.repeat(64)}  gone.bin\n`);
      const told = await verified(folder, '--manifest', file);
      expect(told.code).toBe(1);
      expect(short(told)).toEqual([
        'model.safetensors: equal, loaded',
        'more.json: extra, loaded',
        'sub/two\nlines.txt: differs, hashed',
        'gone.bin: missing, listed',
      ]);
      writeFileSync(file, 'no manifest\n');
      const { code, err } = await run(['verify', folder, '--manifest', file]);
      expect({ code, err }).toMatchObject({
        code: 2,
        err: expect.stringContaining('line 1') as string,
      });
    });
  }));

it('evidence check finds an entry that was changed', () =>
  withFolder(async (folder) => {
    const env = { LEASEHOLD_DATA_FOLDER: folder };
    const { database } = openDatabase({ folder });
    const entry = { atMs: 1, kind: 'pull', boxId: 'b', about: 'r', body: '{}' } as const;
    expect(database.evidence.append(entry)).toMatchObject({ ok: true });
    database.close();
    const check = () => run(['evidence', 'check'], { env });
    expect(await check()).toMatchObject({ code: 0, out: '1 entry as it was written.\n' });
    const note = join(folder, `${DATABASE_FILE}${HEAD}`);
    const own = readFileSync(note, 'utf8');
    const json = () => run(['evidence', 'check', '--json'], { env });
    expect(JSON.parse((await json()).out)).toEqual({ count: 1, fault: null, noted: 1 });
    writeFileSync(note, own.replace(/^[0-9a-f]{64}/, 'f'.repeat(64)));
    expect((await check()).out).toMatch(/^1 entry as it was written\.\n.* about other databases,/);
    rmSync(note);
    expect((await check()).out).toMatch(/\nNothing beside the database says how far it had come/);
    expect(JSON.parse((await json()).out)).toEqual({ count: 1, fault: null, noted: null });
    const file = openConnection(join(folder, DATABASE_FILE), 0);
    file.exec(`DROP TRIGGER evidence_stays; UPDATE evidence SET body = '{"a":1}'`);
    file.close();
    expect(await check()).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^Entry 1: it was changed after it was written\.\n/) as string,
    });
  }));

it('looks at what several files make up, and fails where a part of it is missing', () =>
  withFolder(async (folder) => {
    cpSync(setSpecimen('huggingface_hub-2.4.0--safetensors'), join(folder, 'model'), {
      recursive: true,
    });
    const sets = (told: object) => (told as { readonly sets: readonly SetFound[] }).sets;
    const path = 'model/model.safetensors.index.json';
    const kind = 'sharded-checkpoint';
    const whole = await verified(folder);
    expect(whole).toMatchObject({ code: 0, short: 0 });
    expect(sets(whole)).toEqual([{ kind, path, state: 'whole', says: '3 parts, 8 tensors' }]);
    rmSync(join(folder, 'model', 'model-00003-of-00003.safetensors'));
    const broken = await verified(folder);
    expect(broken).toMatchObject({ code: 1, short: 1 });
    expect(sets(broken)).toMatchObject([{ path, state: 'damaged' }]);
    const { out } = await run(['verify', folder]);
    expect(out).toContain('1 of its 3 parts is not here');
    expect(out).toContain('3 files and 1 set of them: 3 fine, 1 not');
  }));

const REPORT = {
  ...{
    runId: 'r',
    runName: 'a | b',
    from: '/box/out',
    to: '/home/me/r',
    manifest: 'ab'.repeat(32),
  },
  files: [
    {
      ...{ path: 'metrics.json', bytes: 12, modifiedAtMs: 1, keep: 'evidence', mark: 'equal' },
      ...{ level: 'loaded', sha256: 'cd'.repeat(32), says: null },
      loaded: { kind: 'loaded', format: 'json', holds: '1 field' },
    },
    {
      ...{ path: 'two\nlines|.tmp', bytes: 9, modifiedAtMs: 1, keep: 'scratch' },
      ...{ mark: 'missing-here', level: 'listed', sha256: null, loaded: null },
      ...{ says: 'Left on the box: scratch', left: 'scratch' },
    },
  ],
};

it('evidence export gives all of it away, and says itself that an entry was changed', () =>
  withFolder(async (folder) => {
    const env = { LEASEHOLD_DATA_FOLDER: folder };
    const { database } = openDatabase({ folder });
    const about = { kind: 'pull', boxId: 'b', about: 'r' } as const;
    for (const [atMs, body] of [JSON.stringify(REPORT), '{}'].entries()) {
      expect(database.evidence.append({ ...about, atMs, body })).toMatchObject({ ok: true });
    }
    database.close();
    const exported = (...argv: string[]) => run(['evidence', 'export', ...argv], { env });
    const json = await exported('--json');
    const told = JSON.parse(json.out) as {
      count: number;
      fault: unknown;
      entries: EvidenceEntry[];
    };
    expect({ ...told, code: json.code }).toMatchObject({ code: 0, count: 2, fault: null });
    const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
    const chain = new ChainCheck(sha256);
    for (const entry of told.entries) chain.take(entry);
    expect(chain.fault).toBeNull();
    const page = await exported();
    expect(page).toMatchObject({ code: 0, err: '' });
    expect(page.out).toContain('2 entries, each as it was written.');
    expect(page.out).toContain('No. 2: an entry that Leasehold cannot read');
    const receipt = await exported('--receipt', '1');
    expect(receipt.out).toContain('home 1 with 12 bytes, left on the box 1, not proven 0');
    expect(receipt.out).toContain('Left on the box: scratch');
    expect(receipt.out).toContain('loaded: 1 field');
    // One row a file, whatever its name.
    const rows = receipt.out.split('\n').filter((line) => line.startsWith('| `'));
    expect(rows).toHaveLength(2);
    expect(await exported('--receipt', '3')).toMatchObject({ code: 2 });
    const file = openConnection(join(folder, DATABASE_FILE), 0);
    file.exec(`DROP TRIGGER evidence_stays; UPDATE evidence SET body = '[]' WHERE seq = 1`);
    file.close();
    const changed = await exported('--receipt', '2');
    expect(changed.code).toBe(1);
    expect(changed.out).toContain('Entry 1: it was changed after it was written.');
    expect(changed.out).toContain('THE RECORD WAS CHANGED');
  }));
