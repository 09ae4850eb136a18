import { describe, expect, it } from 'vitest';
import type { PushDestination } from '../../shared/push/push-input.ts';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import { createRedactor } from '../log/redact.ts';
import { Secret } from '../secrets/secret.ts';
import { PUSH_SECRET, PushTargets } from './push-targets.ts';

function open(kept: string | null = null) {
  const redactor = createRedactor();
  const secrets = new Map(kept === null ? [] : [[PUSH_SECRET, kept]]);
  const targets = new PushTargets({
    webhook: { target: () => err(problem('bad-input', 'No webhook is set.')) },
    secrets: {
      get: (name) => ok(secrets.has(name) ? new Secret(secrets.get(name) ?? '') : null),
      set: (name, value) => {
        secrets.set(name, value);
        return Promise.resolve(ok({ isKept: true }));
      },
    },
    redactor,
  });
  return { targets, redact: redactor.redact, secrets };
}

const typed = (
  more: Partial<Extract<PushDestination, { kind: 'typed' }>> = {},
): PushDestination => ({
  kind: 'typed',
  webhookKind: 'ntfy',
  url: ' https://ntfy.example/open-sesame ',
  token: 'tk_0123456789',
  isPlainAllowed: false,
  ...more,
});

describe('where a box posts to', () => {
  it('is kept whole and told only as far as it is no secret', async () => {
    const { targets, redact, secrets } = open();
    expect(targets.own()).toBeNull();
    const found = targets.find(typed());
    if (!found.ok) throw new Error(found.error.message);
    expect(found.value).toEqual({
      kind: 'ntfy',
      address: 'https://ntfy.example/',
      topic: 'open-sesame',
      authorization: 'Bearer tk_0123456789',
    });
    await targets.keep(found.value);
    expect(open(secrets.get(PUSH_SECRET)).targets.find({ kind: 'own' })).toEqual(found);
    expect(targets.own()).toEqual({ kind: 'ntfy', host: 'ntfy.example', hasToken: true });
    expect(redact('said open-sesame and tk_0123456789')).toBe('said [redacted] and [redacted]');
  });

  it('sends a token of Slack’s nowhere, since its address lets in whoever knows it', () => {
    const url = 'https://hooks.slack.example/x';
    const found = open().targets.find(typed({ webhookKind: 'slack', url }));
    expect(found).toMatchObject({ value: { address: url, authorization: null } });
  });

  it.each([
    ['no address', typed({ url: 'ntfy.sh' })],
    ['an open way', typed({ url: 'http://ntfy.example/topic' })],
    ['no topic', typed({ url: 'https://ntfy.example/' })],
    ['a token of two lines', typed({ token: 'a\nb' })],
    ['no webhook', { kind: 'webhook' } as const],
    ['nothing that is kept', { kind: 'own' } as const],
  ])('is refused: %s', (_what, to) => {
    expect(open().targets.find(to).ok).toBe(false);
  });

  it('says so where what is kept is no target', () => {
    const { targets } = open('{"kind":"ntfy"');
    expect(targets.own()).toBeNull();
    expect(targets.find({ kind: 'own' })).toMatchObject({ error: { code: 'secret-unreadable' } });
  });
});
