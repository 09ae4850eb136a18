import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { PulledFile, RunProof } from '../../shared/transfer/pull.ts';
import type { Loaded } from '../../shared/verify/loaded.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { sourceWorker } from '../workers/source-worker.fixture.ts';
import { Workers } from '../workers/workers.ts';
import { OwnPython } from './own-python.ts';

const BOX = '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01';
const RUN = 'r-20260101-000000-00000000';
const TORCH: Loaded = { kind: 'not-loadable', format: 'torch', because: 'it names what it names' };

let folder: string;
let here: string;
let database: Database;
let workers: Workers;
let files: PulledFile[];
let chosen: string | null;
let own: OwnPython;
beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-own-python-'));
  here = join(folder, 'here');
  mkdirSync(here);
  database = openTemporaryDatabase();
  workers = new Workers(sourceWorker);
  files = [];
  own = opened();
});
afterEach(() => {
  own.close();
  workers.close();
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

function opened(): OwnPython {
  const report = { runId: RUN, runName: 'a', from: '/b', to: here, manifest: '', files };
  const proof: RunProof = { atMs: 0, seq: 1, hash: '', report };
  return new OwnPython({
    ...{ workers, entries: database.entries, env: process.env },
    proof: () => Promise.resolve(ok(proof)),
    choose: () => Promise.resolve(chosen),
    program: join(folder, 'check.py'),
  });
}

function lay(path: string, loaded: Loaded = TORCH, more: Partial<PulledFile> = {}): void {
  writeFileSync(join(here, path), path);
  files.push({
    ...{ path, bytes: path.length, modifiedAtMs: 1, keep: 'evidence', mark: 'equal' },
    sha256: createHash('sha256').update(path).digest('hex'),
    ...{ level: 'hashed', loaded, says: null, ...more },
  });
}

/** Notes what it was asked to load, and does what it is told. */
async function choosePython(does: string): Promise<() => string> {
  const [python, told] = [join(folder, 'python'), join(folder, 'told')];
  writeFileSync(python, `#!/bin/sh\nprintf '%s ' "$@" >>'${told}'\n${does}\n`);
  chmodSync(python, 0o755);
  writeFileSync(join(folder, 'check.py'), 'PROGRAM');
  chosen = python;
  expect(await own.choose()).toEqual(ok(python));
  return () => (existsSync(told) ? readFileSync(told, 'utf8') : '');
}

const LOADS = `echo '{"kind":"loads","torch":"2.9","tensors":3,"isAlone":true}'`;
const refusal = <T>(answer: Result<T, Problem>): string => (answer.ok ? '' : answer.error.message);
const ask = (path: string) => own.ask(BOX, RUN, path);

describe.runIf(process.platform !== 'win32')('the person’s own Python, in the window', () => {
  it('is none until one was chosen, stays chosen, and is left as it is where they cancel', async () => {
    lay('model.pt');
    expect(own.chosen()).toEqual(ok(null));
    expect(refusal(await ask('model.pt'))).toMatch('No Python was chosen.');
    await choosePython(LOADS);
    const python = chosen;
    chosen = null;
    expect(await own.choose()).toEqual(ok(python));
    expect(opened().chosen()).toEqual(ok(python));
  });

  it('loads what came home, and what it says is handed on', async () => {
    lay('model.pt');
    const told = await choosePython(LOADS);
    expect(await ask('model.pt')).toEqual(
      ok({ kind: 'loads', torch: '2.9', tensors: 3, isAlone: true }),
    );
    expect(told()).toBe(`-E -c PROGRAM ${join(here, 'model.pt')} `);
  });

  it('is told of where the file was changed meanwhile, whatever the answer is', async () => {
    lay('model.pt');
    await choosePython(`printf other >'${join(here, 'model.pt')}'\n${LOADS}`);
    expect(refusal(await ask('model.pt'))).toMatch('was changed while your Python had it open');
  });

  it('is asked of nothing else: no other file, no other format, and none that did not come home whole', async () => {
    lay('model.pt');
    lay('log.json', { kind: 'loaded', format: 'json', holds: '' });
    lay('notes.txt', { kind: 'no-reader' });
    lay('other.pt', TORCH, { mark: 'differs' });
    const told = await choosePython(LOADS);
    for (const path of ['../here/model.pt', 'none.pt', 'log.json', 'notes.txt', 'other.pt']) {
      expect(refusal(await ask(path))).toMatch('It is no file of torch that came home.');
    }
    expect(told()).toBe('');
  });

  it('is asked of no bytes but those that were proven', async () => {
    for (const name of ['changed.pt', 'linked.pt', 'gone.pt']) lay(name);
    const told = await choosePython(LOADS);
    writeFileSync(join(here, 'changed.pt'), 'others');
    renameSync(join(here, 'linked.pt'), join(folder, 'linked.pt'));
    symlinkSync(join(folder, 'linked.pt'), join(here, 'linked.pt'));
    rmSync(join(here, 'gone.pt'));
    expect(refusal(await ask('changed.pt'))).toMatch('is not the one that came home');
    expect(refusal(await ask('linked.pt'))).toMatch('is not on this computer any more');
    expect(refusal(await ask('gone.pt'))).toMatch('is not on this computer any more');
    expect(told()).toBe('');
  });

  it('is ended where it is stopped, takes one file at a time, and can be asked again', async () => {
    lay('model.pt');
    // Until its stdin ends, as the program does.
    const told = await choosePython('cat >/dev/null');
    const first = ask('model.pt');
    await vi.waitFor(() => expect(told()).not.toBe(''), { timeout: 60_000 });
    expect(refusal(await ask('model.pt'))).toMatch('Another file is being loaded already.');
    own.stop();
    expect(await first).toEqual(ok({ kind: 'no-answer', says: 'it was stopped' }));
    await choosePython(LOADS);
    expect(await ask('model.pt')).toMatchObject({ ok: true, value: { kind: 'loads' } });
  });
});
