import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Box, LinkState } from '../../shared/boxes/box.ts';
import { USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import { ok } from '../../shared/result.ts';
import { sessionHostKeys } from '../known-hosts/session-host-keys.ts';
import type { Log } from '../log/log.ts';
import { installKey, listPublicKeys } from './key-installer.ts';
import { Link } from './link.ts';
import { openLoginBench, type LoginBench } from './login.fixture.ts';
import { makeWithNode } from './make-key.ts';
import { readIdentityFile } from './identity-file.ts';
import { hasSshd, startSshd, type TestSshd } from './sshd.fixture.ts';

const silent = { info() {}, warn() {}, error() {}, debug() {} } as unknown as Log;

describe.skipIf(!hasSshd)('installing a key on a real sshd', () => {
  let bench: LoginBench;
  let sshd: TestSshd;
  let link: Link;
  let box: Box;
  /** The box's home folder, and this machine's. */
  let there: string;
  let here: string;

  beforeEach(async () => {
    bench = await openLoginBench();
    there = join(bench.folder, 'box');
    here = join(bench.folder, 'home');
    for (const folder of [there, join(here, '.ssh')]) mkdirSync(folder, { recursive: true });
    vi.stubEnv('HOME', here);
    sshd = await startSshd({ home: there });
    const { port, user, privateKey } = sshd;
    box = {
      id: 'b1',
      name: 'train-a',
      platform: 'generic-ssh',
      address: { host: '127.0.0.1', port, user },
      ...USUAL_WAY,
      tags: [],
      addedAtMs: 0,
    };
    let onUp: () => void = () => undefined;
    const up = new Promise<void>((resolve) => (onUp = resolve));
    link = new Link({
      box,
      log: silent,
      hostKeys: sessionHostKeys(),
      proxyPassword: () => ok(null),
      gatherCredentials: () => Promise.resolve(ok([{ kind: 'key', privateKey }])),
      onChange: (state: LinkState) => {
        if (state.kind === 'host-key-unknown') link.trustHostKey(state.offered.fingerprint, '');
        if (state.kind === 'up') onUp();
      },
    });
    link.connect();
    await up;
  });
  afterEach(async () => {
    link.disconnect();
    await bench.close();
    await sshd.stop();
    vi.unstubAllEnvs();
  });

  const authorized = (): string => readFileSync(join(there, '.ssh/authorized_keys'), 'utf8');
  const install = (publicKeyFile: string | null, env: NodeJS.ProcessEnv = process.env) =>
    installKey({
      box,
      link,
      person: bench.persons.forBox(box),
      env,
      publicKeyFile,
      signal: new AbortController().signal,
    });

  it('makes a pair of its own, adds it, and has logged in with it when it says so', async () => {
    const installed = await install(null);
    const keyFile = join(here, '.ssh/leasehold_ed25519');
    expect(installed).toMatchObject({ ok: true, value: { keyFile, outcome: 'added' } });
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    // For the next box it is there already, and not among those to choose from.
    expect(await install(null)).toMatchObject({ ok: true, value: { keyFile, outcome: 'present' } });
    expect(await listPublicKeys()).toEqual([]);
    expect(authorized().split(' ').slice(0, 2)).toEqual(
      readFileSync(`${keyFile}.pub`, 'utf8').split(' ').slice(0, 2),
    );
    // OpenSSH's own opinion of it.
    const args = ['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null'];
    const more = ['-o', 'BatchMode=yes', '-o', 'IdentitiesOnly=yes', '-i', keyFile];
    const to = ['-p', String(sshd.port), `${sshd.user}@127.0.0.1`, 'echo in'];
    expect(
      execFileSync('ssh', [...args, ...more, ...to], { encoding: 'utf8', stdio: 'pipe' }),
    ).toBe('in\n');
  });

  it('adds an existing key once, never its private half, and never touches another file', async () => {
    const file = join(here, '.ssh', 'work');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'me $(id)', '-f', file]);
    expect(await listPublicKeys()).toMatchObject([
      {
        ...{ file: `${file}.pub`, type: 'ssh-ed25519', comment: 'me $(id)' },
        line: readFileSync(`${file}.pub`, 'utf8').trim(),
      },
    ]);
    expect(await install(`${file}.pub`)).toMatchObject({ value: { outcome: 'added' } });
    expect(await install(`${file}.pub`)).toMatchObject({ value: { outcome: 'present' } });
    expect(authorized()).toBe(readFileSync(`${file}.pub`, 'utf8'));
    expect(authorized()).not.toContain('PRIVATE');
  });

  it('asks for the passphrase of a key to prove it, and takes no password for a proof', async () => {
    const file = join(here, '.ssh', 'locked');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', 'open sesame', '-f', file]);
    bench.reply = () => ['open sesame'];
    expect((await install(`${file}.pub`)).ok).toBe(true);
    expect(bench.asked).toMatchObject([{ subject: { kind: 'passphrase', keyFile: file } }]);
  });

  it('says what was done and what was not when the key does not get in', async () => {
    const file = join(here, '.ssh', 'work');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
    // The line says: from nowhere. The command sees the key there and has nothing to add.
    mkdirSync(join(there, '.ssh'));
    const line = readFileSync(`${file}.pub`, 'utf8');
    writeFileSync(join(there, '.ssh/authorized_keys'), `from="192.0.2.1" ${line}`);
    const refused = await install(`${file}.pub`);
    expect(refused).toMatchObject({ ok: false, error: { code: 'key-not-installed' } });
    if (refused.ok) return;
    expect(refused.error.message).toContain('was already in ~/.ssh/authorized_keys on train-a');
    expect(refused.error.message).toContain('a new log-in with it failed');
    expect(link.state.kind).toBe('up');
  });

  it('says so when the private half is nowhere', async () => {
    const file = join(here, '.ssh', 'gone');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
    execFileSync('rm', [file]);
    const refused = await install(`${file}.pub`, {});
    expect(refused.ok ? '' : refused.error.message).toContain('neither at');
  });

  it('changes nothing where there is no link', async () => {
    link.disconnect();
    expect(await install(null)).toMatchObject({ error: { code: 'not-connected' } });
    expect(existsSync(join(here, '.ssh/leasehold_ed25519'))).toBe(false);
  });
});

describe('a key made without OpenSSH', () => {
  it('is one that OpenSSH reads, and readable by its owner only', async () => {
    const bench = await openLoginBench();
    const file = join(bench.folder, 'made');
    await makeWithNode(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const derived = execFileSync('ssh-keygen', ['-y', '-f', file], { encoding: 'utf8' });
    const [type, key] = readFileSync(`${file}.pub`, 'utf8').split(' ');
    expect(derived.split(' ').slice(0, 2)).toEqual([type, key]);
    expect(await readIdentityFile(file)).toMatchObject({ kind: 'usable' });
    await expect(makeWithNode(file)).rejects.toMatchObject({ code: 'EEXIST' });
    await bench.close();
  });
});
