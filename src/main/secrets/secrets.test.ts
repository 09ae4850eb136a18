import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import { createRedactor, type Redactor } from '../log/redact.ts';
import { REDACTED } from '../../shared/secrets/redact-text.ts';
import {
  makeReadOnly,
  runAndKill,
  runFixture,
  whyNoReadOnly,
  whyNoSmallDisk,
  withFolder,
  withSmallDisk,
} from '../storage/disk.fixture.ts';
import { openSecrets, SECRETS_FILE, type OpenedSecrets, type Vault } from './secrets.ts';
import { fakeVault } from './secrets.fixture.ts';

const FIXTURE = new URL('./secrets.fixture.ts', import.meta.url);
const NOON = Date.parse('2025-11-21T12:00:00Z');
const KEPT = 'secrets.unreadable-2025-11-21T12-00-00Z.json';
const NO_KEYRING = { isKept: false, because: 'no keyring here' } as const;

function open(
  folder: string,
  vault: Vault = fakeVault(),
  redactor: Redactor = createRedactor(),
): Promise<OpenedSecrets> {
  return openSecrets({ folder, vault, redactor, now: () => NOON });
}

function fileText(folder: string): string {
  return readFileSync(join(folder, SECRETS_FILE), 'utf8');
}

async function valueOf(folder: string, name: string): Promise<string | null> {
  const { secrets } = await open(folder);
  const got = secrets.get(name);
  if (!got.ok) throw new Error(got.error.message);
  return got.value?.reveal() ?? null;
}

describe('with a keyring', () => {
  it('keeps secrets over a restart, in a file for the owner only that does not show them', () =>
    withFolder(async (parent) => {
      const folder = join(parent, 'data');
      const { secrets, problems } = await open(folder);
      expect(problems).toEqual([]);
      expect(secrets.keeping()).toEqual({ isKept: true });
      expect(await secrets.set('runpod.api-key', 'rp-value-1')).toEqual({
        ok: true,
        value: { isKept: true },
      });
      await secrets.set('box:a.passphrase', 'zwölf €');
      expect(secrets.names()).toEqual(['box:a.passphrase', 'runpod.api-key']);
      expect(await valueOf(folder, 'runpod.api-key')).toBe('rp-value-1');
      expect(await valueOf(folder, 'box:a.passphrase')).toBe('zwölf €');
      expect(fileText(folder)).not.toContain('rp-value-1');
      expect(fileText(folder)).not.toContain(Buffer.from('rp-value-1').toString('base64'));
      expect(readdirSync(folder)).toEqual([SECRETS_FILE]);
      if (process.platform !== 'win32') {
        expect(statSync(folder).mode & 0o777).toBe(0o700);
        expect(statSync(join(folder, SECRETS_FILE)).mode & 0o777).toBe(0o600);
      }
    }));

  it('knows none that was never set', () =>
    withFolder(async (folder) => {
      const { secrets } = await open(folder);
      expect(secrets.get('nothing')).toEqual({ ok: true, value: null });
      expect(secrets.get('constructor')).toEqual({ ok: true, value: null });
    }));

  it('replaces and forgets one, and leaves the others', () =>
    withFolder(async (folder) => {
      const { secrets } = await open(folder);
      void secrets.set('a', 'value-a');
      void secrets.set('b', 'value-b');
      void secrets.set('a', 'value-a2');
      expect(await secrets.forget('b')).toEqual({ ok: true, value: null });
      expect(await valueOf(folder, 'a')).toBe('value-a2');
      expect(await valueOf(folder, 'b')).toBeNull();
      expect(secrets.names()).toEqual(['a']);
      expect(await secrets.forget('never-there')).toEqual({ ok: true, value: null });
    }));

  it('forgets all: file, leftovers and what had been put aside', () =>
    withFolder(async (folder) => {
      writeFileSync(join(folder, SECRETS_FILE), 'damaged');
      writeFileSync(join(folder, `${SECRETS_FILE}.tmp-1-1`), 'left by a killed process');
      writeFileSync(join(folder, 'settings.json'), '{}');
      const { secrets } = await open(folder);
      await secrets.set('a', 'value-a');
      expect(readdirSync(folder)).toContain(KEPT);
      expect(await secrets.forgetAll()).toEqual({ ok: true, value: null });
      expect(secrets.names()).toEqual([]);
      expect(secrets.get('a')).toEqual({ ok: true, value: null });
      expect(readdirSync(folder)).toEqual(['settings.json']);
      expect((await secrets.set('a', 'again-a')).ok).toBe(true);
      expect(await valueOf(folder, 'a')).toBe('again-a');
    }));

  it('forgets what lies behind a link too, and nothing is fine as well', () =>
    withFolder(async (parent) => {
      const folder = join(parent, 'data');
      mkdirSync(folder);
      symlinkSync(join(parent, 'real.json'), join(folder, SECRETS_FILE));
      writeFileSync(join(parent, 'real.json'), '{"version":1,"secrets":{}}');
      const { secrets } = await open(folder);
      await secrets.set('a', 'value-a');
      expect(await secrets.forgetAll()).toEqual({ ok: true, value: null });
      expect(existsSync(join(parent, 'real.json'))).toBe(false);
      expect(readdirSync(folder)).toEqual([]);
      const nowhere = await open(join(parent, 'not', 'there'));
      expect(await nowhere.secrets.forgetAll()).toEqual({ ok: true, value: null });
    }));

  it.each([
    ['', 'p4ssw0rd'],
    ['-leading', 'p4ssw0rd'],
    ['Upper', 'p4ssw0rd'],
    ['with space', 'p4ssw0rd'],
    ['../up', 'p4ssw0rd'],
    ['__proto__', 'p4ssw0rd'],
    ['x'.repeat(101), 'p4ssw0rd'],
    ['line\nbreak', 'p4ssw0rd'],
    ['fine', ''],
    ['fine', 'x'.repeat(8193)],
  ])(
    'refuses the name %j with a value of that length, without repeating the value',
    (name, value) =>
      withFolder(async (folder) => {
        const { secrets } = await open(folder);
        const set = await secrets.set(name, value);
        expect(set).toMatchObject({ ok: false, error: { code: 'bad-input' } });
        if (value.length > 1) expect(JSON.stringify(set)).not.toContain(value);
        expect(readdirSync(folder)).toEqual([]);
      }),
  );

  it('registers every value with the log, set or read', () =>
    withFolder(async (folder) => {
      const [first, second] = [createRedactor(), createRedactor()];
      const { secrets } = await open(folder, fakeVault(), first);
      await secrets.set('a', 'plain-looking');
      expect(first.redact('x plain-looking')).toBe(`x ${REDACTED}`);
      const again = await open(folder, fakeVault(), second);
      expect(second.redact('x plain-looking')).toBe('x plain-looking');
      again.secrets.get('a');
      expect(second.redact('x plain-looking')).toBe(`x ${REDACTED}`);
    }));

  it('says so, keeps it on disk, and lets it be replaced when the keyring cannot read one', () =>
    withFolder(async (folder) => {
      await (await open(folder, fakeVault('old'))).secrets.set('a', 'value-a');
      const { secrets, problems } = await open(folder, fakeVault('new'));
      await secrets.set('b', 'value-b');
      expect(problems).toEqual([]);
      expect(secrets.get('a')).toMatchObject({ ok: false, error: { code: 'secret-unreadable' } });
      expect(secrets.names()).toEqual(['a', 'b']);
      const back = await open(folder, fakeVault('old'));
      expect(back.secrets.get('a')).toMatchObject({
        ok: true,
        value: expect.anything() as unknown,
      });
      await secrets.set('a', 'value-a2');
      expect(secrets.get('a')).toMatchObject({ ok: true });
    }));

  it.each<[string, Partial<Vault>]>([
    [
      'throws',
      {
        encrypt: (text) => {
          throw new Error(`cannot take ${text}`);
        },
      },
    ],
    ['gives back something else', { decrypt: () => 'something else' }],
  ])('does not save, nor repeat the value, when the keyring %s', (_what, broken) =>
    withFolder(async (folder) => {
      const { secrets } = await open(folder, { ...fakeVault(), ...broken });
      const set = await secrets.set('a', 'value-a');
      expect(set).toMatchObject({ ok: false, error: { code: 'no-keyring' } });
      expect(JSON.stringify(set)).not.toContain('value-a');
      expect(readdirSync(folder)).toEqual([]);
    }),
  );
});

describe('without a keyring', () => {
  it('keeps secrets for the session, says so, and writes nothing', () =>
    withFolder(async (folder) => {
      const { secrets } = await open(folder, fakeVault('v', NO_KEYRING));
      expect(secrets.keeping()).toEqual(NO_KEYRING);
      expect(await secrets.set('a', 'value-a')).toEqual({ ok: true, value: NO_KEYRING });
      const got = secrets.get('a');
      expect(got.ok && got.value?.reveal()).toBe('value-a');
      expect(secrets.names()).toEqual(['a']);
      expect(readdirSync(folder)).toEqual([]);
      expect(await secrets.forget('a')).toEqual({ ok: true, value: null });
      expect(secrets.get('a')).toEqual({ ok: true, value: null });
    }));

  it('says that one kept earlier cannot be read now, and keeps it', () =>
    withFolder(async (folder) => {
      await (await open(folder)).secrets.set('a', 'value-a');
      const { secrets } = await open(folder, fakeVault('v', NO_KEYRING));
      expect(secrets.get('a')).toMatchObject({ ok: false, error: { code: 'no-keyring' } });
      expect(secrets.names()).toEqual(['a']);
      expect(await valueOf(folder, 'a')).toBe('value-a');
    }));

  it('does not let an old value come back after a newer one was entered for the session', () =>
    withFolder(async (folder) => {
      await (await open(folder)).secrets.set('a', 'old-value');
      const { secrets } = await open(folder, fakeVault('v', NO_KEYRING));
      await secrets.set('a', 'new-value');
      expect(await valueOf(folder, 'a')).toBeNull();
    }));
});

describe('a file that is not as it should be', () => {
  it.each([
    '',
    '{',
    '[]',
    '{}',
    '{"version":1}',
    '{"version":0,"secrets":{}}',
    '{"version":1,"secrets":{"a":"not base64!"}}',
    '{"version":1,"secrets":{"Bad Name":"YQ=="}}',
    '{"version":1,"secrets":{"a":7}}',
  ])('moves %j aside whole and says where', (text) =>
    withFolder(async (folder) => {
      writeFileSync(join(folder, SECRETS_FILE), text);
      const { secrets, problems } = await open(folder);
      expect(problems).toMatchObject([{ code: 'secret-unreadable' }]);
      expect(problems[0]?.message).toContain(join(folder, KEPT));
      expect(readFileSync(join(folder, KEPT), 'utf8')).toBe(text);
      expect((await secrets.set('a', 'value-a')).ok).toBe(true);
      expect(await valueOf(folder, 'a')).toBe('value-a');
    }),
  );

  it('cut off anywhere is moved aside whole', () =>
    withFolder(async (folder) => {
      const { secrets } = await open(folder);
      await secrets.set('a', 'value-a');
      await secrets.set('b', 'value-b');
      const whole = fileText(folder).trimEnd();
      for (let length = 0; length < whole.length; length += 1) {
        writeFileSync(join(folder, SECRETS_FILE), whole.slice(0, length));
        const { problems } = await open(folder);
        expect(problems, `cut to ${length}`).toMatchObject([{ code: 'secret-unreadable' }]);
      }
      const kept = readdirSync(folder).map(
        (name) => readFileSync(join(folder, name), 'utf8').length,
      );
      expect(kept.sort((a, b) => a - b)).toEqual(Array.from(whole, (_char, index) => index));
    }));

  it('leaves one from a newer version alone and keeps new secrets for the session', () =>
    withFolder(async (folder) => {
      const newer = '{"version":2,"vault":{"a":"x"}}';
      writeFileSync(join(folder, SECRETS_FILE), newer);
      const { secrets, problems } = await open(folder);
      expect(problems).toMatchObject([{ code: 'secret-unreadable' }]);
      expect(secrets.keeping()).toMatchObject({ isKept: false });
      expect(await secrets.set('a', 'value-a')).toMatchObject({
        ok: true,
        value: { isKept: false },
      });
      expect(await secrets.forget('a')).toMatchObject({ ok: false });
      expect(secrets.get('a')).toEqual({ ok: true, value: null });
      expect(fileText(folder)).toBe(newer);
      expect(await secrets.forgetAll()).toEqual({ ok: true, value: null });
      expect(readdirSync(folder)).toEqual([]);
      expect(secrets.keeping()).toEqual({ isKept: true });
    }));

  it('leaves what is no file alone', () =>
    withFolder(async (folder) => {
      mkdirSync(join(folder, SECRETS_FILE, 'full'), { recursive: true });
      const { secrets, problems } = await open(folder);
      expect(problems).toMatchObject([{ code: 'secret-unreadable' }]);
      expect(await secrets.set('a', 'value-a')).toMatchObject({
        ok: true,
        value: { isKept: false },
      });
      expect(existsSync(join(folder, SECRETS_FILE, 'full'))).toBe(true);
    }));
});

describe('a disk that does not take it', () => {
  it('saves nothing and says so when it is full', async ({ skip }) => {
    skip(whyNoSmallDisk !== null, whyNoSmallDisk ?? '');
    await withSmallDisk(128, async ({ folder, fill, free }) => {
      const { secrets } = await open(folder);
      await secrets.set('a', 'value-a');
      const before = fileText(folder);
      fill(0);
      for (const change of [
        secrets.set('a', 'value-a2'),
        secrets.set('b', 'value-b'),
        secrets.forget('a'),
      ]) {
        expect(await change).toMatchObject({ ok: false, error: { code: 'disk-full' } });
      }
      expect(fileText(folder)).toBe(before);
      const got = secrets.get('a');
      expect(got.ok && got.value?.reveal()).toBe('value-a');
      expect(secrets.names()).toEqual(['a']);
      free();
      expect((await secrets.set('b', 'value-b')).ok).toBe(true);
    });
  });

  it('reads, refuses to change, and says why in a read-only folder', ({ skip }) => {
    skip(whyNoReadOnly !== null, whyNoReadOnly ?? '');
    return withFolder(async (folder) => {
      const { secrets } = await open(folder);
      await secrets.set('kept', 'value-kept');
      const before = fileText(folder);
      makeReadOnly(folder, [SECRETS_FILE]);
      const { lines, stderr } = await runFixture(FIXTURE, ['try', folder]);
      const tried = JSON.parse(lines[0] ?? stderr) as {
        readonly problems: readonly Problem[];
        readonly value: string | null;
        readonly set: Result<unknown, Problem>;
        readonly forgotten: Result<null, Problem>;
        readonly names: readonly string[];
      };
      expect(tried).toMatchObject({
        problems: [],
        value: 'value-kept',
        set: { ok: false, error: { code: 'folder-read-only' } },
        forgotten: { ok: false, error: { code: 'folder-read-only' } },
        names: ['kept'],
      });
      expect(fileText(folder)).toBe(before);
    });
  });

  it.each([1, 3, 25, 70])('survives kill -9 after %d saved ones', (after) =>
    withFolder(async (folder) => {
      const told = await runAndKill(FIXTURE, ['write', folder], after);
      const { secrets, problems } = await open(folder);
      expect(problems).toEqual([]);
      for (const n of told) {
        const got = secrets.get(`name-${n}`);
        expect(got.ok && got.value?.reveal()).toBe(`value of ${n}`);
      }
      expect(secrets.names().length - told.length).toBeLessThanOrEqual(1);
      expect(readdirSync(folder)).toEqual([SECRETS_FILE]);
    }),
  );
});
