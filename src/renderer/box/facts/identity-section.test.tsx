import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { BoxIdentity, IdentityKey } from '../../../shared/boxes/host-key.ts';
import { SAMPLE_KEY } from '../../../shared/boxes/host-key.fixture.ts';
import { problem } from '../../../shared/problem.ts';
import { ok } from '../../../shared/result.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { Identity } from './identity-section.tsx';

const KEY: IdentityKey = {
  type: SAMPLE_KEY.type,
  fingerprint: SAMPLE_KEY.fingerprint,
  trustedBy: 'confirmed',
  trustedWhere: null,
  fromMs: Date.UTC(2026, 10, 1),
  lastSeenMs: null,
  untilMs: null,
  replacedBecause: null,
  foundIn: null,
};

afterEach(cleanup);

async function show(
  key: Partial<IdentityKey>,
  unreadable: readonly string[] = [],
  jumpHosts: BoxIdentity['jumpHosts'] = [],
): Promise<void> {
  const bridge = openTestWindow();
  const keys = [{ ...KEY, ...key }];
  const problems = unreadable.map((text) => problem('known-hosts-unreadable', text));
  bridge.answer('box:identity', ok({ keys, unreadable: problems, jumpHosts }));
  render(<Identity boxId="b1" linkKind="up" />);
  await screen.findByText(SAMPLE_KEY.fingerprint);
}

describe('the identity of a box', () => {
  it('says that a key is Leasehold’s own knowledge', async () => {
    await show({});
    expect(screen.getByText(/stored by Leasehold, not in your known_hosts/)).toBeDefined();
  });

  it('says when the line that the trust came from is gone, and what ends the trust', async () => {
    await show({ trustedBy: 'known-hosts', trustedWhere: '~/.ssh/known_hosts, line 12' });
    expect(screen.getByText(/that line is gone.*Removing the box/)).toBeDefined();
  });

  it('says where ssh would find the key as well', async () => {
    await show({ foundIn: { file: '~/.ssh/known_hosts', line: 3 } });
    expect(screen.getByText('also in your ~/.ssh/known_hosts, line 3')).toBeDefined();
  });

  it('says nothing of that kind about a key of the past, or about the demo box', async () => {
    await show({ untilMs: KEY.fromMs + 1 });
    expect(screen.queryByText(/known_hosts/)).toBeNull();
    cleanup();
    await show({ trustedBy: 'built-in' });
    expect(screen.queryByText(/known_hosts/)).toBeNull();
  });

  it('shows the keys of each jump host under its address', async () => {
    const gate = { host: 'gate.example', port: 22, user: 'me' };
    const inner = { host: '10.0.0.2', port: 2222, user: 'me' };
    const hopKey = { ...KEY, fingerprint: `SHA256:${'h'.repeat(43)}`, lastSeenMs: KEY.fromMs };
    await show(
      {},
      [],
      [
        { address: gate, keys: [hopKey], unreadable: [] },
        { address: inner, keys: [], unreadable: [] },
      ],
    );
    const [first, second] = screen.getAllByRole('heading', { level: 3 });
    expect(first?.textContent).toBe('Jump host 1 of 2: gate.example');
    expect(first?.parentElement?.textContent).toContain(hopKey.fingerprint);
    expect(first?.parentElement?.textContent).not.toContain(SAMPLE_KEY.fingerprint);
    expect(second?.textContent).toBe('Jump host 2 of 2: 10.0.0.2:2222');
    expect(second?.parentElement?.textContent).toContain('No host key is trusted');
  });

  it('shows the lines of the person’s files that say nothing', async () => {
    await show({}, ['In your ~/.ssh/known_hosts, 1 line says nothing (line 4: …).']);
    expect(screen.getByText(/line 4/)).toBeDefined();
  });
});
