import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  readingsStream,
  emptyReadings,
  readingsToWire,
} from '../../../shared/streams/readings-stream.ts';
import { NO_GPU_FACTS } from '../../../shared/telemetry/gpu-facts.ts';
import { sampleEntry, sampleReading, SEEN_MS } from '../../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../../state/fake-bridge.fixture.ts';
import { createStreamClient } from '../../state/stream-client.ts';
import { StreamProvider } from '../../state/stream-context.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { gpuChosen } from './gpu-choice.ts';
import { Overview } from './overview.tsx';

const readings = [sampleReading({ smPct: 60 }), sampleReading({ index: 1, smPct: 80 })];
const history = readingsStream.apply(emptyReadings(), { kind: 'cycle', atMs: SEEN_MS, readings });

async function openOverview(part: Parameters<typeof sampleEntry>[0] = {}): Promise<FakeBridge> {
  const bridge = openTestWindow();
  bridge.serve('readings', readingsToWire(history));
  bridge.serve('gpu-facts', NO_GPU_FACTS);
  render(
    <StreamProvider value={createStreamClient(bridge)}>
      <Overview entry={sampleEntry(part)} />
    </StreamProvider>,
  );
  await screen.findAllByRole('heading');
  return bridge;
}

beforeEach(() => void vi.useFakeTimers({ now: SEEN_MS + 1000, toFake: ['Date'] }));
afterEach(() => {
  cleanup();
  gpuChosen(sampleEntry().box.id, 'all');
  vi.useRealTimers();
});

const text = (element: HTMLElement) => element.textContent.replace(/[\u202f\u00a0]/g, ' ');

describe('Overview', () => {
  it('opens the stream of its box only, and closes it when it goes', async () => {
    const bridge = await openOverview();
    const key = sampleEntry().box.id;
    expect(bridge.callsTo('stream:open')).toEqual([
      { stream: 'readings', key },
      { stream: 'gpu-facts', key },
    ]);
    cleanup();
    expect(bridge.callsTo('stream:close')).toEqual([{ subscription: 1 }, { subscription: 2 }]);
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

  it('lists each GPU, with a dash for what its driver does not report', async () => {
    const silent = { ...sampleReading(), memoryTemperatureC: null, powerViolationPct: 31 };
    await openOverview({ latest: { atMs: SEEN_MS, readings: [silent] } });
    const [, first, second] = within(screen.getByRole('table')).getAllByRole('row');
    expect(text(first as HTMLElement)).toMatch(/GPU 0.*–not reported.*power 31 %$/);
    expect(text(second as HTMLElement)).toMatch(/GPU 1(unknown)+$/);
  });

  it('calls the present unknown when the samples have stopped, and says since when', async () => {
    vi.setSystemTime(SEEN_MS + 43_000);
    await openOverview();
    expect(screen.getByText(/No new sample; last seen/).textContent).toMatch(/43.s ago/);
    expect(text(screen.getByRole('region', { name: 'Power' }))).toContain('unknown');
  });

  it('moves the time cursor by keyboard and reads all charts at that time', async () => {
    await openOverview();
    const slider = screen.getByRole('slider', { name: 'Time cursor over all charts' });
    expect(slider.getAttribute('aria-valuetext')).toBe('now');
    fireEvent.change(slider, { target: { value: '59' } });
    expect(slider.getAttribute('aria-valuetext')).toMatch(/SM 60–80.%, .*Power 250.W/);
    fireEvent.change(slider, { target: { value: '0' } });
    expect(slider.getAttribute('aria-valuetext')).toMatch(/: no sample$/);
    expect(text(screen.getByRole('region', { name: 'SM' }))).toContain('no sample');
    fireEvent.blur(slider);
    expect(slider.getAttribute('aria-valuetext')).toBe('now');
  });

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
