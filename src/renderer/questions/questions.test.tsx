import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { problem } from '../../shared/problem.ts';
import type { Question } from '../../shared/questions/question.ts';
import { err, ok } from '../../shared/result.ts';
import { App } from '../app/app.tsx';
import { sampleEntry } from '../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../state/fake-bridge.fixture.ts';
import { openFeeds } from '../state/feeds.ts';
import { createStreamClient } from '../state/stream-client.ts';
import { boxChosen, overlayOpened } from '../state/view.ts';
import { openTestWindow } from '../test-window.fixture.ts';

const A = '11111111-1111-4111-8111-111111111111';
const B = '21111111-1111-4111-8111-111111111111';

function sampleQuestion(part: Partial<Question> = {}): Question {
  return {
    id: 'aaaaaaaa-1111-4111-8111-111111111111',
    boxId: A,
    boxName: 'train-a',
    account: 'root@192.0.2.7',
    subject: { kind: 'password' },
    prompts: [{ text: 'Password', isEchoed: false }],
    refusal: null,
    keeping: { kind: 'offered' },
    isLoginLost: false,
    askedAtMs: 0,
    ...part,
  };
}

const closers: (() => void)[] = [];
afterEach(() => {
  cleanup();
  for (const close of closers.splice(0)) close();
});

async function openWindow(): Promise<FakeBridge> {
  const bridge = openTestWindow([
    sampleEntry({ link: { kind: 'connecting', attempt: 1, sinceMs: 0 } }, { id: A }),
    sampleEntry({ link: { kind: 'idle' } }, { id: B, name: 'sweep-2' }),
  ]);
  const client = createStreamClient(bridge);
  await act(async () => {
    closers.push(openFeeds(client));
    await Promise.resolve();
    render(<App streams={client} />);
  });
  act(() => boxChosen(A));
  await screen.findByRole('heading', { level: 1, name: 'train-a' });
  return bridge;
}

function ask(bridge: FakeBridge, question: Question): void {
  act(() => bridge.publish('questions', [{ kind: 'put', question }]));
}

const dialog = () => screen.findByRole('dialog');
const bar = () => screen.getByRole('status', { name: 'Questions' });

describe('a question', () => {
  it('opens for the box that is shown, takes the answer from the keyboard, and sends it once', async () => {
    const bridge = await openWindow();
    ask(bridge, sampleQuestion());
    const opened = within(await dialog());
    expect(opened.getByRole('heading').textContent).toBe('train-a asks for a password');
    const field = opened.getByLabelText<HTMLInputElement>('Password');
    expect(document.activeElement).toBe(field);
    expect(field.type).toBe('password');
    const user = userEvent.setup();
    await user.keyboard('tr0ub4dor{Enter}');
    expect(bridge.callsTo('question:answer')).toEqual([
      { id: sampleQuestion().id, values: ['tr0ub4dor'], isToBeKept: false },
    ]);
    act(() => bridge.publish('questions', [{ kind: 'gone', id: sampleQuestion().id }]));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('shows what was typed only when asked to, and keeps it only when asked to', async () => {
    const bridge = await openWindow();
    ask(bridge, sampleQuestion());
    const opened = within(await dialog());
    const user = userEvent.setup();
    const field = opened.getByLabelText<HTMLInputElement>('Password');
    await user.type(field, 'x');
    await user.click(opened.getByRole('button', { name: 'Show what is typed for Password' }));
    expect(field.type).toBe('text');
    await user.click(opened.getByRole('switch', { name: /keyring/ }));
    await user.click(opened.getByRole('button', { name: 'Log in' }));
    expect(bridge.callsTo('question:answer')).toMatchObject([{ isToBeKept: true }]);
  });

  it('says why it cannot be kept where there is no keyring, and offers nothing for a code', async () => {
    const bridge = await openWindow();
    const keeping = { kind: 'unavailable', because: 'this system offers no keyring' } as const;
    ask(bridge, sampleQuestion({ keeping }));
    expect((await dialog()).textContent).toContain('until you quit');
    expect((await dialog()).textContent).toContain('this system offers no keyring');
    expect(within(await dialog()).queryByRole('switch')).toBeNull();
    ask(bridge, sampleQuestion({ keeping: { kind: 'never' } }));
    expect((await dialog()).textContent).not.toContain('keyring');
  });

  it('is dismissed with Escape, and main is told', async () => {
    const bridge = await openWindow();
    ask(bridge, sampleQuestion());
    await dialog();
    await userEvent.setup().keyboard('{Escape}');
    expect(bridge.callsTo('question:dismiss')).toEqual([{ id: sampleQuestion().id }]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('shows the box’s own words as words, and several fields as the box wants them shown', async () => {
    const bridge = await openWindow();
    ask(
      bridge,
      sampleQuestion({
        subject: {
          kind: 'prompts',
          title: 'Two steps',
          instruction: '<b>Approve</b> on your phone',
        },
        prompts: [
          { text: 'Account', isEchoed: true },
          { text: 'Code', isEchoed: false },
        ],
        keeping: { kind: 'never' },
      }),
    );
    const opened = within(await dialog());
    const words = opened.getByRole('figure', { name: 'What the box says' });
    expect(words.textContent).toContain('<b>Approve</b>');
    expect(words.querySelector('b')).toBeNull();
    expect(opened.getByLabelText<HTMLInputElement>('Account').type).toBe('text');
    expect(opened.getByLabelText<HTMLInputElement>('Code').type).toBe('password');
    const user = userEvent.setup();
    await user.keyboard('me{Tab}123456{Enter}');
    expect(bridge.callsTo('question:answer')).toMatchObject([{ values: ['me', '123456'] }]);
  });

  it('says why it is asked again, and that the box did not wait', async () => {
    const bridge = await openWindow();
    ask(bridge, sampleQuestion({ refusal: 'The box did not accept that.', isLoginLost: true }));
    const opened = within(await dialog());
    expect(opened.getByRole('alert').textContent).toBe('The box did not accept that.');
    expect(opened.getByRole('status').textContent).toContain('Your answer starts a new one');
  });

  it('shows a refused answer where it was typed', async () => {
    const bridge = await openWindow();
    ask(bridge, sampleQuestion());
    await dialog();
    bridge.answer('question:answer', err(problem('question-gone', 'That question is gone.')));
    await userEvent.setup().keyboard('x{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('That question is gone.');
  });

  it('of another box waits in the bar, named, until it is opened', async () => {
    const bridge = await openWindow();
    ask(bridge, sampleQuestion({ boxId: B, boxName: 'sweep-2' }));
    ask(
      bridge,
      sampleQuestion({ id: 'bbbbbbbb-1111-4111-8111-111111111111', boxId: B, boxName: 'c' }),
    );
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(bar().textContent).toMatch(/sweep-2 asks for a password.*c asks for a password/);
    await userEvent.setup().click(within(bar()).getAllByRole('button', { name: 'Answer…' })[0]!);
    expect(within(await dialog()).getByRole('heading').textContent).toContain('sweep-2');
  });

  it('has an empty field, whatever was typed for the one that stood there before', async () => {
    const bridge = await openWindow();
    const other = sampleQuestion({ id: 'bbbbbbbb-1111-4111-8111-111111111111', boxId: B });
    ask(bridge, sampleQuestion());
    await dialog();
    ask(bridge, other);
    const user = userEvent.setup();
    await user.keyboard('for-a');
    // Without a moment in which no dialog is open.
    act(() => overlayOpened({ kind: 'question', questionId: other.id }));
    const field = within(await dialog()).getByLabelText<HTMLInputElement>('Password');
    expect(field.value).toBe('');
    await user.type(field, 'for-b{Enter}');
    expect(bridge.callsTo('question:answer')).toEqual([
      { id: other.id, values: ['for-b'], isToBeKept: false },
    ]);
  });

  it('stays open when the answer to the one before it is taken late', async () => {
    const bridge = await openWindow();
    const other = sampleQuestion({ id: 'bbbbbbbb-1111-4111-8111-111111111111', boxName: 'later' });
    let taken: () => void = () => undefined;
    bridge.answer('question:answer', new Promise((resolve) => (taken = () => resolve(ok(null)))));
    ask(bridge, sampleQuestion());
    await dialog();
    ask(bridge, other);
    await userEvent.setup().keyboard('for-a{Enter}');
    act(() => bridge.publish('questions', [{ kind: 'gone', id: sampleQuestion().id }]));
    await screen.findByRole('heading', { name: /^later/ });
    await act(async () => taken());
    expect(screen.getByRole('heading', { name: /^later/ })).toBeTruthy();
  });

  it('that follows from an answer opens at once, also for another box', async () => {
    const bridge = await openWindow();
    const first = sampleQuestion({ boxId: B, boxName: 'sweep-2' });
    ask(bridge, first);
    const user = userEvent.setup();
    await user.click(within(bar()).getByRole('button', { name: 'Answer…' }));
    await dialog();
    await user.keyboard('x{Enter}');
    act(() => bridge.publish('questions', [{ kind: 'gone', id: first.id }]));
    expect(screen.queryByRole('dialog')).toBeNull();
    const refusal = 'The box did not accept that.';
    ask(bridge, { ...first, id: 'dddddddd-1111-4111-8111-111111111111', refusal });
    expect(within(await dialog()).getByRole('alert').textContent).toBe(refusal);
  });

  it('never opens under the hands of somebody who is typing, or over another dialog', async () => {
    const bridge = await openWindow();
    const inRail = within(screen.getByRole('navigation', { name: 'Boxes' }));
    expect(inRail.getByRole('button', { name: /^train-a.*connecting/ })).toBeDefined();
    const elsewhere = document.body.appendChild(document.createElement('textarea'));
    closers.push(() => elsewhere.remove());
    elsewhere.focus();
    ask(bridge, sampleQuestion());
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(bar().textContent).toContain('train-a asks for a password');
    expect(inRail.getByRole('button', { name: /^train-a.*asks you.*answer it/ })).toBeDefined();

    elsewhere.blur();
    act(() => overlayOpened({ kind: 'rename-box', boxId: A }));
    ask(bridge, sampleQuestion({ id: 'cccccccc-1111-4111-8111-111111111111' }));
    expect(within(await dialog()).getByRole('heading').textContent).toBe('Rename train-a');
  });
});
