import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Channel } from '../../../../shared/ipc/contract.ts';
import { problem } from '../../../../shared/problem.ts';
import { err, ok } from '../../../../shared/result.ts';
import type { RunLog } from '../../../../shared/runs/launch/launched-run.ts';
import type { LogPart } from '../../../../shared/runs/launch/log-part.ts';
import type { FakeBridge } from '../../../state/fake-bridge.fixture.ts';
import { createStreamClient } from '../../../state/stream-client.ts';
import { StreamProvider } from '../../../state/stream-context.ts';
import { openTestWindow } from '../../../test-window.fixture.ts';
import { LOG_ROW_PX } from './log-scroll.ts';
import { LogViewer } from './log-viewer.tsx';

/** On the box: a hundred thousand lines of twenty bytes, of which the window has the newest thousand. */
const LINES = 100_000;
const lineAt = (at: number): string => `line ${String(at).padStart(14, '.')}\n`;
const linesOf = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => lineAt(from + at)).join('');
const SIZE = LINES * 20;
const LIVE: RunLog = {
  text: linesOf(LINES - 1000, LINES),
  bytes: SIZE,
  isCut: true,
  state: 'following',
  problem: null,
};

let bridge: FakeBridge;
let answers: Partial<Record<Channel, (input: never) => unknown>>;
const user = userEvent.setup({ delay: null });
beforeEach(async () => {
  bridge = openTestWindow();
  Element.prototype.scrollTo = function scrollTo(this: Element, where?: ScrollToOptions | number) {
    const top = typeof where === 'object' ? (where.top ?? 0) : 0;
    this.scrollTop = Math.min(top, this.scrollHeight - this.clientHeight);
    this.dispatchEvent(new Event('scroll'));
  };
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(10 * LOG_ROW_PX);
  vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockImplementation(function heightOf(
    this: Element,
  ) {
    return Number.parseFloat((this.lastElementChild as HTMLElement | null)?.style.height ?? '0');
  });
  const { call } = bridge;
  answers = {
    'runs:read-log': ({ from, until }: { from: number; until: number }): unknown => {
      const [first, end] = [Math.ceil(from / 20), Math.floor(Math.min(SIZE, until) / 20)];
      const part: LogPart = {
        from: first * 20,
        to: end * 20,
        size: SIZE,
        text: linesOf(first, end),
      };
      return ok(part);
    },
  };
  Object.assign(bridge, {
    call: (channel: Channel, input: never) => {
      const asked = call(channel, input);
      const answer = answers[channel];
      return answer === undefined ? asked : Promise.resolve(answer(input));
    },
  });
  bridge.serve('run-log', LIVE);
  const client = createStreamClient(bridge);
  await act(async () => {
    render(
      <StreamProvider value={client}>
        <LogViewer boxId="b" log={{ runId: 'r', cell: 3 }} name="it" onWhole={vi.fn()} />
      </StreamProvider>,
    );
    await Promise.resolve();
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const scroller = (): HTMLElement => screen.getByRole('region', { name: 'Log of it' });
const has = (at: number): boolean => scroller().textContent.includes(lineAt(at).trimEnd());
const plain = (): string => document.body.textContent.replace(/[\u202f\u00a0]/g, ' ');
const click = (name: string) => user.click(screen.getByRole('button', { name }));
const pointed = () => scroller().querySelector('[class*="pointed"]')?.textContent;

it('is read from its beginning, on and on, and left for its end again', async () => {
  expect(plain()).toContain('the file has more before this');
  await click('Beginning');
  await vi.waitFor(() => expect(pointed()).toBe(lineAt(0).trimEnd()));
  expect(plain()).toContain('0 B to');
  expect(plain()).toContain('of 2.0 MB');
  expect(bridge.callsTo('runs:read-log')[0]).toMatchObject({ boxId: 'b', id: 'r', cell: 3 });
  // To the end of each part, after which the next one comes by itself, with no line missing between.
  let last = 0;
  for (let step = 0; step < 3; step += 1) {
    const before = scroller().scrollHeight;
    act(() => scroller().scrollTo({ top: before }));
    last = Number(/(\d+)\D*$/.exec(scroller().textContent)?.[1]);
    await vi.waitFor(() => expect(scroller().scrollHeight).not.toBe(before));
    act(() => scroller().scrollTo({ top: scroller().scrollTop + 15 * LOG_ROW_PX }));
    expect(has(last + 1)).toBe(true);
  }
  expect(last).toBeGreaterThan(20_000);
  await click('Jump to end');
  expect(has(LINES - 1)).toBe(true);
  act(() => bridge.publish('run-log', [{ more: { text: 'the newest\n', bytes: 11 } }]));
  expect(scroller().textContent).toContain('the newest');
});

it('shows what is before its end', async () => {
  await click('Earlier');
  await vi.waitFor(() => expect(has(LINES - 1000 - 400)).toBe(true));
  expect(screen.getByRole('button', { name: 'Later' })).toHaveProperty('disabled', true);
});

it('is searched on the box, and the rows that have it are gone through', async () => {
  await user.type(screen.getByRole('textbox', { name: 'Find in this log' }), '...5');
  const at = [5, 50_000, 99_999].map((line) => line * 20);
  answers['runs:find-in-log'] = () => ok({ size: SIZE, lines: 3, at });
  await click('Search whole log');
  await vi.waitFor(() => expect(pointed()).toBe(lineAt(5).trimEnd()));
  expect(bridge.callsTo('runs:find-in-log')).toEqual([
    { boxId: 'b', id: 'r', cell: 3, wanted: { kind: 'text', text: '...5' } },
  ]);
  expect(plain()).toContain('1 of 3 lines in the whole log, 2.0 MB');
  await click('Next');
  await vi.waitFor(() => expect(pointed()).toBe(lineAt(50_000).trimEnd()));
  expect(has(49_999)).toBe(true);
  await click('Previous');
  await click('Previous');
  await vi.waitFor(() => expect(pointed()).toBe(lineAt(99_999).trimEnd()));
});

it('is left alone once nobody waits for a search', async () => {
  let answered = (_: unknown): void => undefined;
  answers['runs:find-in-log'] = () =>
    new Promise((resolve) => {
      answered = resolve;
    });
  await user.type(screen.getByRole('textbox', { name: 'Find in this log' }), 'x');
  await click('Search whole log');
  await click('Stop searching');
  expect(bridge.callsTo('runs:stop-finding')).toEqual([{ boxId: 'b' }]);
  answered(err(problem('aborted', 'The search was stopped.')));
  await screen.findByRole('button', { name: 'Search whole log' });
  expect(screen.queryByRole('alert')).toBeNull();
});

it('leads to its first error, which the window does not have, and says where there is none', async () => {
  answers['runs:find-in-log'] = () => ok({ size: SIZE, lines: 1, at: [777 * 20] });
  await click('Jump to first error');
  await vi.waitFor(() => expect(pointed()).toBe(lineAt(777).trimEnd()));
  answers['runs:find-in-log'] = () => ok({ size: SIZE, lines: 0, at: [] });
  await click('Jump to first error');
  await screen.findAllByText('No line of the whole log tells of an error.');
});

it('says that a log is not what it was, and stays at what it shows', async () => {
  const shorter = problem('runs-not-read', 'The log is shorter than it was.');
  answers['runs:read-log'] = () => err(shorter);
  await click('Beginning');
  expect((await screen.findByRole('alert')).textContent).toContain('shorter than it was');
  expect(has(LINES - 1)).toBe(true);
});
