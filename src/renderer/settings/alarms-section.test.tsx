import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import { samples } from '../../shared/news/news.fixture.ts';
import type { Delivery, WebhookState } from '../../shared/webhook/delivery.ts';
import type { FakeBridge } from '../state/fake-bridge.fixture.ts';
import { openFeeds } from '../state/feeds.ts';
import { createStreamClient } from '../state/stream-client.ts';
import { openTestWindow, SAMPLE_SETTINGS } from '../test-window.fixture.ts';
import { AlarmsSection } from './alarms-section.tsx';

const NONE: WebhookState = { target: null, deliveries: [] };
const NTFY: WebhookState = {
  target: { kind: 'ntfy', host: 'ntfy.example', hasToken: false },
  deliveries: [],
};

async function openSection(state: WebhookState): Promise<FakeBridge> {
  const bridge = openTestWindow();
  bridge.serve('webhook', state);
  await act(async () => {
    closers.push(openFeeds(createStreamClient(bridge)));
    await Promise.resolve();
    render(<AlarmsSection settings={SAMPLE_SETTINGS} />);
  });
  return bridge;
}

const closers: (() => void)[] = [];
afterEach(() => {
  cleanup();
  for (const close of closers.splice(0)) close();
});

describe('the settings of danger clocks', () => {
  it('take marks as a person writes them, and say what is wrong with others', async () => {
    const bridge = await openSection(NONE);
    const user = userEvent.setup();
    const field = screen.getByRole('textbox', { name: /Remind me before/ });
    expect(field).toHaveProperty('value', '24 h, 6 h, 1 h, 15 min');
    await user.clear(field);
    expect(screen.getByText(/rings only when its time is over/)).toBeDefined();
    await user.type(field, '5 min, soon');
    expect(screen.getByText(/“soon” is no time/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
    await user.clear(field);
    await user.type(field, '5 min, 2 d{Enter}');
    expect(bridge.callsTo('settings:change')).toEqual([
      { patch: { alarmMarksMs: [172_800_000, 300_000] } },
    ]);
  });

  it('set a webhook whose address is not on the screen, and show a refusal where it was typed', async () => {
    const bridge = await openSection(NONE);
    const user = userEvent.setup();
    expect(screen.getByText(/told on this machine only/)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Set a webhook…' }));
    const address = screen.getByLabelText('Address');
    expect(address).toHaveProperty('type', 'password');
    await user.type(address, 'http://ntfy.example/topic');
    bridge.answer('webhook:set', err(problem('bad-input', 'Over http:// anybody can read.')));
    await user.click(screen.getByRole('button', { name: 'Save webhook' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Over http://');
    bridge.answer('webhook:set', ok(null));
    await user.click(screen.getByRole('switch', { name: 'Allow http://' }));
    await user.click(screen.getByRole('button', { name: 'Save webhook' }));
    expect(bridge.callsTo('webhook:set').at(-1)).toEqual({
      kind: 'ntfy',
      url: 'http://ntfy.example/topic',
      token: '',
      isPlainAllowed: true,
    });
    expect(screen.queryByLabelText('Address')).toBeNull();
  });

  it('take an access token that is not on the screen, and none for Slack', async () => {
    const bridge = await openSection({
      ...NTFY,
      target: { kind: 'ntfy', host: 'ntfy.example', hasToken: true },
    });
    const user = userEvent.setup();
    expect(screen.getByText(/at ntfy\.example, with an access token\./)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Change…' }));
    const token = screen.getByLabelText('Access token, if it wants one');
    expect(token).toHaveProperty('type', 'password');
    expect(token).toHaveProperty('placeholder', 'enter it again, or it is forgotten');
    await user.type(token, 'tk_1234567890');
    await user.type(screen.getByLabelText('Address'), 'https://ntfy.example/topic');
    bridge.answer('webhook:set', ok(null));
    await user.click(screen.getByRole('button', { name: 'Save webhook' }));
    expect(bridge.callsTo('webhook:set').at(-1)).toMatchObject({ token: 'tk_1234567890' });
    await user.click(screen.getByRole('button', { name: 'Change…' }));
    await user.click(screen.getByRole('radio', { name: 'Slack' }));
    expect(screen.queryByLabelText('Access token, if it wants one')).toBeNull();
  });

  it('list what became of each message', async () => {
    const now = Date.now();
    const state = (
      id: string,
      title: string,
      part: Pick<Delivery, 'state' | 'tries'>,
    ): Delivery => ({ news: { ...samples.clock.news({ id, atMs: now }), title }, ...part });
    const bridge = await openSection({
      ...NTFY,
      deliveries: [
        state('1', 'one', {
          state: { kind: 'waiting', nextTryMs: now + 3_600_000, because: 'answered 500' },
          tries: 2,
        }),
        state('2', 'two', {
          state: { kind: 'given-up', atMs: now, because: 'answered 404' },
          tries: 1,
        }),
        state('3', 'three', { state: { kind: 'delivered', atMs: now }, tries: 1 }),
      ],
    });
    const rows = within(
      screen.getByRole('table', { name: 'Messages to the webhook' }),
    ).getAllByRole('row');
    const texts = rows.map((row) => row.textContent.replace(/\u00a0/g, ' '));
    expect(texts[1]).toMatch(/^one.*answered 500; 2 tries, next in (1 h|59 min)/);
    expect(texts[2]).toMatch(/^two.*given up: answered 404/);
    expect(texts[3]).toMatch(/^three.*delivered/);
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Send a test' }));
    await user.click(screen.getByRole('button', { name: 'Remove' }));
    expect(bridge.callsTo('webhook:test')).toHaveLength(1);
    expect(bridge.callsTo('webhook:forget')).toHaveLength(1);
    act(() =>
      bridge.publish('webhook', [
        { ...NTFY, target: { kind: 'ntfy', host: null, hasToken: false } },
      ]),
    );
    expect(screen.getByText(/not known in this session/)).toBeDefined();
  });
});
