import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { problem } from '../../../../shared/problem.ts';
import type { RunLog } from '../../../../shared/runs/launch/launched-run.ts';
import { MAX_ROWS } from '../../../../shared/runs/launch/log-lines.ts';
import type { FakeBridge } from '../../../state/fake-bridge.fixture.ts';
import { createStreamClient } from '../../../state/stream-client.ts';
import { StreamProvider } from '../../../state/stream-context.ts';
import { openTestWindow } from '../../../test-window.fixture.ts';
import { LOG_ROW_PX, selectLogRows } from './log-scroll.ts';
import { LogViewer } from './log-viewer.tsx';

const LOG: RunLog = { text: '', bytes: 0, isCut: false, state: 'following', problem: null };
const numbered = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => `row ${from + at}\n`).join('');

let bridge: FakeBridge;
const user = userEvent.setup({ delay: null });
const onWhole = vi.fn();
beforeEach(() => {
  bridge = openTestWindow();
  // A real scroller's, of ten rows.
  Element.prototype.scrollTo = function scrollTo(this: Element, where?: ScrollToOptions | number) {
    const top = typeof where === 'object' ? (where.top ?? 0) : 0;
    this.scrollTop = Math.min(top, this.scrollHeight - this.clientHeight);
    fireEvent.scroll(this);
  };
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(10 * LOG_ROW_PX);
  vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockImplementation(function heightOf(
    this: Element,
  ) {
    return Number.parseFloat((this.lastElementChild as HTMLElement | null)?.style.height ?? '0');
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const scroller = (): HTMLElement => screen.getByRole('region', { name: 'Log of baseline' });
const pointed = () => scroller().querySelector('[class*="pointed"]')?.textContent;
const shown = (): string => scroller().textContent;
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const plain = (): string => document.body.textContent.replace(/[\u202f\u00a0]/g, ' ');

async function show(part: Partial<RunLog>): Promise<void> {
  bridge.serve('run-log', { ...LOG, ...part });
  const client = createStreamClient(bridge);
  await act(async () => {
    render(
      <StreamProvider value={client}>
        <LogViewer boxId="b" log={{ runId: 'r' }} name="baseline" onWhole={onWhole} />
      </StreamProvider>,
    );
    await Promise.resolve();
  });
}
const more = (text: string): void =>
  act(() => bridge.publish('run-log', [{ more: { text, bytes: text.length } }]));
function scrollTo(row: number): void {
  scroller().scrollTop = row * LOG_ROW_PX;
  fireEvent.scroll(scroller());
}

describe('the log of a run', () => {
  it('follows its end, with only what is in view in the page', async () => {
    await show({ text: numbered(0, 5000), bytes: 50_000 });
    expect(shown()).toContain('row 4999');
    expect(shown()).not.toContain('row 4900');
    expect(scroller().querySelectorAll('div').length).toBeLessThan(80);
    more(numbered(5000, 6000));
    expect(shown()).toContain('row 5999');
    expect(scroller().scrollTop).toBe((6000 - 10) * LOG_ROW_PX);
    expect(button('Jump to end').getAttribute('aria-pressed')).toBe('true');
    expect(plain()).toContain('Following');
  });

  it('stays at what is read once the person scrolls up, also while older rows go', async () => {
    await show({ text: numbered(0, MAX_ROWS - 10) });
    act(() => scrollTo(8000));
    expect(shown()).toContain('row 8005');
    more(numbered(MAX_ROWS - 10, MAX_ROWS + 10));
    expect(shown()).toContain('row 8005');
    expect(shown()).not.toContain(`row ${MAX_ROWS + 9}`);
    expect(scroller().scrollTop).toBeLessThan(8000 * LOG_ROW_PX);
    expect(plain()).toContain('the file has more before this');
    await user.click(button('Jump to end'));
    expect(shown()).toContain(`row ${MAX_ROWS + 9}`);
    more('the newest\n');
    expect(shown()).toContain('the newest');
  });

  it('keeps what a person reads, also where a flood has left nothing of it', async () => {
    await show({ text: numbered(0, 1000) });
    act(() => scrollTo(100));
    const gap = { text: numbered(9000, 9100), bytes: 1e6, isAfterGap: true };
    act(() => bridge.publish('run-log', [{ more: gap }]));
    expect(shown()).toContain('row 105');
    expect(plain()).toContain('Not the newest lines');
    more(numbered(9100, 9101));
    expect(shown()).toContain('row 105');
    await user.click(button('Jump to end'));
    expect(shown()).toContain('row 9100');
    expect(shown()).not.toContain('row 105');
    expect(plain()).not.toContain('Not the newest lines');
  });

  it('shows a stranger’s text as text, colours as few of ours, and a bar as it last was', async () => {
    await show({
      text: '\u001b]0;title\u0007<img src=x onerror=1>\n\u001b[31mred\u001b[0m plain\n 10%\r 90%\r',
    });
    expect(scroller().querySelector('img')).toBeNull();
    expect(shown()).toBe('<img src=x onerror=1>red plain 90%');
    expect(screen.getByText('red').className).toContain('red');
  });

  it('is searched with the keyboard, forth and back', async () => {
    await show({ text: `loss one\n${numbered(0, 500)}LOSS two\n${numbered(500, 600)}a loss\n` });
    await user.keyboard('{Control>}f{/Control}');
    const field = screen.getByRole('textbox', { name: 'Find in this log' });
    expect(document.activeElement).toBe(field);
    await user.type(field, 'loss');
    expect(plain()).toContain('3 lines');
    await user.keyboard('{Enter}');
    expect(plain()).toContain('1 of 3');
    expect(scroller().querySelector('mark')?.textContent).toBe('loss');
    expect(shown()).toContain('loss one');
    await user.keyboard('{Enter}');
    expect(shown()).toContain('LOSS two');
    await user.keyboard('{Shift>}{Enter}{/Shift}');
    await user.keyboard('{Shift>}{Enter}{/Shift}');
    expect(plain()).toContain('3 of 3');
    more('loss again\n');
    expect(plain()).toContain('3 of 4');
    await user.type(field, ' nowhere');
    expect(plain()).toContain('Not found');
    await user.keyboard('{Escape}');
    expect(field).toHaveProperty('value', '');
    await user.keyboard('{Escape}');
    expect(document.activeElement).toBe(scroller());
  });

  it('jumps to the first error, and offers that only where there is one', async () => {
    await show({ text: numbered(0, 300) });
    expect(button('Jump to first error').disabled).toBe(true);
    more(`Traceback (most recent call last):\nValueError: bad\n${numbered(300, 900)}`);
    expect(shown()).not.toContain('Traceback');
    await user.click(button('Jump to first error'));
    expect(shown()).toContain('Traceback');
    expect(pointed()).toBe('Traceback (most recent call last):');
    const said = screen.getAllByRole('status').map(({ textContent }) => textContent);
    expect(said).toContain('Traceback (most recent call last):');
    more(numbered(900, 1000));
    expect(shown()).toContain('Traceback');
  });

  it('says how it stands, that there is more before it, and why it is not followed', async () => {
    await show({ isCut: true, state: 'opening' });
    expect(plain()).toContain('Opening the log…');
    expect(plain()).toContain('the file has more before this');
    act(() => bridge.publish('run-log', [{ state: 'following' }]));
    expect(plain()).toContain('Nothing written.');
    const lost = problem('link-lost', 'The link was lost.');
    act(() => bridge.publish('run-log', [{ state: 'stopped', problem: lost }]));
    expect(plain()).toContain('Not followed');
    expect(plain()).toContain('The link was lost.');
    expect(onWhole).not.toHaveBeenCalled();
    bridge.serve('run-log', { ...LOG, text: 'all of it\n', state: 'whole' });
    await user.click(button('Try again'));
    await vi.waitFor(() => expect(shown()).toContain('all of it'));
    expect(plain()).toContain('Complete');
    await vi.waitFor(() => expect(onWhole).toHaveBeenCalledTimes(1));
  });

  it('says why it cannot be opened', async () => {
    bridge.serve('run-log', LOG);
    bridge.answer('stream:open', {
      ok: false,
      error: problem('no-such-file', 'There is no log.'),
    });
    const client = createStreamClient(bridge);
    await act(async () => {
      render(
        <StreamProvider value={client}>
          <LogViewer boxId="b" log={{ runId: 'r' }} name="baseline" onWhole={onWhole} />
        </StreamProvider>,
      );
      await Promise.resolve();
    });
    expect(screen.getByRole('heading', { name: 'There is no log.' })).toBeDefined();
  });
});

describe('which rows of a log are in the page', () => {
  it.each([
    [{ top: 0, rows: 10 }, { first: 0, count: 5 }, false, { from: 0, to: 5 }],
    [{ top: 0, rows: 10 }, { first: 0, count: 100 }, false, { from: 0, to: 30 }],
    [{ top: 50, rows: 10 }, { first: 0, count: 100 }, false, { from: 30, to: 80 }],
    [{ top: 50, rows: 10 }, { first: 0, count: 100 }, true, { from: 70, to: 100 }],
    [{ top: 50, rows: 10 }, { first: 40, count: 100 }, false, { from: 0, to: 40 }],
    [{ top: 5, rows: 10 }, { first: 40, count: 100 }, false, { from: 0, to: 30 }],
    [{ top: 500, rows: 10 }, { first: 0, count: 100 }, false, { from: 70, to: 100 }],
  ])('%o of %o, following: %s', (looked, log, isFollowing, wanted) => {
    expect(selectLogRows(looked, log, isFollowing)).toEqual(wanted);
  });
});
