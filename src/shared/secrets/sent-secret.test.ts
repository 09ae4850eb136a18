import { describe, expect, it } from 'vitest';
import { secretToSend } from './secret-to-send.ts';
import {
  isSecretPath,
  parseSendSecret,
  secretLine,
  tokenName,
  variableOfToken,
} from './sent-secret.ts';

const SHA256 = 'ab'.repeat(32);
const EXPECTED = { bytes: 40, sha256: SHA256 };
const READ_BACK = ['written', 'mode -rw-------', 'size 40', `sha256 ${SHA256}`, 'fs ext4'];

describe('parseSendSecret', () => {
  const changed = (at: number, line: string) =>
    READ_BACK.map((old, index) => (index === at ? line : old));
  const parse = (...lines: readonly string[]) => parseSendSecret(lines.join('\n'), EXPECTED);

  it('says "sent" only where everything that was read back is as expected', () => {
    const sent = { kind: 'sent', filesystem: 'ext4', bytes: 40 };
    expect(parse('Welcome!', ...READ_BACK, 'bye')).toEqual(sent);
    // With an SELinux context.
    expect(parse(...changed(1, 'mode -rw-------.'))).toEqual(sent);
    for (const [at, line] of [
      [0, 'writing'],
      [1, 'mode -rw-r-----'],
      [1, 'mode -rw-------+'],
      [2, 'size 39'],
      [3, `sha256 ${'ac'.repeat(32)}`],
      [3, 'sha256 '],
    ] as const) {
      expect(parse(...changed(at, line))).toEqual({ kind: 'not-read-back' });
    }
    for (const at of [0, 1, 2, 3]) {
      expect(parse(...READ_BACK.filter((_line, index) => index !== at))).toEqual({
        kind: 'not-read-back',
      });
    }
    expect(parse('')).toEqual({ kind: 'not-read-back' });
  });

  it('knows no filesystem where the box names none', () => {
    expect(parse(...changed(4, 'fs '))).toMatchObject({ filesystem: null });
    expect(parse(...changed(4, 'fs <b>ext4</b>'))).toMatchObject({ filesystem: null });
  });

  it('takes a question or a refusal for what it is, whatever else stands there', () => {
    expect(parse('ask exists', 'ask shared nfs4', ...READ_BACK)).toEqual({
      kind: 'asks',
      exists: true,
      sharedFilesystem: 'nfs4',
    });
    expect(parse('refused symlink', ...READ_BACK)).toEqual({ kind: 'refused', because: 'symlink' });
  });
});

describe('isSecretPath', () => {
  it.each(['~/.config/leasehold/HF_TOKEN', '/root/.netrc', '~/a'])('takes %s', (path) => {
    expect(isSecretPath(path)).toBe(true);
  });

  it.each([
    '',
    '~',
    '~/',
    '/',
    'a',
    './a',
    '~root/a',
    '~/a b',
    '~/$(id)',
    '~/a"b',
    "~/a'b",
    '~/a;b',
    '~/a\nb',
    '~/../b',
    '/a/../../etc/passwd',
    '~/a/',
    `~/${'a'.repeat(500)}`,
  ])('refuses %j', (path) => {
    expect(isSecretPath(path)).toBe(false);
  });
});

describe('what a secret is called', () => {
  it('is a variable, and a line that uses it', () => {
    expect(secretLine('HF_TOKEN', '~/.config/leasehold/HF_TOKEN')).toBe(
      'export HF_TOKEN="$(cat ~/.config/leasehold/HF_TOKEN)"',
    );
    const input = {
      path: '~/a',
      source: { kind: 'typed', value: 'x', isToBeKept: false },
      consents: [],
    };
    expect(secretToSend.safeParse({ ...input, name: 'HF_TOKEN' }).success).toBe(true);
    for (const name of ['', '1A', 'A B', 'A=B', 'A;B', '$(id)']) {
      expect(secretToSend.safeParse({ ...input, name }).success).toBe(false);
    }
  });

  it('is found again among what is kept, and nothing else there is', () => {
    expect(tokenName('WANDB_API_KEY')).toBe('token:wandb-api-key');
    expect(variableOfToken('token:wandb-api-key')).toBe('WANDB_API_KEY');
    expect(variableOfToken('password:wandb-api-key')).toBeNull();
  });
});
