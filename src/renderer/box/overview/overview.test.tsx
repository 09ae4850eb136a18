import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { problem } from '../../../shared/problem.ts';
import { err, ok } from '../../../shared/result.ts';
import type { HistoryQuery } from '../../../shared/telemetry/history-requests.ts';
import {
  readingsStream,
  emptyReadings,
  readingsToWire,
} from '../../../shared/streams/readings-stream.ts';
import { sampleEntry, sampleReading, SEEN_MS } from '../../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../../state/fake-bridge.fixture.ts';
import { createStreamClient } from '../../state/stream-client.ts';
import { StreamProvider } from '../../state/stream-context.ts';
import { overlayOpened, useView, type PagePart } from '../../state/view.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { useGpuChoices } from './gpu-choice.ts';
import { Overview } from './overview.tsx';
import { answerOf, storedGpu } from './series.fixture.ts';
import { cursorDropped } from './time-cursor.ts';
import { useTimeWindows } from './time-window-store.ts';

const readings = [sampleReading({ smPct: 60 }), sampleReading({ index: 1, smPct: 80 })];
const oneCycle = () =>
  readingsStream.apply(emptyReadings(), { kind: 'cycle', atMs: SEEN_MS, readings });
const history = oneCycle();

async function openOverview(
  part: Parameters<typeof sampleEntry>[0] = {},
  past = history,
): Promise<FakeBridge> {
  const bridge = openTestWindow();
  bridge.serve('readings', readingsToWire(past));
  show(bridge, part);
  await screen.findByRole('region', { name: 'SM' });
  return bridge;
}

function show(bridge: FakeBridge, part?: Parameters<typeof sampleEntry>[0]): void {
  render(
    <StreamProvider value={createStreamClient(bridge)}>
      <Overview entry={sampleEntry(part)} />
    </StreamProvider>,
  );
}

beforeEach(() => void vi.useFakeTimers({ now: SEEN_MS + 1000, toFake: ['Date'] }));
afterEach(() => {
  cleanup();
  useGpuChoices.setState({}, true);
  useTimeWindows.setState({}, true);
  cursorDropped();
  vi.useRealTimers();
});

const text = (element: HTMLElement) => element.textContent.replace(/[\u202f\u00a0]/g, ' ');

describe('Overview', () => {
  it('opens the streams of its box only, and closes them when it goes', async () => {
    const bridge = await openOverview();
    const opened = bridge.callsTo('stream:open') as readonly { stream: string; key: string }[];
    const names = opened.map(({ stream }) => stream).sort();
    expect(names).toEqual(['gpu-facts', 'gpu-marks', 'launched-runs', 'readings', 'run-events']);
    expect(new Set(opened.map(({ key }) => key))).toEqual(new Set([sampleEntry().box.id]));
    cleanup();
    expect(bridge.callsTo('stream:close')).toHaveLength(5);
  });

  it('shows six charts with the present range of all GPUs, and one GPU when it is chosen', async () => {
    await openOverview();
    const names = ['SM', 'SM clock', 'Power', 'Temperature', 'VRAM', 'PCIe'];
    for (const name of names) expect(screen.getByRole('region', { name })).toBeDefined();
    expect(text(screen.getByRole('region', { name: 'SM' }))).toContain('60–80 %');
    await userEvent.setup().click(screen.getByRole('radio', { name: 'GPU 1' }));
    expect(text(screen.getByRole('region', { name: 'SM' }))).toContain('80 % · mem 40 %');
    await userEvent.setup().click(screen.getByRole('button', { name: 'GPU 0' }));
    expect(text(screen.getByRole('region', { name: 'SM' }))).toContain('60 % · mem 40 %');
  });

  it('looks up no processes of a box that is gone', async () => {
    const bridge = openTestWindow();
    bridge.serve('readings', readingsToWire(history));
    const archived = sampleEntry({}, { archivedAtMs: SEEN_MS });
    render(
      <StreamProvider value={createStreamClient(bridge)}>
        <Overview entry={archived} />
      </StreamProvider>,
    );
    await screen.findByRole('region', { name: 'SM' });
    expect(screen.queryByRole('button', { name: 'Find what holds VRAM…' })).toBeNull();
    cleanup();
    await openOverview();
    expect(screen.getByRole('button', { name: 'Find what holds VRAM…' })).toBeDefined();
  });

  it('lists each GPU, with a dash for what its driver does not report, and as unknown where the last cycle left it out', async () => {
    const silent = { ...sampleReading(), memoryTemperatureC: null, powerViolationPct: 31 };
    const cycle = { kind: 'cycle', atMs: SEEN_MS + 1000, readings: [silent] } as const;
    await openOverview({}, readingsStream.apply(oneCycle(), cycle));
    const [, first, second] = within(screen.getByRole('table')).getAllByRole('row');
    expect(text(first as HTMLElement)).toMatch(/GPU 0.*–not reported.*power 31 %$/);
    expect(text(second as HTMLElement)).toMatch(/GPU 1(not reported)+$/);
  });

  it('explains each figure of a card to who does not know its abbreviation', async () => {
    await openOverview();
    const columns = screen.getAllByRole('columnheader').slice(1);
    const charts = screen.getAllByRole('heading', { level: 3 });
    expect(columns.map((each) => each.textContent)).toContain('HBM');
    expect(charts.map((each) => each.textContent)).toContain('PCIe');
    const bare = [...columns, ...charts].filter(({ title }) => !title.endsWith('.'));
    expect(bare.map((each) => each.textContent)).toEqual([]);
  });

  it('names what holds the clock where dmon cannot be had: the looped query asks for the reasons', async () => {
    const asked = (index: number, throttleBits: number | null) => ({
      ...sampleReading({ index, throttleBits }),
      powerViolationPct: null,
      isThermallyHeld: null,
    });
    const readings = [asked(0, 0x88), asked(1, 0), asked(2, null)];
    const cycle = { kind: 'cycle', atMs: SEEN_MS, readings } as const;
    await openOverview({}, readingsStream.apply(emptyReadings(), cycle));
    const [, ...rows] = within(screen.getByRole('table')).getAllByRole('row');
    const held = rows.map((row) => within(row).getAllByRole('cell').at(-1)?.textContent);
    expect(held).toEqual(['power brake', 'none', '–not reported']);
  });

  it('calls the present unknown when the samples have stopped, and says since when', async () => {
    vi.setSystemTime(SEEN_MS + 43_000);
    await openOverview();
    expect(screen.getByText(/No new sample; last seen/).textContent).toMatch(/43.s ago/);
    expect(text(screen.getByRole('region', { name: 'Power' }))).toContain('not reported');
  });

  it('moves the time cursor by keyboard and reads all charts at that time', async () => {
    await openOverview();
    const slider = screen.getByRole('slider', { name: 'Time cursor over all charts' });
    expect(slider.getAttribute('aria-valuetext')).toBe('now');
    fireEvent.change(slider, { target: { value: '0.998' } });
    expect(slider.getAttribute('aria-valuetext')).toMatch(/SM 60–80.%, .*Power 250.W/);
    fireEvent.change(slider, { target: { value: '0' } });
    expect(slider.getAttribute('aria-valuetext')).toMatch(/: no sample/);
    expect(text(screen.getByRole('region', { name: 'SM' }))).toContain('no sample');
    fireEvent.blur(slider);
    expect(slider.getAttribute('aria-valuetext')).toBe('now');
  });

  it('has the range that its axis shows, the shortest at first, and then the one that is chosen', async () => {
    await openOverview();
    const isPicked = (name: string) =>
      screen.getByRole<HTMLInputElement>('radio', { name }).checked;
    expect(isPicked('5 min')).toBe(true);
    expect(screen.getByText(/^SM utilisation, last 5.min/)).toBeDefined();
    await userEvent.setup().click(screen.getByRole('radio', { name: '15 min' }));
    expect(isPicked('15 min')).toBe(true);
    expect(await screen.findByText(/^SM utilisation, last 15.min/)).toBeDefined();
  });

  it('zooms and pans by keyboard, and comes back to the present with Escape', async () => {
    await openOverview();
    const slider = screen.getByRole('slider', { name: 'Time cursor over all charts' });
    fireEvent.keyDown(slider, { key: '+' });
    expect(await screen.findByText('Looking at the past')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull();
    const shown = () => screen.getByText(/ to .* \(\d+.\w+\)$/).textContent;
    const before = shown();
    expect(before).toMatch(/\(2.min\)/);
    fireEvent.keyDown(slider, { key: 'ArrowLeft', shiftKey: true });
    expect(shown()).not.toBe(before);
    fireEvent.keyDown(slider, { key: 'Escape' });
    expect(screen.queryByText('Looking at the past')).toBeNull();
  });

  it('pauses with how long ago, asks for that time, and goes back to live', async () => {
    const bridge = await openOverview();
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Pause' }));
    expect(screen.getByText(/^Paused/)).toBeDefined();
    await vi.waitFor(() => {
      expect(bridge.callsTo('history:query').at(-1)).toMatchObject({ maxPoints: 600 });
    });
    await user.click(screen.getByRole('button', { name: 'Back to live' }));
    expect(screen.queryByText(/^Paused/)).toBeNull();
  });

  it('keeps the focus of the keyboard where Pause and Back to live take each other’s place', async () => {
    await openOverview();
    const user = userEvent.setup();
    screen.getByRole('button', { name: 'Pause' }).focus();
    await user.keyboard('{Enter}');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Back to live' }));
    await user.keyboard('{Enter}');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Pause' }));
  });

  it('leaves the cursor there with Enter, so that its values can be copied, and lets it go with Enter', async () => {
    await openOverview();
    const slider = screen.getByRole('slider', { name: 'Time cursor over all charts' });
    fireEvent.change(slider, { target: { value: '0.998' } });
    fireEvent.keyDown(slider, { key: 'Enter' });
    expect(slider.getAttribute('aria-valuetext')).toMatch(/The cursor stays here$/);
    fireEvent.blur(slider);
    expect(slider.getAttribute('aria-valuetext')).toMatch(/SM 60–80.%/);
    fireEvent.keyDown(slider, { key: 'Enter' });
    fireEvent.blur(slider);
    expect(slider.getAttribute('aria-valuetext')).toBe('now');
  });

  it('asks for the range that is chosen, for all GPUs, with what the charts draw', async () => {
    const bridge = await openOverview();
    await userEvent.setup().click(screen.getByRole('radio', { name: '24 h' }));
    await vi.waitFor(() => {
      const last = bridge.callsTo('history:query').at(-1) as HistoryQuery;
      expect(last.toMs - last.fromMs).toBe(86_400_000);
      expect(last).toMatchObject({ gpus: null, maxPoints: 300 });
      expect(last.metrics).toContain('memoryTemperatureC');
    });
  });

  it('names a past that cannot be read, keeps the live charts, and asks again', async () => {
    const bridge = openTestWindow();
    bridge.serve('readings', readingsToWire(history));
    bridge.answer('history:query', err(problem('database-unavailable', 'The history is broken.')));
    show(bridge, {});
    expect(await screen.findByText('The history is broken.')).toBeDefined();
    expect(text(screen.getByRole('region', { name: 'SM' }))).toContain('60–80 %');
    const asked = bridge.callsTo('history:query').length;
    await userEvent.setup().click(screen.getByRole('button', { name: 'Read again' }));
    await vi.waitFor(() => expect(bridge.callsTo('history:query').length).toBe(asked + 1));
  });

  it('shows what was recorded of a box that is not connected, and never as the present', async () => {
    const bridge = openTestWindow();
    const stored = storedGpu(0, SEEN_MS - 600_000, [[50, 60, 70]]);
    const answer = answerOf({ fromMs: SEEN_MS - 900_000, toMs: SEEN_MS, gpus: [stored] });
    bridge.answer('history:query', ok(answer));
    show(bridge, { link: { kind: 'idle' }, load: null });
    const sm = await screen.findByRole('region', { name: 'SM' });
    await vi.waitFor(() => expect(text(sm)).toContain('50–70 %'));
    expect(text(sm)).toContain('not reported');
    expect(screen.getByText(/Not connected\. The charts end/)).toBeDefined();
  });

  it('shows the heat strip of sixteen GPUs by itself, and one of them on demand', async () => {
    const many = Array.from({ length: 16 }, (_, index) => sampleReading({ index, smPct: index }));
    const cycle = { kind: 'cycle', atMs: SEEN_MS, readings: many } as const;
    const bridge = openTestWindow();
    bridge.serve('readings', readingsToWire(readingsStream.apply(emptyReadings(), cycle)));
    show(bridge);
    const strip = await screen.findByRole('region', { name: /^SM, mean/ });
    expect(text(strip)).toContain('GPU 15: 15 %');
    await userEvent.setup().selectOptions(screen.getByRole('combobox', { name: 'One GPU' }), '9');
    expect(text(screen.getByRole('region', { name: 'SM' }))).toContain('9 % · mem 40 %');
  });

  it('shows the summaries to everybody who asks', async () => {
    await openOverview();
    const button = screen.getByRole('button', { name: 'Summary' });
    const words = screen.getByText(/^SM utilisation, last/);
    expect(words.className).toBe('told');
    await userEvent.setup().click(button);
    expect(button.getAttribute('aria-pressed')).toBe('true');
    expect(words.className).not.toBe('told');
  });

  it('shows the unreadable lines as text, whatever they hold', async () => {
    await openOverview({
      telemetry: {
        kind: 'live',
        sinceMs: SEEN_MS,
        source: 'dmon',
        unreadableLines: 2,
        unreadableSamples: ['<b>x</b>', 'a\u001b[31mred\u202e'],
        refused: [],
        problem: null,
      },
    });
    await userEvent.setup().click(screen.getByRole('button', { name: '2 unreadable lines' }));
    const dialog = await screen.findByRole('dialog');
    expect(within(dialog).getByText('<b>x</b>')).toBeDefined();
    expect(within(dialog).getByText('a<ESC>[31mred<U+202E>')).toBeDefined();
  });

  it('says where AMD readings come from', async () => {
    await openOverview({
      telemetry: {
        kind: 'live',
        sinceMs: SEEN_MS,
        source: 'rocm-smi',
        unreadableLines: 0,
        unreadableSamples: [],
        refused: [],
        problem: null,
      },
    });
    expect(screen.getByText(/rocm-smi, best effort/)).toBeDefined();
  });

  it('lists what happened, and shows it in the charts when it has the focus', async () => {
    const bridge = openTestWindow();
    bridge.serve('readings', readingsToWire(history));
    bridge.serve('gpu-marks', [
      {
        atMs: SEEN_MS - 1000,
        kind: 'xid',
        gpu: null,
        text: 'GPU 1 has fallen off the bus.',
        code: 79,
        clue: 'NVRM: Xid\u001b 79',
      },
    ]);
    show(bridge, {});
    const events = await screen.findByRole('region', { name: 'Events in this time' });
    const event = within(events).getByRole('button', { name: /Xid 79.*fallen off the bus/ });
    expect(within(events).getByText('NVRM: Xid<ESC> 79')).toBeDefined();
    fireEvent.focus(event);
    expect(screen.getByRole('slider').getAttribute('aria-valuetext')).toMatch(/Xid 79/);
  });
});

describe('exports', () => {
  const choose = async (item: RegExp) => {
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Export' }));
    await user.click(await screen.findByRole('menuitem', { name: item }));
  };

  it('asks main for the stored points of the shown GPUs, and says what was written where', async () => {
    const bridge = await openOverview();
    bridge.answer(
      'history:export',
      ok({ kind: 'saved', file: '/tmp/a.csv', rows: 61, bytes: 5000, tier: '1s' }),
    );
    await choose(/^CSV/);
    expect(await screen.findByText(/61 rows, 5\.0.kB, written to \/tmp\/a\.csv/)).toBeDefined();
    expect(bridge.callsTo('history:export')).toMatchObject([
      { gpus: ['#0', '#1'], toMs: SEEN_MS, fromMs: SEEN_MS - 5 * 60_000 },
    ]);
    await userEvent.setup().click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText(/written to/)).toBeNull();
  });

  it('says nothing when the person cancels, and what went wrong when it fails', async () => {
    const bridge = await openOverview();
    bridge.answer('history:export', ok({ kind: 'cancelled' }));
    await choose(/^CSV/);
    await vi.waitFor(() => expect(screen.queryByText(/Writing CSV/)).toBeNull());
    expect(screen.queryByRole('button', { name: 'Dismiss' })).toBeNull();
    bridge.answer('history:export', err(problem('export-failed', 'The disk is full.')));
    await choose(/^CSV/);
    expect(await screen.findByText('The disk is full.')).toBeDefined();
  });
});

describe('a box without anything', () => {
  it('offers to connect when nothing was ever read', async () => {
    const bridge = openTestWindow();
    render(
      <StreamProvider value={createStreamClient(bridge)}>
        <Overview entry={sampleEntry({ link: { kind: 'idle' } })} />
      </StreamProvider>,
    );
    await userEvent.setup().click(await screen.findByRole('button', { name: 'Connect' }));
    expect(bridge.callsTo('link:connect')).toHaveLength(1);
  });
});

describe('what the palette asks of the charts', () => {
  const ask = (part: PagePart): Promise<void> =>
    act(async () => {
      overlayOpened({ kind: 'on-page', part });
      await Promise.resolve();
    });

  it('is done as by their own buttons, and once', async () => {
    const bridge = await openOverview();
    bridge.answer('history:export', ok({ kind: 'cancelled' }));
    await ask('charts-csv');
    expect(useView.getState().overlay.kind).toBe('none');
    await ask('chart-summary');
    expect(screen.getByRole('button', { name: 'Summary' }).getAttribute('aria-pressed')).toBe(
      'true',
    );
    await ask('pause-charts');
    expect(screen.getByText(/^Paused/)).toBeDefined();
    expect(bridge.callsTo('history:export')).toHaveLength(1);
  });

  it('waits for charts that are still being read', async () => {
    const bridge = openTestWindow();
    bridge.serve('readings', readingsToWire(history));
    overlayOpened({ kind: 'on-page', part: 'pause-charts' });
    show(bridge);
    expect(await screen.findByText(/^Paused/)).toBeDefined();
  });
});
