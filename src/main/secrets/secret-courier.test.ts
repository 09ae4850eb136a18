import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../shared/problem.ts';
import { ok } from '../../shared/result.ts';
import type { SecretToSend } from '../../shared/secrets/secret-to-send.ts';
import { createRedactor } from '../log/redact.ts';
import type { RunOptions } from '../ssh/run-command.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { withFolder } from '../storage/disk.fixture.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { SecretCourier } from './secret-courier.ts';
import { fakeVault } from './secrets.fixture.ts';
import { openSecrets, SECRETS_FILE } from './secrets.ts';

const VALUE = 'plain-hex-0123456789';
const typed = (isToBeKept: boolean): SecretToSend => ({
  name: 'WANDB_API_KEY',
  path: '~/token',
  source: { kind: 'typed', value: VALUE, isToBeKept },
  consents: [],
});
const kept: SecretToSend = { ...typed(false), source: { kind: 'kept' } };

/** A box that takes everything; what it was sent last. */
function boxThatAnswers(more = '') {
  let input = '';
  const run = (_command: string, options: RunOptions = {}) => {
    input = options.input ?? '';
    const [, , sha256, size] = input.split('\n');
    const stdout = `${more}written\nmode -rw-------\nsize ${size}\nsha256 ${sha256}\nfs ext4\n`;
    return Promise.resolve(ok({ end: { kind: 'exited', code: 0 }, stdout, stderr: '' }));
  };
  return { sent: () => input, connection: { run } as unknown as SshConnection };
}

const withCourier = (
  act: (tools: {
    readonly courier: SecretCourier;
    readonly box: ReturnType<typeof boxThatAnswers>;
    readonly problems: readonly Problem[];
    readonly redact: (text: string) => string;
    readonly secrets: Awaited<ReturnType<typeof openSecrets>>['secrets'];
    readonly file: () => string;
    readonly noted: readonly object[];
  }) => Promise<void>,
): Promise<void> =>
  withFolder(async (folder) => {
    const redactor = createRedactor();
    const { secrets } = await openSecrets({ folder, vault: fakeVault(), redactor });
    const box = boxThatAnswers();
    const problems: Problem[] = [];
    const noted: object[] = [];
    const courier = new SecretCourier({
      roster: { connectionOf: (boxId) => (boxId === 'b1' ? box.connection : null) },
      scripts: onboxScripts,
      secrets,
      redactor,
      sent: { note: (boxId, secret) => void noted.push({ boxId, ...secret }) },
      onProblem: (found) => problems.push(found),
    });
    const file = (): string => readFileSync(`${folder}/${SECRETS_FILE}`, 'utf8');
    await act({ courier, box, problems, redact: redactor.redact, secrets, file, noted });
  });

describe('SecretCourier', () => {
  it('keeps what was typed out of the log from then on, also where it cannot be sent', () =>
    withCourier(async ({ courier, redact }) => {
      expect(redact(VALUE)).toBe(VALUE);
      expect(await courier.send('gone', typed(false))).toMatchObject({
        error: { code: 'not-connected' },
      });
      expect(redact(`it was ${VALUE}!`)).not.toContain(VALUE);
    }));

  it('keeps a token only when told to, and sends it again without its being typed', () =>
    withCourier(async ({ courier, box, secrets, file }) => {
      expect(await courier.send('b1', typed(false))).toMatchObject({ ok: true });
      expect(secrets.names()).toEqual([]);
      expect(await courier.send('b1', kept)).toMatchObject({ ok: false });
      expect(await courier.send('b1', typed(true))).toMatchObject({ ok: true });
      expect(secrets.names()).toEqual(['token:wandb-api-key']);
      expect(file()).not.toContain(VALUE);
      expect(await courier.send('b1', kept)).toMatchObject({ ok: true });
      expect(box.sent().endsWith(`\n${VALUE}`)).toBe(true);
    }));

  it('notes the file that it wrote, and nothing of what is in it', () =>
    withCourier(async ({ courier, noted }) => {
      await courier.send('gone', typed(false));
      expect(noted).toEqual([]);
      await courier.send('b1', typed(false));
      expect(noted).toEqual([
        {
          boxId: 'b1',
          name: 'WANDB_API_KEY',
          path: '~/token',
          bytes: VALUE.length,
          sentAtMs: expect.any(Number),
        },
      ]);
    }));

  it('notes a file that may have been written, and none that was refused', () =>
    withCourier(async ({ courier, box, noted }) => {
      const answer = (stdout: string) => () =>
        Promise.resolve(ok({ end: { kind: 'exited', code: 0 } as const, stdout, stderr: '' }));
      for (const refusal of ['refused symlink\n', 'ask exists\n']) {
        box.connection.run = answer(refusal);
        await courier.send('b1', typed(false));
      }
      expect(noted).toEqual([]);
      box.connection.run = answer('written\nmode -rw-r--r--\n');
      expect(await courier.send('b1', typed(false))).toMatchObject({ ok: false });
      expect(noted).toHaveLength(1);
    }));

  it('sends no password or passphrase of the keyring, whatever the window asks for', () =>
    withCourier(async ({ courier, box, secrets }) => {
      await secrets.set('password:b1', VALUE);
      for (const name of ['password:b1', 'PASSWORD_B1', 'b1']) {
        expect(await courier.send('b1', { ...kept, name })).toMatchObject({ ok: false });
      }
      expect(box.sent()).toBe('');
    }));

  it('sends one at a time to a box, and the next after it', () =>
    withCourier(async ({ courier }) => {
      const both = await Promise.all([
        courier.send('b1', typed(false)),
        courier.send('b1', typed(false)),
      ]);
      expect(both.map(({ ok: isDone }) => isDone)).toEqual([true, false]);
      expect(await courier.send('b1', typed(false))).toMatchObject({ ok: true });
    }));
});
