import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  UNTOLD_DETAILS,
  type BoxGpuFacts,
  type GpuDetails,
  type MigPart,
} from '../../../shared/telemetry/gpu-facts.ts';
import { MigNote } from './mig-note.tsx';

const NOW_MS = 1_000_000;

beforeEach(() => void vi.useFakeTimers({ now: NOW_MS, toFake: ['Date'] }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function part(device: number, gpuInstance: number, usedMiB: number | null): MigPart {
  return {
    device,
    gpuInstance,
    profile: '3g.40gb',
    memoryUsedMiB: usedMiB,
    memoryTotalMiB: usedMiB === null ? null : 40_448,
  };
}

function card(index: number, migParts: readonly MigPart[] | null): GpuDetails {
  const migMode = migParts === null ? 'Disabled' : 'Enabled';
  return { ...UNTOLD_DETAILS, index, uuid: `GPU-${index}`, name: 'H100', migMode, migParts };
}

function show(gpus: readonly GpuDetails[]): void {
  const facts = { atMs: NOW_MS - 12_000, gpus } as unknown as BoxGpuFacts;
  render(<MigNote facts={{ kind: 'live', state: { facts, problem: null } }} />);
}

const text = (element: HTMLElement) => element.textContent.replace(/[\u202f\u00a0]/g, ' ');
const parts = (gpu: number) =>
  within(screen.getByRole('list', { name: `Parts of GPU ${gpu}` }))
    .getAllByRole('listitem')
    .map(text);

it('tells the memory of each part with its age, unknown where it is not told, and what is shared', () => {
  show([
    card(0, [part(0, 2, 11_091), part(1, 2, 11_091), part(2, 3, null)]),
    card(1, null),
    card(2, [part(0, 7, 9)]),
  ]);
  expect(text(screen.getByRole('region', { name: 'MIG' }))).toContain('Seen 12 s ago.');
  expect(parts(0)).toEqual([
    'Part 0 · 3g.40gb10.8 of 39.5 GiBshared with part 1',
    'Part 1 · 3g.40gb10.8 of 39.5 GiBshared with part 0',
    'Part 2 · 3g.40gbmemory not reported',
  ]);
  expect(parts(2)).toEqual(['Part 0 · 3g.40gb0.0 of 39.5 GiB']);
  expect(screen.queryByRole('list', { name: 'Parts of GPU 1' })).toBeNull();
});

it('is not there without MIG', () => {
  show([card(0, null)]);
  expect(screen.queryByRole('region', { name: 'MIG' })).toBeNull();
});
