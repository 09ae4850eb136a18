import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { TrustedMachine } from '../../shared/boxes/known-hosts/format-known-hosts.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import { readHostKey } from '../ssh/host-key.ts';
import { hasSshd, startSshd } from '../ssh/sshd.fixture.ts';
import { newBox, newHostKey, TRUST } from '../storage/boxes.fixture.ts';
import { openDatabase, openTemporaryDatabase } from '../storage/database.ts';
import { whyNoSmallDisk, withFolder, withSmallDisk } from '../storage/disk.fixture.ts';
import { openHostKeys } from './host-keys.ts';
import { KNOWN_HOSTS_FILE, openOwnKnownHosts } from './own-file.ts';

const run = promisify(execFile);
const nowhere = () => Promise.resolve({ lines: [], problems: [] });

/** The table and the file beside it, as the app puts them together. */
function openIn(folder: string) {
  const { database } = openDatabase({ folder });
  const problems: Problem[] = [];
  const file = join(folder, KNOWN_HOSTS_FILE);
  const own = openOwnKnownHosts({
    file,
    trusted: database.hostKeys.trusted,
    onProblem: (found) => problems.push(found),
  });
  const hostKeys = openHostKeys({
    table: database.hostKeys,
    knownElsewhere: nowhere,
    onChange: own.update,
  });
  return { database, problems, file, own, hostKeys };
}

describe.skipIf(!hasSshd)('Leasehold’s known_hosts file, in the hands of ssh', () => {
  it('lets ssh in without a question, and no longer after the box got a new identity', () =>
    withFolder(async (folder) => {
      const sshd = await startSshd({ hostKeyTypes: ['ed25519', 'rsa'] });
      try {
        const { database, problems, file, own, hostKeys } = openIn(folder);
        const address = { host: '127.0.0.1', port: sshd.port };
        const publicKey = sshd.hostKeys[0]?.split(' ')[1] ?? '';
        const key = readHostKey(Buffer.from(publicKey, 'base64'));
        hostKeys.store('b1', key, 1, { address, by: 'compared', where: null });
        await own.settled();
        expect(problems).toEqual([]);

        const ssh = () =>
          run(
            'ssh',
            [
              '-F',
              '/dev/null',
              ...['GlobalKnownHostsFile=/dev/null', 'StrictHostKeyChecking=yes', 'BatchMode=yes'],
              ...[`UserKnownHostsFile=${file}`, 'IdentitiesOnly=yes'],
              ...['-i', sshd.keyFile, '-p', String(sshd.port)],
              ...[`${sshd.user}@127.0.0.1`, 'echo in'],
            ].flatMap((each) => (/^[A-Z]\w+=/.test(each) ? ['-o', each] : [each])),
          );
        expect((await ssh()).stdout).toBe('in\n');

        hostKeys.store('b1', newHostKey(), 2, { address, by: 'new-machine-name', where: null });
        await own.settled();
        expect(readFileSync(file, 'utf8')).not.toContain(publicKey);
        await expect(ssh()).rejects.toMatchObject({ code: 255 });
        database.close();
      } finally {
        await sshd.stop();
      }
    }));
});

describe('Leasehold’s known_hosts file', () => {
  it('is written from the database whatever was in it, for the owner only', () =>
    withFolder(async (folder) => {
      const { database, file, own, hostKeys } = openIn(folder);
      hostKeys.store('b1', newHostKey(), 1, TRUST);
      await own.settled();
      const written = readFileSync(file, 'utf8');
      writeFileSync(file, '* ssh-ed25519 AAAA\n');
      own.update();
      await own.settled();
      expect(readFileSync(file, 'utf8')).toBe(written);
      if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
      database.close();
    }));

  it('is left alone when it says the same', () =>
    withFolder(async (folder) => {
      const { database, file, own, hostKeys } = openIn(folder);
      hostKeys.store('b1', newHostKey(), 1, TRUST);
      await own.settled();
      const before = statSync(file).ino;
      hostKeys.seen('b1', 2, TRUST.address);
      await own.settled();
      expect(statSync(file).ino).toBe(before); // a rewritten file is another file
      database.close();
    }));

  it('forgets a box with the table', () =>
    withFolder(async (folder) => {
      const { database, file, own, hostKeys } = openIn(folder);
      const box = newBox(1);
      database.boxes.add(box);
      const key = newHostKey();
      hostKeys.store(box.id, key, 1, TRUST);
      database.boxes.forget(box.id);
      own.update();
      await own.settled();
      expect(readFileSync(file, 'utf8')).not.toContain(key.publicKey);
      database.close();
    }));

  it('says so when it cannot be written, and catches up afterwards', () =>
    withFolder(async (folder) => {
      const { database, problems, own, hostKeys } = openIn(folder);
      mkdirSync(join(folder, KNOWN_HOSTS_FILE, 'in the way'), { recursive: true });
      expect(hostKeys.store('b1', newHostKey(), 1, TRUST)).toEqual(ok(null));
      await own.settled();
      expect(problems).toMatchObject([{ code: 'known-hosts-not-saved' }]);
      expect(readdirSync(folder).filter((name) => name.includes('.tmp-'))).toEqual([]);
      database.close();
    }));

  it.skipIf(process.platform === 'win32')('does not wait for a FIFO in its place', () =>
    withFolder(async (folder) => {
      const { database, problems, own } = openIn(folder);
      spawnSync('mkfifo', [join(folder, KNOWN_HOSTS_FILE)]);
      own.update();
      await own.settled();
      expect(problems).toMatchObject([{ code: 'known-hosts-not-saved' }]);
      database.close();
    }),
  );

  it('keeps the old file on a full disk and names the reason', async ({ skip }) => {
    skip(whyNoSmallDisk !== null, whyNoSmallDisk ?? '');
    await withSmallDisk(256, async ({ folder, fill, free }) => {
      const file = join(folder, KNOWN_HOSTS_FILE);
      const many = (count: number): readonly TrustedMachine[] =>
        Array.from({ length: count }, (_none, n) => ({
          host: `h${n}.example`,
          port: 22,
          type: 'ssh-ed25519',
          publicKey: 'A'.repeat(68),
          atMs: 1,
        }));
      let machines = many(1);
      const problems: Problem[] = [];
      const own = openOwnKnownHosts({
        file,
        trusted: () => ok({ rows: machines, unreadable: [] }),
        onProblem: (found) => problems.push(found),
      });
      own.update();
      await own.settled();
      const before = readFileSync(file, 'utf8');
      machines = many(500);
      fill(4096);
      own.update();
      await own.settled();
      expect(problems).toMatchObject([{ code: 'disk-full' }]);
      expect(readFileSync(file, 'utf8')).toBe(before);
      free();
      own.update();
      await own.settled();
      expect(readFileSync(file, 'utf8')).toContain('h499.example');
    });
  });

  it('claims no trust where the database is full', async ({ skip }) => {
    skip(whyNoSmallDisk !== null, whyNoSmallDisk ?? '');
    await withSmallDisk(256, ({ folder, fill, free }) => {
      const { database, hostKeys } = openIn(folder);
      fill(0);
      let refused: Problem | null = null;
      for (let n = 0; n < 200 && refused === null; n += 1) {
        const stored = hostKeys.store(`b${n}`, newHostKey(), 1, TRUST);
        if (stored.ok) continue;
        refused = stored.error;
        expect(hostKeys.current(`b${n}`)).toEqual(ok(null));
      }
      expect(refused).toMatchObject({ code: 'disk-full' });
      free();
      database.close();
    });
  });
});

describe('openHostKeys', () => {
  it('tells of a change only when there was one', () => {
    const { hostKeys: table, close } = openTemporaryDatabase();
    let changes = 0;
    let store = table.store;
    const hostKeys = openHostKeys({
      table: { ...table, store: (...args) => store(...args) },
      knownElsewhere: nowhere,
      onChange: () => (changes += 1),
    });
    expect(hostKeys.store('b1', newHostKey(), 1, TRUST)).toEqual(ok(null));
    expect(changes).toBe(1);
    store = () => err(problem('disk-full', 'Not saved.'));
    expect(hostKeys.store('b1', newHostKey(), 1, TRUST).ok).toBe(false);
    expect(changes).toBe(1);
    close();
  });
});
