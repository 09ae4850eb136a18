import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planShownBy } from '../../shared/boxes/host-key.fixture.ts';
import type { PlanRef } from '../../shared/plan/plan.ts';
import type { Box } from '../../shared/boxes/box.ts';
import { USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import { sessionHostKeys } from '../known-hosts/session-host-keys.ts';
import { openKnownHosts } from '../known-hosts/user-files.ts';
import type { Log } from '../log/log.ts';
import { withFolder } from '../storage/disk.fixture.ts';
import type { HostKeyStore } from './host-key-store.ts';
import {
  anotherKey,
  blobOf,
  startKeyFakingServer,
  withBlob,
  type KeyFakingServer,
} from './key-faking-server.fixture.ts';
import { watchStates } from './link-states.fixture.ts';
import { Link } from './link.ts';
import { hasSshd, startSshd, type SshdOptions, type TestSshd } from './sshd.fixture.ts';

const silent = { info() {}, warn() {}, error() {}, debug() {} } as unknown as Log;

let states: ReturnType<typeof watchStates>;
let hostKeys: HostKeyStore;
let link: Link;
const shown = (): PlanRef => planShownBy(link.state);

function linkTo(
  port: number,
  privateKey: string,
  user = 'root',
  options = USUAL_WAY.options,
): Link {
  const box: Box = {
    id: 'b1',
    name: 'train-a',
    platform: 'generic-ssh',
    address: { host: '127.0.0.1', port, user },
    ...USUAL_WAY,
    options,
    tags: [],
    addedAtMs: 0,
  };
  link = new Link({
    box,
    hostKeys,
    log: silent,
    proxyPassword: () => ok(null),
    gatherCredentials: () => Promise.resolve(ok([{ kind: 'key', privateKey }])),
    onChange: states.onChange,
  });
  return link;
}

async function connectTo(kind: 'up'): Promise<void> {
  const arrived = states.next(kind);
  link.connect();
  await arrived;
}

async function trustAndConnect(): Promise<void> {
  const asked = states.next('host-key-unknown');
  link.connect();
  const { offered } = await asked;
  const up = states.next('up');
  expect(link.trustHostKey(offered.fingerprint)).toEqual(ok(null));
  await up;
}

const current = () => {
  const key = hostKeys.current('b1');
  if (!key.ok) throw new Error(key.error.message);
  return key.value;
};

beforeEach(() => {
  states = watchStates();
  hostKeys = sessionHostKeys();
});

describe.skipIf(!hasSshd)('host keys of a real sshd', () => {
  const running: TestSshd[] = [];

  async function start(options: SshdOptions = {}): Promise<TestSshd> {
    const sshd = await startSshd(options);
    running.push(sshd);
    return sshd;
  }
  afterEach(async () => {
    link.disconnect();
    for (const sshd of running.splice(0)) await sshd.stop();
  });

  it('shows SHA-256 and MD5 as ssh-keygen prints them', async () => {
    const sshd = await start();
    linkTo(sshd.port, sshd.privateKey);
    const asked = states.next('host-key-unknown');
    link.connect();
    const [type, publicKey] = sshd.hostKeys[0]!.split(' ');
    expect(await asked).toEqual({
      kind: 'host-key-unknown',
      offered: { type, publicKey, fingerprint: sshd.fingerprint, md5: sshd.fingerprintMd5 },
      notes: [],
      mustCompare: false,
      jumpHost: null,
    });
  });

  it('asks a server with several keys for the one it knows, and is not alarmed by the others', async () => {
    const sshd = await start({ hostKeyTypes: ['ed25519', 'ecdsa', 'rsa'] });
    for (const known of sshd.hostKeys) {
      const [type = '', publicKey = ''] = known.split(' ');
      hostKeys = sessionHostKeys();
      const { readHostKey } = await import('./host-key.ts');
      const key = readHostKey(Buffer.from(publicKey, 'base64'));
      const trust = {
        address: { host: '127.0.0.1', port: sshd.port },
        by: 'confirmed',
        where: null,
      } as const;
      hostKeys.store('b1', key, 1, trust);
      linkTo(sshd.port, sshd.privateKey, sshd.user);
      await connectTo('up');
      expect(current()).toMatchObject({ type, publicKey });
      expect(current()?.lastSeenMs).not.toBeNull();
      link.disconnect();
    }
    expect(states.kinds().filter((kind) => kind.startsWith('host-key'))).toEqual([]);
  });

  it('meets a server that lost the known key with the alarm, whichever type it offers instead', async () => {
    const first = await start();
    linkTo(first.port, first.privateKey, first.user);
    await trustAndConnect();
    link.disconnect();
    await first.stop();
    await start({ port: first.port, hostKeyTypes: ['ecdsa'] });
    const changed = states.next('host-key-changed');
    link.connect();
    expect(await changed).toMatchObject({
      offered: { type: 'ecdsa-sha2-nistp256' },
      expected: { type: 'ssh-ed25519', fingerprint: first.fingerprint },
    });
  });

  it('keeps a connection over key exchanges in its middle', async () => {
    const sshd = await start({ configLines: ['RekeyLimit 16K'] });
    linkTo(sshd.port, sshd.privateKey, sshd.user);
    await trustAndConnect();
    const outcome = await link.connection!.run('head -c 400000 /dev/zero | tr "\\0" x', {
      maxChars: 500_000,
    });
    expect(outcome.ok && outcome.value.stdout.length).toBe(400_000);
    expect(link.state.kind).toBe('up');
  });

  it('trusts a key from known_hosts without a question, and says in the history where it stood', () =>
    withFolder(async (folder) => {
      const sshd = await start();
      const file = join(folder, 'known_hosts');
      writeFileSync(file, `# mine\n[127.0.0.1]:${sshd.port} ${sshd.hostKeys[0]!}\n`);
      execFileSync('ssh-keygen', ['-H', '-f', file], { stdio: 'ignore' });
      const knownElsewhere = openKnownHosts({
        user: [{ path: file, shown: '~/.ssh/known_hosts' }],
        system: [],
      });
      hostKeys = { ...hostKeys, knownElsewhere };
      linkTo(sshd.port, sshd.privateKey, sshd.user);
      await connectTo('up');
      expect(states.kinds()).toEqual(['connecting', 'up']);
      expect(await link.identity()).toMatchObject({
        value: {
          keys: [
            {
              trustedBy: 'known-hosts',
              trustedWhere: '~/.ssh/known_hosts, line 2',
              foundIn: { file: '~/.ssh/known_hosts', line: 2 },
            },
          ],
          unreadable: [],
        },
      });
      // The person deletes the line: the trust stays, and it is said that it is Leasehold's own now.
      writeFileSync(file, '127.0.0.1 ssh-ed25519\n');
      expect(await link.identity()).toMatchObject({
        value: {
          keys: [{ trustedBy: 'known-hosts', foundIn: null }],
          unreadable: [{ message: expect.stringContaining('line 1') }],
        },
      });
    }));

  it('looks up the alias of a box, in the files that the box names', () =>
    withFolder(async (folder) => {
      const sshd = await start();
      const [usual, own] = [join(folder, 'usual'), join(folder, 'own')];
      const other = await start();
      writeFileSync(usual, `[127.0.0.1]:${sshd.port} ${other.hostKeys[0]!}\n`);
      writeFileSync(own, `Cluster-A ${sshd.hostKeys[0]!}\n`);
      const user = [{ path: usual, shown: '~/.ssh/known_hosts' }];
      hostKeys = { ...hostKeys, knownElsewhere: openKnownHosts({ user, system: [] }) };
      linkTo(sshd.port, sshd.privateKey, sshd.user, {
        ...USUAL_WAY.options,
        hostKeyAlias: 'cluster-a',
        knownHostsFiles: [own],
      });
      await connectTo('up');
      expect(states.kinds()).toEqual(['connecting', 'up']);
      expect(await link.identity()).toMatchObject({
        value: { keys: [{ trustedWhere: `${own}, line 1` }] },
      });
    }));

  it.each([
    ['revoked', '@revoked', 'host-key-revoked'],
    ['vouched for by a certificate authority alone', '@cert-authority', 'host-key-unknown'],
  ] as const)('stops at a key that is %s', (_what, marker, kind) =>
    withFolder(async (folder) => {
      const sshd = await start();
      const file = join(folder, 'known_hosts');
      writeFileSync(file, `${marker} [127.0.0.1]:* ${sshd.hostKeys[0]!}\n`);
      const knownElsewhere = openKnownHosts({ user: [{ path: file, shown: file }], system: [] });
      hostKeys = { ...hostKeys, knownElsewhere };
      linkTo(sshd.port, sshd.privateKey, sshd.user);
      const stopped = states.next(kind);
      link.connect();
      const state = await stopped;
      if (state.kind === 'host-key-revoked') {
        expect(state.place).toEqual({ file, line: 1 });
        expect(link.trustHostKey(sshd.fingerprint, sshd.fingerprint).ok).toBe(false);
      } else {
        expect(state).toMatchObject({
          mustCompare: true,
          notes: [{ code: 'host-certificate-unsupported' }],
        });
        // "I compared it" is not enough here, and neither is MD5.
        for (const said of ['', sshd.fingerprintMd5]) {
          expect(link.trustHostKey(sshd.fingerprint, said)).toMatchObject({
            error: { code: 'host-key-not-as-expected' },
          });
        }
        const up = states.next('up');
        expect(link.trustHostKey(sshd.fingerprint, sshd.fingerprint)).toEqual(ok(null));
        await up;
      }
    }),
  );

  it('refuses what contradicts the pasted fingerprint, and notes what agreed with it', async () => {
    const sshd = await start();
    linkTo(sshd.port, sshd.privateKey, sshd.user);
    const asked = states.next('host-key-unknown');
    link.connect();
    const { offered } = await asked;
    for (const said of [`SHA256:${'A'.repeat(43)}`, 'it is fine']) {
      expect(link.trustHostKey(offered.fingerprint, said)).toMatchObject({
        error: { code: 'host-key-not-as-expected' },
      });
    }
    expect(current()).toBeNull();
    const up = states.next('up');
    expect(link.trustHostKey(offered.fingerprint, `256 ${sshd.fingerprint} root@box`).ok).toBe(
      true,
    );
    await up;
    expect(await link.identity()).toMatchObject({ value: { keys: [{ trustedBy: 'compared' }] } });
  });

  it('takes no yes after the person said no', async () => {
    const sshd = await start();
    linkTo(sshd.port, sshd.privateKey, sshd.user);
    const asked = states.next('host-key-unknown');
    link.connect();
    await asked;
    link.disconnect();
    expect(link.trustHostKey(sshd.fingerprint, sshd.fingerprint).ok).toBe(false);
    expect(current()).toBeNull();
    expect(link.state.kind).toBe('idle');
  });

  it('says with the question which known_hosts file could not be read', async () => {
    const sshd = await start();
    const note = problem('known-hosts-unreadable', 'Your ~/.ssh/known_hosts was not read.');
    hostKeys = {
      ...hostKeys,
      knownElsewhere: () => Promise.resolve({ lines: [], problems: [note] }),
    };
    linkTo(sshd.port, sshd.privateKey, sshd.user);
    const asked = states.next('host-key-unknown');
    link.connect();
    expect(await asked).toMatchObject({ notes: [note], mustCompare: false });
  });

  it('claims no trust when it cannot be stored', async () => {
    const sshd = await start();
    const full = problem('disk-full', 'The host key was not saved, because the disk is full.');
    hostKeys = { ...hostKeys, store: () => err(full) };
    linkTo(sshd.port, sshd.privateKey, sshd.user);
    const asked = states.next('host-key-unknown');
    link.connect();
    await asked;
    expect(link.trustHostKey(sshd.fingerprint)).toEqual(err(full));
    expect(link.state.kind).toBe('host-key-unknown');
    expect(states.kinds()).not.toContain('up');
  });

  describe('a machine that was re-created', () => {
    let old: TestSshd;
    let next: TestSshd;

    beforeEach(async () => {
      old = await start();
      linkTo(old.port, old.privateKey, old.user);
      await trustAndConnect();
      link.disconnect();
      await old.stop();
      next = await start({ port: old.port });
      linkTo(next.port, next.privateKey, next.user);
      const changed = states.next('host-key-changed');
      link.connect();
      await changed;
    });

    it.each([
      ['its name', () => 'train-a', 'new-machine-name'],
      ['the new fingerprint', () => next.fingerprint, 'new-machine-fingerprint'],
    ])('gets a new identity with %s, and keeps the old one as history', async (_what, say, by) => {
      const up = states.next('up');
      expect(await link.replaceHostKey(shown(), say())).toEqual(ok(null));
      await up;
      expect(await link.identity()).toMatchObject({
        value: {
          keys: [
            { fingerprint: next.fingerprint, trustedBy: by, untilMs: null },
            { fingerprint: old.fingerprint, replacedBecause: 'new-machine' },
          ],
        },
      });
    });

    it.each([
      ['nothing', () => ''],
      ['another name', () => 'train-b'],
      ['yes', () => 'yes'],
      ['the old fingerprint', () => old.fingerprint],
      ['an MD5 fingerprint', () => next.fingerprintMd5],
    ])('keeps its identity when the person types %s', async (_what, say) => {
      expect(await link.replaceHostKey(shown(), say())).toMatchObject({
        ok: false,
        error: { code: 'host-key-not-as-expected' },
      });
      expect(link.state.kind).toBe('host-key-changed');
      expect(current()?.fingerprint).toBe(old.fingerprint);
    });

    it('keeps its identity when the fingerprint is not the one in question', async () => {
      expect(
        await link.replaceHostKey({ ...shown(), digest: '0'.repeat(64) }, 'train-a'),
      ).toMatchObject({
        error: { code: 'plan-changed' },
      });
      expect(current()?.fingerprint).toBe(old.fingerprint);
    });

    it('keeps its identity when yet another machine answers at that moment', async () => {
      await next.stop();
      const third = await start({ port: old.port });
      const changed = states.next('host-key-changed');
      expect(await link.replaceHostKey(shown(), 'train-a')).toMatchObject({
        ok: false,
        error: { code: 'host-key-changed' },
      });
      expect(await changed).toMatchObject({
        offered: { fingerprint: third.fingerprint },
        expected: { fingerprint: old.fingerprint },
      });
      expect(current()?.fingerprint).toBe(old.fingerprint);
      // What was confirmed for the second machine does not wait for it to come back.
      await third.stop();
    });

    it('keeps its identity when nothing answers any more, and a later try asks again', async () => {
      const plan = shown();
      await next.stop();
      expect(await link.replaceHostKey(plan, 'train-a')).toMatchObject({
        ok: false,
        error: { code: 'unreachable' },
      });
      // Nothing is in question by then, so what was shown earlier counts for nothing.
      expect(await link.replaceHostKey(plan, 'train-a')).toMatchObject({
        error: { code: 'host-key-changed' },
      });
      expect(current()?.fingerprint).toBe(old.fingerprint);
    });

    it('keeps its identity when the new one cannot be stored', async () => {
      const full = problem('disk-full', 'The host key was not saved, because the disk is full.');
      const working = hostKeys;
      hostKeys = { ...working, store: () => err(full) };
      link.disconnect();
      linkTo(next.port, next.privateKey, next.user);
      const changed = states.next('host-key-changed');
      link.connect();
      await changed;
      const ended = states.next('waiting');
      expect(await link.replaceHostKey(shown(), 'train-a')).toEqual(err(full));
      // The connection to what nothing says was accepted is no link.
      expect((await ended).problem).toEqual(full);
      expect(states.kinds().filter((kind) => kind === 'up')).toHaveLength(1);
      expect(current()?.fingerprint).toBe(old.fingerprint);
    });
  });
});

describe('a server that lies about its key', () => {
  let server: KeyFakingServer;
  let trusted: Buffer;

  beforeEach(async () => {
    server = await startKeyFakingServer();
    const client = anotherKey() as unknown as { getPrivatePEM(): string };
    linkTo(server.port, client.getPrivatePEM());
    trusted = Buffer.alloc(0);
  });
  afterEach(async () => {
    link.disconnect();
    await server.stop();
  });

  it.each([
    ['a blob of another type', () => blobOf('ssh-ed25519', 32)],
    ['an unheard-of type', () => blobOf('ssh-\u001b[2J', 32)],
    ['no type at all', () => Buffer.from([0, 0, 0, 0])],
    ['a type that is longer than the blob', () => Buffer.from([255, 255, 255, 255, 1])],
    ['nothing', () => Buffer.alloc(0)],
    ['the right type and no key', () => blobOf('ssh-rsa', 0)],
    ['the right type and noise', () => blobOf('ssh-rsa', 32)],
    ['a blob of 30 kB', () => blobOf('ssh-rsa', 30_000)],
  ])('is asked about by nobody when it shows %s', async (_what, blob) => {
    server.show((key) => withBlob(key, blob()));
    const down = states.next('down');
    link.connect();
    expect((await down).problem.code).toBe('host-key-unusable');
    expect(states.kinds()).toEqual(['connecting', 'down']);
    expect({ tries: server.connections(), logins: server.logins() }).toEqual({
      tries: 1,
      logins: 0,
    });
  });

  it('gets no login when it shows a trusted key that it does not own', async () => {
    await trustAndConnect();
    link.disconnect();
    const before = { tries: server.connections(), logins: server.logins() };
    server.show((key) => {
      trusted = key.getPublicSSH();
      return withBlob(anotherKey(), trusted);
    });
    const down = states.next('down');
    link.connect();
    expect((await down).problem).toMatchObject({
      code: 'host-key-unproven',
      message: expect.stringContaining('could not prove'),
    });
    expect(server.connections()).toBe(before.tries + 1);
    expect(server.logins()).toBe(before.logins);
  });

  it('meets the alarm when it changes the key between the question and the answer', async () => {
    const asked = states.next('host-key-unknown');
    link.connect();
    const { offered } = await asked;
    const other = anotherKey();
    server.show(() => other);
    const changed = states.next('host-key-changed');
    expect(link.trustHostKey(offered.fingerprint)).toEqual(ok(null));
    expect(await changed).toMatchObject({ expected: { fingerprint: offered.fingerprint } });
    expect(server.logins()).toBe(0);
  });

  it('is cut off when it changes to another key that is trusted too, in the middle of a connection', async () => {
    const [first, second] = [anotherKey(), anotherKey()];
    const lines = [first, second].map((key, index) => ({
      place: { file: '~/.ssh/known_hosts', line: index + 1 },
      marker: 'none' as const,
      type: 'ssh-rsa',
      publicKey: key.getPublicSSH().toString('base64'),
      isExact: true,
    }));
    hostKeys = { ...hostKeys, knownElsewhere: () => Promise.resolve({ lines, problems: [] }) };
    linkTo(server.port, (anotherKey() as unknown as { getPrivatePEM(): string }).getPrivatePEM());
    server.show(() => first);
    await connectTo('up');
    server.show(() => second);
    const changed = states.next('host-key-changed');
    server.rekey();
    await changed;
    expect(link.connection).toBeNull();
  });

  it('is cut off when it changes the key in the middle of a connection, and nothing is tried again', async () => {
    await trustAndConnect();
    const tries = server.connections();
    const other = anotherKey();
    server.show(() => other);
    const changed = states.next('host-key-changed');
    server.rekey();
    expect(await changed).toMatchObject({ expected: { fingerprint: current()?.fingerprint } });
    expect(link.connection).toBeNull();
    expect(states.seen.at(-1)?.kind).toBe('host-key-changed');
    expect(server.connections()).toBe(tries);
  });
});
