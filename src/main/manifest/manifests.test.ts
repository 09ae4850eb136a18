import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ManifestProgress } from '../../shared/manifest/manifest.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { pathWith } from '../runs/programs.fixture.ts';
import { value } from '../runs/run-box.fixture.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { hasSshd, startSshd, type TestSshd } from '../ssh/sshd.fixture.ts';
import { connectTo } from '../transfer/pulling-link.fixture.ts';
import { sha256 } from '../storage/sha256.ts';
import { inProcess } from '../workers/in-process.ts';
import { Manifests } from './manifests.ts';

let root: string;
let out: string;
let sshd: TestSshd;
let connection: SshConnection;
const opened: SshConnection[] = [];
beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-manifest-'));
  out = join(root, 'box', 'out');
  mkdirSync(out, { recursive: true });
});
afterEach(async () => {
  for (const each of opened.splice(0)) {
    each.close();
    await each.closed;
  }
  await sshd.stop();
  rmSync(root, { recursive: true, force: true });
});

/** `hasher`: what stands in the place of each program that hashes. */
async function open(hasher?: string): Promise<void> {
  const programs = hasher === undefined ? {} : { openssl: 'exit 1', sha256sum: hasher };
  const path = hasher === undefined ? {} : { path: pathWith(join(root, 'bin'), programs) };
  sshd = await startSshd({ home: join(root, 'box'), ...path });
  await connect();
}

async function connect(): Promise<void> {
  connection = await connectTo(sshd, sshd.port);
  opened.push(connection);
}

function write(path: string | Buffer, bytes: string): void {
  const whole = Buffer.concat([Buffer.from(`${out}/`), Buffer.from(path)]);
  mkdirSync(dirname(whole.toString('latin1')), { recursive: true });
  writeFileSync(whole, bytes);
}

const manifests = () =>
  new Manifests({ folder: join(root, 'kept'), scripts: onboxScripts, workers: inProcess });
const place = () => ({ boxId: 'a box', folder: dirname(out), results: 'out' });

async function make(told: ManifestProgress[] = []) {
  const signal = new AbortController().signal;
  return manifests().make(connection, place(), { signal, onProgress: (each) => told.push(each) });
}
async function since(digest: string) {
  const signal = new AbortController().signal;
  return value(
    await manifests().since(connection, place(), digest, { signal, onProgress: () => undefined }),
  );
}
const kept = (): readonly string[] =>
  readdirSync(join(root, 'kept'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.manifest'),
  );
const textOf = (): string => readFileSync(join(root, 'kept', kept()[0] ?? ''), 'latin1');

describe.skipIf(!hasSshd)('a manifest', () => {
  it('has each file byte for byte, and one digest, which is the hash of all of it', async () => {
    await open();
    const odd = ['a b', 'line\nbreak', 'back\\slash', 'é', '-rf', 'sub/deep', 'empty'];
    for (const name of odd) write(name, name === 'empty' ? '' : `of ${name}`);
    const notUtf8 = Buffer.from([0x66, 0xff, 0x66]);
    write(notUtf8, 'of it');
    symlinkSync('/etc/passwd', join(out, 'link'));
    execFileSync('mkfifo', [join(out, 'pipe')]);
    const made = value(await make());
    expect(made).toMatchObject({ files: 8, others: 2, unread: 0, unsettled: 0, tellsWrites: true });
    const text = textOf();
    expect(sha256(Buffer.from(text, 'latin1'))).toBe(made.digest);
    for (const name of odd) {
      const bytes = Buffer.from(name).toString('latin1');
      const of = sha256(name === 'empty' ? '' : `of ${name}`);
      expect(text).toContain(
        `${bytes}\0${of} f ${String(name === 'empty' ? 0 : 3 + Buffer.from(name).length)} `,
      );
    }
    expect(text).toContain(`f\xfff\0${sha256('of it')} f 5 `);
    expect(text).toMatch(/link\0- l /);
    expect(text).toMatch(/pipe\0- p /);
    const paths = text.split('\0').filter((path, at) => at % 2 === 0 && path !== '');
    expect([...paths].sort()).toEqual(paths);
  });

  it('says that nothing has changed since, and else what', async () => {
    await open();
    for (const name of ['a', 'b', 'c', 'd']) write(name, name);
    const { digest } = value(await make());
    const same = await since(digest);
    expect(same.now.digest).toBe(digest);
    expect(same.changes).toEqual({ same: 4, added: 0, gone: 0, changed: 0, named: [] });
    // Of the same size, and with its time set back.
    const past = new Date(1e12);
    write('b', 'B');
    utimesSync(join(out, 'b'), past, past);
    rmSync(join(out, 'c'));
    write('bb', 'new');
    const { now, changes } = await since(digest);
    expect(now.digest).not.toBe(digest);
    expect(changes).toMatchObject({ same: 2, added: 1, gone: 1, changed: 1 });
    expect(changes.named).toEqual([
      { kind: 'changed', path: 'b' },
      { kind: 'added', path: 'bb' },
      { kind: 'gone', path: 'c' },
    ]);
  });

  it('that nobody has, or that somebody has changed here, says nothing', async () => {
    await open();
    write('a', 'a');
    const { digest } = value(await make());
    const signal = new AbortController().signal;
    const options = { signal, onProgress: () => undefined };
    const none = await manifests().since(connection, place(), sha256('none'), options);
    expect(none).toMatchObject({ ok: false, error: { code: 'results-not-read' } });
    const file = join(root, 'kept', kept()[0] ?? '');
    writeFileSync(file, textOf().replace(sha256('a'), sha256('b')), 'latin1');
    const changed = await manifests().since(connection, place(), digest, options);
    expect(changed).toMatchObject({ ok: false, error: { code: 'results-not-read' } });
    // Nor are its hashes believed.
    expect(value(await make()).digest).toBe(digest);
  });

  it('hashes nothing that it has hashed, also after a cut in the middle of it', async () => {
    const asked = join(root, 'asked');
    const gate = join(root, 'gate');
    execFileSync('mkfifo', [gate]);
    // The last one waits until the link is gone.
    await open(
      `for each; do
         printf '%s\\n' "$each" >>'${asked}'
         case $each in *large*) [ -f '${root}/again' ] || read -r _ <'${gate}';; esac
         command -p sha256sum "$each"
       done
       [ $# -gt 0 ] || command -p sha256sum`,
    );
    for (let no = 0; no < 50; no += 1) write(`f${String(no)}`, String(no));
    writeFileSync(join(out, 'large'), Buffer.alloc(11_000_000));
    const told: ManifestProgress[] = [];
    const stopper = new AbortController();
    const cut = await manifests().make(connection, place(), {
      signal: stopper.signal,
      onProgress: (each) => {
        told.push(each);
        if (each.hashedFiles >= 50) connection.close();
      },
    });
    expect(cut.ok).toBe(false);
    expect(told.at(-1)).toMatchObject({ stage: 'hashing', listedFiles: 51, toHashFiles: 51 });
    const before = readFileSync(asked, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    expect(new Set(before).size).toBeGreaterThanOrEqual(50);
    writeFileSync(join(root, 'again'), '');
    writeFileSync(asked, '');
    await connect();
    const made = value(await make());
    expect(made).toMatchObject({ files: 51, unread: 0, unsettled: 0 });
    expect(readFileSync(asked, 'utf8')).toBe('./large\n');
    // And with nothing new nothing is.
    writeFileSync(asked, '');
    expect(value(await make()).digest).toBe(made.digest);
    expect(readFileSync(asked, 'utf8')).toBe('');
    expect(kept()).toHaveLength(1);
  });

  it('names no hash of a file that is written to while it is hashed', async () => {
    await open(
      `for each; do
         command -p sha256sum "$each"
         [ "$each" != ./log ] || printf more >>"$each"
       done
       [ $# -gt 0 ] || command -p sha256sum`,
    );
    write('log', 'line');
    write('still', 'still');
    expect(value(await make())).toMatchObject({ files: 2, unsettled: 1 });
    expect(textOf()).toMatch(/log\0- f /);
    expect(textOf()).toContain(`still\0${sha256('still')} f `);
  });

  it('says which files the box could not read, and asks for them again the next time', async () => {
    const closed = join(root, 'closed');
    await open(
      `for each; do
         [ "$each" = ./secret ] && [ ! -f '${closed}' ] && continue
         command -p sha256sum "$each"
       done
       [ $# -gt 0 ] || command -p sha256sum`,
    );
    write('secret', 's');
    write('open', 'o');
    expect(value(await make())).toMatchObject({ files: 2, unread: 1, unsettled: 0 });
    expect(textOf()).toMatch(/secret\0\? f /);
    writeFileSync(closed, '');
    expect(value(await make())).toMatchObject({ files: 2, unread: 0 });
  });

  it('is not made twice at a time', async () => {
    await open();
    write('a', 'a');
    const both = await Promise.all([make(), make()]);
    expect(both.map(({ ok }) => ok).sort()).toEqual([false, true]);
    // A maker that was killed holds nobody up.
    const lock = readdirSync(join(root, 'kept'), { recursive: true, encoding: 'utf8' }).find(
      (name) => name.endsWith('making'),
    );
    appendFileSync(join(root, 'kept', lock ?? '', 'maker'), '999999999');
    expect((await make()).ok).toBe(true);
    expect(existsSync(join(root, 'kept', lock ?? '', 'maker'))).toBe(false);
  });
});
